// Objects against the schemas of a version of Kubernetes and of the definitions beside them, and what they say of APIs that go.

import type { GoMap, GoValue } from '../../go/value.ts';
import { member, textMember } from '../../manifest/objects.ts';
import { checkObjectShape } from './built-in.ts';
import { checkCustom } from './custom.ts';
import { childPath, missingField, type ObjectViolation } from './fault.ts';
import { type KindFault, kindFault } from './lifecycles.ts';
import { nameFaults } from './metadata.ts';
import { type Shapes, shapesOf } from './shapes.ts';

/** What is wrong with an object: a fault of a field, or of its kind as a whole. */
export interface ObjectFault extends Omit<ObjectViolation, 'kind'> {
  readonly kind: ObjectViolation['kind'] | KindFault['kind'];
}

/** Checks objects of a version of Kubernetes. */
export interface Validator {
  /** The version whose schemas are used, such as `1.31`: the nearest of those at hand. */
  readonly version: string;
  /** Returns the faults of an object. Of a custom kind without a schema only what all objects have in common is checked. */
  check(object: GoMap): ObjectFault[];
  /** Returns the faults of its API version and kind only. */
  checkApi(object: GoMap): ObjectFault[];
}

/** Makes what checks objects. `definitions` are custom resource definitions, whose kinds are checked by their schemas. */
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
      if (missing.length > 0) return missing.map((name) => missingField(childPath(undefined, name)));
      // kubectl sends the items of a list one by one, and refuses a list that has none.
      if (apiVersion === 'v1' && kind === 'List') {
        return Array.isArray(member(object, 'items')) ? [] : [missingField(childPath(undefined, 'items'))];
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
  return metadata === null ? [] : checkObjectShape(metadata, 'V1ObjectMeta', shapes, childPath(undefined, 'metadata'));
}

// A version without a schema takes anything; one of a definition that says `preserveUnknownFields` keeps what it does not know.
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
