// `drydock cases`: values files that reach every branch of a chart; and `schema`: the schema of its values.

import { existsSync, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { formatCase, formatValuesTable, generateCases, valuesSchema } from '../../api/cases.ts';
import { formatObjectIssue } from '../../api/validation.ts';
import { formatValues } from '../../api/yaml.ts';
import type { GeneratedCases, RejectedCase, UnreachedReason } from '../../cases/generate.ts';
import { formatOutcome } from '../../cases/generate.ts';
import { counted } from '../../core/counted.ts';
import { shownPath } from '../../core/paths.node.ts';
import { percentOf } from '../../coverage/measure.ts';
import { readCaseOptions } from '../../inputs/cases.node.ts';
import { locateChart } from '../../inputs/files.node.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import { failureJson } from '../output.ts';
import type { CommandContext } from '../program.ts';
import { renderSettings } from '../settings.ts';

/** Returns the limit of a search for cases, in seconds. Throws UsageError. */
export function maxSecondsOf(flags: ParsedFlags): number {
  const seconds = Number(flags.text('max-time') ?? 60);
  if (seconds < 1) throw new UsageError('--max-time must be at least 1');
  return seconds;
}

/** Generates cases. Returns 1 if an existing case does not render or `--check` finds that cases are missing, else 0. Throws UsageError, RenderError. */
export async function casesCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  const [word, ...others] = flags.args;
  if (word === undefined || others.length > 0)
    throw new UsageError('"drydock cases" takes one chart folder or .tgz archive');
  const maxSeconds = maxSecondsOf(flags);
  const path = locateChart(word, io.cwd);
  const { chart, options } = await readCaseOptions(path, renderSettings(flags), io);
  const found = generateCases(chart, { ...options, maxSeconds, subcharts: flags.on('subcharts') });
  const folder = flags.text('write');
  const target = folder === undefined ? undefined : resolve(statSync(path).isDirectory() ? path : io.cwd, folder);
  const files = nameFiles(found, target);
  if (target !== undefined && files.length > 0) {
    await mkdir(target, { recursive: true });
    // If files exist, the defaults alone are not a case any more.
    const hasFiles = options.cases?.some(({ valuesFiles = [] }) => valuesFiles.length > 0);
    const defaults = join(target, 'default-values.yaml');
    if (hasFiles !== true && !existsSync(defaults)) await writeFile(defaults, "# The chart's defaults.\n{}\n");
    for (const { file, text } of files) await writeFile(file, text);
  }
  if (flags.on('json')) io.stdout(`${JSON.stringify(jsonOf(found, files), undefined, 2)}\n`);
  else io.stdout(report(found, files, { io, isWritten: target !== undefined, isVerbose: flags.on('verbose') }));
  for (const { at, error } of found.failedCases) {
    io.stderr(`Error: case ${options.cases?.[at]?.name ?? at} does not render: ${error.message.trimEnd()}\n`);
  }
  return found.failedCases.length > 0 || (flags.on('check') && found.cases.length > 0) ? 1 : 0;
}

/** A values file that is, or would be, written. */
interface CaseFile {
  readonly file: string;
  readonly text: string;
  readonly reached: number;
}

// Numbered after existing files, so that none is overwritten.
function nameFiles({ cases }: GeneratedCases, folder: string | undefined): CaseFile[] {
  let number = 0;
  return cases.map((one) => {
    let file: string;
    do {
      number++;
      file = join(folder ?? '', `drydock-${number}-values.yaml`);
    } while (folder !== undefined && existsSync(file));
    return { file, text: formatCase(one), reached: one.reaches.length };
  });
}

function jsonOf({ cases, failures, failedCases, ...rest }: GeneratedCases, files: readonly CaseFile[]): object {
  return {
    ...rest,
    cases: cases.map((one, at) => ({ file: files[at]?.file, ...one })),
    failures: failures.map(({ error, ...settings }) => ({ ...settings, error: failureJson(error) })),
    failedCases: failedCases.map(({ at, error }) => ({ at, error: failureJson(error) })),
  };
}

/** Reasons that are listed without --verbose. */
const listedReasons: ReadonlySet<UnreachedReason> = new Set(['fails', 'untried']);
const mostListed = 10;

function report(
  found: GeneratedCases,
  files: readonly CaseFile[],
  {
    io,
    isWritten,
    isVerbose,
  }: { readonly io: CommandContext; readonly isWritten: boolean; readonly isVerbose: boolean },
): string {
  const { before, after, reachable, unreached, failures, rejections, isCut } = found;
  const share = percentOf({ covered: after.covered, total: reachable }).toFixed(1);
  const lines = [
    `${found.chart}: the existing cases reach ${before.covered} of ${after.total} branch outcomes.`,
    files.length === 0
      ? 'No other values reach more.'
      : `With ${counted(files.length, 'more values file')} they reach ${after.covered}, ${share} % of those that values can reach.`,
    ...(isCut ? ['The search ended at its time limit: run it again with --write, or with a longer --max-time.'] : []),
  ];
  if (isWritten && files.length > 0) lines.push('');
  for (const { file, text, reached } of files) {
    if (isWritten) lines.push(`${shownPath(file, io)}: reaches ${reached} more`);
    else lines.push('', `--- ${file}`, text.trimEnd());
  }
  const shown = isVerbose ? unreached : unreached.filter(({ reason }) => listedReasons.has(reason));
  const listed = isVerbose ? shown : shown.slice(0, mostListed);
  if (listed.length > 0)
    lines.push('', 'Not reached:', ...listed.map((one) => `  ${formatOutcome(one)}: ${one.explanation}`));
  const rest = unreached.length - listed.length;
  if (rest > 0)
    lines.push(
      `${listed.length > 0 ? '  and ' : '\nNot reached: '}${counted(rest, 'more outcome')} (--verbose lists all)`,
    );
  for (const { error, values } of failures) {
    lines.push(
      '',
      'The chart fails on these values:',
      indent(formatValues(values).trimEnd()),
      indent(error.message.trimEnd()),
    );
  }
  const byValues = new Map<string, RejectedCase[]>();
  for (const one of rejections) {
    const text = Object.keys(one.values).length === 0 ? '' : formatValues(one.values).trimEnd();
    byValues.set(text, [...(byValues.get(text) ?? []), one]);
  }
  for (const [text, cases] of byValues) {
    lines.push(
      '',
      ...(text === ''
        ? ['A cluster refuses objects of the defaults:']
        : ['A cluster refuses objects with these values:', indent(text)]),
      ...cases.map(({ issue, others }) => indent(`${formatObjectIssue(issue)}${othersText(others)}`)),
    );
  }
  return `${lines.join('\n')}\n`;
}

function othersText({ length }: readonly string[]): string {
  return length === 0 ? '' : `, and ${counted(length, 'other object')}`;
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ');
}

/** Prints or writes the schema of a chart. Returns 0. Throws UsageError, RenderError. */
export async function schemaCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  const [word, ...others] = flags.args;
  if (word === undefined || others.length > 0)
    throw new UsageError('"drydock schema" takes one chart folder or .tgz archive');
  const maxSeconds = maxSecondsOf(flags);
  const path = locateChart(word, io.cwd);
  const isWritten = flags.on('write');
  if (isWritten && flags.on('markdown')) throw new UsageError('--write cannot be used with --markdown');
  if (isWritten && !statSync(path).isDirectory()) throw new UsageError('--write needs a chart folder');
  const { chart, options } = await readCaseOptions(path, renderSettings(flags), io);
  if (flags.on('markdown')) {
    io.stdout(formatValuesTable(chart));
    return 0;
  }
  const text = `${JSON.stringify(valuesSchema(chart, { ...options, maxSeconds, strict: flags.on('strict') }), undefined, 2)}\n`;
  if (!isWritten) io.stdout(text);
  else {
    const file = join(path, 'values.schema.json');
    await writeFile(file, text);
    io.stdout(`wrote ${shownPath(file, io)}\n`);
  }
  return 0;
}
