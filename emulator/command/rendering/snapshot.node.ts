// `drydock snapshot`: Orders and charts rendered and compared with what is recorded in the repository, for a CI job.

import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { loadChartPath } from '../../../render/chart/directory.node.ts';
import { seededHost } from '../../../render/host.ts';
import { formatTemplate } from '../../../render/output/template.ts';
import { renderRelease } from '../../../render/release.ts';
import { renderOrder } from '../../../render/rendered-order.ts';
import { compareSnapshot, formatChanges, type SnapshotChange } from '../../../render/snapshot/compare.ts';
import { type OrderOutput, orderFiles, orderOutputs } from '../../../render/snapshot/order-files.ts';
import { folderStore } from '../../../render/snapshot.node.ts';
import { createCapabilities } from '../../../render/values/capabilities.ts';
import { mergeUserValues } from '../../../render/values/user.ts';
import { type FlagSpec, type ParsedFlags, parseFlags, UsageError } from '../flags.ts';
import { formatHelp } from '../help.ts';
import type { CommandIo } from '../io.ts';
import { type OrderInput, orderFlags, readOrderFile, tellFailure } from './order-input.node.ts';
import { readValuesFiles } from './read.node.ts';

const snapshotFlags: readonly FlagSpec[] = [
  { name: 'update', short: 'u', type: 'bool', help: 'record what is rendered; without it nothing is ever written' },
  { name: 'snapshots', type: 'string', help: 'folder that holds the NAME.snap folders (default snapshots)' },
  { name: 'mask', type: 'strings', help: 'YAML keys whose values do not count, such as helm.sh/chart' },
  {
    name: 'output',
    short: 'o',
    type: 'strings',
    help: 'outputs of an Order: manifest, resources, pkgmgr3, yaml (default all)',
  },
  {
    name: 'values',
    short: 'f',
    type: 'stringArray',
    help: "values file of a chart, a case of its own; a.yaml,b.yaml are one case, the later over the earlier (default: the chart's ci/*values.yaml)",
  },
  { name: 'namespace', short: 'n', type: 'string', help: "namespace of a chart's release (default default)" },
  { name: 'release', type: 'string', help: "name of a chart's release (default release-name)" },
  { name: 'include-crds', type: 'bool', help: "a chart's crds/ are part of its snapshot" },
  ...orderFlags,
];

/** Is one input, rendered: the name of its snapshot and the files. */
interface Rendering {
  readonly name: string;
  readonly files: ReadonlyMap<string, string>;
}

/** Compares Orders and charts with their snapshots. Gives 0 when all are as recorded, 1 otherwise. Throws UsageError. */
export async function snapshotCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const flags = parseFlags(snapshotFlags, argv);
  if (flags.help) {
    io.stdout(helpText());
    return 0;
  }
  const inputs = checkInputs(flags);
  const root = flags.text('snapshots') || 'snapshots';
  const update = flags.on('update');
  let isFaulty = false;
  let differs = false;
  for (const input of inputs) {
    const rendering = await renderInput(input, flags, io);
    if (rendering === undefined) {
      isFaulty = true;
      continue;
    }
    const name = join(root, `${rendering.name}.snap`);
    const store = folderStore(resolve(io.cwd, name));
    const changes = compareSnapshot(rendering.files, store, { mask: flags.list('mask'), update });
    io.stdout(report({ changes, name, files: rendering.files.size, update }));
    if (changes.length > 0 && !update) differs = true;
  }
  if (differs) io.stderr('Some snapshots do not match. If the changes are meant, record them with --update.\n');
  return isFaulty || differs ? 1 : 0;
}

function checkInputs(flags: ParsedFlags): readonly string[] {
  if (flags.args.length === 0 || flags.args.includes('-')) {
    throw new UsageError(
      '"drydock snapshot" takes files of Orders, chart folders or .tgz archives: their names name the snapshots',
    );
  }
  const names = flags.args.map(nameOf);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new UsageError(`two inputs are called ${twice}: give them different --snapshots in two runs`);
  for (const output of flags.list('output')) {
    if (!orderOutputs.includes(output as OrderOutput)) {
      throw new UsageError(`--output takes ${orderOutputs.join(', ')}, not "${output}"`);
    }
  }
  return flags.args;
}

// `orders/shop.yaml` is shop, `charts/web/` is web, `web-1.2.0.tgz` is web-1.2.0.
function nameOf(input: string): string {
  return basename(resolve(input)).replace(/\.(ya?ml|json|tgz)$/, '') || 'snapshot';
}

function report(of: {
  readonly changes: readonly SnapshotChange[];
  readonly name: string;
  readonly files: number;
  readonly update: boolean;
}): string {
  const { changes, name, files, update } = of;
  if (changes.length === 0) return `${name}: same (${count(files)})\n`;
  if (!update) return `${formatChanges(changes, name)}${name}: ${count(changes.length)} not as recorded\n`;
  const removed = changes.filter(({ status }) => status === 'obsolete').length;
  return `${name}: ${count(changes.length - removed)} written, ${removed} removed\n`;
}

function count(files: number): string {
  return `${files} file${files === 1 ? '' : 's'}`;
}

// Gives nothing for an input at fault, once that is told: the other inputs are still of interest.
async function renderInput(input: string, flags: ParsedFlags, io: CommandIo): Promise<Rendering | undefined> {
  let order: OrderInput | undefined;
  try {
    if (isChart(resolve(io.cwd, input))) {
      return { name: nameOf(input), files: await renderChartCases(input, flags, io) };
    }
    order = await readOrderFile(input, flags, io);
    return { name: nameOf(input), files: await renderOrderOutputs(order, input, flags, io) };
  } catch (error) {
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
  io: CommandIo,
): Promise<ReadonlyMap<string, string>> {
  const capabilities = createCapabilities({
    kubeVersion: flags.text('kube-version') ?? '',
    apiVersions: flags.list('api-versions'),
  });
  const path = resolve(io.cwd, input);
  const onWarning = (line: string): void => io.stderr(`${line}\n`);
  const chart = await loadChartPath(path, { onWarning });
  const files = new Map<string, string>();
  for (const { name, valuesFiles } of casesOf(path, flags)) {
    const release = renderRelease(chart, {
      name: flags.text('release') || 'release-name',
      namespace: flags.text('namespace') || 'default',
      values: mergeUserValues({ valuesFiles: await readValuesFiles(valuesFiles, io) }),
      capabilities,
      skipSchemaValidation: flags.on('skip-schema-validation'),
      host: hostOf(flags),
      onWarning,
    });
    files.set(`${name}.yaml`, formatTemplate(release, { includeCrds: flags.on('include-crds') }));
  }
  return files;
}

interface Case {
  readonly name: string;
  readonly valuesFiles: readonly string[];
}

// The convention of chart-testing: every ci/*values.yaml is a case; a chart without any has one, its own values.
function casesOf(path: string, flags: ParsedFlags): Case[] {
  const given = flags.list('values').map((list) => list.split(','));
  const ci = join(path, 'ci');
  const found = existsSync(ci)
    ? readdirSync(ci)
        .filter((file) => /values\.ya?ml$/.test(file))
        .sort()
        .map((file) => [join(ci, file)])
    : [];
  const cases = (given.length > 0 ? given : found).map((valuesFiles) => ({
    name: valuesFiles.map((file) => basename(file).replace(/\.ya?ml$/, '')).join('+'),
    valuesFiles,
  }));
  const names = cases.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new UsageError(`two values files are called ${twice}: rename one`);
  return cases.length > 0 ? cases : [{ name: 'default', valuesFiles: [] }];
}

function helpText(): string {
  return formatHelp({
    usage: 'drydock snapshot ORDER|CHART ... [flags]',
    about: [
      'Renders Orders and charts with a frozen clock and seeded randomness, and compares the outcome with the files',
      'recorded below --snapshots. It writes nothing unless --update is given, so a snapshot that is missing fails.',
      'With --update the NAME.snap folders become what is rendered; files that nothing renders any more are removed.',
    ],
    flags: snapshotFlags,
    examples: [
      'drydock snapshot orders/shop.yaml --update',
      'drydock snapshot orders/*.yaml charts/* --mask helm.sh/chart,app.kubernetes.io/version',
      'drydock snapshot charts/web -f values/small.yaml -f values/base.yaml,values/large.yaml',
    ],
    notes: ['Exit codes: 0 as recorded (or recorded now), 1 different or an input is at fault, 2 wrong usage.'],
  });
}
