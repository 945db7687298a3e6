// `drydock upgrade-check`: what an upgrade of a chart, or of the charts of an Order, does to a user's values.

import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseDocument } from 'yaml';
import { checkUpgrade, type UpgradeReport } from '../../api/upgrade.ts';
import type { Chart } from '../../chart/chart.ts';
import { loadChartPath } from '../../chart/directory.node.ts';
import { plainValue } from '../../codec/plain.ts';
import { helmYaml } from '../../codec/yaml/document-options.ts';
import { emitYaml } from '../../codec/yaml/emit.ts';
import { splitPath } from '../../core/paths.ts';
import { formatDifference } from '../../diff/text.ts';
import { helmOf } from '../../helm/versions.ts';
import type { ChartSelection, JsonObject, JsonValue, PackageSelection, ValidOrder } from '../../order/order.ts';
import { validateOrder } from '../../order/validate.ts';
import type { ValueChange } from '../../upgrade/check.ts';
import { effectiveValues } from '../../values/effective.ts';
import { valueOfJson } from '../../values/patch.ts';
import { schemasFor } from '../../vendor/lock/schemas.node.ts';
import { cutText } from '../counted.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandContext } from '../io.ts';
import { chartFlags } from '../table/explain.ts';
import { readUserValues } from './chart-flags.node.ts';
import { type OrderInput, readOrderFile, tellFailure } from './order-input.node.ts';
import { helmVersionOf, locateChart } from './read.node.ts';
import { failureJson } from './reasons.ts';
import { isChartInput } from './traced-input.node.ts';

/** What an upgrade does, and the names and versions of the charts. */
interface Upgrade {
  readonly title: string;
  readonly report: UpgradeReport;
}

/** The upgrade of a package of an Order. */
interface PackageUpgrade extends Upgrade {
  /** Namespace and release, such as `shop/web`. */
  readonly name: string;
  /** The path of the package in the new Order. */
  readonly path: string;
  /** Whether its values are the same in both Orders. */
  readonly hasOldValues: boolean;
}

/** The upgrades of an Order. */
interface OrderUpgrades {
  /** Of the packages that are in both versions. */
  readonly upgrades: readonly PackageUpgrade[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Compares two versions of a chart, or of an Order. Returns 0 where the values mean the same to both, else 1. Throws UsageError, RenderError. */
export async function upgradeCheckCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  const [old, young, ...others] = flags.args;
  if (old === undefined || young === undefined || others.length > 0) {
    throw new UsageError('"drydock upgrade-check" takes the old and the new version of a chart, or of an Order');
  }
  const [isChart, isNewChart] = [old, young].map((word) => isChartInput(word, io.cwd));
  if (isChart !== isNewChart) throw new UsageError('compare two versions of a chart, or two of an Order');
  return isChart ? checkCharts([old, young], flags, io) : checkOrders([old, young], flags, io);
}

async function checkCharts(words: readonly [string, string], flags: ParsedFlags, io: CommandContext): Promise<number> {
  const { title, report } = await compareCharts(words, flags, io);
  const file = flags.text('write');
  if (file !== undefined) await writeFile(resolve(io.cwd, file), emitYaml(valueOfJson(report.patched)));
  io.stdout(flags.on('json') ? jsonText(jsonOf(report)) : textOf(title, report));
  return isSame(report) ? 0 : 1;
}

async function checkOrders(names: readonly [string, string], flags: ParsedFlags, io: CommandContext): Promise<number> {
  const flag = flags.given().find((name) => chartFlagNames.has(name));
  if (flag !== undefined) throw new UsageError(`--${flag} is for charts: an Order has its own values`);
  let name = names[0];
  let young: OrderInput;
  let found: OrderUpgrades;
  try {
    const old = await readOrderFile(name, flags, io);
    name = names[1];
    young = await readOrderFile(name, flags, io);
    found = await compareOrders(old, young, flags);
  } catch (error) {
    return tellFailure(error, undefined, io, name);
  }
  const file = flags.text('write');
  if (file !== undefined) await writeFile(resolve(io.cwd, file), patchedOrder(young.source, found.upgrades));
  io.stdout(flags.on('json') ? jsonText(orderJson(found)) : orderText(found));
  return found.upgrades.every(({ report }) => isSame(report)) ? 0 : 1;
}

function orderJson({ upgrades, added, removed }: OrderUpgrades): object {
  const packages = upgrades.map(({ name, title, report }) => ({ package: name, charts: title, ...jsonOf(report) }));
  return { packages, added, removed };
}

function orderText({ upgrades, added, removed }: OrderUpgrades): string {
  return [
    ...upgrades.map(({ name, title, report }) => textOf(`${name}: ${title}`, report)),
    ...(added.length > 0 ? [`Only in the new Order: ${added.join(', ')}\n`] : []),
    ...(removed.length > 0 ? [`Only in the old Order: ${removed.join(', ')}\n`] : []),
  ].join('\n');
}

const chartFlagNames: ReadonlySet<string> = new Set(chartFlags.map(({ name }) => name));

function jsonText(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function isSame({ values, failureBefore, failureAfter }: UpgradeReport): boolean {
  const isFailed = failureBefore !== undefined || failureAfter !== undefined;
  return !isFailed && values.every(({ kind }) => kind === 'unused');
}

function titleOf(before: Chart, after: Chart): string {
  return [before, after].map(({ metadata }) => `${metadata.name} ${metadata.version}`).join(' to ');
}

async function compareCharts(
  words: readonly [string, string],
  flags: ParsedFlags,
  io: CommandContext,
): Promise<Upgrade> {
  const helm = helmVersionOf(flags);
  const paths = words.map((word) => locateChart(word, io.cwd));
  const [before, after] = (await Promise.all(
    paths.map((path) => loadChartPath(path, { helm, onWarning: () => {} })),
  )) as [Chart, Chart];
  const report = checkUpgrade(before, after, {
    ...(await readUserValues(flags, io, helmOf(helm))),
    helm,
    releaseName: flags.text('release') || undefined,
    namespace: flags.text('namespace') || undefined,
    kubeVersion: flags.text('kube-version') || undefined,
    apiVersions: flags.list('api-versions'),
    isUpgrade: flags.on('is-upgrade'),
    skipSchemaValidation: flags.on('skip-schema-validation'),
    schemas: schemasFor([...paths, io.cwd]).source,
  });
  return { title: titleOf(before, after), report };
}

// Packages are matched by namespace and release. The values are those of the old Order.
async function compareOrders(old: OrderInput, young: OrderInput, flags: ParsedFlags): Promise<OrderUpgrades> {
  const helm = helmVersionOf(flags);
  const [before, after] = [old, young].map(({ text }) => validateOrder(text.value).order) as [ValidOrder, ValidOrder];
  const nameOf = ({ chart }: PackageSelection): string => `${chart.namespace}/${chart.releaseName}`;
  const known = new Map(before.spec.packages.map((item) => [nameOf(item), item]));
  const upgrades: PackageUpgrade[] = [];
  for (const item of after.spec.packages) {
    const first = known.get(nameOf(item));
    if (first === undefined) continue;
    const [chart, next] = await Promise.all([
      old.options.registry.resolve(first.chart),
      young.options.registry.resolve(item.chart),
    ]);
    const { options } = young;
    const report = checkUpgrade(chart, next, {
      helm,
      values: givenValues(chart, first.chart, helm),
      releaseName: item.chart.releaseName,
      namespace: item.chart.namespace,
      kubeVersion: after.spec.kubeVersion || options.kubeVersion || undefined,
      apiVersions: options.apiVersions,
      skipSchemaValidation: flags.on('skip-schema-validation'),
      schemas: options.schemas,
    });
    const hasOldValues = valuesText(first.chart) === valuesText(item.chart);
    upgrades.push({ name: nameOf(item), path: item.path, hasOldValues, title: titleOf(chart, next), report });
  }
  const names = new Set(after.spec.packages.map(nameOf));
  return {
    upgrades,
    added: [...names].filter((name) => !known.has(name)),
    removed: [...known.keys()].filter((name) => !names.has(name)),
  };
}

function valuesText({ values, valuesPatch, valuesFile }: ChartSelection): string {
  return JSON.stringify([values, valuesPatch, valuesFile]);
}

function givenValues(chart: Chart, selection: ChartSelection, helm: string): JsonObject {
  if (selection.valuesFile === '' && selection.valuesPatch.length === 0) return selection.values;
  return plainValue(effectiveValues(chart, selection, helmOf(helm)).overlay) as JsonObject;
}

// Returns the new Order with the values as its charts read them, for packages whose values it has not changed. They include those of a patch
// and of a values file of the chart.
function patchedOrder(source: string, upgrades: readonly PackageUpgrade[]): string {
  const document = parseDocument(source, helmYaml);
  for (const { path, report, hasOldValues } of upgrades) {
    if (!hasOldValues || Object.keys(report.patched).length === 0) continue;
    const chart = [...splitPath(path), 'chart'];
    document.setIn([...chart, 'values'], document.createNode(report.patched));
    for (const name of ['valuesPatch', 'valuesFile']) document.deleteIn([...chart, name]);
  }
  return document.toString();
}

function jsonOf({ failureBefore, failureAfter, ...rest }: UpgradeReport): object {
  return {
    ...rest,
    failureBefore: failureBefore && failureJson(failureBefore),
    failureAfter: failureAfter && failureJson(failureAfter),
  };
}

const headings: readonly (readonly [kind: ValueChange['kind'], heading: string])[] = [
  ['moved', 'Moved'],
  ['unread', 'No longer read'],
  ['unused', 'Read by neither version'],
];

function textOf(title: string, { values, defaults, failureBefore, failureAfter, difference }: UpgradeReport): string {
  const sections: string[][] = [[title]];
  for (const [kind, heading] of headings) {
    const own = values.filter((one) => one.kind === kind);
    if (own.length > 0) sections.push([`${heading}:`, ...own.map(changeLine)]);
  }
  if (values.length === 0 && failureBefore === undefined) sections.push(['The new version reads all of your values.']);
  if (defaults.length > 0) {
    const lines = defaults.map(({ path, before, after }) => `  ${path}: ${shortText(before)} to ${shortText(after)}`);
    sections.push(['Defaults that changed, of values that you do not set:', ...lines]);
  }
  if (failureBefore !== undefined)
    sections.push(['The old version does not render your values:', failureBefore.message.trimEnd()]);
  if (failureAfter !== undefined) {
    sections.push([
      'The new version does not render them, with what moved in its new place:',
      failureAfter.message.trimEnd(),
    ]);
  }
  if (difference !== undefined) {
    sections.push(['What changes, with what moved in its new place:', formatDifference(difference).trimEnd()]);
  }
  return `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function changeLine({ path, value, to }: ValueChange): string {
  return to === undefined ? `  ${path}: ${shortText(value)}` : `  ${path} to ${to}`;
}

function shortText(value: JsonValue): string {
  return cutText(JSON.stringify(value), 60);
}
