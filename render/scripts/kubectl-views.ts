// The view model of the kubectl scripts: what the common one lacks, which is every object and what to do with it.

import type { HookEvent } from '../manifest/hooks.ts';
import { member } from '../manifest/objects.ts';
import type { SourcedDocument } from '../manifest/source.ts';
import { commentText } from '../output/comment.ts';
import { formatObject } from '../output/documents.ts';
import { hooksOf } from '../output/manifest.ts';
import { isCrd, isNamed, type KubeObject, objectsOf } from '../output/objects.ts';
import { keyOf } from '../output/random.ts';
import { type CustomScopes, groupOf, isBuiltIn } from '../output/scope.ts';
import type { RenderedPackage, RenderedPackages } from '../packages.ts';
import { type InventoryView, inventoryOf, withMembership } from './inventory.ts';
import { type ReadPackage, readObjects } from './read-objects.ts';
import { SecretMarks, type SecretView, withoutSecrets } from './secrets.ts';
import {
  type PackageView,
  type ScriptView,
  stays,
  type TargetView,
  typeOf,
  type ViewOptions,
  viewOrder,
  viewTarget,
} from './views.ts';

/** The view model of the kubectl scripts. */
export interface KubectlScriptView extends ScriptView {
  readonly packages: readonly KubectlPackageView[];
  readonly reversed: readonly KubectlPackageView[];
}

/** One package of a kubectl script. */
export interface KubectlPackageView extends PackageView {
  /** The Namespace object, as YAML. */
  readonly namespaceManifest: string;
  /** What kubectl calls the owner of the fields that it applies: one for each package, so that none takes from another. */
  readonly fieldManager: string;
  readonly inventory: InventoryView;
  /** What `crds/` holds, a batch for each call. */
  readonly crdDocuments: readonly DocumentView[];
  readonly hooksBefore: readonly HookView[];
  readonly hooksAfter: readonly HookView[];
  readonly hooksBeforeDelete: readonly HookView[];
  readonly hooksAfterDelete: readonly HookView[];
  /** The resources in install order, objects of one namespace together. */
  readonly documents: readonly DocumentView[];
  /** What must be ready before the package counts as installed, as `helm --wait` sees it. */
  readonly awaited: readonly AwaitedView[];
  /** The kinds of Kubernetes that the package makes objects of, each once for a namespace. */
  readonly permissions: readonly PermissionView[];
  /** The objects to delete, last first; what must stay is not among them. */
  readonly deletions: readonly TargetView[];
}

/** One YAML text that is applied in one go. */
export interface DocumentView {
  readonly text: string;
  /** Its file beside the script; empty for none. */
  readonly file: string;
  /** Empty where every object is cluster-scoped. */
  readonly namespace: string;
  /** Whether the server names the objects, so that they can be created but not applied. */
  readonly isCreate: boolean;
  /** The one object of the document, where it holds random values: it is created once and kept. Empty for none. */
  readonly keptTarget: string;
}

/** One object that is waited for; of the ways to tell that it is ready, one is given. */
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

/** A kind that whoever runs the script must be allowed to create and to patch. */
export interface PermissionView {
  /** `kind.version.group`. */
  readonly type: string;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
}

/** One object of a hook. */
export interface HookView extends DocumentView, TargetView {
  /** The kind of run that it belongs to; empty for both. */
  readonly mode: '' | 'install' | 'upgrade';
  /** What `kubectl wait --for` must see; empty for kinds that are done once they are there. */
  readonly done: string;
  /** What says that it failed. */
  readonly failed: string;
  readonly deleteBefore: boolean;
  readonly deleteAfter: boolean;
  readonly deleteOnFailure: boolean;
}

/** Gives the view model of the kubectl scripts. Throws MANIFEST_INVALID where a CRD file is not YAML. */
export function viewKubectlOrder(rendered: RenderedPackages, options: ViewOptions = {}): KubectlScriptView {
  const read = readObjects(rendered);
  const base = viewOrder(rendered, { ...options, secrets: 'keep' }, read);
  const secretSource = options.secrets ?? 'keep';
  const marks = secretSource === 'keep' ? undefined : new SecretMarks(base.order.digest);
  const packages = read.packages.map((item, index) =>
    viewPackage(item, base.packages[index]!, { scopes: read.scopes, marks }),
  );
  return {
    ...base,
    packages,
    reversed: [...packages].reverse(),
    hasLocalCharts: false,
    tool: 'kubectl',
    needsKubectl: true,
    secretSource,
  };
}

function viewPackage(
  { item, crds, objects: plain, hooks, kept }: ReadPackage,
  base: PackageView,
  { scopes, marks }: { readonly scopes: CustomScopes; readonly marks: SecretMarks | undefined },
): KubectlPackageView {
  const secrets: SecretView[] = [];
  const conceal = (object: KubeObject): KubeObject =>
    marks === undefined ? object : withoutSecrets(object, marks, secrets);
  const inventory = inventoryOf(base.release, base.namespace, plain);
  const objects = plain.map((object) => conceal(withMembership(object, inventory.id)));
  const keeps: Keeps = (object) => kept.has(keyOf(object));
  const hookViews = (...events: readonly [HookEvent, HookEvent?]): HookView[] =>
    viewHooks(item, events, (documents) => objectsOf(documents, item, scopes).map(conceal));
  return {
    ...base,
    namespaceManifest: `apiVersion: v1\nkind: Namespace\nmetadata:\n  name: ${JSON.stringify(base.namespace)}\n`,
    fieldManager: `drydock-${base.namespace}-${base.release}`,
    inventory,
    crdDocuments: batches(crds).map((batch) => viewDocument(batch)),
    hooksBefore: hookViews('pre-install', 'pre-upgrade'),
    documents: groupByNamespace(objects, keeps).map((group) => viewDocument(group, keeps)),
    awaited: objects.filter(isNamed).flatMap(viewAwaited),
    permissions: viewPermissions([...objects, ...hooks]),
    hooksAfter: hookViews('post-install', 'post-upgrade'),
    hooksBeforeDelete: hookViews('pre-delete'),
    hooksAfterDelete: hookViews('post-delete'),
    deletions: plain
      .filter((object) => isNamed(object) && !stays(object))
      .reverse()
      .map(viewTarget),
    secrets,
  };
}

/** Tells whether an object is created once and kept. */
type Keeps = (object: KubeObject) => boolean;

// Mirrors: helm.sh/helm/v3/pkg/action, hooks.go, `execHook`, v3.17.3: what has no policy is deleted before it is created,
// and CRDs are never deleted.
function viewHooks(
  item: RenderedPackage,
  [first, second = first]: readonly [HookEvent, HookEvent?],
  read: (documents: readonly SourcedDocument[]) => readonly KubeObject[],
): HookView[] {
  return hooksOf(item, first, second).flatMap((hook) => {
    const isBoth = hook.events.includes(first) && hook.events.includes(second);
    const mode = isBoth ? '' : hook.events.includes(first) ? 'install' : 'upgrade';
    const policies = hook.deletePolicies.length === 0 ? ['before-hook-creation'] : hook.deletePolicies;
    return read([hook]).map((object): HookView => {
      const deletable = isNamed(object) && !isCrd(object);
      return {
        ...viewDocument([object]),
        ...viewTarget(object),
        ...(isNamed(object) ? outcomeOf(object) : { done: '', failed: '' }),
        mode,
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
function groupByNamespace(objects: readonly KubeObject[], keeps: Keeps): KubeObject[][] {
  const groups: KubeObject[][] = [];
  for (const object of objects) {
    const group = groups.at(-1);
    const namespace = group?.find((other) => other.namespace !== '')?.namespace ?? '';
    const fits = object.namespace === '' || namespace === '' || namespace === object.namespace;
    const isAlone = keeps(object) || (group?.[0] !== undefined && keeps(group[0]));
    if (group === undefined || !fits || isAlone || group[0]?.generated !== object.generated) groups.push([object]);
    else group.push(object);
  }
  return groups;
}

// So many objects go in one call that a request is never refused for its size, and a failure is soon found.
function batches(objects: readonly KubeObject[]): KubeObject[][] {
  const groups: KubeObject[][] = [];
  for (const object of objects) {
    const group = groups.at(-1);
    if (group === undefined || group.length === 50 || group[0]?.generated !== object.generated) groups.push([object]);
    else group.push(object);
  }
  return groups;
}

function viewDocument(objects: readonly KubeObject[], keeps: Keeps = () => false): DocumentView {
  const [first] = objects;
  return {
    text: objects.map(({ path, value }) => `---\n# Source: ${commentText(path)}\n${formatObject(value)}`).join(''),
    file: '',
    namespace: objects.find((object) => object.namespace !== '')?.namespace ?? '',
    isCreate: first?.generated ?? false,
    keptTarget: first !== undefined && isNamed(first) && keeps(first) ? viewTarget(first).target : '',
  };
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
