// Orders on disk: reads the text, and locates charts.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathOfChart, placeRegistry } from '../chart/registry.node.ts';
import { type ChartRef, chainRegistries, notFound, type Registry } from '../chart/registry.ts';
import { checkArguments, text } from '../core/arguments.ts';
import { RenderError } from '../core/errors.ts';
import { realHost, seededHost } from '../core/host.ts';
import { packageFolder } from '../core/own-files.node.ts';
import { didYouMeanPath, namesIn } from '../core/paths.node.ts';
import { didYouMean } from '../core/suggest.ts';
import type { OrderOptions, RenderedPackage } from '../engine/packages.ts';
import { readTextFile } from '../go/os.node.ts';
import { GoError } from '../go/value.ts';
import { isUrl } from '../order/names.ts';
import { type OrderText, readOrder } from '../order/read.ts';
import { isBundle, openBundle } from '../vendor/lock/bundle.ts';
import {
  completeChart,
  directoryRegistry,
  findLockFolder,
  lockHomes,
  schemasFor,
} from '../vendor/lock/registry.node.ts';
import { settingsForChart } from './chart-settings.node.ts';
import { runChecks, runContext, runIoArgument } from './run-options.node.ts';
import { helmVersionOf, type RenderSettings, type RunIo } from './settings.ts';

/** An Order's text, and the inputs for rendering it. */
export interface OrderInput {
  readonly text: OrderText;
  readonly options: OrderOptions;
  /** The original text. */
  readonly source: string;
  /** Folders whose lock files are used. */
  readonly folders: readonly string[];
  /** The archive, if the Order is a bundle. Default: it is a text. */
  readonly bundle?: Uint8Array | undefined;
  /** Returns the absolute path of a chart that the Order references by path; undefined for others. */
  readonly pathOf: (item: Pick<RenderedPackage, 'selection' | 'chart'>) => string | undefined;
}

/**
 * Reads the Order in a file, a text or a bundle; `-` is standard input. The result has the options for `renderOrder`: charts are found
 * relative to the file and to the current folder, and in the folders of the settings. Rejects with ORDER_INVALID if it cannot be read,
 * CHART_NOT_FOUND if a folder of charts does not exist, ARGUMENT_INVALID.
 * @example
 * const { text, options } = await readOrderFile('order.yaml', { kubeVersions: ['1.31'] });
 * const rendered = await renderOrder(text.value, options);
 */
export async function readOrderFile(
  name: string,
  settings: Partial<RenderSettings> = {},
  io: Partial<RunIo> = {},
): Promise<OrderInput> {
  checkArguments(
    'readOrderFile',
    ['name', name, text],
    ['settings', settings, runChecks.settings],
    ['io', io, runIoArgument],
  );
  const run = runContext({ ...io, settings });
  const { cwd } = run.io;
  const bundle = name === '-' ? undefined : readBundleFile(resolve(cwd, name));
  if (bundle !== undefined) return bundleInput(bundle, name, run.settings, run.io);
  const content = name === '-' ? await run.io.stdin() : readOrderText(name, cwd);
  const folder = name === '-' ? cwd : dirname(resolve(cwd, name));
  return orderInput(content, { name: name === '-' ? '<stdin>' : name, folder }, run.settings, run.io);
}

/** Returns an Order from its text. `folder` is the base of its relative paths. Throws ORDER_INVALID, CHART_NOT_FOUND. */
export function orderInput(
  text: string,
  { name, folder }: { readonly name: string; readonly folder: string },
  settings: RenderSettings,
  io: RunIo,
): OrderInput {
  const charts = settings.charts.map((path) => chartsFolder(path, io.cwd));
  const onWarning = (line: string): void => io.stderr(`${line}\n`);
  const folders = [...charts, folder, io.cwd, ...lockFolders(folder, io.cwd)];
  return {
    text: readOrder(text, name),
    source: text,
    folders,
    options: {
      ...renderingOptions(settings, io),
      schemas: schemasFor(folders).source,
      registry: chartsIn(folders, flatCharts(charts, onWarning)),
    },
    pathOf: ({ selection, chart }) => {
      const { kind, name } = selection.chart.sourceRef;
      const path = isUrl(name) ? undefined : pathOfChart(chart);
      // A path in this package does not exist where the script runs.
      return kind === 'Embed' && path?.startsWith(embedded) ? undefined : path;
    },
  };
}

function renderingOptions(settings: RenderSettings, io: RunIo): Omit<OrderOptions, 'registry'> {
  const { seed, kubeVersions, apiVersions } = settings;
  return {
    host: seed === undefined ? realHost(io.env.TZ) : seededHost({ seed }),
    helm: helmVersionOf(settings),
    kubeVersion: kubeVersions.at(-1),
    apiVersions,
    skipSchemaValidation: (chart) => {
      const path = pathOfChart(chart);
      return (path === undefined ? settings : settingsForChart(settings, path, io.cwd)).skipSchemaValidation;
    },
    onWarning: (line) => io.stderr(`${line}\n`),
  };
}

// An unreadable file is reported when it is read as text.
function readBundleFile(path: string): Uint8Array | undefined {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  const data = readFileSync(path);
  return isBundle(data) ? data : undefined;
}

// A bundle is self-contained, and uses nothing else.
function bundleInput(bundle: Uint8Array, name: string, settings: RenderSettings, io: RunIo): OrderInput {
  const { order, registry, schemas } = openBundle(bundle);
  return {
    bundle,
    text: readOrder(order, `${name}/order.yaml`),
    source: order,
    folders: [],
    options: { ...renderingOptions(settings, io), registry, schemas },
    pathOf: () => undefined,
  };
}

function chartsFolder(path: string, cwd: string): string {
  const folder = resolve(cwd, path);
  if (existsSync(folder)) return folder;
  throw new RenderError('CHART_NOT_FOUND', `there is no folder ${path}${didYouMeanPath(path, cwd)}`, {
    hint: 'Name a folder that holds charts: --charts DIR.',
  });
}

/** Returns the text of an Order's file. Throws ORDER_INVALID if it cannot be read. */
export function readOrderText(name: string, cwd: string): string {
  try {
    return readTextFile(name, cwd);
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    const chart = existsSync(join(resolve(cwd, name), 'Chart.yaml'));
    const hint = chart
      ? 'This is a chart, not an Order: `drydock template` renders it.'
      : 'Name the file of an Order, or - for standard input.';
    throw new RenderError('ORDER_INVALID', `${error.message}${didYouMeanPath(name, cwd)}`, { cause: error, hint });
  }
}

// The bundled charts.
const embedded = join(packageFolder(), 'fixtures/charts');

// A lock file in a folder above the Order applies to it, like a configuration.
function lockFolders(...starts: readonly string[]): readonly string[] {
  const found = starts.flatMap((start) => findLockFolder(start) ?? []);
  return [...new Set(found)].filter((folder) => !starts.includes(folder));
}

function isPath({ sourceRef }: ChartRef): boolean {
  return (sourceRef.kind === 'Local' || sourceRef.kind === 'Legacy') && !isUrl(sourceRef.name);
}

// A chart in a user-given folder may match any source by its name alone; what a script would install instead is reported.
function flatCharts(folders: readonly string[], onWarning: (line: string) => void): Registry | undefined {
  if (folders.length === 0) return undefined;
  const flat = directoryRegistry(folders, { isFlat: true });
  return {
    resolve: async (ref) => {
      const chart = await flat.resolve(ref);
      const { name } = ref.sourceRef;
      onWarning(
        `chart ${ref.name} of ${name} is taken from ${pathOfChart(chart)}, which is not a mirror of it: a script installs what ${name} has`,
      );
      return chart;
    },
  };
}

// A path in an Order is explicit, so it can lead anywhere; everything else stays within the folders of charts.
/** Returns the charts of an Order whose paths start from these folders. */
export function chartsIn(bases: readonly string[], flat: Registry | undefined): Registry {
  const local: Registry = {
    resolve: async (ref: ChartRef) => {
      const source = ref.sourceRef.name;
      const places = isPath(ref) ? [...new Set(bases.map((base) => resolve(base, source)))] : [];
      const path = places.find((place) => existsSync(place));
      if (path === undefined) throw notFound(ref, { places, versions: [] });
      const chart = await placeRegistry(path).resolve(ref);
      return completeChart(chart, { homes: lockHomes(bases), mayRead: () => true });
    },
  };
  return {
    resolve: async (ref) => {
      if (ref.sourceRef.kind === 'Embed') return directoryRegistry([...bases, embedded]).resolve(ref);
      const folders = directoryRegistry(bases);
      const others = isPath(ref) || flat === undefined ? [] : [flat];
      return chainRegistries([...(isPath(ref) ? [local] : []), folders, ...others])
        .resolve(ref)
        .catch(async (error: unknown) => {
          if (!(error instanceof RenderError && error.code === 'CHART_NOT_FOUND')) throw error;
          // The registry that searched knows the places best.
          return (isPath(ref) ? local : folders).resolve(ref).catch((last: unknown) => {
            throw last instanceof RenderError ? withSuggestion(last, ref.name, bases) : last;
          });
        });
    },
  };
}

// A chart with another name may be meant: one in the folders.
function withSuggestion(error: RenderError, name: string, bases: readonly string[]): RenderError {
  const isChart = (base: string, file: string): boolean => existsSync(join(base, file, 'Chart.yaml'));
  const names = bases.flatMap((base) => namesIn(base).filter((file) => isChart(base, file)));
  const question = names.includes(name) ? '' : didYouMean(name, names);
  if (question === '') return error;
  const { code, hint, place, member } = error;
  return new RenderError(code, `${error.message}${question}`, {
    cause: error,
    hint,
    place,
    member,
  });
}
