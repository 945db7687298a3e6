// A HelmRelease of Flux: its chart, its release, and its values with those of ConfigMaps and Secrets.
// Mirrors: fluxcd, helm-controller, api/v2, `HelmReleaseSpec`; internal/release/name.go; fluxcd/pkg/chartutil, values.go.

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { orUndefined } from '../../core/catch.ts';
import { decodeBase64 } from '../../go/base64.ts';
import { decodeUtf8, encodeUtf8 } from '../../go/utf8.ts';
import type { SourceInput } from '../../order/document.ts';
import type { JsonObject } from '../../order/order.ts';
import { isChart, type KustomizeResource, objectNameOf } from './kustomize.ts';
import {
  type FoundRelease,
  isEncrypted,
  Notes,
  objectAt,
  objectsAt,
  overlay,
  present,
  sourceOf,
  textAt,
  textsAt,
  valuesOfText,
  withSet,
} from './members.ts';
import { type FileTree, resolvePath } from './tree.ts';

export interface FluxSurroundings {
  readonly tree: FileTree;
  /** Returns the resource with a kind and name; two missing namespaces are equal. */
  readonly find: (kind: string, namespace: string, name: string) => KustomizeResource | undefined;
}

const steering = [
  'interval',
  'timeout',
  'maxHistory',
  'rollback',
  'uninstall',
  'test',
  'driftDetection',
  'serviceAccountName',
  'persistentClient',
  'healthCheckExprs',
  'waitStrategy',
];
const actionSteering = [
  'timeout',
  'remediation',
  'disableWait',
  'disableWaitForJobs',
  'disableTakeOwnership',
  'replace',
  'cleanupOnFail',
  'force',
  'preserveValues',
  'strategy',
  'serverSideApply',
];
const readMembers = [
  'chart',
  'chartRef',
  'releaseName',
  'targetNamespace',
  'storageNamespace',
  'values',
  'valuesFrom',
  'install',
  'upgrade',
  'dependsOn',
  'suspend',
];

export function importRelease(release: KustomizeResource, surroundings: FluxSurroundings): FoundRelease {
  const spec = objectAt(release.object, 'spec');
  const { name: own, namespace: home } = objectNameOf(release.object);
  const target = textAt(spec, 'targetNamespace');
  const notes = new Notes(release.file, release.notes);
  const reading: Reading = { ...surroundings, home, notes };
  const chart = chartOf(spec, reading);
  noteUnread(spec, notes, target || home);
  return {
    origin: `HelmRelease ${home === '' ? '' : `${home}/`}${own}`,
    file: release.file,
    chart: present({
      ...chart.chart,
      releaseName: shortened(textAt(spec, 'releaseName') || (target === '' ? own : `${target}-${own}`)),
      namespace: target || home || 'default',
      values: overlay(valuesFrom(spec, reading), objectAt(spec, 'values')),
    }),
    notes: notes.list,
    skipped: chart.skipped,
  };
}

/** The rule for Helm's limit of 53 characters: the start of a longer name and its hash. */
function shortened(name: string): string {
  return name.length > 53 ? `${name.slice(0, 40)}-${bytesToHex(sha256(encodeUtf8(name))).slice(0, 12)}` : name;
}

interface Reading extends FluxSurroundings {
  readonly home: string;
  readonly notes: Notes;
}

interface ReadChart {
  readonly chart: {
    readonly name: string;
    readonly sourceRef?: SourceInput;
    readonly version?: string;
    readonly valuesFile?: string;
  };
  readonly skipped?: string;
}

function chartOf(spec: JsonObject, reading: Reading): ReadChart {
  const { home, notes, find } = reading;
  const reference = objectAt(spec, 'chartRef');
  const [kind, name] = [textAt(reference, 'kind'), textAt(reference, 'name')];
  if (name === '') {
    const template = objectAt(objectAt(spec, 'chart'), 'spec');
    if (textAt(template, 'chart') === '')
      return { chart: { name: '' }, skipped: 'it names no chart: it may be a patch for another file' };
    return templateOf(template, 'spec.chart.spec', reading);
  }
  const source = find(kind, textAt(reference, 'namespace') || home, name);
  if (source === undefined)
    return { chart: { name: '' }, skipped: `it names ${kind} ${name}, which is not among the files` };
  if (kind === 'HelmChart') return templateOf(objectAt(source.object, 'spec'), `HelmChart ${name}: spec`, reading);
  // An OCIRepository is the chart itself: its URL ends in the chart's name.
  const origin = objectAt(source.object, 'spec');
  const url = textAt(origin, 'url').replace(/(?<!\/)\/+$/, '');
  const ref = objectAt(origin, 'ref');
  const at = `OCIRepository ${name}: spec`;
  notes.unread(
    origin,
    at,
    ['url', 'ref', 'layerSelector'],
    ['interval', 'timeout', 'verify', 'provider', 'secretRef', 'serviceAccountName', 'certSecretRef', 'proxySecretRef'],
  );
  notes.unread(ref, `${at}.ref`, ['tag', 'semver', 'digest']);
  const digest = textAt(ref, 'digest');
  if (digest !== '') notes.add(`${at}.ref.digest`, 'is not part of an Order: drydock vendor pins charts by digest');
  return {
    chart: present({
      name: url.split('/').pop() ?? '',
      sourceRef: sourceOf(url.slice(0, url.lastIndexOf('/'))),
      version: textAt(ref, 'semver') || textAt(ref, 'tag'),
    }),
  };
}

// A chart template of a HelmRelease, or a HelmChart.
function templateOf(template: JsonObject, at: string, { home, notes, tree, find }: Reading): ReadChart {
  const reference = objectAt(template, 'sourceRef');
  const [kind, name] = [textAt(reference, 'kind') || 'HelmRepository', textAt(reference, 'name')];
  const chartName = textAt(template, 'chart');
  const source = find(kind, textAt(reference, 'namespace') || home, name);
  const url = textAt(objectAt(source?.object ?? {}, 'spec'), 'url');
  notes.unread(
    template,
    at,
    ['chart', 'version', 'sourceRef', 'valuesFiles'],
    ['interval', 'reconcileStrategy', 'verify', 'suspend', 'ignoreMissingValuesFiles'],
  );
  const isPath = kind === 'GitRepository' || kind === 'Bucket';
  const path = isPath ? (resolvePath('', chartName) ?? chartName) : '';
  if (isPath && !isChart(tree, path)) {
    notes.add(
      `${at}.chart`,
      `${chartName} is a path in ${kind} ${name}${url === '' ? '' : ` (${url})`}: put the chart there before you render the Order`,
    );
  }
  if (!isPath && url === '')
    notes.add(
      `${at}.sourceRef`,
      `${kind} ${name} is not among the files, so the Order names it in place of an address`,
    );
  const files = textsAt(template, 'valuesFiles')
    .map((file) => (isPath ? (resolvePath('', file) ?? file) : file))
    .map((file) => (isPath && file.startsWith(`${path}/`) ? file.slice(path.length + 1) : file))
    .filter((file) => file !== 'values.yaml');
  if (files.length > 1)
    notes.add(
      `${at}.valuesFiles`,
      `an Order names one values file of a chart: ${files.slice(0, -1).join(', ')} is not read`,
    );
  const repository = present({ kind: 'HelmRepository' as const, name, namespace: textAt(reference, 'namespace') });
  return {
    chart: present({
      name: (isPath ? path : chartName).split('/').pop() ?? '',
      sourceRef: isPath ? { kind: 'Local' as const, name: path } : url === '' ? repository : sourceOf(url),
      version: isPath ? '' : textAt(template, 'version').replace(/^\*$/, ''),
      valuesFile: files.at(-1) ?? '',
    }),
  };
}

function valuesFrom(spec: JsonObject, { home, notes, find }: Reading): JsonObject {
  let values: JsonObject = {};
  objectsAt(spec, 'valuesFrom').forEach((reference, index) => {
    const [kind, name] = [textAt(reference, 'kind'), textAt(reference, 'name')];
    const at = `spec.valuesFrom[${index}]`;
    const key = textAt(reference, 'valuesKey') || 'values.yaml';
    const source = find(kind, home, name);
    if (source === undefined) {
      const optional = reference.optional === true ? 'optional, and ' : '';
      notes.add(at, `${kind} ${name} is ${optional}not among the files: its values are left out`);
      return;
    }
    const text = dataOf(source.object, key);
    if (text === undefined || isEncrypted(source.object)) {
      const why = text === undefined ? `has no key ${key}` : 'is encrypted with SOPS';
      notes.add(at, `${kind} ${name} ${why}: its values are left out`);
      return;
    }
    const path = textAt(reference, 'targetPath');
    const next = path === '' ? merged(values, text) : withTarget(values, path, text, reference.literal === true);
    if (next === undefined)
      notes.add(
        at,
        `${key} of ${kind} ${name} ${isEncrypted(valuesOfText(text) ?? {}) ? 'is encrypted with SOPS: its values' : 'is not a YAML mapping of values: they'} are left out`,
      );
    else values = next;
  });
  return values;
}

function merged(values: JsonObject, text: string): JsonObject | undefined {
  const more = valuesOfText(text);
  return more === undefined || isEncrypted(more) ? undefined : overlay(values, more);
}

// A quoted value is a string; any other is parsed like `--set`.
function withTarget(values: JsonObject, path: string, text: string, isLiteral: boolean): JsonObject | undefined {
  const isQuoted = /^(["'])[\s\S]*\1$/.test(text) && text.length > 1;
  if (isLiteral) return withSet(values, [path, text.replace(/[\\,{}[\]]/g, '\\$&')], true);
  return withSet(values, [path, isQuoted ? text.replace(/^["']+|(?<!["'])["']+$/g, '') : text], isQuoted);
}

/** Returns the text behind a key of a ConfigMap or Secret. */
export function dataOf(object: JsonObject, key: string): string | undefined {
  const [texts, data] = [objectAt(object, 'stringData'), objectAt(object, 'data')];
  if (Object.hasOwn(texts, key)) return textAt(texts, key);
  if (!Object.hasOwn(data, key)) return undefined;
  const text = textAt(data, key);
  const isPlain = textAt(object, 'kind') !== 'Secret' || isEncrypted(object);
  return isPlain ? text : orUndefined(() => decodeUtf8(decodeBase64(text)));
}

function noteUnread(spec: JsonObject, notes: Notes, namespace: string): void {
  notes.unread(spec, 'spec', readMembers, steering);
  for (const action of ['install', 'upgrade']) {
    const section = objectAt(spec, action);
    const isUsual = section.crds !== 'Skip';
    notes.unread(section, `spec.${action}`, ['createNamespace', ...(isUsual ? ['crds'] : [])], actionSteering);
  }
  const storage = textAt(spec, 'storageNamespace');
  if (storage !== '' && storage !== namespace)
    notes.add('spec.storageNamespace', `Helm records the release in ${namespace}, not in ${storage}`);
  if (spec.suspend === true)
    notes.add('spec.suspend', 'Flux does not install it while it is suspended; the Order does');
  if (objectsAt(spec, 'dependsOn').some((item) => textAt(item, 'readyExpr') !== ''))
    notes.info('spec.dependsOn.readyExpr');
}
