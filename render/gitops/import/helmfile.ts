// The releases of a helmfile and its sub-helmfiles.
// Mirrors: helmfile, docs/index.md; pkg/state/release.go, state_exec_tmpl.go, state.go, v1.1.

import type { SourceInput } from '../../order/document.ts';
import type { JsonObject, JsonValue } from '../../order/order.ts';
import { isObject } from '../../order/shape.ts';
import {
  createRenderer,
  expand,
  type HelmfileContext,
  HelmfileError,
  type HelmfileState,
  loadHelmfile,
  type ReleaseReading,
  releaseData,
  releaseValues,
} from './helmfile-state.ts';
import { isChart } from './kustomize.ts';
import {
  type FoundRelease,
  inOrder,
  listAt,
  Notes,
  objectAt,
  objectsAt,
  overlay,
  parseYamlAs,
  present,
  sourceOf,
  textAt,
  textsAt,
  unread,
  valuesOfText,
} from './members.ts';
import { type FileTree, hasFolder, resolvePath } from './tree.ts';

const defaultNames = ['helmfile.yaml.gotmpl', 'helmfile.yaml', 'helmfile.yml'];

/** Returns the helmfiles of a folder: the one in it, or those in `helmfile.d`. */
export function helmfilesIn(tree: FileTree, folder: string): string[] {
  const names = tree.list(folder) ?? [];
  const at = (name: string): string => (folder === '' ? name : `${folder}/${name}`);
  const own = defaultNames.find((name) => names.includes(name));
  if (own !== undefined) return [at(own)];
  const below = at('helmfile.d');
  const parts = (tree.list(below) ?? []).filter((name) => /\.ya?ml(?:\.gotmpl)?$/.test(name));
  return parts.map((name) => `${below}/${name}`);
}

/**
 * Returns the releases of a helmfile, those of its sub-helmfiles first. Each that cannot be loaded is reported as skipped. `above` are the
 * helmfiles that include it.
 */
export function importHelmfile(
  file: string,
  context: HelmfileContext,
  given: JsonObject = {},
  above: readonly string[] = [],
): FoundRelease[] {
  try {
    const state = loadHelmfile(file, context, given);
    return [...subHelmfiles(state, given, [...above, file]), ...releasesOf(state)];
  } catch (error) {
    if (!(error instanceof HelmfileError)) throw error;
    const place = error.line === undefined ? '' : `:${error.line}`;
    return [skippedIn(`${error.file}${place}`, error.message)];
  }
}

function skippedIn(file: string, skipped: string): FoundRelease {
  return { origin: 'helmfile', file, chart: { name: '', releaseName: '' }, notes: [], skipped };
}

function subHelmfiles(state: HelmfileState, given: JsonObject, above: readonly string[]): FoundRelease[] {
  const { context } = state;
  return listAt(state.document, 'helmfiles').flatMap((entry, index) => {
    const spec = isObject(entry) ? entry : {};
    const path = typeof entry === 'string' ? entry : textAt(spec, 'path');
    const folder = resolvePath(state.folder, path);
    const isDirectory = folder !== undefined && hasFolder(context.tree, folder);
    const files = isDirectory ? helmfilesIn(context.tree, folder) : expand(context.tree, state.folder, path);
    const skipped =
      files.length === 0
        ? `${path} is not in the repository`
        : files.some((file) => above.includes(file))
          ? `${path} includes this helmfile`
          : listAt(spec, 'selectors').length > 0
            ? 'its selectors are not supported'
            : undefined;
    if (skipped !== undefined) return [skippedIn(state.file, `helmfiles[${index}]: ${skipped}`)];
    const values = listAt(spec, 'values').reduce<JsonObject>(
      (all, item) => overlay(all, isObject(item) ? item : fileValues(String(item), state)),
      given,
    );
    return files.flatMap((file) => importHelmfile(file, context, values, above));
  });
}

function fileValues(path: string, { context: { tree }, folder }: HelmfileState): JsonObject {
  return expand(tree, folder, path).reduce<JsonObject>(
    (all, file) => overlay(all, valuesOfText(tree.read(file) ?? '', '1.2') ?? {}),
    {},
  );
}

function releasesOf(state: HelmfileState): FoundRelease[] {
  const releases = objectsAt(state.document, 'releases').map((release, index) => {
    const path = `releases[${index}]`;
    try {
      return readRelease(executed(inherited(release, state), state), { state, path });
    } catch (error) {
      if (!(error instanceof HelmfileError)) throw error;
      const place = error.line === undefined ? '' : `${error.file}:${error.line}: `;
      const releaseName = textAt(release, 'name');
      const found: FoundRelease = {
        ...skippedIn(state.file, `${path}: ${place}${error.message}`),
        origin: `release ${releaseName}`,
        chart: { name: '', releaseName },
      };
      return { found, id: '', needs: [] };
    }
  });
  const sorted = inOrder(releases, (item) => releases.filter(({ id }) => item.needs.includes(id)));
  return sorted.map(({ found, needs }) => {
    const missing = needs.filter((need) => !releases.some(({ id }) => id === need));
    const notes = new Notes(found.file, found.notes);
    for (const need of missing) notes.add('needs', `${need} is not in this helmfile`);
    return { ...found, notes: notes.list };
  });
}

// A template's fields are used; the release adds missing ones, and lists are concatenated.
function inherited(release: JsonObject, state: HelmfileState, path: readonly string[] = []): JsonObject {
  const templates = objectAt(state.document, 'templates');
  let merged: JsonObject = {};
  for (const entry of listAt(release, 'inherit')) {
    const name = isObject(entry) ? textAt(entry, 'template') : String(entry);
    if (isObject(entry) && unread(entry, ['template']).length > 0)
      throw new HelmfileError(state.file, `except of the inherited template ${name} is not supported`);
    if (path.includes(name) || !isObject(templates[name]))
      throw new HelmfileError(
        state.file,
        `the template ${name} is ${path.includes(name) ? 'inherited by itself' : 'not defined'}`,
      );
    merged = filled(merged, inherited(templates[name], state, [...path, name]));
  }
  const { inherit: _, ...own } = filled(merged, release);
  return own;
}

function filled(first: JsonObject, second: JsonObject): JsonObject {
  const merged: JsonObject = { ...first };
  for (const [key, value] of Object.entries(second)) {
    const below = Object.hasOwn(first, key) ? first[key] : undefined;
    if (below === undefined || below === null || below === '' || below === false || below === 0) merged[key] = value;
    else if (isObject(below) && isObject(value)) merged[key] = filled(below, value);
    else if (Array.isArray(below) && Array.isArray(value)) merged[key] = [...below, ...value];
  }
  return merged;
}

const textFields = ['name', 'chart', 'namespace', 'version'];

// Fields can contain templates that refer to other fields: they are rendered until nothing changes, like in helmfile.
function executed(release: JsonObject, state: HelmfileState): JsonObject {
  // The digits of a number such as 1.10 are lost.
  const other = textFields.find((key) => typeof release[key] === 'number');
  if (other !== undefined) throw new HelmfileError(state.file, `${other} is a number: write it in quotes`);
  const render = createRenderer(state.context, state.folder);
  let before = release;
  for (let round = 0; round < 6; round++) {
    const data = releaseData(before, state);
    const part = { name: 'stringTemplate', file: state.file, line: 0 };
    const next = { ...release, ...changedFields(release, (text) => render({ ...part, text }, data)) };
    if (JSON.stringify(next) === JSON.stringify(before)) return next;
    before = next;
  }
  throw new HelmfileError(state.file, "recursive references can't be resolved");
}

function changedFields(release: JsonObject, render: (text: string) => string): JsonObject {
  const changed: JsonObject = {};
  const texts = (value: JsonValue): JsonValue => (typeof value === 'string' ? render(value) : value);
  for (const key of textFields) if (Object.hasOwn(release, key)) changed[key] = render(textAt(release, key)).trim();
  const labels = Object.entries(objectAt(release, 'labels')).map(([key, value]) => [key, texts(value)]);
  changed.labels = Object.fromEntries(labels);
  const templates = listAt(release, 'valuesTemplate').map((item) =>
    isObject(item) ? parseYamlAs(render(JSON.stringify(item)), '1.2') : item,
  );
  changed.values = [...templates, ...listAt(release, 'values')].map(texts);
  changed.secrets = listAt(release, 'secrets').map(texts);
  return changed;
}

const readFields = [
  ...textFields,
  'values',
  'valuesTemplate',
  'set',
  'setString',
  'secrets',
  'needs',
  'labels',
  'installed',
  'condition',
  'createNamespace',
  'missingFileHandler',
  'inherit',
];
const steering = [
  'wait',
  'waitForJobs',
  'waitRetries',
  'waitTemplate',
  'timeout',
  'atomic',
  'rollbackOnFailure',
  'cleanupOnFail',
  'force',
  'forceConflicts',
  'historyMax',
  'recreatePods',
  'verify',
  'keyring',
  'description',
  'tillerless',
  'tillerNamespace',
  'skipDeps',
  'skipRefresh',
  'diffArgs',
  'suppressDiff',
  'suppressOutputLineRegex',
  'cascade',
  'reuseValues',
  'disableValidationOnInstall',
  'disableValidation',
  'insecureSkipTLSVerify',
  'plainHttp',
  'deleteWait',
  'deleteTimeout',
  'syncReleaseLabels',
  'trackMode',
  'helmStuckGrace',
  'takeOwnership',
  'serverSide',
  'devel',
  'updateStrategy',
  'unitTests',
  'missingFileHandlerConfig',
];

function readRelease(
  release: JsonObject,
  reading: ReleaseReading,
): { readonly found: FoundRelease; readonly id: string; readonly needs: readonly string[] } {
  const { state, path } = reading;
  const notes = new Notes(state.file);
  const defaults = objectAt(state.document, 'helmDefaults');
  const namespace =
    textAt(state.document, 'namespace') || textAt(release, 'namespace') || textAt(defaults, 'namespace');
  const { chart, tag, digest } = chartIn(textAt(release, 'chart'), textAt(release, 'version'));
  if (digest !== '')
    notes.add(`${path}.chart`, `the digest ${digest} is not part of an Order: drydock vendor pins charts`);
  notes.unread(release, path, readFields, steering);
  notes.unread(
    defaults,
    'helmDefaults',
    ['namespace', 'createNamespace'],
    [...steering, 'kubeContext', 'args', 'syncArgs'],
  );
  if (textAt(defaults, 'kubeContext') !== '') notes.info('helmDefaults.kubeContext');
  for (const unknown of state.unknown) notes.add('environments', unknown);
  const source = sourceRefOf(chart, state);
  if (source.note !== undefined) notes.add(`${path}.chart`, source.note);
  const found: FoundRelease = {
    origin: `release ${textAt(release, 'name')}`,
    file: state.file,
    chart: present({
      name:
        chart
          .replace(/(?<!\/)\/+$/, '')
          .split('/')
          .pop() ?? '',
      sourceRef: source.sourceRef,
      version: source.sourceRef.kind === 'Local' ? '' : tag,
      releaseName: textAt(release, 'name'),
      namespace: namespace || 'default',
      values: releaseValues(release, reading, notes),
    }),
    notes: notes.list,
    skipped: whyUnsupported(release, state) ?? whyNotInstalled(release, state) ?? whyUnknown(chart) ?? source.skipped,
  };
  const needs = textsAt(release, 'needs').map((need) => {
    const words = need.split('/');
    return words.length === 1 ? `${namespace}/${words[0]}` : words.slice(-2).join('/');
  });
  return { found, id: `${namespace}/${textAt(release, 'name')}`, needs };
}

// Without these, a release may be another one, or none.
function whyUnsupported(release: JsonObject, { document }: HelmfileState): string | undefined {
  const names = ['installedTemplate', 'conditionTemplate', 'setTemplate', 'defaultInherit'];
  const found = names.find((name) => release[name] !== undefined || document[name] !== undefined);
  return found === undefined ? undefined : `${found} is not supported`;
}

function whyNotInstalled(release: JsonObject, state: HelmfileState): string | undefined {
  if (release.installed === false || release.installed === 'false') return 'installed is false';
  const condition = release.condition;
  if (condition === undefined || condition === null || condition === '' || String(condition).toLowerCase() === 'true')
    return undefined;
  const value = String(condition)
    .split('.')
    .reduce<JsonValue | undefined>((at, key) => (isObject(at) ? at[key] : undefined), state.values);
  return value === true ? undefined : `its condition ${String(condition)} is not true`;
}

// A chart in a registry can include its version and digest, and so can the version.
function chartIn(
  reference: string,
  version: string,
): { readonly chart: string; readonly tag: string; readonly digest: string } {
  const isOci = reference.startsWith('oci://');
  const [, chart = reference, ownTag = '', ownDigest = ''] =
    (isOci ? /^(.*?)(?::([^/:@]+))?(?:@([a-z0-9]+:[0-9a-f]+))?$/.exec(reference) : null) ?? [];
  const [, tag = version, digest = ''] = /^(.*?)(?:@([a-z0-9]+:[0-9a-f]+))?$/.exec(version) ?? [];
  return { chart, tag: tag || ownTag, digest: digest || ownDigest };
}

function whyUnknown(chart: string): string | undefined {
  if (chart === '') return 'it names no chart';
  if (/^(?:git|s3|github|https?)(?:::|\+|:\/\/)|\?ref=/.test(chart))
    return `${chart} is fetched by helmfile, and an Order names repositories and paths`;
  return undefined;
}

interface ReadSource {
  readonly sourceRef: SourceInput;
  readonly note?: string;
  readonly skipped?: string;
}

function sourceRefOf(chart: string, state: HelmfileState): ReadSource {
  const { tree } = state.context;
  if (chart.startsWith('oci://')) return { sourceRef: sourceOf(chart.slice(0, chart.lastIndexOf('/'))) };
  const [first = '', ...rest] = chart.split('/');
  const repository = objectsAt(state.document, 'repositories').find((entry) => textAt(entry, 'name') === first);
  if (repository !== undefined && rest.length > 0) {
    const url = textAt(repository, 'url');
    if (/^git\+/.test(url))
      return {
        sourceRef: { kind: 'HelmRepository', name: url },
        skipped: `the repository ${first} is ${url}, which a plugin of Helm reads`,
      };
    const inner = rest.slice(0, -1).join('/');
    return {
      sourceRef: sourceOf(inner === '' ? url : `${url}/${inner}`, repository.oci === true || repository.oci === 'true'),
    };
  }
  const path = resolvePath(state.folder, chart) ?? chart;
  const isPath = /^\.{0,2}\//.test(chart) || rest.length !== 1 || hasFolder(tree, path);
  if (!isPath)
    return {
      sourceRef: { kind: 'HelmRepository', name: first },
      note: `the helmfile has no URL for the repository ${first}: the Order uses its name instead`,
    };
  const sourceRef = { kind: 'Local' as const, name: path };
  if (isChart(tree, path)) return { sourceRef };
  if (hasFolder(tree, path))
    return { sourceRef, skipped: `${path} has no Chart.yaml: helmfile would create a chart from it` };
  return { sourceRef, note: `there is no folder ${path}: put the chart there before you render the Order` };
}
