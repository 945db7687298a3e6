// `drydock upgrade-check`: the effects of a chart upgrade, or of upgrades in an Order, on a user's values.

import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { formatDifference } from '../../api/diff.ts';
import { checkOrderUpgrade, type OrderUpgrade, patchOrder, type UpgradeReport } from '../../api/upgrade.ts';
import { formatValues } from '../../api/yaml.ts';
import type { Chart } from '../../chart/chart.ts';
import { cutText } from '../../core/counted.ts';
import { isChartInput, locateChart } from '../../inputs/files.node.ts';
import { type OrderInput, readOrderFile } from '../../inputs/orders.node.ts';
import { checkUpgradePaths } from '../../inputs/upgrade.node.ts';
import type { JsonValue } from '../../order/order.ts';
import { validateOrder } from '../../order/validate.ts';
import type { ValueChange } from '../../upgrade/check.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import { failureJson, printFailure } from '../output.ts';
import type { CommandContext } from '../program.ts';
import { renderSettings, surroundings } from '../settings.ts';
import { chartFlags } from '../table/explain.ts';

/** Compares two versions of a chart or an Order. Returns 0 if the values mean the same in both, else 1. Throws UsageError, RenderError. */
export async function upgradeCheckCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  const [oldName, newName, ...others] = flags.args;
  if (oldName === undefined || newName === undefined || others.length > 0) {
    throw new UsageError('"drydock upgrade-check" takes the old and the new version of a chart, or of an Order');
  }
  const [isChart, isNewChart] = [oldName, newName].map((word) => isChartInput(word, io.cwd));
  if (isChart !== isNewChart) {
    // What does not exist is not an Order either.
    for (const name of [oldName, newName]) if (name !== '-') locateChart(name, io.cwd);
    throw new UsageError('compare two versions of a chart, or two of an Order');
  }
  return isChart ? checkCharts([oldName, newName], flags, io) : checkOrders([oldName, newName], flags, io);
}

async function checkCharts(
  [oldPath, newPath]: readonly [string, string],
  flags: ParsedFlags,
  io: CommandContext,
): Promise<number> {
  const settings = renderSettings(flags);
  const { before, after, ...report } = await checkUpgradePaths(oldPath, newPath, { ...surroundings(io), settings });
  const file = flags.text('write');
  if (file !== undefined) await writeFile(resolve(io.cwd, file), formatValues(report.patched));
  io.stdout(flags.on('json') ? jsonText(jsonOf(report)) : textOf(titleOf(before, after), report));
  return isSame(report) ? 0 : 1;
}

async function checkOrders(names: readonly [string, string], flags: ParsedFlags, io: CommandContext): Promise<number> {
  const flag = flags.given().find((name) => chartFlagNames.has(name));
  if (flag !== undefined) throw new UsageError(`--${flag} is for charts: an Order has its own values`);
  let name = names[0];
  let newOrder: OrderInput;
  let found: OrderUpgrade;
  try {
    const oldOrder = await readOrderFile(name, renderSettings(flags), io);
    validateOrder(oldOrder.text.value);
    name = names[1];
    newOrder = await readOrderFile(name, renderSettings(flags), io);
    const oldRegistry = oldOrder.options.registry;
    found = await checkOrderUpgrade(oldOrder.text.value, newOrder.text.value, { ...newOrder.options, oldRegistry });
  } catch (error) {
    return printFailure(error, undefined, io, name);
  }
  const file = flags.text('write');
  if (file !== undefined) await writeFile(resolve(io.cwd, file), patchOrder(newOrder.source, found));
  io.stdout(flags.on('json') ? jsonText(orderJson(found)) : orderText(found));
  return found.packages.every(isSame) ? 0 : 1;
}

function orderJson({ packages, added, removed }: OrderUpgrade): object {
  return {
    packages: packages.map(({ name, path: _, before, after, hasOldValues: __, ...report }) => ({
      package: name,
      charts: titleOf(before, after),
      ...jsonOf(report),
    })),
    added,
    removed,
  };
}

function orderText({ packages, added, removed }: OrderUpgrade): string {
  return [
    ...packages.map((one) => textOf(`${one.name}: ${titleOf(one.before, one.after)}`, one)),
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

function jsonOf({ failureBefore, failureAfter, ...rest }: UpgradeReport): object {
  return {
    ...rest,
    failureBefore: failureBefore && failureJson(failureBefore),
    failureAfter: failureAfter && failureJson(failureAfter),
  };
}

const headings: readonly (readonly [kind: ValueChange['kind'], heading: string])[] = [
  ['moved', 'Moved'],
  ['retyped', 'Of another type in the new version'],
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

function changeLine({ path, value, to, expected }: ValueChange): string {
  if (expected !== undefined) return `  ${path}: ${shortText(value)}, where the default is ${shortText(expected)}`;
  return to === undefined ? `  ${path}: ${shortText(value)}` : `  ${path} to ${to}`;
}

function shortText(value: JsonValue): string {
  return cutText(JSON.stringify(value), 60);
}
