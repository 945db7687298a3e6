// Imports files and repositories of Argo CD, Flux, helmfile and kustomize as an Order.

import {
  anything,
  callback,
  checkArguments,
  flag,
  having,
  jsonObject,
  listOf,
  membersOf,
  optionsOf,
  text,
} from '../../core/arguments.ts';
import { RenderError } from '../../core/errors.ts';
import { getOrCreate } from '../../core/lazy.ts';
import { withinLimits } from '../../core/limits.ts';
import type { ChartInput, Order } from '../../order/document.ts';
import { type JsonObject, ORDER_API_VERSION } from '../../order/order.ts';
import { validateOrder } from '../../order/validate.ts';
import { importArgo } from './argocd.ts';
import { fluxRoots, importFlux } from './flux.ts';
import { helmfilesIn, importHelmfile } from './helmfile.ts';
import { isHelmfile } from './helmfile-state.ts';
import {
  type Build,
  isChart,
  Kustomize,
  type KustomizeResource,
  kustomizationIn,
  objectNameOf,
  readResources,
  resourcesOf,
} from './kustomize.ts';
import { apiGroupOf, type FoundRelease, type ImportNote, objectAt, textAt } from './members.ts';
import { type FileTree, filesBelow, folderOf, hasFolder, relativePath, resolvePath, treeOfFiles } from './tree.ts';

/** A text to import, and its name in errors. */
export interface ImportFile {
  readonly name: string;
  readonly text: string;
}

/** Options for `importOrder` and `importRepository`. */
export interface ImportOptions {
  /** The environment of a helmfile. Default `default`. */
  readonly environment?: string | undefined;
  /** Values that override those of a helmfile's environment. */
  readonly values?: JsonObject | undefined;
  /** Environment variables for the `env` and `requiredEnv` functions of helmfile. Default none. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** The folder, below the root, that the Order's chart paths are relative to. Default: the root. */
  readonly folder?: string | undefined;
}

/** A release found by an import. */
export interface ImportedRelease {
  readonly name: string;
  readonly namespace: string;
  /** Its definition, such as `HelmRelease shop/web`, and the file. */
  readonly origin: string;
  readonly file: string;
  /** `noted`: it is in the Order, but the installed result may differ. `skipped`: it is not in the Order. */
  readonly status: 'imported' | 'noted' | 'skipped';
  /** Why it is skipped. */
  readonly reason?: string | undefined;
  readonly notes: readonly ImportNote[];
}

/** The imported Order, and the result for each release. */
export interface ImportedOrder {
  readonly order: Order;
  readonly releases: readonly ImportedRelease[];
  /** Notes without a release. */
  readonly notes: readonly ImportNote[];
  /** One line, such as `12 releases: 9 imported, 2 imported with notes, 1 skipped`. */
  readonly summary: string;
}

const importOptions = optionsOf<ImportOptions>({ environment: text, values: jsonObject, env: anything, folder: text });
const fileList = listOf(membersOf<ImportFile>({ name: text, text }, ['name', 'text']));
const fileTree = having<FileTree>('a tree of files', { read: callback, list: callback });

/**
 * Imports the files of another tool as an Order. Packages are in the order in which the tool installs them; files can refer to each other.
 * Throws ORDER_INVALID if a file is not YAML, or if nothing in it can be imported; ARGUMENT_INVALID.
 * @example
 * const { order, summary } = importOrder([{ name: 'helmfile.yaml', text }]);
 */
export function importOrder(files: readonly ImportFile[], options: ImportOptions = {}): ImportedOrder {
  checkArguments('importOrder', ['files', files, fileList], ['options', options, importOptions]);
  const tree = treeOfFiles(new Map(files.map(({ name, text: content }) => [name, content])));
  return importPaths(
    tree,
    files.map(({ name }) => name),
    options,
  );
}

/**
 * Imports files and folders of a repository as an Order: a helmfile, a folder that Flux or Argo CD applies, or a kustomization. Throws as
 * `importOrder` does.
 * @example
 * const { order } = importRepository(diskTree('/work/fleet'), ['clusters/production']);
 */
export function importRepository(tree: FileTree, paths: readonly string[], options: ImportOptions = {}): ImportedOrder {
  checkArguments(
    'importRepository',
    ['tree', tree, fileTree],
    ['paths', paths, listOf(text)],
    ['options', options, importOptions],
  );
  return importPaths(tree, paths, options);
}

// Time limit for the templates of a repository.
const limits = { milliseconds: 60_000, outputBytes: 200_000_000 };

function importPaths(tree: FileTree, paths: readonly string[], options: ImportOptions): ImportedOrder {
  return withinLimits(limits, () => {
    const builds = paths.map((path) => (hasFolder(tree, path) ? readFolder : readFile)(path, tree, options));
    const flux = importFlux(
      builds.flatMap(({ resources }) => resources),
      tree,
    );
    const argo = importArgo(flux.resources, tree);
    const releases = [...builds, argo, flux].flatMap((found) => found.releases);
    const notes = [...builds, flux, argo].flatMap((found) => found.notes);
    return toOrder(releases, notes, { folder: options.folder ?? '', first: paths[0] ?? '' });
  });
}

function readHelmfiles(files: readonly string[], tree: FileTree, options: ImportOptions): Build {
  const { environment = 'default', env = {}, values } = options;
  const releases = files.flatMap((file) => importHelmfile(file, { tree, environment, env }, values));
  return { resources: [], releases, notes: [] };
}

function readFolder(folder: string, tree: FileTree, options: ImportOptions): Build {
  const helmfiles = helmfilesIn(tree, folder);
  if (helmfiles.length > 0) return readHelmfiles(helmfiles, tree, options);
  if (isChart(tree, folder)) {
    const message = `${folder || 'the folder'} is a Helm chart, whose objects come from templates`;
    const hint = 'Render it first: `drydock template CHART | drydock import -`.';
    throw new RenderError('ORDER_INVALID', message, { place: { file: folder }, hint });
  }
  const root = kustomizationIn(tree, folder) === undefined ? fluxRoot(folder, tree) : folder;
  const build = new Kustomize(tree).build(root);
  const inGroup = (group: string): KustomizeResource[] =>
    build.resources.filter(({ object }) => apiGroupOf(object) === group);
  // A Kustomization that applies this folder also specifies how.
  const own = inGroup('kustomize.toolkit.fluxcd.io').filter(
    ({ object }) => resolvePath('', textAt(objectAt(object, 'spec'), 'path')) === root,
  );
  if (own.length === 0) return build;
  return { resources: [...own, ...inGroup('source.toolkit.fluxcd.io')], releases: [], notes: [] };
}

// The folder that Flux is configured to apply, if a whole repository is imported.
function fluxRoot(folder: string, tree: FileTree): string {
  const setups = filesBelow(tree, folder)
    .filter((file) => /\.ya?ml$/.test(file))
    .map((file) => ({ file, content: tree.read(file) ?? '' }))
    .filter(({ content }) => /toolkit\.fluxcd\.io\/v1|kind:\s*FluxInstance/.test(content))
    .map(({ file, content }) => ({ file, objects: readResources(content, file, '1.2') }));
  const roots = fluxRoots(setups.flatMap(({ objects }) => objects)).filter((path) => hasFolder(tree, path));
  if (roots.some((root) => root === folder || folder.startsWith(`${root}/`))) return folder;
  const below = roots.filter((root) => folder === '' || root.startsWith(`${folder}/`));
  if (below.length === 1) return below[0] ?? folder;
  const several = below.length > 1 ? below : foldersOfTwins(setups);
  if (several.length === 0) return folder;
  const message = `several clusters are set up below ${folder || 'this folder'}: ${several.join(', ')}`;
  throw new RenderError('ORDER_INVALID', message, { place: { file: folder }, hint: 'Name the folder of one of them.' });
}

function readFile(file: string, tree: FileTree, options: ImportOptions): Build {
  const content = tree.read(file);
  if (content === undefined) {
    const hint = 'Name a file of the repository.';
    throw new RenderError('ORDER_INVALID', `there is no file ${file}`, { place: { file }, hint });
  }
  if (isHelmfileText(file, content)) return readHelmfiles([file], tree, options);
  const objects = readResources(content, file, '1.1');
  const builds = objects
    .filter((item) => apiGroupOf(item) === 'kustomize.config.k8s.io' || Array.isArray(item.helmCharts))
    .map((object) => new Kustomize(tree).buildDocument(object, file));
  return {
    resources: [...builds.flatMap(({ resources }) => resources), ...resourcesOf(objects, file)],
    releases: builds.flatMap(({ releases }) => releases),
    notes: builds.flatMap(({ notes }) => notes),
  };
}

// At the start of a line of YAML, or of the first level of indented JSON.
const shapes = /^(?:\ufeff| {2}")?(?:releases|helmfiles|bases|environments|repositories|helmDefaults|templates)"?:/m;

function isHelmfileText(file: string, content: string): boolean {
  if (file.endsWith('.gotmpl')) return true;
  if (!shapes.test(content) || /^(?: {2}")?kind"?:/m.test(content)) return false;
  return content.includes('{{') || readResources(content, file, '1.2').some(isHelmfile);
}

function toOrder(
  found: readonly FoundRelease[],
  notes: readonly ImportNote[],
  { folder, first }: { readonly folder: string; readonly first: string },
): ImportedOrder {
  const taken = new Map<string, string>();
  const packages: { readonly chart: ChartInput }[] = [];
  const releases = found.map(({ origin, file, skipped, ...item }): ImportedRelease => {
    const chart = placed(item.chart, folder);
    const [name, namespace] = [chart.releaseName ?? '', chart.namespace ?? ''];
    const id = `${namespace}/${name}`;
    const reason = skipped ?? (taken.has(id) ? `${taken.get(id)} installs the release ${id} already` : faultOf(chart));
    if (reason !== undefined) return { name, namespace, origin, file, status: 'skipped', reason, notes: item.notes };
    taken.set(id, origin);
    packages.push({ chart });
    const status = item.notes.some(({ severity }) => severity === 'note') ? 'noted' : 'imported';
    return { name, namespace, origin, file, status, notes: item.notes };
  });
  if (packages.length === 0) throw nothingFound(releases, notes, first);
  const order: Order = {
    apiVersion: ORDER_API_VERSION,
    kind: 'Order',
    metadata: { name: packages[0]?.chart.releaseName ?? '' },
    spec: { packages },
  };
  return { order, releases, notes, summary: summaryOf(releases) };
}

// Paths are relative to the root up to here.
function placed(chart: ChartInput, folder: string): ChartInput {
  const { sourceRef } = chart;
  if (sourceRef?.kind !== 'Local' || sourceRef.name?.startsWith('/')) return chart;
  return { ...chart, sourceRef: { kind: 'Local', name: relativePath(folder, sourceRef.name ?? '') } };
}

// The folders with a definition of the same Kustomization, each for another cluster.
function foldersOfTwins(
  setups: readonly { readonly file: string; readonly objects: readonly JsonObject[] }[],
): string[] {
  const folders = new Map<string, Set<string>>();
  for (const { file, objects } of setups) {
    for (const object of objects) {
      if (apiGroupOf(object) !== 'kustomize.toolkit.fluxcd.io' || objectAt(object, 'spec').path === undefined) continue;
      const { name, namespace } = objectNameOf(object);
      getOrCreate(folders, `${namespace}/${name}`, () => new Set<string>()).add(folderOf(file));
    }
  }
  return [...new Set([...folders.values()].filter(({ size }) => size > 1).flatMap((found) => [...found]))].sort();
}

function faultOf(chart: ChartInput): string | undefined {
  try {
    validateOrder({ spec: { packages: [{ chart }] } });
    return undefined;
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    return (
      error.issues.map(({ path, message }) => `${path.replace(/^spec\.packages\[0\]\./, '')} ${message}`).join('; ') ||
      error.message
    );
  }
}

function nothingFound(releases: readonly ImportedRelease[], notes: readonly ImportNote[], file: string): RenderError {
  const issues = [
    ...releases.map((item) => ({ path: '', message: `${item.file}: ${item.origin}: ${item.reason ?? ''}` })),
    ...notes
      .filter(({ severity }) => severity === 'note')
      .map((note) => ({ path: note.path, message: `${note.file}: ${note.message}` })),
  ].map((issue) => ({ ...issue, severity: 'error' as const }));
  const [firstIssue] = issues;
  const why =
    firstIssue === undefined
      ? ''
      : `: ${firstIssue.message}${issues.length > 1 ? `, and ${issues.length - 1} more` : ''}`;
  const kinds =
    'an Application or ApplicationSet of Argo CD, a HelmRelease of Flux, a helmfile, or a kustomization with helmCharts';
  return new RenderError('ORDER_INVALID', `no release can be imported${why}`, {
    place: { file },
    issues,
    hint:
      firstIssue === undefined
        ? `Name ${kinds}.`
        : 'Pass the files that define what is missing, too, or their folder; a helmfile may need --environment or --state-values-set.',
  });
}

function summaryOf(releases: readonly ImportedRelease[]): string {
  const count = (status: ImportedRelease['status']): number => releases.filter((item) => item.status === status).length;
  const parts = [
    `${count('imported')} imported`,
    `${count('noted')} imported with notes`,
    `${count('skipped')} skipped`,
  ];
  return `${releases.length} ${releases.length === 1 ? 'release' : 'releases'}: ${parts.join(', ')}`;
}

/** Options for `importReport`. */
export interface ImportReportOptions {
  /** Whether notes on settings that only configure the tool are included. Default false. */
  readonly all?: boolean | undefined;
}

const reportOptions = optionsOf<ImportReportOptions>({ all: flag });
const importedOrder = having<ImportedOrder>('what importOrder returned', {
  releases: listOf(having<ImportedRelease>('a release', { notes: listOf(anything) })),
  notes: listOf(anything),
});

/** Formats the notes of an import as lines, and the summary. Throws ARGUMENT_INVALID. */
export function importReport(imported: ImportedOrder, options: ImportReportOptions = {}): string[] {
  checkArguments('importReport', ['imported', imported, importedOrder], ['options', options, reportOptions]);
  const { releases, notes, summary } = imported;
  const { all = false } = options;
  const lineOf =
    (origin: string) =>
    (note: ImportNote): string =>
      `${note.severity}: ${[note.file, origin, note.path].filter((part) => part !== '').join(': ')}: ${note.message}`;
  const isShown = ({ severity }: ImportNote): boolean => all || severity === 'note';
  const hidden = releases.flatMap((item) => item.notes).filter((note) => !isShown(note)).length;
  return [
    ...notes.filter(isShown).map(lineOf('')),
    ...releases.flatMap((item) => [
      ...(item.reason === undefined ? item.notes.filter(isShown).map(lineOf(item.origin)) : []),
      ...(item.reason === undefined ? [] : [`skipped: ${item.file}: ${item.origin}: ${item.reason}`]),
    ]),
    `${summary}${hidden === 0 ? '' : ` (${hidden} settings of the tool itself are left out: -v lists them)`}`,
  ];
}
