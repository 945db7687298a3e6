// Replays recorded results of real Helm (fixtures/vectors): expressions through the library, whole charts through the command.

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
import type { RowCheck } from './row-tests.ts';
import { recordedHelms } from './rows.ts';

/** The folder of the vectors. */
export const vectorsDirectory = fileURLToPath(new URL('../../fixtures/vectors', import.meta.url));

/** Helm's result for an expression: its output, or its standard error without the last newline; with `any`, in any order of lines. */
export type ExpressionRow = readonly [expression: string, result: 'ok' | 'err', output: string, order?: 'any'];

/** Expressions with the same values, each in a separate chart. */
export interface ExpressionGroup {
  readonly group: string;
  /** Files of the chart beside its templates. */
  readonly files?: Readonly<Record<string, string>>;
  /** values.yaml. */
  readonly values?: string;
  /** A file for `-f`. */
  readonly valuesFile?: string;
  /** A `--set…` flag and its value. */
  readonly args?: readonly [flag: string, text: string];
  /** Whether no expression modifies the values, so that all successful ones can share a chart. */
  readonly batch?: boolean;
  readonly rows: readonly ExpressionRow[];
}

type FileContent = string | { readonly base64: string } | { readonly zeros: number };

/** A run of Helm, by default `helm template r c`. */
export interface ChartRun {
  readonly name: string;
  /** The arguments before the others, such as `lint c`. */
  readonly command?: readonly string[];
  /** The version of Helm. Default the recorded Helm 3. */
  readonly helm?: HelmVersion;
  /** The chart, in the folder `c`. */
  readonly files: Readonly<Record<string, FileContent>>;
  /** Files in the working folder. */
  readonly beside?: Readonly<Record<string, { readonly text: string; readonly executable?: boolean }>>;
  readonly args: readonly string[];
  /** Default `r`. */
  readonly release?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The entries of a file of vectors, by the file's name without its extension. */
export type VectorFiles = ReadonlyMap<string, readonly (ExpressionGroup | ChartRun)[]>;

/** Returns the recorded results by file, in the order of the file names. */
export function readVectorFiles(): VectorFiles {
  const names = readdirSync(vectorsDirectory).filter((name) => name.endsWith('.json') && name !== 'pending.json');
  return new Map(names.sort().map((name) => [name.slice(0, -'.json'.length), readEntries(name)]));
}

function readEntries(name: string): (ExpressionGroup | ChartRun)[] {
  return JSON.parse(readFileSync(join(vectorsDirectory, name), 'utf8')) as (ExpressionGroup | ChartRun)[];
}

/** Returns drydock's results for the entries of a file. */
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

/** Reports whether an output matches the recorded one of a row, in any order of lines if Helm's order varies. */
export function isSameOutput(row: ExpressionRow, got: string): boolean {
  return matches(row[2], got) || (row[3] === 'any' && sortedLines(row[2]) === sortedLines(got));
}

function sortedLines(text: string): string {
  return text.split('\n').sort().join('\n');
}

/** Returns the output of an expression, or Helm's standard error. */
function render(group: ExpressionGroup, expression: string): string {
  const output = runTemplate(group, [expression]);
  return outputsOf(output, 1)?.[0] ?? output;
}

/** Returns the outputs of several expressions, or the error if one of them fails. */
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

/** Returns the files of a chart that prints expressions, one per line, for a group that does not modify values. */
export function chartOfExpressions(group: ExpressionGroup, expressions: readonly string[]): Record<string, string> {
  // A single expression is rendered as recorded, because errors name the templates.
  const names = expressions.map((_, i) => (expressions.length === 1 ? '' : `${i}`));
  return {
    'Chart.yaml': 'apiVersion: v2\nname: c\nversion: 0.1.0\n',
    ...group.files,
    ...(group.values === undefined ? {} : { 'values.yaml': group.values }),
    'templates/_e.tpl': expressions.map((text, i) => `{{ define "e${names[i]}" }}${text}{{ end }}`).join(''),
    'templates/a.yaml': names.map((name) => `a${name}: {{ include "e${name}" . | b64enc }}\n`).join(''),
  };
}

/** Returns the texts printed by a chart of several expressions; undefined if the output is different. */
export function outputsOf(output: string, count: number): string[] | undefined {
  const encoded = [...output.matchAll(/^a\d*:(?: (\S*))?$/gm)].map((match) => match[1] ?? '');
  return encoded.length === count ? encoded.map(decode) : undefined;
}

// Outputs were recorded as text: bytes that are not valid UTF-8 are U+FFFD.
function decode(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8');
}

const world = realHost('UTC');
const primes = new Map<number, bigint[]>();

// No row compares two keys, and generating one of 4096 bits takes half a second: two primes of a size serve all.
const host: Host = {
  ...world,
  randomPrime: (bits) => {
    const known = primes.get(bits) ?? [];
    const prime = (known.length < 2 ? undefined : known.shift()) ?? randomPrime(world, bits);
    primes.set(bits, [...known, prime]);
    return prime;
  },
};

/** The version of Helm used for recordings that name none. */
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

/** Returns the arguments of a run after `helm` or `drydock`. */
export function commandOf(run: ChartRun): string[] {
  return [...(run.command ?? ['template', run.release ?? 'r', 'c']), ...run.args];
}

/** Writes the chart of a run, and its other files, into a folder. */
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

// Helm exits with 1 for every failure; drydock with 2 for wrong usage.
const usage =
  /^Error: (unknown (shorthand )?flag|invalid argument|flag needs an argument|cannot set|expected at most|Invalid dry-run|"helm template")/;

function exitCodeOf(run: ChartRun): number {
  if (run.exitCode === 0) return 0;
  return usage.test(run.stderr) ? 2 : 1;
}

// Helm crashes there; only its last message can be compared.
function errorOf(run: ChartRun): string {
  const panic = /^panic: (.*)$/m.exec(run.stderr)?.[1];
  return panic === undefined ? run.stderr.replaceAll('helm template', 'drydock template') : `Error: ${panic}\n`;
}

// Helm's order of the schema violations of one object is that of a Go map, so it is random.
function sortedFaults(text: string): string {
  return text.replace(/(?:^- .*\n)+/gm, (lines) => `${lines.trimEnd().split('\n').sort().join('\n')}\n`);
}

// Memory addresses in Go's output: a pointer printed by `%p`, or a field of a struct.
const address = /\b(0x[0-9a-f]{7,10}|824\d{9})\b/;

/** Reports whether a text matches the recorded one. `…(N chars)…` stands for an omitted part, an address for any. */
export function matches(want: string, got: string): boolean {
  if (want === got || (address.test(want) && want.replace(address, '') === got.replace(address, ''))) return true;
  const [start = '', end] = want.split(/…\(.*?\)…?/);
  return end !== undefined && got.length > want.length && got.startsWith(start) && got.endsWith(end);
}
