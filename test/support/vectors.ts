// Replays the recorded answers of real Helm (fixtures/vectors): expressions through the library, whole charts through the command.

import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RenderError } from '../../render/core/errors.ts';
import type { HelmVersion } from '../../render/core/helm-version.ts';
import { ReleaseError } from '../../render/engine/release.ts';
import { randomPrime } from '../../render/functions/certificates/primes.ts';
import { encodeUtf8 } from '../../render/go/utf8.ts';
import { type Host, loadChart, realHost, template } from '../../render/index.ts';
import { runInProcess } from './cli.ts';
import { recordedHelms } from './helms.ts';
import type { RowCheck } from './row-tests.ts';

/** Where the vectors lie. */
export const vectorsDirectory = fileURLToPath(new URL('../../fixtures/vectors', import.meta.url));

/** What Helm made of one expression: its output, or its standard error without the last newline; `any` order of lines. */
export type ExpressionRow = readonly [expression: string, result: 'ok' | 'err', output: string, order?: 'any'];

/** Expressions that were run with the same values, each in a chart of its own. */
export interface ExpressionGroup {
  readonly group: string;
  /** Files of the chart beside its templates. */
  readonly files?: Readonly<Record<string, string>>;
  /** values.yaml. */
  readonly values?: string;
  /** A file given with `-f`. */
  readonly valuesFile?: string;
  /** One `--set…` flag and its text. */
  readonly args?: readonly [flag: string, text: string];
  /** Whether no expression writes to the values, so that all that succeed can share one chart. */
  readonly batch?: boolean;
  readonly rows: readonly ExpressionRow[];
}

type FileContent = string | { readonly base64: string } | { readonly zeros: number };

/** One run of Helm: of `helm template r c`, unless it says otherwise. */
export interface ChartRun {
  readonly name: string;
  /** The words before the arguments, such as `lint c`. */
  readonly command?: readonly string[];
  /** The Helm that was asked. Default the recorded Helm 3. */
  readonly helm?: HelmVersion;
  /** The chart, which lies in the folder `c`. */
  readonly files: Readonly<Record<string, FileContent>>;
  /** Files in the folder that Helm ran in. */
  readonly beside?: Readonly<Record<string, { readonly text: string; readonly executable?: boolean }>>;
  readonly args: readonly string[];
  /** Default `r`. */
  readonly release?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a file of vectors holds: entries of either shape, by the file's name without its ending. */
export type VectorFiles = ReadonlyMap<string, readonly (ExpressionGroup | ChartRun)[]>;

/** Returns the recorded answers by file, in the order of the files' names. */
export function readVectorFiles(): VectorFiles {
  const names = readdirSync(vectorsDirectory).filter((name) => name.endsWith('.json') && name !== 'pending.json');
  return new Map(names.sort().map((name) => [name.slice(0, -'.json'.length), readEntries(name)]));
}

function readEntries(name: string): (ExpressionGroup | ChartRun)[] {
  return JSON.parse(readFileSync(join(vectorsDirectory, name), 'utf8')) as (ExpressionGroup | ChartRun)[];
}

/** Returns what asks drydock the same as Helm was asked, for each answer of a file. */
export function checksOf(entries: readonly (ExpressionGroup | ChartRun)[]): RowCheck[] {
  return entries.flatMap((entry) => ('rows' in entry ? expressionChecks(entry) : [chartCheck(entry)]));
}

/** Returns the names of the vectors that do not pass yet. */
export function readPending(): ReadonlySet<string> {
  return new Set(JSON.parse(readFileSync(join(vectorsDirectory, 'pending.json'), 'utf8')) as string[]);
}

function expressionChecks(group: ExpressionGroup): RowCheck[] {
  const shared = group.batch ? group.rows.filter(([, result]) => result === 'ok') : [];
  let outputs: ReadonlyMap<ExpressionRow, string> | string | undefined;
  const shareOutputs = (): ReadonlyMap<ExpressionRow, string> | string => {
    outputs ??= renderTogether(group, shared);
    return outputs;
  };
  return group.rows.map((row, i) => ({
    id: `${group.group}[${i}]`,
    text: row[0],
    check: () => {
      const together = shared.includes(row) ? shareOutputs() : undefined;
      const got = typeof together === 'object' ? (together.get(row) ?? '') : render(group, row[0]);
      const same = isSameOutput(row, got);
      return same ? undefined : `want ${JSON.stringify(row[2])}\n  got  ${JSON.stringify(got)}`;
    },
  }));
}

/** Reports whether an output is the recorded one of a row, in any order of lines where Helm has none. */
export function isSameOutput(row: ExpressionRow, got: string): boolean {
  return matches(row[2], got) || (row[3] === 'any' && sortedLines(row[2]) === sortedLines(got));
}

function sortedLines(text: string): string {
  return text.split('\n').sort().join('\n');
}

/** Returns the output of an expression, or the text of Helm's standard error. */
function render(group: ExpressionGroup, expression: string): string {
  const output = runTemplate(group, [expression]);
  return outputsOf(output, 1)?.[0] ?? output;
}

/** Returns the outputs of several expressions, or an error's text when one of them fails. */
function renderTogether(
  group: ExpressionGroup,
  rows: readonly ExpressionRow[],
): ReadonlyMap<ExpressionRow, string> | string {
  const output = runTemplate(
    group,
    rows.map(([expression]) => expression),
  );
  const outputs = outputsOf(output, rows.length);
  return outputs === undefined ? output : new Map(rows.map((row, i) => [row, outputs[i] as string]));
}

/** Returns the texts of a chart's files that prints expressions, one a line; those of a group that writes to no values. */
export function chartOfExpressions(group: ExpressionGroup, expressions: readonly string[]): Record<string, string> {
  // Alone, an expression is as it was recorded: errors name the templates.
  const names = expressions.map((_, i) => (expressions.length === 1 ? '' : `${i}`));
  return {
    'Chart.yaml': 'apiVersion: v2\nname: c\nversion: 0.1.0\n',
    ...group.files,
    ...(group.values === undefined ? {} : { 'values.yaml': group.values }),
    'templates/_e.tpl': expressions.map((text, i) => `{{ define "e${names[i]}" }}${text}{{ end }}`).join(''),
    'templates/a.yaml': names.map((name) => `a${name}: {{ include "e${name}" . | b64enc }}\n`).join(''),
  };
}

/** Returns the texts that a chart of so many expressions printed; undefined where it printed something else. */
export function outputsOf(output: string, count: number): string[] | undefined {
  const encoded = [...output.matchAll(/^a\d*:(?: (\S*))?$/gm)].map((match) => match[1] ?? '');
  return encoded.length === count ? encoded.map(decode) : undefined;
}

// Outputs were recorded as texts: what is no UTF-8 is as U+FFFD.
function decode(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8');
}

const world = realHost('UTC');
const primes = new Map<number, bigint[]>();

// No row compares two keys, and making one of 4096 bits takes half a second: two primes of a size serve all.
const host: Host = {
  ...world,
  randomPrime: (bits) => {
    const known = primes.get(bits) ?? [];
    const prime = (known.length < 2 ? undefined : known.shift()) ?? randomPrime(world, bits);
    primes.set(bits, [...known, prime]);
    return prime;
  },
};

/** The Helm that answers were recorded from, where none is named. */
const helm = recordedHelms[3];

const flags = { '--set': 'set', '--set-string': 'setString', '--set-json': 'setJson' } as const;

function runTemplate(group: ExpressionGroup, expressions: readonly string[]): string {
  const [flag, text] = group.args ?? [];
  try {
    return template(loadChart(chartOfExpressions(group, expressions), { helm }), {
      releaseName: 'r',
      helm,
      host,
      ...(group.valuesFile === undefined ? {} : { valuesFiles: [{ name: './x', text: group.valuesFile }] }),
      ...(flag === undefined ? {} : { [flags[flag as keyof typeof flags]]: [text] }),
    });
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    const hint = error instanceof ReleaseError ? '\n\nUse --debug flag to render out invalid YAML' : '';
    return `Error: ${error.message}${hint}`;
  }
}

function chartCheck(run: ChartRun): RowCheck {
  return { id: run.name, text: run.args.join(' '), check: () => checkRun(run) };
}

async function checkRun(run: ChartRun): Promise<string | undefined> {
  const cwd = await mkdtemp(join(tmpdir(), 'drydock-vector-'));
  try {
    await writeRun(run, cwd);
    const got = await runInProcess([...commandOf(run), '--helm', run.helm ?? helm], cwd, {
      TZ: 'UTC',
      PATH: process.env.PATH ?? '',
      ...run.env,
    });
    const unplaced = (text: string): string => text.replaceAll(cwd, '{cwd}');
    return compare(run, { ...got, stdout: unplaced(got.stdout), stderr: unplaced(got.stderr) });
  } finally {
    await rm(cwd, { recursive: true });
  }
}

/** Returns the words behind `helm` or `drydock` of a run. */
export function commandOf(run: ChartRun): string[] {
  return [...(run.command ?? ['template', run.release ?? 'r', 'c']), ...run.args];
}

/** Writes the chart of a run, and what lies beside it, into a folder. */
export async function writeRun(run: ChartRun, cwd: string): Promise<void> {
  for (const [name, content] of Object.entries(run.files)) await put(join(cwd, 'c', name), bytesOf(content), 0o644);
  for (const [name, { text, executable }] of Object.entries(run.beside ?? {})) {
    await put(join(cwd, name), encodeUtf8(text), executable ? 0o755 : 0o644);
  }
}

async function put(path: string, data: Uint8Array, mode: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, data, { mode });
}

function bytesOf(content: FileContent): Uint8Array {
  if (typeof content === 'string') return encodeUtf8(content);
  return 'zeros' in content ? new Uint8Array(content.zeros) : Buffer.from(content.base64, 'base64');
}

function compare(want: ChartRun, got: Awaited<ReturnType<typeof runInProcess>>): string | undefined {
  const differences = [
    ...(exitCodeOf(want) === got.exitCode ? [] : [`exit code: want ${exitCodeOf(want)}, got ${got.exitCode}`]),
    ...compareText('standard output', want.stdout, got.stdout),
    ...compareText('standard error', errorOf(want), got.stderr),
  ];
  return differences.length === 0 ? undefined : differences.join('\n');
}

function compareText(what: string, want: string, got: string): string[] {
  if (matches(want, got) || matches(sortedFaults(want), sortedFaults(got))) return [];
  return [`${what}\n  want ${JSON.stringify(want)}\n  got  ${JSON.stringify(got)}`];
}

// Helm ends with 1 for every failure; drydock tells wrong usage by 2.
const usage =
  /^Error: (unknown (shorthand )?flag|invalid argument|flag needs an argument|cannot set|expected at most|Invalid dry-run|"helm template")/;

function exitCodeOf(run: ChartRun): number {
  if (run.exitCode === 0) return 0;
  return usage.test(run.stderr) ? 2 : 1;
}

// Helm crashes there; its last words are all that can be asked for.
function errorOf(run: ChartRun): string {
  const panic = /^panic: (.*)$/m.exec(run.stderr)?.[1];
  return panic === undefined ? run.stderr.replaceAll('helm template', 'drydock template') : `Error: ${panic}\n`;
}

// Of one object's schema faults Helm's order is that of a Go map, which is none.
function sortedFaults(text: string): string {
  return text.replace(/(?:^- .*\n)+/gm, (lines) => `${lines.trimEnd().split('\n').sort().join('\n')}\n`);
}

// Where Go put something: a pointer as `%p` prints it, or as a field of a struct.
const address = /\b(0x[0-9a-f]{7,10}|824\d{9})\b/;

/** Reports whether a text is the recorded one. `…(N chars)…` stands for what was left out of the record, an address for any. */
export function matches(want: string, got: string): boolean {
  if (want === got || (address.test(want) && want.replace(address, '') === got.replace(address, ''))) return true;
  const [start = '', end] = want.split(/…\(.*?\)…?/);
  return end !== undefined && got.length > want.length && got.startsWith(start) && got.endsWith(end);
}
