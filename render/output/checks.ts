// What is wrong with an Order although each package renders: kinds that nobody defines, objects that two packages make,
// namespaces that nobody creates. Waits are looked at in wait-checks.ts.

import type { Issue } from '../errors.ts';
import { joinPath } from '../order/fields.ts';
import { crdName } from '../order/order.ts';
import type { OrderPlan, PackageError } from '../plan.ts';
import { installDocuments } from './manifest.ts';
import { customScopes, type KubeObject, objectsOf } from './objects.ts';
import { groupOf, isBuiltIn, isBuiltInGroup, member } from './scope.ts';
import { type CheckedPackage, checkWaits } from './wait-checks.ts';

/** Gives every issue of a rendered Order, in the order of its packages. An empty list means that nothing stands out. */
export function checkOrder(plan: OrderPlan): Issue[] {
  const scopes = customScopes(plan);
  const packages = plan.packages.map(
    (item): CheckedPackage => ({
      item,
      path: joinPath(item.selection.path, 'chart'),
      crds: objectsOf(item.release.crds, item, scopes),
      objects: objectsOf(installDocuments(item), item, scopes),
    }),
  );
  return [
    ...checkTypes(packages),
    ...checkRequired(packages),
    ...checkOwners(packages),
    ...checkNamespaces(packages),
    ...checkWaits(packages),
    ...packages.flatMap(checkChart),
  ];
}

/** Gives the issue behind the failure of a package: its path, the cause, and where it is. */
export function issueOf(failure: PackageError): Issue {
  const mend = failure.mend === undefined ? {} : { mend: failure.mend };
  return { path: joinPath(failure.path, 'chart'), message: failure.message, severity: 'error', ...mend };
}

const warning = (path: string, message: string, mend: string): Issue => ({ path, message, severity: 'warning', mend });
const fault = (path: string, message: string, mend: string): Issue => ({ path, message, severity: 'error', mend });

/** Gives what a package defines: `group/Kind` of its CRDs. */
function definedBy({ crds, objects }: CheckedPackage): string[] {
  return [...crds, ...objects]
    .filter((object) => object.kind === 'CustomResourceDefinition')
    .map(({ value }) => {
      const spec = member(value, 'spec');
      return `${String(member(spec, 'group'))}/${String(member(member(spec, 'names'), 'kind'))}`;
    });
}

function checkTypes(packages: readonly CheckedPackage[]): Issue[] {
  const issues: Issue[] = [];
  const defined = new Set<string>();
  const claimed = new Set<string>();
  packages.forEach((current, index) => {
    for (const type of definedBy(current)) defined.add(type);
    const { owned, required } = current.item.selection.chart.resources;
    for (const id of [...owned, ...required]) claimed.add(id.group);
    const told = new Set<string>();
    for (const { apiVersion, kind, path } of current.objects) {
      const type = `${groupOf(apiVersion)}/${kind}`;
      if (isBuiltIn(apiVersion, kind) || defined.has(type) || told.has(type)) continue;
      told.add(type);
      const later = packages.slice(index + 1).find((other) => definedBy(other).includes(type));
      issues.push(
        ...typeIssue(current, { apiVersion, kind, path }, { later, isClaimed: claimed.has(groupOf(apiVersion)) }),
      );
    }
  });
  return issues;
}

function typeIssue(
  current: CheckedPackage,
  { apiVersion, kind, path }: Pick<KubeObject, 'apiVersion' | 'kind' | 'path'>,
  found: { readonly later: CheckedPackage | undefined; readonly isClaimed: boolean },
): Issue[] {
  const name = `${apiVersion || '(no apiVersion)'} ${kind || '(no kind)'} of ${path}`;
  if (kind === '') return [fault(current.path, `${name} is no Kubernetes object`, 'Give the object a kind.')];
  if (isBuiltInGroup(apiVersion)) {
    return [fault(current.path, `${name} is no kind of Kubernetes`, 'Mend apiVersion and kind in the template.')];
  }
  if (found.later !== undefined) {
    const provider = found.later.item.selection.path;
    return [fault(current.path, `${name} is defined by ${provider}, which comes later`, `Move ${provider} before it.`)];
  }
  if (found.isClaimed) return [];
  const mend = 'Install what defines it first, and name it in resources.required.';
  return [warning(current.path, `${name} is defined by no package of the Order`, mend)];
}

function checkRequired(packages: readonly CheckedPackage[]): Issue[] {
  const brings = ({ item, crds, objects }: CheckedPackage): string[] => [
    ...item.selection.chart.resources.owned.map(crdName),
    ...[...crds, ...objects]
      .filter((object) => object.kind === 'CustomResourceDefinition')
      .map((object) => object.name),
  ];
  return packages.flatMap((current, index) =>
    current.item.selection.chart.resources.required.flatMap((id, position) => {
      const name = crdName(id);
      const path = `${current.path}.resources.required[${position}]`;
      if (packages.slice(0, index).some((other) => brings(other).includes(name))) return [];
      const later = packages.slice(index + 1).find((other) => brings(other).includes(name));
      if (later !== undefined) {
        const provider = later.item.selection.path;
        return [fault(path, `${name} is brought by ${provider}, which comes later`, `Move ${provider} before it.`)];
      }
      return [warning(path, `${name} is brought by no package`, 'The cluster must have it before the script starts.')];
    }),
  );
}

function checkOwners(packages: readonly CheckedPackage[]): Issue[] {
  const owners = new Map<string, CheckedPackage>();
  const issues: Issue[] = [];
  for (const current of packages) {
    for (const object of [...current.crds, ...current.objects]) {
      if (object.name === '' || object.generated) continue;
      const id = [groupOf(object.apiVersion), object.kind, object.namespace, object.name].join('/');
      const owner = owners.get(id);
      if (owner === undefined) owners.set(id, current);
      const title = `${object.kind} ${object.namespace === '' ? '' : `${object.namespace}/`}${object.name}`;
      if (owner === current) {
        issues.push(warning(current.path, `${title} is made twice`, 'The later one wins: make it once.'));
      } else if (owner !== undefined) {
        const other = owner.item.selection.path;
        issues.push(
          fault(
            current.path,
            `${title} is made by ${other} too`,
            'Helm refuses what another release owns: make it once.',
          ),
        );
      }
    }
  }
  return issues;
}

const builtInNamespaces = ['', 'default', 'kube-system', 'kube-public', 'kube-node-lease'];

function checkNamespaces(packages: readonly CheckedPackage[]): Issue[] {
  const made = new Set(builtInNamespaces);
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
