// What Orders and chart folders on disk need from elsewhere: reads them, downloads it, or compares it with the lock file.

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadChartPath } from '../../chart/directory.node.ts';
import { callback, checkArguments, filled, kind, listOf, optionsOf } from '../../core/arguments.ts';
import { type Issue, RenderError } from '../../core/errors.ts';
import { chartsIn, readOrderText } from '../../inputs/orders.node.ts';
import { type OrderText, readOrder } from '../../order/read.ts';
import { validateOrder } from '../../order/validate.ts';
import { demandOf, foldersOf, type VendorOrder } from './demand.node.ts';
import { type BroughtDependency, bringDependencies, checkDependencies } from './dependencies.node.ts';
import { type VendorOptions, vendorOptions } from './options.ts';
import { compareSchemas, fetchSchemas, type SchemaChart, type SchemaReport, schemaCharts } from './schemas.node.ts';
import { compareCharts, type VendorReport, vendorNamed } from './vendor.node.ts';

/** Valid Orders and chart folders, as returned by `readVendorInputs`. */
export interface VendorInputs {
  readonly orders: readonly VendorOrder[];
  /** Chart folders as specified. */
  readonly folders: readonly string[];
}

/** An Order that was read. */
export interface VendorRead {
  /** The file as specified. */
  readonly file: string;
  /** Undefined if the file cannot be read. */
  readonly text: OrderText | undefined;
  readonly warnings: readonly Issue[];
  /** Why it cannot be used: ORDER_INVALID. Default: it can. */
  readonly error?: RenderError | undefined;
}

/** Options of `readVendorInputs`. */
export interface VendorReadOptions {
  /** The base of relative paths. Default: the current folder. */
  readonly cwd?: string | undefined;
  /** Returns the text of the Order named `-`. Default: an empty text. */
  readonly stdin?: (() => Promise<string>) | undefined;
  /** Called with each Order, in the order of the paths. */
  readonly onRead?: ((read: VendorRead) => void) | undefined;
}

const readOptions = optionsOf<VendorReadOptions>({ cwd: filled, stdin: callback, onRead: callback });

/**
 * Reads Orders from files, and separates the paths of chart folders. Invalid Orders are omitted; `onRead` receives their errors. Rejects
 * with ARGUMENT_INVALID.
 * @example
 * const inputs = await readVendorInputs(['order.yaml', 'charts/shop']);
 * const { report } = await vendorInputs(inputs, { dir: 'charts' });
 */
export async function readVendorInputs(
  paths: readonly string[],
  options: VendorReadOptions = {},
): Promise<VendorInputs> {
  checkArguments('readVendorInputs', ['paths', paths, listOf(filled)], ['options', options, readOptions]);
  const { stdin = async () => '', onRead = () => {} } = options;
  const cwd = resolve(options.cwd ?? '.');
  const folders = paths.filter((path) => statSync(resolve(cwd, path), { throwIfNoEntry: false })?.isDirectory());
  const orders: VendorOrder[] = [];
  for (const file of paths.filter((path) => !folders.includes(path))) {
    let text: OrderText | undefined;
    try {
      const content = file === '-' ? await stdin() : readOrderText(file, cwd);
      text = readOrder(content, file === '-' ? '<stdin>' : file);
      const { order, warnings } = validateOrder(text.value);
      orders.push({ name: file, order, folders: file === '-' ? [cwd] : foldersOf(file, cwd) });
      onRead({ file, text, warnings });
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      onRead({ file, text, warnings: [], error });
    }
  }
  return { orders, folders };
}

const inputsArgument = kind(
  'a result of readVendorInputs',
  (value) => typeof value === 'object' && value !== null && 'orders' in value && 'folders' in value,
);

/** What was downloaded for Orders and chart folders. */
export interface VendoredInputs {
  /** The charts of the Orders; undefined if there are none. */
  readonly report: VendorReport | undefined;
  /** The dependencies of each chart folder. */
  readonly dependencies: readonly { readonly chart: string; readonly brought: readonly BroughtDependency[] }[];
  /** The schemas that the charts refer to by URL. */
  readonly schemas: SchemaReport;
}

/**
 * Downloads what Orders and chart folders need: the dependencies of each folder into its charts/, then the charts of the Orders and the
 * schemas into `dir`, and pins them in drydock.lock. Rejects with VendorError, which leaves the failed step unchanged; with the error of an
 * invalid chart, ARGUMENT_INVALID.
 */
export async function vendorInputs(inputs: VendorInputs, options: VendorOptions = {}): Promise<VendoredInputs> {
  checkArguments('vendorInputs', ['inputs', inputs, inputsArgument], ['options', options, vendorOptions]);
  const cwd = resolve(options.cwd ?? '.');
  const dependencies: { chart: string; brought: readonly BroughtDependency[] }[] = [];
  for (const chart of inputs.folders) {
    dependencies.push({ chart, brought: await bringDependencies(resolve(cwd, chart), options) });
  }
  const report = inputs.orders.length === 0 ? undefined : await vendorNamed(inputs.orders, options);
  return { report, dependencies, schemas: await fetchSchemas(await schemaChartsOf(inputs, options), options) };
}

/** What is wrong with the dependencies of a chart folder. */
export interface FolderFaults {
  /** The folder as specified. */
  readonly chart: string;
  /** Sentences about missing dependencies, versions that do not match, an outdated lock file, or why the chart cannot be read. */
  readonly faults: readonly string[];
}

/** How Orders and chart folders agree with what was downloaded. */
export interface VendorCheck {
  /** Sentences: what prevents an Order from being rendered according to the lock file. */
  readonly faults: readonly string[];
  /** Sentences: what prevents schemas from being read according to the lock file. */
  readonly schemaFaults: readonly string[];
  /** Charts in the lock file that no Order needs. */
  readonly unused: readonly string[];
  /** The chart folders with problems. */
  readonly folders: readonly FolderFaults[];
}

/** Options of `checkVendored`. */
export type VendorCheckOptions = Pick<VendorOptions, 'dir' | 'cwd'>;

/**
 * Compares Orders and chart folders with drydock.lock, the downloaded charts and schemas, and each charts/, offline. Rejects with
 * CHART_INVALID for an invalid lock file, ARGUMENT_INVALID.
 */
export async function checkVendored(inputs: VendorInputs, options: VendorCheckOptions = {}): Promise<VendorCheck> {
  checkArguments(
    'checkVendored',
    ['inputs', inputs, inputsArgument],
    ['options', options, optionsOf<VendorCheckOptions>({ dir: filled, cwd: filled })],
  );
  const { orders } = inputs;
  const { faults, unused } =
    orders.length === 0 ? { faults: [], unused: [] } : compareCharts(await demandOf(orders), folderOf(options));
  const folders: FolderFaults[] = [];
  for (const chart of inputs.folders)
    folders.push({ chart, faults: await checkDependencies(resolve(options.cwd ?? '.', chart)) });
  const schemaFaults = compareSchemas(await schemaChartsOf(inputs, options), options);
  return { faults, schemaFaults, unused, folders: folders.filter((folder) => folder.faults.length > 0) };
}

function folderOf({ dir = 'charts', cwd = '.' }: VendorCheckOptions): string {
  return resolve(cwd, dir);
}

// What cannot be read is reported elsewhere.
async function schemaChartsOf(
  { orders, folders }: VendorInputs,
  options: VendorCheckOptions,
): Promise<readonly SchemaChart[]> {
  const found: SchemaChart[] = [];
  const add = async (load: () => Promise<readonly SchemaChart[]>): Promise<void> => {
    try {
      found.push(...(await load()));
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
    }
  };
  for (const { name: by, order, folders: bases } of orders) {
    const registry = chartsIn([...bases, folderOf(options)], undefined);
    for (const { chart: chosen } of order.spec.packages) {
      const { name, version, sourceRef } = chosen;
      await add(async () => schemaCharts(by, await registry.resolve({ name, version, sourceRef }), sourceRef.name));
    }
  }
  for (const by of folders) {
    await add(async () => schemaCharts(by, await loadChartPath(resolve(options.cwd ?? '.', by))));
  }
  return found;
}
