// What is wrong with an Order although each package renders: kinds that nobody defines, objects that two packages make,
// namespaces that nobody creates. Waits are looked at in wait-checks.ts.

import { joinPath } from '../arguments.ts';
import { type Issue, RenderError } from '../errors.ts';
import { crdName } from '../order/order.ts';
import type { OrderPlan, PackageError, RenderedPackage } from '../plan.ts';
import { createCapabilities } from '../values/capabilities.ts';
import { installDocuments } from './manifest.ts';
import { customScopes, isCrd, type KubeObject, objectsOf } from './objects.ts';
import { builtInNamespaces, type CustomScopes, groupOf, isBuiltIn, isBuiltInGroup, member } from './scope.ts';
import { type CheckedPackage, checkWaits } from './wait-checks.ts';

/** Gives every issue of a rendered Order, in the order of its packages. An empty list means that nothing stands out. */
export function checkOrder(plan: OrderPlan): Issue[] {
  const scopes = customScopes(plan);
  const faults: Issue[] = [];
  const packages = plan.packages.map((item): CheckedPackage => {
    const path = joinPath(item.selection.path, 'chart');
    return {
      item,
      path,
      crds: readCrds(item, path, scopes, faults),
      objects: objectsOf(installDocuments(item), item, scopes),
    };
  });
  return [
    ...faults,
    ...checkTypes(packages),
    ...checkRequired(packages),
    ...checkOwners(packages),
    ...checkNamespaces(packages),
    ...checkWaits(packages),
    ...packages.flatMap(checkChart),
  ];
}

// Helm reads the files of crds/ only when it installs them.
function readCrds(item: RenderedPackage, path: string, scopes: CustomScopes, faults: Issue[]): KubeObject[] {
  try {
    return objectsOf(item.release.crds, item, scopes);
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    faults.push(fault(path, error.message, error.mend ?? ''));
    return [];
  }
}

/** Gives the issue behind the failure of a package: its path, the cause, and where it is. */
export function issueOf(failure: PackageError): Issue {
  const mend = failure.mend === undefined ? {} : { mend: failure.mend };
  return { path: joinPath(failure.path, 'chart'), message: failure.message, severity: 'error', ...mend };
}

const warning = (path: string, message: string, mend: string): Issue => ({ path, message, severity: 'warning', mend });
const fault = (path: string, message: string, mend: string): Issue => ({ path, message, severity: 'error', mend });

/** Gives the packages that bring a thing, by its name: their places, in order. */
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

const crdsAmong = ({ crds, objects }: CheckedPackage): KubeObject[] => [...crds, ...objects].filter(isCrd);

/** Gives what a package defines: `group/Kind` of its CRDs. */
function definedBy(current: CheckedPackage): string[] {
  return crdsAmong(current).map(({ value }) => {
    const spec = member(value, 'spec');
    return `${String(member(spec, 'group'))}/${String(member(member(spec, 'names'), 'kind'))}`;
  });
}

function checkTypes(packages: readonly CheckedPackage[]): Issue[] {
  const providers = placesOf(packages, definedBy);
  const claimed = new Set<string>();
  return packages.flatMap((current, index) => {
    const { owned, required } = current.item.selection.chart.resources;
    for (const id of [...owned, ...required]) claimed.add(id.group);
    const told = new Set<string>();
    return current.objects.flatMap(({ apiVersion, kind, path }) => {
      const type = `${groupOf(apiVersion)}/${kind}`;
      const places = providers.get(type) ?? [];
      if (places.some((place) => place <= index) || told.has(`${apiVersion} ${kind}`)) return [];
      told.add(`${apiVersion} ${kind}`);
      const name = `${apiVersion || '(no apiVersion)'} ${kind || '(no kind)'} of ${path}`;
      if (isBuiltInGroup(apiVersion) || kind === '') return builtInIssue(current, { apiVersion, kind, name });
      const [later] = places;
      if (later !== undefined) {
        const provider = packages[later]?.item.selection.path;
        return [
          fault(current.path, `${name} is defined by ${provider}, which comes later`, `Move ${provider} before it.`),
        ];
      }
      if (claimed.has(groupOf(apiVersion))) return [];
      const mend = 'Install what defines it first, and name it in resources.required.';
      return [warning(current.path, `${name} is defined by no package of the Order`, mend)];
    });
  });
}

const knownVersions: ReadonlySet<string> = new Set(createCapabilities().apiVersions);

function builtInIssue(
  { path }: CheckedPackage,
  { apiVersion, kind, name }: { readonly apiVersion: string; readonly kind: string; readonly name: string },
): Issue[] {
  if (kind === '') return [fault(path, `${name} is no Kubernetes object`, 'Give the object a kind.')];
  if (!isBuiltIn(apiVersion, kind)) {
    return [fault(path, `${name} is no kind of Kubernetes`, 'Mend apiVersion and kind in the template.')];
  }
  if (knownVersions.has(apiVersion)) return [];
  return [
    warning(path, `${name} has a version that Kubernetes 1.32 does not know`, 'Mend apiVersion in the template.'),
  ];
}

function checkRequired(packages: readonly CheckedPackage[]): Issue[] {
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
        return [fault(path, `${name} is brought by ${provider}, which comes later`, `Move ${provider} before it.`)];
      }
      return [warning(path, `${name} is brought by no package`, 'The cluster must have it before the script starts.')];
    }),
  );
}

// Helm takes what stands in crds/ as nobody's, and leaves alone what is there already.
function checkOwners(packages: readonly CheckedPackage[]): Issue[] {
  const owners = new Map<string, CheckedPackage>();
  const issues: Issue[] = [];
  for (const current of packages) {
    const own = new Set<string>();
    const claim = (object: KubeObject, isShared: boolean): void => {
      if (object.name === '' || object.generated) return;
      const id = [groupOf(object.apiVersion), object.kind, object.namespace, object.name].join('/');
      const owner = owners.get(id);
      if (owner === undefined) owners.set(id, current);
      const title = `${object.kind} ${object.namespace === '' ? '' : `${object.namespace}/`}${object.name}`;
      if (own.has(id)) {
        issues.push(warning(current.path, `${title} is made twice`, 'The later one wins: make it once.'));
      } else if (owner !== undefined && !isShared) {
        const message = `${title} is made by ${owner.item.selection.path} too`;
        issues.push(fault(current.path, message, 'Helm refuses what another release owns: make it once.'));
      }
      own.add(id);
    };
    for (const object of current.crds) claim(object, true);
    for (const object of current.objects) claim(object, false);
  }
  return issues;
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
