// The view model of the kubectl scripts: what the common one lacks, which is every object and what to do with it.

import type { HookEvent } from '../manifest/hooks.ts';
import { member } from '../manifest/objects.ts';
import type { OrderPlan, RenderedPackage } from '../plan.ts';
import { formatObject } from './documents.ts';
import { hooksOf } from './manifest.ts';
import { customScopes, isCrd, isNamed, type KubeObject, objectsOf } from './objects.ts';
import { type CustomScopes, groupOf, isBuiltIn } from './scope.ts';
import { type PackageView, type ScriptView, type ViewOptions, viewOrder } from './views.ts';
import { commentText } from './words.ts';

/** Is the view model of the kubectl scripts. */
export interface YamlScriptView extends ScriptView {
  /** Whether a chart has CRDs in its `crds/` folder. */
  readonly hasCrds: boolean;
  /** Whether the address of a load balancer is waited for. */
  readonly hasAddresses: boolean;
  /** Whether leave to create objects can be asked for. */
  readonly hasPermissions: boolean;
  readonly packages: readonly YamlPackageView[];
  readonly reversed: readonly YamlPackageView[];
}

/** Is one package of a kubectl script. */
export interface YamlPackageView extends PackageView {
  /** The Namespace object, as YAML. */
  readonly namespaceManifest: string;
  readonly crdDocuments: readonly DocumentView[];
  readonly hooksBefore: readonly HookView[];
  readonly hooksBeforeReversed: readonly HookView[];
  /** The resources in install order, objects of one namespace together. */
  readonly documents: readonly DocumentView[];
  /** What must be ready before the package counts as installed, as `helm --wait` sees it. */
  readonly awaited: readonly AwaitedView[];
  /** The kinds of Kubernetes that the package makes objects of, each once for a namespace. */
  readonly permissions: readonly PermissionView[];
  readonly hooksAfter: readonly HookView[];
  readonly hooksAfterReversed: readonly HookView[];
  /** The objects to delete, last first; what must stay is not among them. */
  readonly deletions: readonly TargetView[];
  /** The volume claims among the resources. */
  readonly claims: readonly TargetView[];
}

/** Is one YAML text that is applied in one go. */
export interface DocumentView {
  readonly text: string;
  /** Its file beside the script; empty for none. */
  readonly file: string;
  /** Empty where every object is cluster-scoped. */
  readonly namespace: string;
  /** Whether the server names the objects, so that they can be created but not applied. */
  readonly isCreate: boolean;
}

/** Names an object for kubectl. */
export interface TargetView {
  /** `kind.version.group/name`. */
  readonly target: string;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
}

/** Is one object that is waited for; of the ways to tell that it is ready, one is given. */
export interface AwaitedView extends TargetView {
  /** Whether `kubectl rollout status` tells. */
  readonly rollsOut: boolean;
  /** The `--for` option by which `kubectl wait` tells; empty for none. */
  readonly until: string;
  /** Whether the address of a load balancer tells. */
  readonly hasAddress: boolean;
  /** The name of a CRD, which must be served; empty for none. */
  readonly crd: string;
}

/** Is a kind that whoever runs the script must be allowed to create. */
export interface PermissionView {
  /** `kind.version.group`. */
  readonly type: string;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
}

/** Is one object of a hook. */
export interface HookView extends DocumentView, TargetView {
  /** What `kubectl wait --for` must see; empty for kinds that are done once they are there. */
  readonly done: string;
  /** What says that it failed. */
  readonly failed: string;
  readonly deleteBefore: boolean;
  readonly deleteAfter: boolean;
  readonly deleteOnFailure: boolean;
}

/** Gives the view model of the kubectl scripts. Throws MANIFEST_INVALID where a CRD file is not YAML. */
export function viewYamlOrder(plan: OrderPlan, options: ViewOptions = {}): YamlScriptView {
  const scopes = customScopes(plan);
  const base = viewOrder(plan, options);
  const packages = plan.packages.map((item, index) => viewPackage(item, base.packages[index] as PackageView, scopes));
  return {
    ...base,
    packages,
    reversed: [...packages].reverse(),
    hasLocalCharts: false,
    hasCrds: packages.some((item) => item.crdDocuments.length > 0),
    hasHooks: packages.some((item) => item.hooksBefore.length + item.hooksAfter.length > 0),
    hasAddresses: packages.some((item) => item.awaited.some((object) => object.hasAddress)),
    hasPermissions: packages.some((item) => item.permissions.length > 0),
    tool: 'kubectl',
    isHelm: false,
    needsKubectl: true,
  };
}

function viewPackage(item: RenderedPackage, base: PackageView, scopes: CustomScopes): YamlPackageView {
  const objects = objectsOf(item.release.manifests, item, scopes);
  const hooksBefore = viewHooks(item, 'pre-install', scopes);
  const hooksAfter = viewHooks(item, 'post-install', scopes);
  const named = objects.filter(isNamed).reverse();
  const hooks = [...hooksOf(item, 'pre-install'), ...hooksOf(item, 'post-install')];
  return {
    ...base,
    namespaceManifest: `apiVersion: v1\nkind: Namespace\nmetadata:\n  name: ${JSON.stringify(base.namespace)}\n`,
    crdDocuments: objectsOf(item.release.crds, item, scopes).map((object) => viewDocument([object])),
    hooksBefore,
    hooksBeforeReversed: [...hooksBefore].reverse(),
    documents: groupByNamespace(objects).map(viewDocument),
    awaited: objects.filter(isNamed).flatMap(viewAwaited),
    permissions: viewPermissions([...objects, ...objectsOf(hooks, item, scopes)]),
    hooksAfter,
    hooksAfterReversed: [...hooksAfter].reverse(),
    deletions: named.filter((object) => !stays(object)).map(viewTarget),
    claims: named.filter((object) => isClaim(object) && !isKept(object)).map(viewTarget),
  };
}

// Mirrors: helm.sh/helm/v3/pkg/action, hooks.go, `execHook`, v3.17.3: what has no policy is deleted before it is created,
// and CRDs are never deleted.
function viewHooks(item: RenderedPackage, event: HookEvent, scopes: CustomScopes): HookView[] {
  return hooksOf(item, event).flatMap((hook) => {
    const policies = hook.deletePolicies.length === 0 ? ['before-hook-creation'] : hook.deletePolicies;
    return objectsOf([hook], item, scopes).map((object): HookView => {
      const deletable = isNamed(object) && !isCrd(object);
      return {
        ...viewDocument([object]),
        ...viewTarget(object),
        ...(isNamed(object) ? outcomeOf(object) : { done: '', failed: '' }),
        deleteBefore: deletable && policies.includes('before-hook-creation'),
        deleteAfter: deletable && policies.includes('hook-succeeded'),
        deleteOnFailure: deletable && policies.includes('hook-failed'),
      };
    });
  });
}

// Helm waits for Jobs and Pods; anything else is done once it is there.
function outcomeOf({ apiVersion, kind }: KubeObject): { done: string; failed: string } {
  if (groupOf(apiVersion) === 'batch' && kind === 'Job')
    return { done: 'condition=complete', failed: 'condition=failed' };
  if (apiVersion === 'v1' && kind === 'Pod') {
    return { done: 'jsonpath={.status.phase}=Succeeded', failed: 'jsonpath={.status.phase}=Failed' };
  }
  return { done: '', failed: '' };
}

// kubectl refuses a namespace option that differs from an object's own namespace.
function groupByNamespace(objects: readonly KubeObject[]): KubeObject[][] {
  const groups: KubeObject[][] = [];
  for (const object of objects) {
    const group = groups.at(-1);
    const namespace = group?.find((other) => other.namespace !== '')?.namespace ?? '';
    const fits = object.namespace === '' || namespace === '' || namespace === object.namespace;
    if (group === undefined || !fits || group[0]?.generated !== object.generated) groups.push([object]);
    else group.push(object);
  }
  return groups;
}

function viewDocument(objects: readonly KubeObject[]): DocumentView {
  return {
    text: objects.map(({ path, value }) => `---\n# Source: ${commentText(path)}\n${formatObject(value)}`).join(''),
    file: '',
    namespace: objects.find((object) => object.namespace !== '')?.namespace ?? '',
    isCreate: objects[0]?.generated ?? false,
  };
}

function viewTarget({ apiVersion, kind, name, namespace }: KubeObject): TargetView {
  return { target: `${typeOf(apiVersion, kind)}/${name}`, namespace };
}

function typeOf(apiVersion: string, kind: string): string {
  const group = groupOf(apiVersion);
  return group === '' ? kind.toLowerCase() : `${kind.toLowerCase()}.${apiVersion.slice(group.length + 1)}.${group}`;
}

// Custom kinds may not be there yet, and then nobody can tell who may create them.
function viewPermissions(objects: readonly KubeObject[]): PermissionView[] {
  const permissions = new Map<string, PermissionView>();
  for (const { apiVersion, kind, namespace } of objects) {
    const type = typeOf(apiVersion, kind);
    if (isBuiltIn(apiVersion, kind)) permissions.set(`${namespace}/${type}`, { type, namespace });
  }
  return [...permissions.values()];
}

// Mirrors: helm.sh/helm/v3/pkg/kube, ready.go, `IsReady`, v3.17.3.
function viewAwaited(object: KubeObject): AwaitedView[] {
  const { apiVersion, kind, name, value } = object;
  const view = { ...viewTarget(object), rollsOut: false, until: '', hasAddress: false, crd: '' };
  if (isCrd(object)) return [{ ...view, crd: name }];
  if (rollsOut(object)) return [{ ...view, rollsOut: true }];
  const spec = member(value, 'spec');
  switch (`${groupOf(apiVersion)}/${kind}`) {
    case '/Pod':
      return [{ ...view, until: '--for=condition=Ready' }];
    case '/PersistentVolumeClaim':
      return [{ ...view, until: '--for=jsonpath={.status.phase}=Bound' }];
    case '/ReplicationController':
    case 'apps/ReplicaSet': {
      const replicas = member(spec, 'replicas') ?? 1;
      return replicas === 0 ? [] : [{ ...view, until: `--for=jsonpath={.status.readyReplicas}=${String(replicas)}` }];
    }
    case '/Service': {
      const external = member(spec, 'externalIPs');
      const isBalanced = member(spec, 'type') === 'LoadBalancer' && !(Array.isArray(external) && external.length > 0);
      return isBalanced ? [{ ...view, hasAddress: true }] : [];
    }
    default:
      return [];
  }
}

// `rollout status` refuses sets that are updated on deletion only, and waits for ever for what is paused.
function rollsOut({ apiVersion, kind, value }: KubeObject): boolean {
  if (groupOf(apiVersion) !== 'apps') return false;
  const spec = member(value, 'spec');
  if (kind === 'Deployment') return member(spec, 'paused') !== true;
  if (kind !== 'StatefulSet' && kind !== 'DaemonSet') return false;
  return member(member(spec, 'updateStrategy'), 'type') !== 'OnDelete';
}

function stays(object: KubeObject): boolean {
  return isClaim(object) || isKept(object) || /^(?:CustomResourceDefinition|Namespace)$/.test(object.kind);
}

function isClaim({ apiVersion, kind }: KubeObject): boolean {
  return apiVersion === 'v1' && kind === 'PersistentVolumeClaim';
}

function isKept({ value }: KubeObject): boolean {
  return member(member(member(value, 'metadata'), 'annotations'), 'helm.sh/resource-policy') === 'keep';
}
