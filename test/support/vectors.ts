// Replays recorded runs of real Helm (fixtures/vectors) with the command.

import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HelmVersion } from '../../render/core/helm-version.ts';
import { encodeUtf8 } from '../../render/go/utf8.ts';
import { runInProcess } from './cli.ts';
import type { RowCheck } from './row-tests.ts';
import { recordedHelms } from './rows.ts';

/** The folder of the vectors. */
export const vectorsDirectory = fileURLToPath(new URL('../../fixtures/vectors', import.meta.url));

type FileContent = string | { readonly base64: string } | { readonly zeros: number };

/** A run of Helm. */
export interface ChartRun {
  readonly name: string;
  /** The arguments before the others. Default `template r c`. */
  readonly command?: readonly string[];
  /** The version of Helm. Default the recorded Helm 3. */
  readonly helm?: HelmVersion;
  /** The chart, in the folder `c`. */
  readonly files: Readonly<Record<string, FileContent>>;
  /** Files in the working folder. */
  readonly beside?: Readonly<Record<string, { readonly text: string; readonly executable?: boolean }>>;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Returns the recorded runs by file, without its extension, in the order of the file names. */
export function readVectorFiles(): ReadonlyMap<string, readonly ChartRun[]> {
  const names = readdirSync(vectorsDirectory).filter((name) => name.endsWith('.json') && name !== 'pending.json');
  return new Map(names.sort().map((name) => [name.slice(0, -'.json'.length), readJson(name) as ChartRun[]]));
}

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(join(vectorsDirectory, name), 'utf8'));
}

/** Returns the names of the vectors that do not pass yet. */
export function readPending(): ReadonlySet<string> {
  return new Set(readJson('pending.json') as string[]);
}

/** The version of Helm used for recordings that name none. */
const helm = recordedHelms[3];

/** Returns the check of a recorded run. */
export function checkOf(run: ChartRun): RowCheck {
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
  return [...(run.command ?? ['template', 'r', 'c']), ...run.args];
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
  return matches(want, got) ? [] : [`${what}\n  want ${JSON.stringify(want)}\n  got  ${JSON.stringify(got)}`];
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

/** Reports whether a text matches the recorded one, in which `…(N chars)…` stands for an omitted part. */
export function matches(want: string, got: string): boolean {
  const [start = '', end] = sortViolations(want).split(/…\(.*?\)…?/);
  const text = sortViolations(got);
  return end === undefined ? text === start : text.length > want.length && text.startsWith(start) && text.endsWith(end);
}

// Go's order of map keys is random: that of the violations of one object in Helm 3, and that of additional properties in Helm 4.
function sortViolations(text: string): string {
  return text
    .replace(/(?:^- (?!at ').*\n)+/gm, (lines) => `${lines.trimEnd().split('\n').sort().join('\n')}\n`)
    .replace(/(?<=additional properties ).*(?= not allowed)/g, (names) => names.split(', ').sort().join(', '));
}
