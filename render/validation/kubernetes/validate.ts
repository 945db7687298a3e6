// Validates objects against the schemas of a Kubernetes version and of accompanying definitions, and reports removed APIs.

import type { GoMap, GoValue } from '../../go/value.ts';
import { member, textMember } from '../../manifest/objects.ts';
import { checkObjectShape } from './built-in.ts';
import { checkCustom } from './custom.ts';
import { memberPath, missingField, type ObjectViolation } from './fault.ts';
import { type KindFault, kindFault } from './lifecycles.ts';
import { nameFaults } from './metadata.ts';
import { type Shapes, shapesOf } from './shapes.ts';

/** A problem of an object: of a field, or of its kind as a whole. */
export interface ObjectFault extends Omit<ObjectViolation, 'kind'> {
  readonly kind: ObjectViolation['kind'] | KindFault['kind'];
}

/** Validates objects for a Kubernetes version. */
export interface Validator {
  /** The version of the schemas, such as `1.31`: the nearest available one. */
  readonly version: string;
  /** Returns the problems of an object. Without a schema, only the metadata of a custom resource are validated. */
  check(object: GoMap): ObjectFault[];
  /** Returns the problems of its API version and kind only. */
  checkApi(object: GoMap): ObjectFault[];
}

/** Creates a validator. `definitions` are custom resource definitions, whose kinds are validated by their schemas. */
export function createValidator(kubeVersion: string, definitions: readonly GoMap[] = []): Validator {
  const shapes = shapesOf(kubeVersion);
  const custom = new Map(definitions.flatMap(schemasOf));
  return {
    version: shapes.version,
    checkApi: (object) => apiFaults(textMember(object, 'apiVersion'), textMember(object, 'kind'), kubeVersion),
    check: (object) => {
      const apiVersion = textMember(object, 'apiVersion');
      const kind = textMember(object, 'kind');
      const missing = [...(apiVersion === '' ? ['apiVersion'] : []), ...(kind === '' ? ['kind'] : [])];
      if (missing.length > 0) return missing.map((name) => missingField(memberPath(undefined, name)));
      // kubectl sends the items of a list one by one, and refuses a list without items.
      if (apiVersion === 'v1' && kind === 'List') {
        return Array.isArray(member(object, 'items')) ? [] : [missingField(memberPath(undefined, 'items'))];
      }
      return [
        ...apiFaults(apiVersion, kind, kubeVersion),
        ...nameFaults(apiVersion, kind, member(object, 'metadata')),
        ...fieldFaults(object, { apiVersion, kind, shapes, custom }),
      ];
    },
  };
}

interface Known {
  readonly apiVersion: string;
  readonly kind: string;
  readonly shapes: Shapes;
  readonly custom: ReadonlyMap<string, GoValue>;
}

function fieldFaults(object: GoMap, { apiVersion, kind, shapes, custom }: Known): ObjectViolation[] {
  const type = shapes.typeOf(apiVersion, kind);
  if (type !== undefined) return checkObjectShape(object, type, shapes);
  const schema = custom.get(`${apiVersion} ${kind}`);
  if (schema !== undefined) return checkCustom(object, schema, shapes);
  const metadata = member(object, 'metadata');
  return metadata === null ? [] : checkObjectShape(metadata, 'V1ObjectMeta', shapes, memberPath(undefined, 'metadata'));
}

// A version without a schema accepts anything; one of a definition with `preserveUnknownFields` keeps unknown fields.
function schemasOf(definition: GoMap): (readonly [string, GoValue])[] {
  const spec = member(definition, 'spec');
  const [group, kind] = [textMember(spec, 'group'), textMember(member(spec, 'names'), 'kind')];
  const listed = member(spec, 'versions');
  if (!Array.isArray(listed) || member(spec, 'preserveUnknownFields') === true) return [];
  return listed.flatMap((version) => {
    const schema = member(member(version, 'schema'), 'openAPIV3Schema');
    return schema instanceof Map ? [[`${group}/${textMember(version, 'name')} ${kind}`, schema] as const] : [];
  });
}

function apiFaults(apiVersion: string, kind: string, kubeVersion: string): ObjectFault[] {
  const fault = apiVersion === '' || kind === '' ? undefined : kindFault(apiVersion, kind, kubeVersion);
  if (fault === undefined) return [];
  return [{ ...fault, path: '', steps: ['apiVersion'], message: `${apiVersion} ${kind} ${fault.message}` }];
}
