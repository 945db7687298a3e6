// What documents add to the kinds of a cluster: custom resource definitions, and API services of servers beside it.

import { RenderError } from '../core/errors.ts';
import type { GoMap, GoValue } from '../go/value.ts';
import { member, readObjects, textMember } from './objects.ts';
import type { SourcedDocument } from './source.ts';

/** A kind, or a whole group, that a document defines. */
export interface ApiDefinition {
  readonly group: string;
  /** Empty for an API service, which says nothing of its kinds. */
  readonly kind: string;
  readonly isNamespaced: boolean;
  /** The versions that are served, as they stand in an apiVersion. */
  readonly versions: readonly string[];
  /** The names that discovery lists, such as `example.com/v1`, `example.com/v1/Thing` and `example.com/v1/Scale`. */
  readonly apiVersions: readonly string[];
}

/** Returns what a document defines, in order; nothing if it cannot be read: reading its objects reports that. */
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

// Nearly all of a definition is its schema, of which nothing is asked here: what is indented below the key goes. A text
// that looks alike within a scalar loses lines too, which changes no member that is read; where an anchor goes with
// them, the rest cannot be read, and the whole is.
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
  // The first form of these definitions knew one version.
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
