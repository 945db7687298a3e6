// Measures the test coverage of the engine and the emulator with Node's own coverage. `npm run coverage` runs the tests, prints the
// percentages, and fails if a test fails; `-- --check` also fails below the recorded minimum; `-- --record` raises the minimum and never
// lowers it. Needs Node 24 or later.

import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import * as runner from 'node:test';
import { fileURLToPath } from 'node:url';
import { testEntries, testFiles } from './test-files.ts';

/** Coverage of one half of the product, in percent. */
interface Shares {
  readonly lines: number;
  readonly branches: number;
  readonly functions: number;
}

type Minimum = Readonly<Record<string, Shares>>;

/** Node's coverage of one file; @types/node of the oldest Node does not have it. */
interface FileSummary {
  readonly path: string;
  readonly totalLineCount: number;
  readonly coveredLineCount: number;
  readonly totalBranchCount: number;
  readonly coveredBranchCount: number;
  readonly totalFunctionCount: number;
  readonly coveredFunctionCount: number;
}

/** What Node reports for a failed test. */
interface Failure {
  readonly name: string;
  readonly file?: string;
  readonly details: { readonly error: unknown };
}

type Run = (options: object) => NodeJS.ReadableStream;

const root = fileURLToPath(new URL('../..', import.meta.url));
const file = join(root, 'scripts/dev/coverage.json');
/**
 * Modules whose tests run in their own process and do not depend on time, so that coverage is reproducible. The command, the console,
 * workers and downloads are tested through processes and pages, which are not measured.
 */
const halves: Readonly<Record<string, readonly string[]>> = {
  render: [
    ...[
      'go',
      'codec',
      'template',
      'functions',
      'order',
      'chart',
      'manifest',
      'values',
      'engine',
      'output',
      'diff',
      'scripts',
    ],
    ...['unittest', 'validation/checks', 'provenance/trace', 'provenance/origins', 'provenance/impact'],
  ].map((module) => `render/${module}/`),
  emulator: ['app', 'routes', 'store', 'world', 'keys'].map((module) => `emulator/${module}/`),
};
/** Smaller differences depend on the speed of the machine, for example on whether a time limit is reached. */
const slack = 0.3;

/** Runs the tests and returns the coverage of each file; reports failed tests. */
async function measure(): Promise<readonly FileSummary[]> {
  const emulator = (halves.emulator ?? []).map((folder) => `test/${folder}`);
  const files = (await testFiles()).filter(
    (file) =>
      !file.startsWith('test/render/cli/') &&
      ['test/render/', 'test/e2e/scripts/', 'test/e2e/snapshot/', ...emulator].some((folder) =>
        file.startsWith(folder),
      ),
  );
  const stream = (runner as unknown as { readonly run: Run }).run({
    files: await testEntries(files),
    concurrency: availableParallelism(),
    cwd: root,
    coverage: true,
    coverageIncludeGlobs: Object.values(halves)
      .flat()
      .map((folder) => `${folder}**`),
    coverageExcludeGlobs: ['**/*.generated.ts', 'test/**'],
  });
  return new Promise((resolve, reject) => {
    let found: readonly FileSummary[] = [];
    stream.on('test:coverage', ({ summary }: { readonly summary: { readonly files: readonly FileSummary[] } }) => {
      found = summary.files;
    });
    stream.on('test:fail', ({ name, file, details }: Failure) => {
      console.error(`${file ?? ''}: ${name}`, details.error);
      process.exitCode = 1;
    });
    stream.on('error', reject);
    stream.on('end', () => resolve(found));
    stream.resume();
  });
}

function sharesOf(files: readonly FileSummary[]): Shares {
  const share = (kind: 'Line' | 'Branch' | 'Function'): number => {
    const sum = (word: 'total' | 'covered'): number => files.reduce((all, one) => all + one[`${word}${kind}Count`], 0);
    return Math.round((1000 * sum('covered')) / Math.max(sum('total'), 1)) / 10;
  };
  return { lines: share('Line'), branches: share('Branch'), functions: share('Function') };
}

const names = ['lines', 'branches', 'functions'] as const;
const recorded = JSON.parse(await readFile(file, 'utf8').catch(() => '{}')) as Minimum;
const reached = await measure();
if (reached.length === 0) {
  console.error(`coverage: Node ${process.versions.node} does not report coverage: use Node 24 or later`);
  process.exit(1);
}
const raised: Record<string, Shares> = {};
for (const [half, folders] of Object.entries(halves)) {
  const own = reached.filter(({ path }) => folders.some((folder) => relative(root, path).startsWith(folder)));
  const [now, minimum] = [sharesOf(own), recorded[half] ?? { lines: 0, branches: 0, functions: 0 }];
  console.log(`${half}: ${names.map((name) => `${name} ${now[name]} % (minimum ${minimum[name]} %)`).join(', ')}`);
  for (const name of names.filter((one) => now[one] + slack < minimum[one])) {
    console.error(`coverage: ${half}: ${name} ${now[name]} %, below the minimum of ${minimum[name]} %`);
    if (process.argv.includes('--check')) process.exitCode = 1;
  }
  const higher = (name: keyof Shares): number => Math.max(now[name], minimum[name]);
  raised[half] = { lines: higher('lines'), branches: higher('branches'), functions: higher('functions') };
}
if (process.argv.includes('--record')) await writeFile(file, `${JSON.stringify(raised, null, 2)}\n`);
