// Kinds that are not defined, or too late: by a later package, or by the release that uses them.

import type { Issue } from '../../core/errors.ts';
import { member } from '../../manifest/objects.ts';
import { crdName } from '../../order/order.ts';
import { isCrd, type KubeObject } from '../../output/objects.ts';
import { apiVersionGroup, isBuiltInGroup } from '../../output/scope.ts';
import { kindFault } from '../kubernetes/lifecycles.ts';
import { type CheckedObject, type CheckedPackage, crdsAmong, errorIssue, warning } from './package.ts';

/** Returns the packages that provide something by name: their indexes, in order. */
function placesOf(
  packages: readonly CheckedPackage[],
  brings: (item: CheckedPackage) => Iterable<string>,
): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  packages.forEach((current, index) => {
    for (const name of brings(current)) {
      const found = places.get(name);
      if (found === undefined) places.set(name, [index]);
      else found.push(index);
    }
  });
  return places;
}

/** Returns the kind defined by a CRD: `group/Kind`. */
function definedBy({ value }: KubeObject): string {
  const spec = member(value, 'spec');
  return `${String(member(spec, 'group'))}/${String(member(member(spec, 'names'), 'kind'))}`;
}

const typeOf = ({ apiVersion, kind }: KubeObject): string => `${apiVersionGroup(apiVersion)}/${kind}`;

/** Returns an issue for each kind that is not available when a package uses it. */
export function checkTypes(packages: readonly CheckedPackage[], kubeVersion: string): Issue[] {
  const providers = placesOf(packages, (current) => crdsAmong(current).map(definedBy));
  const claimed = new Set<string>();
  return packages.flatMap((current, index) => {
    const { owned, required } = current.item.selection.chart.resources;
    const isRequired = new Set(required.map(({ group }) => group));
    for (const id of [...owned, ...required]) claimed.add(id.group);
    const reported = new Set<string>();
    return current.objects.flatMap((object) => {
      const { apiVersion, kind, path } = object;
      const places = providers.get(typeOf(object)) ?? [];
      if (places.some((place) => place < index) || reported.has(`${apiVersion} ${kind}`)) return [];
      const name = `${apiVersion || '(no apiVersion)'} ${kind || '(no kind)'} of ${path}`;
      if (places.includes(index)) {
        if (isRequired.has(apiVersionGroup(apiVersion)) || isDefinedBefore(object, current)) return [];
        reported.add(`${apiVersion} ${kind}`);
        return [definedTooLate(object, current, name)];
      }
      reported.add(`${apiVersion} ${kind}`);
      if (isBuiltInGroup(apiVersion) || kind === '')
        return builtInIssue(current, { apiVersion, kind, name, kubeVersion });
      const [later] = places;
      if (later !== undefined) {
        const provider = packages[later]?.item.selection.path;
        return [
          errorIssue(
            current.path,
            `${name} is defined by ${provider}, which comes later`,
            `Move ${provider} before it.`,
          ),
        ];
      }
      if (claimed.has(apiVersionGroup(apiVersion))) return [];
      const hint = 'Install what defines it first, and name it in resources.required.';
      return [warning(current.path, `${name} is defined by no package of the Order`, hint)];
    });
  });
}

// Helm looks up the kinds of all resources of a release before its first hook, and a hook's kind when the hook runs. So `crds/` is always
// in time, and an earlier hook is for a later one.
function isDefinedBefore(object: CheckedObject, { crds, objects }: CheckedPackage): boolean {
  const isOf = (crd: KubeObject): boolean => isCrd(crd) && definedBy(crd) === typeOf(object);
  if (crds.some(isOf)) return true;
  if (object.hook === undefined) return false;
  return objects.slice(0, objects.indexOf(object)).some(isOf);
}

function definedTooLate(object: CheckedObject, { path, objects }: CheckedPackage, name: string): Issue {
  const crd = objects.find((other) => isCrd(other) && definedBy(other) === typeOf(object));
  return errorIssue(
    path,
    `${name} is defined by ${crd?.path} of the same release: its first installation with Helm fails`,
    'Install the definition with a package before it, or from crds/; where the cluster has it, name it in resources.required.',
  );
}

interface BuiltIn {
  readonly apiVersion: string;
  readonly kind: string;
  /** For people. */
  readonly name: string;
  readonly kubeVersion: string;
}

function builtInIssue({ path }: CheckedPackage, { apiVersion, kind, name, kubeVersion }: BuiltIn): Issue[] {
  const invalid = (message: string, hint: string): Issue => ({
    ...errorIssue(path, message, hint),
    code: 'SCHEMA_INVALID',
  });
  if (kind === '') return [invalid(`${name} is no Kubernetes object`, 'Give the object a kind.')];
  const wrong = kindFault(apiVersion, kind, kubeVersion);
  if (wrong === undefined || wrong.kind === 'deprecated') return [];
  if (wrong.kind === 'unserved') return [invalid(`${name} ${wrong.message}`, wrong.hint)];
  return [{ ...warning(path, `${name} ${wrong.message}`, wrong.hint), code: 'API_DEPRECATED' }];
}

/** Returns an issue for each required custom kind that no earlier package provides. */
export function checkRequired(packages: readonly CheckedPackage[]): Issue[] {
  const providers = placesOf(packages, (current) => [
    ...current.item.selection.chart.resources.owned.map(crdName),
    ...crdsAmong(current).map((object) => object.name),
  ]);
  return packages.flatMap((current, index) =>
    current.item.selection.chart.resources.required.flatMap((id, position) => {
      const name = crdName(id);
      const path = `${current.path}.resources.required[${position}]`;
      const places = providers.get(name) ?? [];
      if (places.some((place) => place < index)) return [];
      const later = places.find((place) => place > index);
      if (later !== undefined) {
        const provider = packages[later]?.item.selection.path;
        return [
          errorIssue(path, `${name} is provided by ${provider}, which comes later`, `Move ${provider} before it.`),
        ];
      }
      return [
        warning(path, `${name} is not provided by any package`, 'The cluster must have it before the script starts.'),
      ];
    }),
  );
}
