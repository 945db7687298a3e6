// Issues of an Order whose packages all render. Each check is in its own file.

import type { Issue } from '../../core/errors.ts';
import type { PackageError, RenderedPackages } from '../../engine/packages.ts';
import { helmOf } from '../../helm/versions.ts';
import { customScopes } from '../../output/objects.ts';
import { builtInNamespaces } from '../../output/scope.ts';
import { checkApis } from './apis.ts';
import { checkLists } from './lists.ts';
import { checkNames } from './names.ts';
import { checkOwners } from './owners.ts';
import { type CheckedPackage, readPackage, warning } from './package.ts';
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
