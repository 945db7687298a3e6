// Objects without a name. Helm looks up what it installs by name, and deletes hooks by name.
// Mirrors: helm.sh/helm/v3/pkg/action, validate.go, `existingResourceConflict`, and hooks.go, `deleteHookByPolicy`, v3.17.3;
// k8s.io/cli-runtime/pkg/resource, `Helper`: "resource name may not be empty".

import type { Issue } from '../../core/errors.ts';
import type { HelmMajor } from '../../helm/helm.ts';
import { type CheckedObject, type CheckedPackage, errorIssue } from './package.ts';

/** Returns an issue for each object that a major version of Helm cannot install because the server would have to name it. */
export function checkNames(packages: readonly CheckedPackage[], helm: HelmMajor): Issue[] {
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
