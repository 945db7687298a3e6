// Checks each risk reported by `diff` independently, on plain objects: does the condition of the documented rule hold?

import type { Risk } from '../../../../render/diff/risk-rules.ts';
import type { PlainObject } from './second-opinion.ts';

/** A reported risk: the object in both versions, and all objects of both. */
export interface RiskCase {
  readonly before: PlainObject | undefined;
  readonly after: PlainObject | undefined;
  readonly allBefore: readonly PlainObject[];
  readonly allAfter: readonly PlainObject[];
  /** The current and previous file of the object. */
  readonly source: string;
  readonly oldSource: string;
}

type Json = Readonly<Record<string, unknown>>;

const isMap = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => (isMap(inner) ? inner[name] : undefined), value);
}

function list(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(ordered(a)) === JSON.stringify(ordered(b));
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, ordered(value[key])]),
  );
}

function every(value: unknown, name: string): unknown[] {
  if (Array.isArray(value)) return value.flatMap((item) => every(item, name));
  if (!isMap(value)) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    key === name ? [item, ...every(item, name)] : every(item, name),
  );
}

/** Items that only the later list has. */
function gained(before: readonly unknown[], after: readonly unknown[]): unknown[] {
  const known = new Set(before.map((item) => JSON.stringify(ordered(item))));
  return after.filter((item) => !known.has(JSON.stringify(ordered(item))));
}

// ---- Pods

interface PlainPod {
  readonly spec: Json;
  readonly labels: Json;
}

function podsOf(value: unknown, parent: unknown = undefined): PlainPod[] {
  if (Array.isArray(value)) return value.flatMap((item) => podsOf(item));
  if (!isMap(value)) return [];
  if (list(value, 'containers').some(isMap)) {
    const labels = at(parent, 'metadata', 'labels');
    return [{ spec: value, labels: isMap(labels) ? labels : {} }];
  }
  return Object.values(value).flatMap((item) => podsOf(item, value));
}

interface PlainContainer {
  readonly name: string;
  readonly container: Json;
  readonly pod: Json;
}

function containersOf(object: unknown): PlainContainer[] {
  return podsOf(object).flatMap(({ spec }) =>
    ['initContainers', 'containers', 'ephemeralContainers'].flatMap((name) =>
      list(spec, name)
        .filter(isMap)
        .map((container) => ({ name: `${name}/${String(container.name)}`, container, pod: spec })),
    ),
  );
}

function effective({ container, pod }: PlainContainer, name: string): unknown {
  return at(container, 'securityContext', name) ?? at(pod, 'securityContext', name);
}

/** Whether a container has a risky setting that it did not have before, or lost a protective one. */
function worsens(
  { before, after }: RiskCase,
  {
    found: says,
    lacks,
  }: { found: (one: PlainContainer) => readonly string[]; lacks?: (one: PlainContainer) => boolean },
): boolean {
  const old = containersOf(before);
  return containersOf(after).some((now) => {
    const twins = old.filter(({ name }) => name === now.name);
    const had = new Set(twins.flatMap(says));
    if (says(now).some((word) => !had.has(word))) return true;
    return lacks !== undefined && twins.some((one) => !lacks(one)) && lacks(now);
  });
}

function isRoot(one: PlainContainer): boolean {
  return effective(one, 'runAsNonRoot') !== true && !(Number(effective(one, 'runAsUser') ?? 0) > 0);
}

function isUnconfined(one: PlainContainer): boolean {
  const type = at(effective(one, 'seccompProfile'), 'type');
  return type === undefined || type === 'Unconfined';
}

const when = (word: string, is: boolean): string[] => (is ? [word] : []);

// ---- Selectors

function selectorOf({ kind, spec }: PlainObject): Json | undefined {
  const own = ['Service', 'PodDisruptionBudget'].includes(String(kind))
    ? at(spec, 'selector')
    : at(spec, 'podSelector');
  if (!isMap(own) || Object.keys(own).length === 0) return undefined;
  return kind === 'Service' ? { matchLabels: own } : own;
}

function countSelected(selector: Json, all: readonly PlainObject[]): number {
  const labels = all.flatMap((object) =>
    object.kind === 'Pod' ? [at(object, 'metadata', 'labels')] : podsOf(object).map((pod) => pod.labels),
  );
  return labels.filter((one) => {
    const own = isMap(one) ? one : {};
    const wanted = Object.entries((selector.matchLabels ?? {}) as Json);
    if (!wanted.every(([name, value]) => String(own[name]) === String(value))) return false;
    return list(selector, 'matchExpressions').every((expression) => {
      const value = own[String(at(expression, 'key'))];
      const isListed = list(expression, 'values').map(String).includes(String(value));
      switch (at(expression, 'operator')) {
        case 'In':
          return isListed;
        case 'NotIn':
          return !isListed;
        default:
          return (value !== undefined) === (at(expression, 'operator') === 'Exists');
      }
    });
  }).length;
}

// ---- Rules of roles

function grants(object: unknown): string[] {
  return list(object, 'rules').flatMap((rule) => {
    const of = (name: string, none: readonly unknown[] = []): readonly unknown[] => {
      const found = list(rule, name);
      return found.length === 0 ? none : found;
    };
    const resources = of('apiGroups').flatMap((group) =>
      of('resources').flatMap((resource) =>
        of('resourceNames', ['*']).map((name) => `${String(group)} ${String(resource)} ${String(name)}`),
      ),
    );
    const urls = of('nonResourceURLs').map((url) => `url ${String(url)}`);
    return [...resources, ...urls].flatMap((one) => of('verbs').map((verb) => `${one} ${String(verb)}`));
  });
}

function isGranted(grant: string, by: readonly string[]): boolean {
  const wanted = grant.split(' ');
  return by.some((one) => {
    const parts = one.split(' ');
    return (
      parts.length === wanted.length &&
      parts.every((part, i) => part === wanted[i] || part === '*' || isUrlWithin(part, wanted[i]!))
    );
  });
}

function isUrlWithin(pattern: string, url: string): boolean {
  return pattern.startsWith('/') && pattern.endsWith('*') && url.startsWith(pattern.slice(0, -1));
}

function boundTo(object: unknown): unknown[] {
  return list(object, 'subjects').map((subject) => [
    at(object, 'roleRef', 'kind'),
    at(object, 'roleRef', 'name'),
    subject,
  ]);
}

// ---- Definitions

function isNarrower(before: unknown, after: unknown): boolean {
  if (!isMap(before) || !isMap(after)) return false;
  const [old, now] = [at(before, 'properties'), at(after, 'properties')];
  if (isMap(old) && Object.keys(old).some((name) => !isMap(now) || !(name in now))) return true;
  if (gained(list(before, 'required'), list(after, 'required')).length > 0) return true;
  if (Array.isArray(after.enum) && (!Array.isArray(before.enum) || gained(after.enum, before.enum).length > 0))
    return true;
  if (before.type !== undefined && after.type !== undefined && before.type !== after.type) return true;
  const inner = (schema: Json): [string, unknown][] => [
    ...Object.entries((schema.properties ?? {}) as Json).map(([name, one]): [string, unknown] => [`.${name}`, one]),
    ['items', schema.items],
    ['additionalProperties', schema.additionalProperties],
  ];
  const left = new Map(inner(before));
  return inner(after).some(([name, one]) => isNarrower(left.get(name), one));
}

function versionsOf(object: unknown): Map<string, unknown> {
  const spec = at(object, 'spec');
  const shared = at(spec, 'validation', 'openAPIV3Schema');
  const named = list(spec, 'versions').map((one): [string, unknown] => [String(at(one, 'name')), one]);
  const own = named.length === 0 ? [[String(at(spec, 'version')), { served: true }] as [string, unknown]] : named;
  return new Map(
    own.map(([name, one]) => [name, { ...(one as Json), schema: at(one, 'schema', 'openAPIV3Schema') ?? shared }]),
  );
}

function anyVersion({ before, after }: RiskCase, test: (was: unknown, is: unknown) => boolean): boolean {
  const now = versionsOf(after);
  return [...versionsOf(before)].some(([name, one]) => test(one, now.get(name)));
}

// ---- Quantities

const factors: Readonly<Record<string, number>> = {
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
};

function sizeOf(value: unknown): number {
  const [, number, unit = ''] = /^([\d.]+)([a-zA-Z]*)$/.exec(String(value)) ?? [];
  return Number(number) * (factors[unit] ?? 1);
}

function claimsOf(object: unknown): [string, number][] {
  const claims =
    at(object, 'kind') === 'PersistentVolumeClaim' ? [object] : every(object, 'volumeClaimTemplates').flat();
  return claims.map((one) => [
    String(at(one, 'metadata', 'name')),
    sizeOf(at(one, 'spec', 'resources', 'requests', 'storage')),
  ]);
}

// ---- The rules

const isKept = (object: unknown): boolean =>
  at(object, 'metadata', 'annotations', 'helm.sh/resource-policy') === 'keep';
const nameOf = (object: unknown): unknown => at(object, 'metadata', 'name');
const isGone = ({ before, after }: RiskCase): boolean =>
  before !== undefined && nameOf(before) !== nameOf(after) && !isKept(before);
const isMountable = (name: string): RegExp => new RegExp(`^(?:${name})$`);
const namesKeys = isMountable('name|secretName|claimName|serviceAccountName');

function mentions(value: unknown, name: unknown, key = ''): boolean {
  if (Array.isArray(value)) return value.some((item) => mentions(item, name, key));
  if (isMap(value)) return Object.entries(value).some(([inner, item]) => mentions(item, name, inner));
  return value === name && namesKeys.test(key);
}

function hostsOf(object: unknown): unknown[] {
  const rules = list(object, 'spec', 'rules').map((rule) => at(rule, 'host'));
  return [...(at(object, 'kind') === 'Ingress' ? rules : []), ...list(object, 'spec', 'hostnames')].filter(
    (host) => host !== undefined && host !== '',
  );
}

function hostPaths(object: unknown): string[] {
  return podsOf(object).flatMap(({ spec }) =>
    list(spec, 'volumes').flatMap((volume) => {
      const path = at(volume, 'hostPath', 'path');
      if (path === undefined) return [];
      const mounts = every(spec, 'volumeMounts')
        .flat()
        .filter((mount) => at(mount, 'name') === at(volume, 'name'));
      const isWritable = mounts.length === 0 || mounts.some((mount) => at(mount, 'readOnly') !== true);
      return [`${String(path).replace(/\/*$/, '')}/`, ...when(`writes ${String(path)}`, isWritable)];
    }),
  );
}

function flags(object: unknown, ...names: readonly string[]): number {
  return names.flatMap((name) => every(object, name)).filter((value) => value === true).length;
}

/** The condition of each risk. */
const conditions: Readonly<Record<Risk, (one: RiskCase) => boolean>> = {
  'crd-removed': (one) =>
    !/\/crds\//.test(one.oldSource) &&
    (isGone(one) ||
      /\/crds\//.test(one.source) ||
      !same(at(one.before, 'spec', 'names'), at(one.after, 'spec', 'names')) ||
      at(one.before, 'spec', 'scope') !== at(one.after, 'spec', 'scope')),
  'crd-version-removed': (one) =>
    anyVersion(one, (was, is) => at(was, 'served') !== false && (is === undefined || at(is, 'served') === false)),
  'crd-narrowed': (one) => anyVersion(one, (was, is) => isNarrower(at(was, 'schema'), at(is, 'schema'))),
  'crd-converted': (one) =>
    !same(at(one.before, 'spec', 'conversion'), at(one.after, 'spec', 'conversion')) ||
    anyVersion(one, (was, is) => is !== undefined && (at(was, 'storage') === true) !== (at(is, 'storage') === true)),
  'crd-not-updated': (one) =>
    /\/crds\//.test(one.source) && /\/crds\//.test(one.oldSource) && !same(one.before, one.after),
  'namespace-removed': isGone,
  'pvc-removed': (one) => isGone(one) || !same(at(one.before, 'spec'), at(one.after, 'spec')),
  'pvc-shrunk': ({ before, after }) => {
    const old = new Map(claimsOf(before));
    return claimsOf(after).some(([name, size]) => size < (old.get(name) ?? 0));
  },
  'statefulset-removed': isGone,
  'data-deleted': ({ before, after }) => {
    const deletes = (object: unknown): number =>
      [
        ...every(object, 'persistentVolumeReclaimPolicy'),
        ...every(object, 'reclaimPolicy'),
        ...every(object, 'whenDeleted'),
        ...every(object, 'whenScaled'),
      ].filter((value) => value === 'Delete').length;
    return deletes(after) > deletes(before);
  },
  'selector-changed': ({ before, after }) => !same(at(before, 'spec', 'selector'), at(after, 'spec', 'selector')),
  'selects-no-pods': ({ before, after, allBefore, allAfter }) =>
    [...allAfter].some((object) => {
      const selector = selectorOf(object);
      const old =
        allBefore.find((one) => one.kind === object.kind && nameOf(one) === nameOf(object)) ??
        (object === after ? before : undefined);
      const was = old && selectorOf(old);
      return (
        selector !== undefined &&
        was !== undefined &&
        countSelected(was, allBefore) > 0 &&
        countSelected(selector, allAfter) === 0
      );
    }),
  'still-referenced': (one) =>
    isGone(one) &&
    mentions(
      one.allAfter.map((object) => podsOf(object).map(({ spec }) => spec)),
      nameOf(one.before),
    ),
  'service-port-removed': ({ before, after }) => {
    const ports = (object: unknown): unknown[] =>
      list(object, 'spec', 'ports').map((port) => [at(port, 'port'), at(port, 'protocol') ?? 'TCP']);
    return gained(ports(after), ports(before)).length > 0;
  },
  'service-exposed': ({ before, after }) => {
    const type = at(after, 'spec', 'type');
    const isOpened = (name: string): boolean =>
      gained(list(before, 'spec', name), list(after, 'spec', name)).length > 0;
    return (
      (['NodePort', 'LoadBalancer'].includes(String(type)) && type !== at(before, 'spec', 'type')) ||
      isOpened('externalIPs') ||
      isOpened('loadBalancerSourceRanges') ||
      (list(before, 'spec', 'loadBalancerSourceRanges').length > 0 &&
        list(after, 'spec', 'loadBalancerSourceRanges').length === 0)
    );
  },
  'host-removed': ({ before, allAfter }) => gained(allAfter.flatMap(hostsOf), hostsOf(before)).length > 0,
  'network-policy-removed': isGone,
  'replicas-zero': ({ before, after }) => at(after, 'spec', 'replicas') === 0 && at(before, 'spec', 'replicas') !== 0,
  downtime: ({ before, after }) =>
    before !== undefined &&
    at(after, 'spec', 'strategy', 'type') === 'Recreate' &&
    at(before, 'spec', 'strategy', 'type') !== 'Recreate',
  'eviction-blocked': ({ before, after }) => {
    const blocks = (object: unknown): boolean =>
      at(object, 'spec', 'minAvailable') === '100%' || /^0%?$/.test(String(at(object, 'spec', 'maxUnavailable')));
    return blocks(after) && !blocks(before);
  },
  'image-changed': ({ before, after }) => {
    // As lists, because one of two containers may take the other's image.
    const images = (object: unknown): unknown[] => every(object, 'image').filter((image) => typeof image === 'string');
    return before !== undefined && images(after).length > 0 && !same(images(before), images(after));
  },
  'secret-changed': (one) => {
    const content = (object: unknown): unknown =>
      ['data', 'stringData', 'type', 'immutable'].map((name) => at(object, name) ?? null);
    return one.before !== undefined && (isGone(one) || !same(content(one.before), content(one.after)));
  },
  'rbac-widened': ({ before, after }) => {
    const aggregated = (object: unknown): unknown[] => [
      ...Object.entries((at(object, 'metadata', 'labels') ?? {}) as Json).filter(
        ([name, value]) => /\/aggregate-to-/.test(name) && value === 'true',
      ),
      ...list(object, 'aggregationRule', 'clusterRoleSelectors'),
    ];
    const was = grants(before);
    return (
      (before !== undefined && grants(after).some((grant) => !isGranted(grant, was))) ||
      gained(boundTo(before), boundTo(after)).length > 0 ||
      gained(aggregated(before), aggregated(after)).length > 0
    );
  },
  'webhook-fails-closed': ({ before, after }) => {
    const closed = (object: unknown): unknown[] =>
      list(object, 'webhooks')
        .filter((one) => (at(one, 'failurePolicy') ?? 'Fail') === 'Fail')
        .map((one) => at(one, 'name'));
    return gained(closed(before), closed(after)).length > 0;
  },
  'host-network': ({ before, after }) => flags(after, 'hostNetwork') > flags(before, 'hostNetwork'),
  'host-port': (one) =>
    worsens(one, {
      found: ({ container }) =>
        list(container, 'ports')
          .map((port) => String(at(port, 'hostPort') ?? 0))
          .filter((port) => port !== '0'),
    }),
  'host-access': ({ before, after }) => {
    if (flags(after, 'hostPID', 'hostIPC') > flags(before, 'hostPID', 'hostIPC')) return true;
    const was = hostPaths(before);
    return hostPaths(after).some(
      (path) =>
        !was.some(
          (outer) => path === outer || (path.startsWith('/') && outer.startsWith('/') && path.startsWith(outer)),
        ),
    );
  },
  privileged: ({ before, after }) =>
    flags(after, 'privileged', 'hostProcess') > flags(before, 'privileged', 'hostProcess') ||
    worsens({ before, after } as RiskCase, {
      found: ({ container }) => when('privileged', at(container, 'securityContext', 'privileged') === true),
    }),
  'capabilities-added': (one) =>
    worsens(one, {
      found: ({ container }) => list(container, 'securityContext', 'capabilities', 'add').map(String),
      lacks: ({ container }) => !list(container, 'securityContext', 'capabilities', 'drop').includes('ALL'),
    }),
  'privilege-escalation': (one) =>
    worsens(one, {
      found: ({ container }) => when('yes', at(container, 'securityContext', 'allowPrivilegeEscalation') === true),
      lacks: ({ container }) => at(container, 'securityContext', 'allowPrivilegeEscalation') !== false,
    }),
  'runs-as-root': (one) =>
    worsens(one, { found: (container) => when('root', effective(container, 'runAsUser') === 0), lacks: isRoot }),
  'sandbox-weakened': (one) =>
    worsens(one, {
      found: (container) => [
        ...when('seccomp', at(effective(container, 'seccompProfile'), 'type') === 'Unconfined'),
        ...when('apparmor', at(effective(container, 'appArmorProfile'), 'type') === 'Unconfined'),
        ...when('proc', at(container.container, 'securityContext', 'procMount') === 'Unmasked'),
        ...list(container.pod, 'securityContext', 'sysctls').map((sysctl) => `sysctl ${String(at(sysctl, 'name'))}`),
      ],
      lacks: isUnconfined,
    }) ||
    worsens(one, {
      found: () => [],
      lacks: ({ container }) => at(container, 'securityContext', 'readOnlyRootFilesystem') !== true,
    }),
};

/** Reports whether the rule of a risk applies to a change. */
export function isRealRisk(risk: Risk, change: RiskCase): boolean {
  return conditions[risk](change);
}

/** Every risk with a condition. */
export const checkedRisks = Object.keys(conditions) as readonly Risk[];
