// `drydock snapshot`: Orders and charts rendered and compared with what is recorded in the repository, for a CI job.

import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { loadChartPath } from '../../../render/chart/directory.node.ts';
import { helmOf } from '../../../render/helm/versions.ts';
import { seededHost } from '../../../render/host.ts';
import { formatTemplate } from '../../../render/output/template.ts';
import { renderRelease } from '../../../render/release.ts';
import { renderOrder } from '../../../render/rendered-order.ts';
import { compareSnapshot, formatChanges, type SnapshotChange } from '../../../render/snapshot/compare.ts';
import { type OrderOutput, orderFiles, orderOutputs } from '../../../render/snapshot/order-files.ts';
import { folderStore } from '../../../render/snapshot.node.ts';
import { createCapabilities } from '../../../render/values/capabilities.ts';
import { mergeUserValues } from '../../../render/values/user.ts';
import { askMeant } from '../../suggest.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import { expandPatterns } from '../inputs.node.ts';
import type { CommandContext, CommandIo } from '../io.ts';
import { progressOf } from '../progress.ts';
import { paintDiff } from '../style.ts';
import { casesOf } from './cases.node.ts';
import { type OrderInput, readOrderFile, tellFailure } from './order-input.node.ts';
import { majorOf, readValuesFiles } from './read.node.ts';
import { SnapshotCoverage } from './snapshot-coverage.node.ts';

/** One input, rendered: the name of its snapshot and the files. */
interface Rendering {
  readonly name: string;
  readonly files: ReadonlyMap<string, string>;
}

/** How one input stands to its snapshot. */
interface Outcome {
  readonly input: string;
  /** The folder of its snapshot; undefined where the input is at fault. */
  readonly snapshot?: string;
  readonly files?: number;
  readonly changes?: readonly SnapshotChange[];
}

/** Compares Orders and charts with their snapshots. Gives 0 when all are as recorded, 1 otherwise. Throws UsageError. */
export async function snapshotCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  const inputs = checkInputs(await expandPatterns(flags.args, io.cwd), flags);
  const update = flags.on('update');
  const isJson = flags.on('json');
  const progress = progressOf(io, inputs.length);
  const outcomes: Outcome[] = [];
  const coverage = new SnapshotCoverage(flags, io);
  for (const input of inputs) {
    progress.tell(input);
    const outcome = await compareInput(input, flags, { ...io, coverage }, progress.clear);
    progress.clear();
    outcomes.push(outcome);
    if (!isJson) tell(outcome, update, io);
  }
  if (isJson) io.stdout(`${JSON.stringify({ inputs: outcomes.map(reportOf), updated: update }, null, 2)}\n`);
  const differs = !update && outcomes.some(({ changes = [] }) => changes.length > 0);
  if (differs && !isJson) {
    io.stderr('Some snapshots do not match. If the changes are meant, record them with --update.\n');
  }
  const isShort = coverage.tell(isJson ? io.stderr : io.stdout);
  return differs || isShort || outcomes.some(({ snapshot }) => snapshot === undefined) ? 1 : 0;
}

/** What an input is rendered with: streams, and what counts which parts of charts run. */
type CountingContext = CommandContext & { readonly coverage: SnapshotCoverage };

async function compareInput(
  input: string,
  flags: ParsedFlags,
  io: CountingContext,
  clear: () => void,
): Promise<Outcome> {
  const rendering = await renderInput(input, flags, io, clear);
  if (rendering === undefined) return { input };
  const snapshot = join(flags.text('snapshots') || 'snapshots', `${rendering.name}.snap`);
  const store = folderStore(resolve(io.cwd, snapshot));
  const changes = compareSnapshot(rendering.files, store, { mask: flags.list('mask'), update: flags.on('update') });
  return { input, snapshot, files: rendering.files.size, changes };
}

function tell({ snapshot, files = 0, changes = [] }: Outcome, update: boolean, io: CommandContext): void {
  if (snapshot === undefined || (io.quiet && (update || changes.length === 0))) return;
  if (changes.length === 0) io.stdout(`${snapshot}: same (${count(files)})\n`);
  else if (!update) {
    const diff = paintDiff(formatChanges(changes, snapshot), io.out);
    io.stdout(`${diff}${snapshot}: ${count(changes.length)} not as recorded\n`);
  } else {
    const removed = changes.filter(({ status }) => status === 'obsolete').length;
    io.stdout(`${snapshot}: ${count(changes.length - removed)} written, ${removed} removed\n`);
  }
}

/** Gives an outcome as a program reads it. */
function reportOf({ input, snapshot, files = 0, changes = [] }: Outcome): unknown {
  if (snapshot === undefined) return { input, status: 'fault' };
  return { input, snapshot, status: changes.length === 0 ? 'same' : 'different', files, changes };
}

function checkInputs(inputs: readonly string[], flags: ParsedFlags): readonly string[] {
  if (inputs.length === 0 || inputs.includes('-')) {
    throw new UsageError(
      '"drydock snapshot" takes files of Orders, chart folders or .tgz archives: their names name the snapshots',
    );
  }
  const names = inputs.map(nameOf);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new UsageError(`two inputs are called ${twice}: give them different --snapshots in two runs`);
  for (const output of flags.list('output')) {
    if (!orderOutputs.includes(output as OrderOutput)) {
      throw new UsageError(
        `--output takes ${orderOutputs.join(', ')}, not "${output}"${askMeant(output, orderOutputs)}`,
      );
    }
  }
  return inputs;
}

// `orders/shop.yaml` is shop, `charts/web/` is web, `web-1.2.0.tgz` is web-1.2.0.
function nameOf(input: string): string {
  return basename(resolve(input)).replace(/\.(ya?ml|json|tgz)$/, '') || 'snapshot';
}

function count(files: number): string {
  return `${files} file${files === 1 ? '' : 's'}`;
}

// Gives nothing for an input at fault, once that is told: the other inputs are still of interest.
async function renderInput(
  input: string,
  flags: ParsedFlags,
  io: CountingContext,
  clear: () => void,
): Promise<Rendering | undefined> {
  let order: OrderInput | undefined;
  try {
    if (isChart(resolve(io.cwd, input))) {
      return { name: nameOf(input), files: await renderChartCases(input, flags, io) };
    }
    order = await readOrderFile(input, flags, io);
    return { name: nameOf(input), files: await renderOrderOutputs(order, input, flags, io) };
  } catch (error) {
    clear();
    tellFailure(error, order?.text, io, input);
    return undefined;
  }
}

function isChart(path: string): boolean {
  return path.endsWith('.tgz') || (existsSync(path) && statSync(path).isDirectory());
}

async function renderOrderOutputs(
  order: OrderInput,
  input: string,
  flags: ParsedFlags,
  io: CommandIo,
): Promise<ReadonlyMap<string, string>> {
  const folder = dirname(resolve(io.cwd, input));
  const rendered = await renderOrder(order.text.value, {
    ...order.options,
    host: hostOf(flags),
    // A snapshot is compared on other machines, where the same charts lie elsewhere.
    chartPath: (item) => {
      const path = order.pathOf(item);
      return path && relative(folder, path).split(sep).join('/');
    },
  });
  const outputs = flags.list('output') as readonly OrderOutput[];
  return orderFiles(rendered, outputs.length === 0 ? {} : { outputs });
}

function hostOf(flags: ParsedFlags): ReturnType<typeof seededHost> {
  const seed = flags.text('seed');
  return seededHost(seed === undefined ? {} : { seed });
}

async function renderChartCases(
  input: string,
  flags: ParsedFlags,
  io: CountingContext,
): Promise<ReadonlyMap<string, string>> {
  const helm = helmOf(majorOf(flags));
  const capabilities = createCapabilities({
    helm,
    kubeVersion: flags.text('kube-version') ?? '',
    apiVersions: flags.list('api-versions'),
  });
  const path = resolve(io.cwd, input);
  const onWarning = (line: string): void => io.stderr(`${line}\n`);
  const chart = await loadChartPath(path, { helm: helm.major, onWarning });
  const files = new Map<string, string>();
  for (const { name, valuesFiles } of casesOf(path, flags.list('values'))) {
    const count = io.coverage.counterFor(path, chart);
    const values = mergeUserValues({ valuesFiles: await readValuesFiles(valuesFiles, io, helm) }, helm);
    const options = {
      helm,
      name: flags.text('release') || 'release-name',
      namespace: flags.text('namespace') || 'default',
      values,
      capabilities,
      skipSchemaValidation: flags.on('skip-schema-validation'),
      host: hostOf(flags),
      onWarning,
    };
    const release = count(name, (watches) => renderRelease(chart, { ...options, ...watches }));
    files.set(`${name}.yaml`, formatTemplate(release, { includeCrds: flags.on('include-crds') }));
  }
  return files;
}
