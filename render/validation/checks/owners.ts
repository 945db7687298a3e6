// Objects that are created twice. Helm does not let a release take over another one's object, but a hook has no owner: it is created when
// its event occurs, if possible, and an existing object with its name is deleted first.
// Mirrors: helm.sh/helm/v3/pkg/action, validate.go, `existingResourceConflict`, and hooks.go, `execHook`, v3.17.3.

import type { Issue } from '../../core/errors.ts';
import type { Hook } from '../../manifest/sort.ts';
import type { KubeObject } from '../../output/objects.ts';
import { apiVersionGroup } from '../../output/scope.ts';
import { type CheckedPackage, errorIssue, objectName, warning } from './package.ts';

interface Claim {
  readonly owner: CheckedPackage;
  readonly hook: Hook | undefined;
  /** Whether it is in `crds/`: Helm treats it as unowned, and keeps existing ones. */
  readonly isShared: boolean;
}

/** Returns an issue for each object that is created a second time if that fails or is probably not intended. */
export function checkOwners(packages: readonly CheckedPackage[]): Issue[] {
  const claims = new Map<string, Claim>();
  const issues: Issue[] = [];
  for (const owner of packages) {
    const claim = (object: KubeObject, mine: Claim): void => {
      if (object.name === '' || object.generated) return;
      const id = [apiVersionGroup(object.apiVersion), object.kind, object.namespace, object.name].join('/');
      const before = claims.get(id);
      if (before !== undefined) issues.push(...conflict(objectName(object), before, mine));
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
