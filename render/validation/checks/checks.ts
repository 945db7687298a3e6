// Issues of an Order whose packages all render.

import { pluralOf } from '../../core/counted.ts';
import type { Issue } from '../../core/errors.ts';
import { groupBy } from '../../core/group-by.ts';
import { getOrCreate } from '../../core/lazy.ts';
import { joinPath } from '../../core/paths.ts';
import type { PackageError, RenderedPackages } from '../../engine/packages.ts';
import type { GoValue } from '../../go/value.ts';
import type { HelmMajor } from '../../helm/helm.ts';
import { helmOf } from '../../helm/versions.ts';
import { mergeKeys } from '../../manifest/merge-keys.ts';
import { listMember, member, valuesIn } from '../../manifest/objects.ts';
import type { Hook } from '../../manifest/sort.ts';
import { crdName, type LabelSelector, type WaitFlags } from '../../order/order.ts';
import { customScopes, isCrd, type KubeObject } from '../../output/objects.ts';
import { apiVersionGroup, builtInNamespaces, isBuiltIn, isBuiltInGroup } from '../../output/scope.ts';
import { pathText } from '../../values/paths.ts';
import { kindFault } from '../kubernetes/lifecycles.ts';
import {
  type CheckedObject,
  type CheckedPackage,
  crdsAmong,
  errorIssue,
  note,
  readPackage,
  shownObject,
  warning,
} from './package.ts';

/** Where the packages provide something by name: their indexes, in order. */
type Providers = ReadonlyMap<string, readonly number[]>;

function providersOf(
  packages: readonly CheckedPackage[],
  brings: (item: CheckedPackage) => readonly string[],
): Providers {
  const found = packages.flatMap((current, index) => brings(current).map((name) => [name, index] as const));
  const groups = groupBy(found, ([name]) => name);
  return new Map([...groups].map(([name, places]) => [name, places.map(([, index]) => index)]));
}

/** Returns the issue of something that a package needs and that a later one provides. */
function tooLate(path: string, what: string, provider: CheckedPackage): Issue {
  const later = provider.item.selection.path;
  return errorIssue(path, `${what} by ${later}, which comes later`, `Move ${later} before it.`);
}

/** Returns the kind defined by a CRD: `group/Kind`. */
function definedBy({ value }: KubeObject): string {
  const spec = member(value, 'spec');
  return `${String(member(spec, 'group'))}/${String(member(member(spec, 'names'), 'kind'))}`;
}

const typeOf = ({ apiVersion, kind }: KubeObject): string => `${apiVersionGroup(apiVersion)}/${kind}`;

/** Returns an issue for each kind that is not available when a package uses it. */
function checkTypes(packages: readonly CheckedPackage[], kubeVersion: string): Issue[] {
  const providers = providersOf(packages, (current) => crdsAmong(current).map(definedBy));
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
      if (later !== undefined) return [tooLate(current.path, `${name} is defined`, packages[later]!)];
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
  const noKind = { kind: 'unserved', message: 'is no Kubernetes object', hint: 'Give the object a kind.' } as const;
  const wrong = kind === '' ? noKind : kindFault(apiVersion, kind, kubeVersion);
  if (wrong === undefined || wrong.kind === 'deprecated') return [];
  const message = `${name} ${wrong.message}`;
  if (wrong.kind === 'unserved') return [{ ...errorIssue(path, message, wrong.hint), code: 'SCHEMA_INVALID' }];
  return [{ ...warning(path, message, wrong.hint), code: 'API_DEPRECATED' }];
}

/** Returns an issue for each required custom kind that no earlier package provides. */
function checkRequired(packages: readonly CheckedPackage[]): Issue[] {
  const providers = providersOf(packages, (current) => [
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
      if (later !== undefined) return [tooLate(path, `${name} is provided`, packages[later]!)];
      const hint = 'The cluster must have it before the script starts.';
      return [warning(path, `${name} is not provided by any package`, hint)];
    }),
  );
}

/** Returns a warning for each wait that no object of its package or an earlier one can satisfy. */
function checkWaits(packages: readonly CheckedPackage[]): Issue[] {
  const names = typeNames(packages);
  const known: Candidate[] = [];
  return packages.flatMap(({ item, path, crds, objects }) => {
    for (const object of [...crds, ...objects]) known.push({ object, names: names(object) });
    const { namespace } = item.release;
    const inReach = known.filter(({ object }) => object.namespace === '' || object.namespace === namespace);
    return item.selection.chart.waitFors.flatMap((wait, position): Issue[] => {
      if (wait.for === 'delete' || matches(wait, inReach)) return [];
      const target = `${wait.resource.group}${wait.resource.resource === '' ? '' : `/${wait.resource.resource}`}`;
      const message = `${target} matches nothing that the Order makes in namespace ${namespace}`;
      const hint = 'Look at the type, the name and the labels; the script waits until its limit otherwise.';
      return [warning(`${path}.waitFors[${position}]`, message, hint)];
    });
  });
}

interface Candidate {
  readonly object: KubeObject;
  /** The names of its kind in kubectl. */
  readonly names: ReadonlySet<string>;
}

function matches(wait: WaitFlags, inReach: readonly Candidate[]): boolean {
  const [head = '', ...rest] = wait.resource.group.toLowerCase().split('.');
  const group = rest.join('.');
  const isPods = group === '' && ['pod', 'pods', 'po'].includes(head);
  const isType = ({ object, names }: Candidate): boolean =>
    names.has(head) && (group === '' || apiVersionGroup(object.apiVersion) === group || versioned(group, object));
  const { resource } = wait.resource;
  return inReach.some((candidate) => {
    const { object } = candidate;
    const isIt =
      isType(candidate) && (resource === '' ? selects(wait.labels, labelsAt(object.value)) : object.name === resource);
    // Pods are usually created by controllers; their names start with the controller's.
    const template = isPods ? member(member(object.value, 'spec'), 'template') : null;
    if (isIt || !(template instanceof Map)) return isIt;
    return resource === '' ? selects(wait.labels, labelsAt(template)) : resource.startsWith(`${object.name}-`);
  });
}

// `deployments.v1.apps` also contains the version.
function versioned(suffix: string, { apiVersion }: KubeObject): boolean {
  const group = apiVersionGroup(apiVersion);
  return suffix === `${apiVersion.slice(group.length + 1)}.${group}`;
}

const shortNames: Readonly<Record<string, string>> = {
  ConfigMap: 'cm',
  CustomResourceDefinition: 'crd crds',
  DaemonSet: 'ds',
  Deployment: 'deploy',
  HorizontalPodAutoscaler: 'hpa',
  Ingress: 'ing',
  Namespace: 'ns',
  PersistentVolume: 'pv',
  PersistentVolumeClaim: 'pvc',
  Pod: 'po',
  PodDisruptionBudget: 'pdb',
  ReplicaSet: 'rs',
  Service: 'svc',
  ServiceAccount: 'sa',
  StatefulSet: 'sts',
};

/** Returns a function from an object to the names of its kind in kubectl. */
function typeNames(packages: readonly CheckedPackage[]): (object: KubeObject) => ReadonlySet<string> {
  const names = new Map<string, Set<string>>();
  const namesOf = (type: string): Set<string> =>
    getOrCreate(names, type, () => new Set(regularNames(type.slice(type.indexOf('/') + 1))));
  for (const crd of packages.flatMap(crdsAmong)) {
    const custom = member(member(crd.value, 'spec'), 'names');
    const known = namesOf(definedBy(crd));
    for (const name of [member(custom, 'plural'), ...listMember(custom, 'shortNames')]) known.add(String(name));
  }
  return (object) => namesOf(typeOf(object));
}

function regularNames(kind: string): string[] {
  const singular = kind.toLowerCase();
  return [singular, pluralOf(singular), ...(Object.hasOwn(shortNames, kind) ? shortNames[kind]!.split(' ') : [])];
}

function labelsAt(value: GoValue): ReadonlyMap<string, GoValue> {
  const labels = member(member(value, 'metadata'), 'labels');
  return labels instanceof Map ? labels : new Map();
}

function selects(selector: LabelSelector | undefined, labels: ReadonlyMap<string, GoValue>): boolean {
  if (selector === undefined) return true;
  for (const [key, value] of selector.matchLabels) if (labels.get(key) !== value) return false;
  return selector.matchExpressions.every(({ key, operator, values }) => {
    const value = labels.get(key);
    if (operator === 'Exists') return value !== undefined;
    if (operator === 'DoesNotExist') return value === undefined;
    const isIn = typeof value === 'string' && values.includes(value);
    return operator === 'In' ? isIn : !isIn;
  });
}

// A missing key has its default.
function keysOfList(name: string, kind: string): readonly string[] | undefined {
  if (name === 'ports') return [kind === 'Service' ? 'port' : 'containerPort', 'protocol=TCP'];
  if (name === 'imagePullSecrets' && kind === 'ServiceAccount') return undefined;
  return Object.hasOwn(mergeKeys, name) ? mergeKeys[name] : undefined;
}

/** Returns an issue for each list of an object with duplicate items. */
function checkLists(packages: readonly CheckedPackage[]): Issue[] {
  return packages.flatMap(({ path, objects }) =>
    objects
      .filter((object) => isBuiltIn(object.apiVersion, object.kind) && !isCrd(object))
      .flatMap((object) =>
        [...valuesIn(object.value)].flatMap(({ steps, value }) =>
          twinsIn(value, keysOfList(String(steps.at(-1)), object.kind) ?? []).map((twin) =>
            errorIssue(
              path,
              `${shownObject(object)} of ${object.path} has two entries with ${twin} in ${pathText(steps)}: a server-side apply refuses it`,
              'Keep one of the two.',
            ),
          ),
        ),
      ),
  );
}

function twinsIn(list: GoValue, keys: readonly string[]): string[] {
  if (!Array.isArray(list)) return [];
  const known = new Set<string>();
  const twins = new Set<string>();
  for (const entry of list) {
    if (!(entry instanceof Map)) continue;
    const words = keys.map((key) => {
      const [name = '', standard] = key.split('=');
      const value = member(entry, name);
      return value === null ? standard && `${name} ${standard}` : `${name} ${String(value)}`;
    });
    const title = words.filter((word) => word !== undefined).join(' and ');
    // An item without its keys is refused by other rules.
    if (title === '' || words.includes(undefined)) continue;
    if (known.has(title)) twins.add(title);
    known.add(title);
  }
  return [...twins];
}

export function checkOrder(rendered: RenderedPackages): Issue[] {
  const scopes = customScopes(rendered);
  const faults: Issue[] = [];
  const packages = rendered.packages.map((item) => readPackage(item, scopes, faults));
  return [
    ...faults,
    ...checkApis(rendered),
    ...checkTypes(packages, rendered.kubeVersion),
    ...checkRequired(packages),
    ...checkNames(packages, helmOf(rendered.helm).major),
    ...checkOwners(packages),
    ...checkLists(packages),
    ...checkNamespaces(packages),
    ...checkWaits(packages),
    ...packages.flatMap(checkChart),
  ];
}

/** Returns the issue for the failure of a package: its path, the cause, and its place. */
export function issueOf(failure: PackageError): Issue {
  const hint = failure.hint === undefined ? {} : { hint: failure.hint };
  return { path: failure.memberPath, message: failure.message, severity: 'error', ...hint };
}

function checkNamespaces(packages: readonly CheckedPackage[]): Issue[] {
  const made = new Set(['', ...builtInNamespaces]);
  return packages.flatMap((current) => {
    made.add(current.item.release.namespace);
    for (const object of current.objects) if (object.kind === 'Namespace') made.add(object.name);
    const missing = new Set(current.objects.map((object) => object.namespace).filter((name) => !made.has(name)));
    return [...missing].map((name) =>
      warning(current.path, `objects live in namespace ${name}, which no package makes`, 'Create the namespace first.'),
    );
  });
}

function checkChart({ item, path }: CheckedPackage): Issue[] {
  const { name, deprecated } = item.chart.metadata;
  if (!deprecated) return [];
  return [warning(path, `chart ${name} is deprecated`, 'Look for the chart that replaces it.')];
}

/**
 * Returns a note for each package whose templates find API versions provided by the Order, in addition to the caller's; and a warning for
 * API versions of the caller that the Order provides only later.
 */
function checkApis(rendered: RenderedPackages): Issue[] {
  const given = new Set(rendered.apiVersions);
  return rendered.packages.flatMap(({ selection, apis }, index): Issue[] => {
    const path = joinPath(selection.path, 'chart');
    const queried = [...apis.queried].sort();
    const found = queried.filter((name) => apis.brought.has(name) && !given.has(name));
    const early = queried.filter((name) => given.has(name) && !apis.brought.has(name));
    const later = rendered.packages.slice(index);
    return [
      ...(found.length === 0 ? [] : [foundIssue(path, found, apis.brought)]),
      ...early.flatMap((name) => {
        const provider = later.find(({ definitions: { crds, objects } }) =>
          [...crds, ...objects].some(({ apiVersions }) => apiVersions.includes(name)),
        );
        return provider === undefined ? [] : [earlyIssue(path, name, provider.selection.path)];
      }),
    ];
  });
}

function foundIssue(path: string, names: readonly string[], brought: ReadonlyMap<string, string>): Issue {
  const sources = [...new Set(names.map((name) => brought.get(name)))].join(', ');
  const message = `its templates ask for ${names.join(', ')} and find it, because ${sources} provides it`;
  return note(path, message, `Rendered alone, it needs -a ${names.join(',')} for the same.`);
}

function earlyIssue(path: string, name: string, source: string): Issue {
  return warning(
    path,
    `its templates ask for ${name}, which -a declares, and ${source} provides it only after they are rendered`,
    'Where the cluster has it not yet, the first installation differs: install it with a package before this one.',
  );
}

/**
 * Returns an issue for each object that a major version of Helm cannot install because the server would have to name it. Helm looks up what
 * it installs by name, and deletes hooks by name.
 * Mirrors: helm.sh/helm/v3/pkg/action, validate.go, `existingResourceConflict`, and hooks.go, `deleteHookByPolicy`, v3.17.3;
 * k8s.io/cli-runtime/pkg/resource, `Helper`: "resource name may not be empty".
 */
function checkNames(packages: readonly CheckedPackage[], helm: HelmMajor): Issue[] {
  return packages.flatMap(({ path, objects }) =>
    objects
      .filter((object) => object.kind !== '' && (object.generated || object.name === '') && isAskedFor(object, helm))
      .map((object) => {
        const words = object.generated ? `has generateName ${object.name} and no name` : 'has no name';
        const message = `${object.kind} of ${object.path} ${words}: its installation with Helm fails`;
        return errorIssue(path, message, 'Give it metadata.name.');
      }),
  );
}

// Helm 3 creates a hook without a lookup, and if nothing but a failure deletes it, its name is never needed. Helm 4 applies.
function isAskedFor({ hook, generated }: CheckedObject, helm: HelmMajor): boolean {
  if (hook === undefined || helm === 4 || !generated) return true;
  return hook.deletePolicies.length === 0 || hook.deletePolicies.some((policy) => policy !== 'hook-failed');
}

interface Claim {
  readonly owner: CheckedPackage;
  readonly hook: Hook | undefined;
  /** Whether it is in `crds/`: Helm treats it as unowned, and keeps existing ones. */
  readonly isShared: boolean;
}

/**
 * Returns an issue for each object that is created a second time if that fails or is probably not intended. Helm does not let a release take
 * over another one's object, but a hook has no owner: it is created when its event occurs, if possible, and an existing object with its name
 * is deleted first.
 * Mirrors: helm.sh/helm/v3/pkg/action, validate.go, `existingResourceConflict`, and hooks.go, `execHook`, v3.17.3.
 */
function checkOwners(packages: readonly CheckedPackage[]): Issue[] {
  const claims = new Map<string, Claim>();
  const issues: Issue[] = [];
  for (const owner of packages) {
    const claim = (object: KubeObject, mine: Claim): void => {
      if (object.name === '' || object.generated) return;
      const id = [apiVersionGroup(object.apiVersion), object.kind, object.namespace, object.name].join('/');
      const before = claims.get(id);
      if (before !== undefined) issues.push(...conflict(shownObject(object), before, mine));
      if (before === undefined || isGone(before)) claims.set(id, mine);
    };
    for (const object of owner.crds) claim(object, { owner, hook: undefined, isShared: true });
    for (const object of owner.objects) claim(object, { owner, hook: object.hook, isShared: false });
  }
  return issues;
}

function conflict(title: string, before: Claim, mine: Claim): Issue[] {
  const { path } = mine.owner;
  if (before.owner === mine.owner) {
    if (before.hook !== undefined && mine.hook !== undefined) return [];
    return [warning(path, `${title} is made twice`, 'The later one wins: make it once.')];
  }
  if (mine.isShared || isGone(before)) return [];
  const other = before.owner.item.selection.path;
  if (mine.hook === undefined) {
    return [
      errorIssue(path, `${title} is made by ${other} too`, 'Helm refuses what another release owns: make it once.'),
    ];
  }
  if (!deletesBefore(mine.hook)) {
    const hint = 'Give the hook the delete policy before-hook-creation, or make the object once.';
    return [errorIssue(path, `${title}, a hook, is made by ${other} too, and nothing deletes that one`, hint)];
  }
  if (before.hook !== undefined) return [];
  const message = `${title}, a hook, deletes the one that ${other} makes and takes its place`;
  return [errorIssue(path, message, 'Give the hook a unique name.')];
}

// A hook without a policy has the one that deletes before creation.
function deletesBefore({ deletePolicies }: Hook): boolean {
  return deletePolicies.length === 0 || deletePolicies.includes('before-hook-creation');
}

function isGone({ hook }: Claim): boolean {
  return hook?.deletePolicies.includes('hook-succeeded') === true;
}
