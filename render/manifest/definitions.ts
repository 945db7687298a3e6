// Kinds that documents add to a cluster: custom resource definitions and API services.

import { RenderError } from '../core/errors.ts';
import type { GoMap, GoValue } from '../go/value.ts';
import { member, readObjects, textMember } from './objects.ts';
import type { SourcedDocument } from './source.ts';

/** A kind or a whole group that a document defines. */
export interface ApiDefinition {
  readonly group: string;
  /** Empty for an API service, which does not list its kinds. */
  readonly kind: string;
  readonly isNamespaced: boolean;
  /** The served versions, as in an apiVersion. */
  readonly versions: readonly string[];
  /** The names in discovery, such as `example.com/v1`, `example.com/v1/Thing` and `example.com/v1/Scale`. */
  readonly apiVersions: readonly string[];
}

/** Returns what a document defines, in order; empty if it cannot be parsed, which is reported when its objects are read. */
export function definitionsOf({ path, content }: SourcedDocument): readonly ApiDefinition[] {
  if (!/CustomResourceDefinition|APIService/.test(content)) return [];
  const objects = orNothing({ path, content: withoutSchemas(content) }) ?? orNothing({ path, content }) ?? [];
  return objects.flatMap((object) => {
    const kind = textMember(object, 'kind');
    if (kind === 'CustomResourceDefinition') return readCrd(member(object, 'spec'));
    return kind === 'APIService' ? readService(member(object, 'spec')) : [];
  });
}

function orNothing(document: SourcedDocument): GoMap[] | undefined {
  try {
    return readObjects(document);
  } catch (error) {
    if (error instanceof RenderError) return undefined;
    throw error;
  }
}

// Most of a definition is its schema, which is not needed here: everything indented below the key is removed. A similar text within a
// scalar loses lines too, which does not change a member that is read. If an anchor is lost, the rest does not parse, and the whole is
// parsed instead.
function withoutSchemas(content: string): string {
  const kept: string[] = [];
  let limit = -1;
  for (const line of content.split('\n')) {
    const indent = line.search(/[^ ]/);
    if (limit >= 0 && (indent < 0 || indent > limit)) continue;
    limit = -1;
    const [, blanks, dash = ''] = /^( *)((?:- +)?)(?:schema|validation):[ \r]*$/.exec(line) ?? [];
    if (blanks !== undefined) limit = blanks.length + dash.length;
    kept.push(line);
  }
  return kept.join('\n');
}

function readCrd(spec: GoValue): ApiDefinition[] {
  const group = member(spec, 'group');
  const kind = member(member(spec, 'names'), 'kind');
  if (typeof group !== 'string' || typeof kind !== 'string') return [];
  const listed = member(spec, 'versions');
  // The first version of this API had a single version.
  const all = Array.isArray(listed) ? listed : [new Map([['name', member(spec, 'version')]])];
  const served = all.filter((version) => member(version, 'served') !== false && textMember(version, 'name') !== '');
  return [
    {
      group,
      kind,
      isNamespaced: member(spec, 'scope') !== 'Cluster',
      versions: served.map((version) => textMember(version, 'name')),
      apiVersions: served.flatMap((version) => {
        const name = `${group}/${textMember(version, 'name')}`;
        const subresources = member(version, 'subresources') ?? member(spec, 'subresources');
        return [name, `${name}/${kind}`, ...(member(subresources, 'scale') === null ? [] : [`${name}/Scale`])];
      }),
    },
  ];
}

function readService(spec: GoValue): ApiDefinition[] {
  const group = textMember(spec, 'group');
  const version = textMember(spec, 'version');
  if (group === '' || version === '') return [];
  return [{ group, kind: '', isNamespaced: false, versions: [version], apiVersions: [`${group}/${version}`] }];
}
