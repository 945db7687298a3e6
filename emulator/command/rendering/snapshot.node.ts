// `drydock snapshot`: Orders and charts rendered and compared with what is recorded in the repository, for a CI job.

import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { loadChartPath } from '../../../render/chart/directory.node.ts';
import { RenderError } from '../../../render/errors.ts';
import { helmOf } from '../../../render/helm/versions.ts';
import { formatTemplate } from '../../../render/output/template.ts';
import { renderRelease } from '../../../render/release.ts';
import { renderOrder } from '../../../render/rendered-order.ts';
import { compareSnapshot, formatChanges, type SnapshotChange } from '../../../render/snapshot/compare.ts';
import { type OrderOutput, orderFiles, orderOutputs } from '../../../render/snapshot/order-files.ts';
import { folderStore } from '../../../render/snapshot.node.ts';
import { mergeUserValues } from '../../../render/values/user.ts';
import { askMeant } from '../../suggest.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandContext, CommandIo } from '../io.ts';
import { progressOf } from '../progress.ts';
import { paintDiff } from '../style.ts';
import { compareHelms, flagsFor, type HelmPair, pairOf, refusedBySecond } from './both-helms.node.ts';
import { type Case, casesOf } from './cases.node.ts';
import { capabilitiesOf, seededHostOf } from './chart-flags.node.ts';
import { type OrderInput, readOrderFile, tellFailure } from './order-input.node.ts';
import { majorOf, readValuesFiles, shownPath } from './read.node.ts';
import { SnapshotCoverage } from './snapshot-coverage.node.ts';
import { orphans, snapshotInputs, snapshotNames } from './snapshot-inputs.node.ts';
import { explainChart, explainPackage } from './why.node.ts';

/** One input, rendered. */
interface Rendering {
  readonly files: ReadonlyMap<string, string>;
  /** The cases that do not render; each is told already. */
  readonly faults: readonly CaseFault[];
}

/** A case of a chart that does not render. */
interface CaseFault {
  readonly case: string;
  readonly valuesFiles: readonly string[];
  readonly message: string;
}

/** How one input stands to its snapshot. */
interface Outcome {
  readonly input: string;
  /** The folder of its snapshot; undefined where the input is at fault. */
  readonly snapshot?: string;
  readonly files?: number;
  readonly changes?: readonly SnapshotChange[];
  readonly faults?: readonly CaseFault[];
}

/** Compares Orders and charts with their snapshots. Gives 0 when all are as recorded, 1 otherwise. Throws UsageError. */
export async function snapshotCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  const { inputs, isWhole } = await snapshotInputs(flags.args, io.cwd);
  checkOutputs(flags);
  const names = snapshotNames(inputs, io.cwd);
  const update = flags.on('update');
  const isJson = flags.on('json');
  const progress = progressOf(io, inputs.length);
  const outcomes: Outcome[] = [];
  const coverage = new SnapshotCoverage(flags, io);
  for (const input of inputs) {
    progress.tell(input);
    const name = names.get(input) as string;
    const outcome = await compareInput({ input, name }, flags, { ...io, coverage }, progress.clear);
    progress.clear();
    outcomes.push(outcome);
    if (!isJson) tell(outcome, update, io);
  }
  if (isJson) io.stdout(`${JSON.stringify({ inputs: outcomes.map(reportOf), updated: update }, null, 2)}\n`);
  const differs = !update && outcomes.some(({ changes = [] }) => changes.length > 0);
  if (differs && !isJson) {
    io.stderr('Some snapshots do not match. If the changes are meant, record them with --update.\n');
  }
  if (isWhole && !io.quiet) tellOrphans([...names.values()], flags, io);
  const isShort = coverage.tell(isJson ? io.stderr : io.stdout);
  return differs || isShort || outcomes.some(isAtFault) ? 1 : 0;
}

/** What an input is rendered with: streams, and what counts which parts of charts run. */
type CountingContext = CommandContext & { readonly coverage: SnapshotCoverage };

function isAtFault({ snapshot, faults = [] }: Outcome): boolean {
  return snapshot === undefined || faults.length > 0;
}

async function compareInput(
  { input, name }: { readonly input: string; readonly name: string },
  flags: ParsedFlags,
  io: CountingContext,
  clear: () => void,
): Promise<Outcome> {
  const rendering = await renderInput(input, flags, io, clear);
  if (rendering === undefined) return { input };
  const snapshot = join(flags.text('snapshots') || 'snapshots', `${name}.snap`);
  const store = folderStore(resolve(io.cwd, snapshot));
  const { files, faults } = rendering;
  const missing = faults.map((fault) => `${fault.case}.yaml`);
  const changes = compareSnapshot(files, store, { mask: flags.list('mask'), missing, update: flags.on('update') });
  return { input, snapshot, files: files.size, changes, faults };
}

function tell({ snapshot, files = 0, changes = [], faults = [] }: Outcome, update: boolean, io: CommandContext): void {
  if (snapshot === undefined || (files === 0 && faults.length > 0) || (io.quiet && (update || changes.length === 0)))
    return;
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
function reportOf({ input, snapshot, files = 0, changes = [], faults = [] }: Outcome): unknown {
  if (snapshot === undefined) return { input, status: 'fault' };
  if (faults.length > 0) return { input, snapshot, status: 'fault', files, changes, faults };
  return { input, snapshot, status: changes.length === 0 ? 'same' : 'different', files, changes };
}

function checkOutputs(flags: ParsedFlags): void {
  for (const output of flags.list('output')) {
    if (!orderOutputs.includes(output as OrderOutput)) {
      throw new UsageError(
        `--output takes ${orderOutputs.join(', ')}, not "${output}"${askMeant(output, orderOutputs)}`,
      );
    }
  }
}

// What an earlier run recorded and no input of this one is called. Such folders are told, and left alone.
function tellOrphans(names: readonly string[], flags: ParsedFlags, io: CommandContext): void {
  const folder = flags.text('snapshots') || 'snapshots';
  for (const name of orphans(resolve(io.cwd, folder), names)) {
    io.stderr(
      `${io.err.yellow('Note:')} ${join(folder, name)} belongs to no input of this run; remove it if nothing makes it any more\n`,
    );
  }
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
    if (!isChart(resolve(io.cwd, input))) order = await readOrderFile(input, flags, io);
    const pair = pairOf(flags);
    const one = pair === undefined ? flags : flagsFor(flags, pair[0]);
    const rendering = await renderFiles(input, { order, flags: one }, { ...io, clear });
    if (pair === undefined) return rendering;
    const more = await compareFiles(input, { order, flags, pair, files: rendering.files }, { ...io, clear });
    return { files: new Map([...rendering.files, ...more]), faults: rendering.faults };
  } catch (error) {
    clear();
    tellFailure(flags.on('explain') ? await explainPackage(error, order) : error, order?.text, io, input);
    return undefined;
  }
}

interface Rendered {
  readonly order: OrderInput | undefined;
  readonly flags: ParsedFlags;
}

async function renderFiles(
  input: string,
  { order, flags }: Rendered,
  io: CountingContext & { readonly clear: () => void },
): Promise<Rendering> {
  if (order === undefined) return renderChartCases(input, flags, io);
  return { files: await renderOrderOutputs(order, input, flags, io), faults: [] };
}

type Files = ReadonlyMap<string, string>;

// What another Helm makes of the same input is not kept, but what it means beside each manifest.
async function compareFiles(
  input: string,
  { order, flags, pair, files }: Rendered & { readonly pair: HelmPair; readonly files: Files },
  io: CountingContext & { readonly clear: () => void },
): Promise<Files> {
  const told = (stem: string): string => `${stem}.helm-${pair[1]}.txt`;
  const quiet = { ...io, stderr: () => {}, coverage: new SnapshotCoverage(flagsFor(flags, pair[1]), io) };
  let others: Rendering;
  try {
    others = await renderFiles(input, { order, flags: flagsFor(flags, pair[1]) }, quiet);
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    return new Map([[told('all'), refusedBySecond(pair, error.message).text]]);
  }
  const manifests = [...files].filter(([name]) => /^[^/]+\.yaml$/.test(name));
  return new Map(
    manifests.map(([name, text]) => [
      told(name.slice(0, -'.yaml'.length)),
      compareCase(pair, text, { name, others }).text,
    ]),
  );
}

function compareCase(
  pair: HelmPair,
  text: string,
  { name, others }: { readonly name: string; readonly others: Rendering },
): ReturnType<typeof compareHelms> {
  const other = others.files.get(name);
  const fault = others.faults.find((item) => `${item.case}.yaml` === name);
  return other === undefined ? refusedBySecond(pair, fault?.message ?? '') : compareHelms(pair, [text, other]);
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
    helm: majorOf(flags),
    host: seededHostOf(flags),
    // A snapshot is compared on other machines, where the same charts lie elsewhere.
    chartPath: (item) => {
      const path = order.pathOf(item);
      return path && relative(folder, path).split(sep).join('/');
    },
  });
  const outputs = flags.list('output') as readonly OrderOutput[];
  return orderFiles(rendered, outputs.length === 0 ? {} : { outputs });
}

async function renderChartCases(
  input: string,
  flags: ParsedFlags,
  io: CountingContext & { readonly clear: () => void },
): Promise<Rendering> {
  const helm = helmOf(majorOf(flags));
  const capabilities = capabilitiesOf(flags, helm);
  const path = resolve(io.cwd, input);
  const onWarning = (line: string): void => io.stderr(`${line}\n`);
  const chart = await loadChartPath(path, { helm: helm.major, onWarning });
  const files = new Map<string, string>();
  const faults: CaseFault[] = [];
  const render = async ({ name, valuesFiles }: Case): Promise<string> => {
    const count = io.coverage.counterFor(path, chart);
    const given = { valuesFiles: await readValuesFiles(valuesFiles, io, helm) };
    const values = mergeUserValues(given, helm);
    const options = {
      helm,
      name: flags.text('release') || 'release-name',
      namespace: flags.text('namespace') || 'default',
      values,
      capabilities,
      skipSchemaValidation: flags.on('skip-schema-validation'),
      host: seededHostOf(flags),
      onWarning,
    };
    try {
      const release = count(name, (watches) => renderRelease(chart, { ...options, ...watches }));
      return formatTemplate(release, { includeCrds: flags.on('include-crds') });
    } catch (error) {
      throw flags.on('explain') ? explainChart(error, { chart, options, folder: shownPath(path, io), given }) : error;
    }
  };
  for (const item of casesOf(path, flags.list('values'))) {
    try {
      files.set(`${item.name}.yaml`, await render(item));
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      io.clear();
      tellCase(item, input, io);
      tellFailure(error, undefined, io, input);
      faults.push({ case: item.name, valuesFiles: item.valuesFiles, message: error.message });
    }
  }
  return { files, faults };
}

// The other cases are still of interest, so it is said which one the error is of.
function tellCase({ name, valuesFiles }: Case, input: string, io: CommandContext): void {
  if (valuesFiles.length === 0) return;
  const shown = valuesFiles.map((file) => relative(io.cwd, resolve(io.cwd, file)).split(sep).join('/'));
  io.stderr(`${input}, case ${name} (${shown.join(', ')}) does not render:\n`);
}
