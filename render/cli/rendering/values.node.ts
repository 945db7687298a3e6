// `drydock values`: the merged values of a chart or an Order, with their origins.

import { formatValues } from '../../api/yaml.ts';
import type { Chart } from '../../chart/chart.ts';
import { plainValue } from '../../codec/plain.ts';
import { realHost } from '../../core/host.ts';
import { shownPath } from '../../core/paths.node.ts';
import { splitPath } from '../../core/paths.ts';
import { renderPackages } from '../../engine/packages.ts';
import type { RenderedRelease } from '../../engine/release.ts';
import { isChartInput, locateChart } from '../../inputs/files.node.ts';
import { type OrderInput, readOrderFile } from '../../inputs/orders.node.ts';
import { planTraced, renderTraced } from '../../inputs/traced.node.ts';
import { settingsForOnce } from '../../inputs/values.node.ts';
import type { JsonObject } from '../../order/order.ts';
import type { TracedObjects } from '../../provenance/trace/explanation.ts';
import type { Setter } from '../../provenance/trace/setters.ts';
import { type MergedValue, mergedValues } from '../../provenance/trace/values.ts';
import { unreadPaths } from '../../validation/checks/unread.ts';
import { Reads } from '../../values/reads.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import { printFailure } from '../output.ts';
import type { CommandContext } from '../program.ts';
import { renderSettings, singleRenderSettings } from '../settings.ts';

/** A release whose values are printed. */
interface Source {
  /** Its name in an Order; empty for a chart. */
  readonly name: string;
  readonly chart: Chart;
  readonly release: RenderedRelease;
  readonly objects: TracedObjects;
  /** Renders it again, so that its values record what the templates read. */
  readonly watched: () => RenderedRelease;
}

/** Prints values. Returns 1 where the input is invalid. Throws UsageError, RenderError. */
export async function valuesCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  const [input, path, ...others] = flags.args;
  if (input === undefined || others.length > 0) {
    throw new UsageError('"drydock values" takes an Order or a chart, and a path of values such as image');
  }
  let order: OrderInput | undefined;
  let sources: readonly Source[];
  try {
    if (!isChartInput(input, io.cwd)) order = await readOrderFile(input, renderSettings(flags), io);
    sources =
      order === undefined ? [await chartSource(input, flags, io)] : await orderSources(order, io, flags.on('unused'));
  } catch (error) {
    return printFailure(error, order?.text, io, input);
  }
  const steps = path === undefined ? [] : splitPath(path);
  const listed = sources.map((source) => ({
    name: source.name,
    values: valuesOf(source, flags).filter((one) => steps.every((step, at) => String(one.steps[at]) === String(step))),
  }));
  if (flags.on('json')) io.stdout(`${JSON.stringify(listed.map(jsonOf), undefined, 2)}\n`);
  else io.stdout(listed.map((one) => textOf(one, flags.on('origin'))).join(''));
  return 0;
}

async function chartSource(input: string, flags: ParsedFlags, io: CommandContext): Promise<Source> {
  const path = locateChart(input, io.cwd);
  const host = realHost(io.env.TZ);
  const { chart, release, objects, again } = await renderTraced(
    path,
    settingsForOnce(singleRenderSettings(flags), path, io.cwd),
    {
      io,
      host,
      folder: shownPath(path, io),
      onWarning: () => {},
    },
  );
  return { name: '', chart, release, objects, watched: () => again(host, new Reads()) };
}

async function orderSources(order: OrderInput, io: CommandContext, isWatched: boolean): Promise<Source[]> {
  const { rendered, objects } = await planTraced(order, io);
  const watched = isWatched ? await renderPackages(rendered.order, order.options, { isWatched }) : rendered;
  return rendered.packages.flatMap(({ chart, release }, at) => {
    const [own, again] = [objects[at], watched.packages[at]];
    if (own === undefined || again === undefined) return [];
    return [{ name: release.name, chart, release, objects: own, watched: () => again.release }];
  });
}

function valuesOf({ chart, release, objects, watched }: Source, flags: ParsedFlags): MergedValue[] {
  const unread = flags.on('unused') ? unreadPaths(chart, watched(), release.values) : [];
  const isUnread = ({ steps }: MergedValue): boolean =>
    unread.some((path) => path.every((step, at) => step === steps[at]));
  return mergedValues(plainValue(release.values) as JsonObject, (steps) => objects.trace.setBy(steps))
    .filter((value) => !flags.on('defaults-changed') || value.isChanged)
    .filter((value) => !flags.on('unused') || (value.isGiven && isUnread(value)));
}

interface Listed {
  readonly name: string;
  readonly values: readonly MergedValue[];
}

function jsonOf({ name, values }: Listed): object {
  return {
    ...(name !== '' && { package: name }),
    values: values.map(({ path, value, setBy }) => ({ path, value, setBy })),
  };
}

function textOf({ name, values }: Listed, hasOrigins: boolean): string {
  const heading = name === '' ? '' : `# package ${name}\n`;
  return `${heading}${values.length === 0 ? '{}\n' : linesOf(values, hasOrigins)}`;
}

// YAML with comments that say where each value is set: tables are opened as needed.
function linesOf(values: readonly MergedValue[], hasOrigins: boolean): string {
  const lines: string[] = [];
  let open: readonly string[] = [];
  for (const { steps, value, setBy } of values) {
    const names = steps.map(String);
    const parents = names.slice(0, -1);
    const shared = parents.findIndex((name, at) => open[at] !== name);
    for (let at = shared < 0 ? parents.length : shared; at < parents.length; at++) {
      lines.push(`${'  '.repeat(at)}${keyText(parents[at]!)}:`);
    }
    open = parents;
    lines.push(
      ...entryLines(names.at(-1)!, value, hasOrigins ? originOf(setBy) : '').map(
        (line) => `${'  '.repeat(parents.length)}${line}`,
      ),
    );
  }
  return `${lines.join('\n')}\n`;
}

function entryLines(name: string, value: MergedValue['value'], origin: string): string[] {
  const lines = formatValues({ [name]: value })
    .replace(/\n$/, '')
    .split('\n');
  if (origin === '') return lines;
  return lines.length === 1 ? [`${lines[0]} # ${origin}`] : [`# ${origin}`, ...lines];
}

function keyText(name: string): string {
  return formatValues({ [name]: null }).replace(/: null\n$/, '');
}

function originOf([winner]: readonly Setter[]): string {
  if (winner === undefined) return 'set by a template or a subchart';
  const { where, line } = winner;
  return line === undefined ? where : `${where}:${line}`;
}
