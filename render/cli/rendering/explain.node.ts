// `drydock explain`: where a rendered line comes from; and `impact`: the objects and fields that a value affects.

import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { explain, explanationPage, formatExplanation, formatImpact, impact } from '../../api/explain.ts';
import { traceInput } from '../../inputs/explain.node.ts';
import { isChartInput } from '../../inputs/files.node.ts';
import type { OrderInput } from '../../inputs/orders.node.ts';
import type { TracedInput } from '../../provenance/trace/explanation.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandContext } from '../program.ts';
import { singleRenderSettings, surroundings } from '../settings.ts';
import { withInput } from './input.node.ts';

/** Prints the effects of values. Returns 1 if the input or a path is invalid. Throws UsageError, RenderError. */
export async function impactCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  const [input, ...paths] = flags.args;
  if (input === undefined || paths.length === 0) {
    throw new UsageError('"drydock impact" takes an Order or a chart, and paths of values such as image.tag');
  }
  return withInput(input, { flags, io }, async (source) => {
    const traced = await trace(source, flags, io);
    const impacts = paths.map((path) => impact(traced, path));
    io.stdout(flags.on('json') ? `${JSON.stringify({ impacts }, null, 2)}\n` : impacts.map(formatImpact).join('\n'));
    return 0;
  });
}

// Of several versions on a command line, the last one.
function trace(input: string | OrderInput, flags: ParsedFlags, io: CommandContext): Promise<TracedInput> {
  return traceInput(input, { ...surroundings(io), settings: singleRenderSettings(flags) });
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
  return withInput(input, { flags, io }, async (source) => {
    const traced = await trace(source, flags, io);
    if (page !== undefined) return writePage(page, { title: input, traced }, io);
    const explanation = explain(traced, line === undefined ? { object, path } : { line });
    io.stdout(flags.on('json') ? `${JSON.stringify(explanation, null, 2)}\n` : formatExplanation(explanation));
    return 0;
  });
}

function writePage(
  page: string,
  { title, traced }: { readonly title: string; readonly traced: TracedInput },
  io: CommandContext,
): number {
  writeFileSync(resolve(io.cwd, page), explanationPage(traced, { title }));
  const count = traced.releases.reduce((sum, { documents }) => sum + documents.length, 0);
  if (!io.quiet) io.stdout(`${page}: ${count} objects\n`);
  return 0;
}
