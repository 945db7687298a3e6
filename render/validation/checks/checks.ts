// Issues of an Order whose packages all render. The longer checks have files of their own.

import type { Issue } from '../../core/errors.ts';
import { joinPath } from '../../core/paths.ts';
import type { PackageError, RenderedPackages } from '../../engine/packages.ts';
import type { HelmMajor } from '../../helm/helm.ts';
import { helmOf } from '../../helm/versions.ts';
import type { Hook } from '../../manifest/sort.ts';
import { customScopes, type KubeObject } from '../../output/objects.ts';
import { apiVersionGroup, builtInNamespaces } from '../../output/scope.ts';
import { checkLists } from './lists.ts';
import {
  type CheckedObject,
  type CheckedPackage,
  errorIssue,
  note,
  readPackage,
  shownObject,
  warning,
} from './package.ts';
import { checkRequired, checkTypes } from './types.ts';
import { checkWaits } from './waits.ts';

/** Returns all issues of a rendered Order, in the order of its packages. */
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
      if (before === undefined || !isGone(before)) claims.set(id, before ?? mine);
      else claims.set(id, mine);
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
