// The part of the model for kubectl scripts: all objects of a package, and what to do with them.

import type { GoMap, GoValue } from '../go/value.ts';
import { member } from '../manifest/objects.ts';
import type { HookEvent } from '../manifest/sort.ts';
import { commentText } from '../output/comment.ts';
import { formatObject } from '../output/documents.ts';
import { hooksOf } from '../output/manifest.ts';
import { isCrd, isNamed, type KubeObject, manifestObjects, withNamespace } from '../output/objects.ts';
import { objectKey } from '../output/random.ts';
import { apiVersionGroup, type CustomScopes } from '../output/scope.ts';
import type { AwaitedModel, DocumentModel, HookModel, OrderModel, PackageModel, SecretModel } from './model.ts';
import type { ReadPackage } from './read-objects.ts';
import { type SecretMarks, withoutSecrets } from './secrets.ts';

/** The members of a package in a Helm script, which applies no documents itself. */
export const withoutDocuments = {
  crdDocuments: [],
  documents: [],
  deletions: [],
  awaited: [],
  hooksBefore: [],
  hooksAfter: [],
  hooksBeforeDelete: [],
  hooksAfterDelete: [],
  hasDeleteHooks: false,
  hooks: [],
  record: documentModel([], 0),
} satisfies Partial<PackageModel>;

interface DocumentContext {
  readonly scopes: CustomScopes;
  readonly order: OrderModel;
  readonly marks: SecretMarks | undefined;
}

/** Returns a package with its documents and hooks. */
export function completePackage(base: PackageModel, read: ReadPackage, context: DocumentContext): PackageModel {
  const { scopes, order, marks } = context;
  const { crds, objects, kept } = read;
  const isKept = (object: KubeObject): boolean => isNamed(object) && kept.has(objectKey(object));
  const toDocument = (group: readonly KubeObject[], index: number): DocumentModel => {
    const secrets: SecretModel[] = [];
    const objects = group.map((object) => {
      const own = { ...object, value: labelled(placed(object), [order.label, base.label]) };
      return marks === undefined ? own : withoutSecrets(own, marks, secrets);
    });
    return { ...documentModel(objects, index), isKept: group.some(isKept), secrets };
  };
  const documents = groupObjects(objects, isKept).map(toDocument);
  const hooks: HookModel[] = [];
  const addHooks = (...events: readonly [HookEvent, HookEvent?]): HookModel[] => {
    const added = hookObjects(read, events, scopes).map(({ object, ...facts }, index) => ({
      ...toDocument([object], hooks.length + index),
      // A hook is recreated according to its own policy.
      isKept: false,
      ...facts,
    }));
    hooks.push(...added);
    return added;
  };
  const hooksBefore = addHooks('pre-install', 'pre-upgrade');
  const hooksAfter = addHooks('post-install', 'post-upgrade');
  const hooksBeforeDelete = addHooks('pre-delete');
  const hooksAfterDelete = addHooks('post-delete');
  const hasModes = [...hooksBefore, ...hooksAfter].some(({ onInstall, onUpgrade }) => !onInstall || !onUpgrade);
  return {
    ...base,
    crdDocuments: crds.length === 0 ? [] : [documentModel(crds, 0)],
    documents,
    deletions: documents.filter(({ isCreate }) => !isCreate).reverse(),
    awaited: objects.filter(isNamed).flatMap(awaitedModel),
    hooksBefore,
    hooksAfter,
    hooksBeforeDelete,
    hooksAfterDelete,
    hasDeleteHooks: hooksBeforeDelete.length + hooksAfterDelete.length > 0,
    hooks,
    record: hasModes ? recordOf(base, order) : base.record,
  };
}

function recordOf({ release, namespace, label }: PackageModel, order: OrderModel): DocumentModel {
  const metadata: GoMap = new Map([
    ['name', `drydock-${release}`],
    ['namespace', namespace],
  ]);
  const value: GoMap = new Map<string, GoValue>([
    ['apiVersion', 'v1'],
    ['kind', 'ConfigMap'],
    ['metadata', metadata],
  ]);
  return { ...documentModel([], 0), text: formatObject(labelled(value, [order.label, label])) };
}

// An object whose labels are not a map is left unchanged: the server refuses it anyway.
function labelled(value: GoMap, own: readonly string[]): GoMap {
  const metadata = member(value, 'metadata');
  const labels = member(metadata, 'labels');
  if (!(metadata instanceof Map) || (labels !== null && !(labels instanceof Map))) return value;
  const filled: GoMap = new Map(labels ?? []);
  for (const label of own) {
    const [key = '', value = ''] = label.split('=');
    filled.set(key, value);
  }
  return new Map(value).set('metadata', new Map(metadata).set('labels', filled));
}

const knownPolicies: ReadonlySet<string> = new Set(['before-hook-creation', 'hook-succeeded', 'hook-failed']);

type HookFacts = Omit<HookModel, keyof DocumentModel> & { readonly object: KubeObject };

// Mirrors: helm.sh/helm/v3/pkg/action, hooks.go, `execHook`, v3.17.3: what has no policy is deleted before it is created,
// and CRDs are never deleted.
function hookObjects(
  { item }: ReadPackage,
  [first, second = first]: readonly [HookEvent, HookEvent?],
  scopes: CustomScopes,
): HookFacts[] {
  return hooksOf(item, first, second).flatMap((hook) => {
    const policies = hook.deletePolicies.length === 0 ? ['before-hook-creation'] : hook.deletePolicies;
    return manifestObjects([hook], item, scopes).map((object): HookFacts => {
      const { apiVersion, kind, name, namespace } = object;
      const isDeletable = isNamed(object) && !isCrd(object);
      const isAwaited = isNamed(object) && isRun(object);
      const ttl = isAwaited ? timeToLive(object) : '';
      return {
        object: ttl === '' ? object : { ...object, value: withoutTimeToLive(object.value) },
        target: `${typeOf(apiVersion, kind)}/${name}`,
        space: namespace,
        onInstall: hook.events.includes(first),
        onUpgrade: hook.events.includes(second),
        isAwaited,
        ttl,
        policies: policies.filter((policy) => knownPolicies.has(policy)).join(',') || 'none',
        deleteAfter: isDeletable && policies.includes('hook-succeeded'),
      };
    });
  });
}

// Helm waits for Jobs and Pods; anything else is finished when it exists.
function isRun({ apiVersion, kind }: KubeObject): boolean {
  return (apiVersionGroup(apiVersion) === 'batch' && kind === 'Job') || (apiVersion === 'v1' && kind === 'Pod');
}

// For a Job.
function timeToLive({ value }: KubeObject): string {
  const seconds = member(member(value, 'spec'), 'ttlSecondsAfterFinished');
  return typeof seconds === 'number' ? String(seconds) : '';
}

function withoutTimeToLive(value: GoMap): GoMap {
  const spec = new Map(member(value, 'spec') as GoMap);
  spec.delete('ttlSecondsAfterFinished');
  return new Map(value).set('spec', spec);
}

// Random objects are kept, and objects with generated names are created, not applied.
function groupObjects(objects: readonly KubeObject[], isKept: (object: KubeObject) => boolean): KubeObject[][] {
  const groups: KubeObject[][] = [];
  let last = '';
  for (const object of objects) {
    const isAlone = isKept(object);
    const kind = isAlone ? 'alone' : String(object.generated);
    if (isAlone || kind !== last) groups.push([object]);
    else groups.at(-1)?.push(object);
    last = kind;
  }
  return groups;
}

// The cluster may know whether a custom kind is namespaced; it ignores the namespace of a cluster-scoped kind.
function placed({ scope, namespace, value }: KubeObject): GoMap {
  return scope === 'unknown' && !member(member(value, 'metadata'), 'namespace')
    ? withNamespace(value, namespace)
    : value;
}

function documentModel(objects: readonly KubeObject[], index: number): DocumentModel {
  return {
    number: index + 1,
    text: objects.map(({ path, value }) => `---\n# Source: ${commentText(path)}\n${formatObject(value)}`).join(''),
    file: '',
    isCreate: objects[0]?.generated ?? false,
    isKept: false,
    secrets: [],
  };
}

// Mirrors: helm.sh/helm/v3/pkg/kube, ready.go, `IsReady`, v3.17.3.
function awaitedModel(object: KubeObject): AwaitedModel[] {
  const { apiVersion, kind, name, namespace, value } = object;
  const target = `${typeOf(apiVersion, kind)}/${name}`;
  const space = namespace === '' ? [] : [`--namespace=${namespace}`];
  const wait = (condition: string): AwaitedModel[] => [{ words: ['wait', target, ...space, `--for=${condition}`] }];
  if (isCrd(object)) return wait('condition=Established');
  if (rollsOut(object)) return [{ words: ['rollout', 'status', target, ...space] }];
  const spec = member(value, 'spec');
  switch (`${apiVersionGroup(apiVersion)}/${kind}`) {
    case '/Pod':
      return wait('condition=Ready');
    case '/PersistentVolumeClaim':
      return wait('jsonpath={.status.phase}=Bound');
    case '/ReplicationController':
    case 'apps/ReplicaSet': {
      const replicas = member(spec, 'replicas') ?? 1;
      return replicas === 0 ? [] : wait(`jsonpath={.status.readyReplicas}=${String(replicas)}`);
    }
    case '/Service': {
      const external = member(spec, 'externalIPs');
      const isBalanced = member(spec, 'type') === 'LoadBalancer' && !(Array.isArray(external) && external.length > 0);
      return isBalanced ? wait('jsonpath={.status.loadBalancer.ingress}') : [];
    }
    default:
      return [];
  }
}

// `rollout status` refuses sets that are updated on deletion only, and never returns for paused ones.
function rollsOut({ apiVersion, kind, value }: KubeObject): boolean {
  if (apiVersionGroup(apiVersion) !== 'apps') return false;
  const spec = member(value, 'spec');
  if (kind === 'Deployment') return member(spec, 'paused') !== true;
  if (kind !== 'StatefulSet' && kind !== 'DaemonSet') return false;
  return member(member(spec, 'updateStrategy'), 'type') !== 'OnDelete';
}

// For example `deployment.v1.apps`.
function typeOf(apiVersion: string, kind: string): string {
  const group = apiVersionGroup(apiVersion);
  return group === '' ? kind.toLowerCase() : `${kind.toLowerCase()}.${apiVersion.slice(group.length + 1)}.${group}`;
}
