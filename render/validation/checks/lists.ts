// Lists whose items Kubernetes identifies by keys: a duplicate item is refused by server-side apply, which the kubectl script uses, and
// corrupted by Helm's merges on an upgrade.

import type { Issue } from '../../core/errors.ts';
import { joinPath } from '../../core/paths.ts';
import type { GoValue } from '../../go/value.ts';
import { member } from '../../manifest/objects.ts';
import { apiVersionGroup } from '../../output/scope.ts';
import { type CheckedPackage, errorIssue, shownObject } from './package.ts';

/** The keys of each list by its path: `*` stands for every item. A missing key has its default. */
type KeyedLists = Readonly<Record<string, readonly string[]>>;

// Mirrors: kubernetes, api/openapi-spec/swagger.json, `x-kubernetes-list-map-keys`, v1.32.
const containerLists: KeyedLists = {
  env: ['name'],
  ports: ['containerPort', 'protocol=TCP'],
  volumeMounts: ['mountPath'],
  volumeDevices: ['devicePath'],
};
const podLists: KeyedLists = {
  hostAliases: ['ip'],
  imagePullSecrets: ['name'],
  resourceClaims: ['name'],
  schedulingGates: ['name'],
  topologySpreadConstraints: ['topologyKey', 'whenUnsatisfiable'],
  volumes: ['name'],
  ...Object.fromEntries(
    ['containers', 'initContainers', 'ephemeralContainers'].flatMap((list) => [
      [list, ['name']],
      ...Object.entries(containerLists).map(([inner, keys]) => [`${list}.*.${inner}`, keys] as const),
    ]),
  ),
};

function below(prefix: string, lists: KeyedLists): KeyedLists {
  return Object.fromEntries(Object.entries(lists).map(([path, keys]) => [`${prefix}.${path}`, keys]));
}

const template = below('spec.template.spec', podLists);
const webhooks: KeyedLists = { webhooks: ['name'], 'webhooks.*.matchConditions': ['name'] };

/** By `group/Kind`. */
const keyedLists: Readonly<Record<string, KeyedLists>> = {
  '/Pod': below('spec', podLists),
  '/PodTemplate': below('template.spec', podLists),
  '/ReplicationController': template,
  '/Service': { 'spec.ports': ['port', 'protocol=TCP'] },
  '/ServiceAccount': { secrets: ['name'] },
  'apps/DaemonSet': template,
  'apps/Deployment': template,
  'apps/ReplicaSet': template,
  'apps/StatefulSet': template,
  'batch/CronJob': below('spec.jobTemplate.spec.template.spec', podLists),
  'batch/Job': template,
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': webhooks,
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': webhooks,
};

/** Returns an issue for each list of an object with duplicate items. */
export function checkLists(packages: readonly CheckedPackage[]): Issue[] {
  return packages.flatMap(({ path, objects }) =>
    objects.flatMap((object) => {
      const lists = keyedLists[`${apiVersionGroup(object.apiVersion)}/${object.kind}`] ?? {};
      return Object.entries(lists).flatMap(([steps, keys]) =>
        listsAt(object.value, steps.split('.')).flatMap(({ value, place }) =>
          twinsIn(value, keys).map((twin) =>
            errorIssue(
              path,
              `${shownObject(object)} of ${object.path} has two entries with ${twin} in ${place}: a server-side apply refuses it`,
              'Keep one of the two.',
            ),
          ),
        ),
      );
    }),
  );
}

interface FoundList {
  readonly value: readonly GoValue[];
  readonly place: string;
}

function listsAt(value: GoValue, [step, ...more]: readonly string[], place = ''): FoundList[] {
  if (step === undefined) return Array.isArray(value) ? [{ value, place }] : [];
  if (step !== '*') return listsAt(member(value, step), more, joinPath(place, step));
  if (!Array.isArray(value)) return [];
  return value.flatMap((item, index) => listsAt(item, more, joinPath(place, index)));
}

function twinsIn(list: readonly GoValue[], keys: readonly string[]): string[] {
  const known = new Set<string>();
  const twins = new Set<string>();
  for (const entry of list) {
    if (!(entry instanceof Map)) continue;
    const words = keys.map((key) => {
      const [name = '', standard] = key.split('=');
      const value = member(entry, name);
      return value === null ? standard && `${name} ${standard}` : `${name} ${String(value)}`;
    });
    const title = words.filter((word) => word !== undefined).join(' and ');
    // An item without its keys is refused by other rules.
    if (words.includes(undefined)) continue;
    if (known.has(title)) twins.add(title);
    known.add(title);
  }
  return [...twins];
}
