// `drydock explain`: where a rendered line comes from; and `impact`: the objects and fields that a value affects.

import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isChartInput } from '../../inputs/files.node.ts';
import { type OrderInput, readOrderFile } from '../../inputs/orders.node.ts';
import { type TracedInput, traceChart, traceOrder } from '../../inputs/traced.node.ts';
import { type Impact, impactJson, impactOf, impactText } from '../../provenance/impact/impact.ts';
import { reportData } from '../../provenance/report/data.ts';
import { reportPage } from '../../provenance/report/page.ts';
import { type Explanation, explainObjects } from '../../provenance/trace/explanation.ts';
import { explanationJson, explanationText, marginText } from '../../provenance/trace/report.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import { printFailure } from '../output.ts';
import type { CommandContext } from '../program.ts';
import { renderSettings, singleRenderSettings } from '../settings.ts';

/** Prints the effects of values. Returns 1 if the input or a path is invalid. Throws UsageError, RenderError. */
export async function impactCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  const [input, ...paths] = flags.args;
  if (input === undefined || paths.length === 0) {
    throw new UsageError('"drydock impact" takes an Order or a chart, and paths of values such as image.tag');
  }
  let order: OrderInput | undefined;
  let impacts: readonly Impact[];
  try {
    if (!isChartInput(input, io.cwd)) order = await readOrderFile(input, renderSettings(flags), io);
    const { releases } =
      order === undefined ? await traceChart(input, singleRenderSettings(flags), io) : await traceOrder(order);
    impacts = paths.map((path) => impactOf(releases, path));
  } catch (error) {
    return printFailure(error, order?.text, io, input);
  }
  io.stdout(flags.on('json') ? impactJson(impacts) : impacts.map(impactText).join('\n'));
  return 0;
}

/** Explains a line, a member or a whole object. Returns 1 if the input is invalid. Throws UsageError, RenderError. */
export async function explainCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  const [input, object, path, ...more] = flags.args;
  if (input === undefined || more.length > 0) {
    throw new UsageError(
      '"drydock explain" takes an Order or a chart, an object such as Deployment/web, and a path in it',
    );
  }
  const word = flags.text('line');
  const page = flags.text('html');
  if (page !== undefined && (word !== undefined || object !== undefined || flags.on('json'))) {
    throw new UsageError('--html shows every object and cannot be used with OBJECT, --line or --json');
  }
  if (page === undefined && (word === undefined) === (object === undefined)) {
    throw new UsageError('name an object, a line with --line, or a page with --html');
  }
  const line = word === undefined ? undefined : Number(word);
  const isChart = isChartInput(input, io.cwd);
  if (line !== undefined && !isChart)
    throw new UsageError('--line is a line of the output of "drydock template": name a chart');
  if (line !== undefined && (!Number.isInteger(line) || line < 1))
    throw new UsageError('--line takes a line number, from 1');
  let order: OrderInput | undefined;
  try {
    if (!isChart) order = await readOrderFile(input, renderSettings(flags), io);
    const traced =
      order === undefined ? await traceChart(input, singleRenderSettings(flags), io) : await traceOrder(order);
    if (page !== undefined) return writePage(page, { title: input, ...traced }, io);
    printExplanation(explainObjects(traced.releases, line === undefined ? { object, path } : { line }), flags, io);
    return 0;
  } catch (error) {
    return printFailure(error, order?.text, io, input);
  }
}

function writePage(
  page: string,
  { title, releases, files }: TracedInput & { readonly title: string },
  io: CommandContext,
): number {
  writeFileSync(resolve(io.cwd, page), reportPage(reportData(releases, { title, files })));
  if (!io.quiet) io.stdout(`${page}: ${releases.reduce((sum, { documents }) => sum + documents.length, 0)} objects\n`);
  return 0;
}

function printExplanation({ lines, ...explanation }: Explanation, flags: ParsedFlags, io: CommandContext): void {
  const [only] = lines;
  if (flags.on('json')) io.stdout(explanationJson({ ...explanation, lines }));
  else if (lines.length === 1 && only !== undefined) io.stdout(explanationText(only));
  else io.stdout(marginText(lines));
}
