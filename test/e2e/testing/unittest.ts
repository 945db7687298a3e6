// Runs the helm-unittest suites of public charts and counts the tests that pass.
// Usage: npm run test:e2e -- unittest [--of-helm-unittest CHECKOUT] [FOLDER[:PATTERN]…]: charts with tests/*_test.yaml in each folder, or
// with files that match PATTERN, must pass, including snapshots; for a checkout of helm-unittest the output must match its own tests.

import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import { temporaryFolder } from '../../../scripts/dev/tools/tools.ts';
import { type ChartCollection, describe, readCollection } from '../../conformance/charts.ts';
import { runInProcess } from '../../support/cli.ts';

async function unittest(
  cwd: string,
  args: readonly string[],
): Promise<{ readonly code: number; readonly output: string }> {
  const env = process.env as Readonly<Record<string, string>>;
  const argv = ['unittest', '--no-config', '--color=false', ...args];
  const { exitCode, stdout, stderr } = await runInProcess(argv, cwd, env);
  return { code: exitCode, output: stdout + stderr };
}

// A copy, because snapshots are written next to the suites.
function copyOf(folder: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'drydock-unittest-'));
  cpSync(folder, join(copy, basename(folder)), { recursive: true, verbatimSymlinks: true });
  return copy;
}

function suitesBelow(folder: string): readonly string[] {
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  return names.filter((name) => name.endsWith('_test.yaml'));
}

/** Copies a chart with its dependencies from the same folder, whose suites are not run, as for packed ones. */
async function copyComplete(chart: string, collection: ChartCollection): Promise<string> {
  const copy = copyOf(await collection.complete(chart));
  for (const { name } of (await describe(chart)).missing) {
    const folder = join(copy, basename(chart), 'charts', name);
    const inner = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
    for (const path of inner.filter((one) => basename(one) === 'tests'))
      rmSync(join(folder, path), { recursive: true, force: true });
  }
  return copy;
}

const sums = /Charts: +(.*)\nTest Suites: +(.*)\nTests: +(.*)\nSnapshot: +(.*)\n/;

async function checkFolder(word: string): Promise<boolean> {
  const [path = '', pattern] = word.split(':');
  const folder = resolve(path);
  let passed = true;
  const collection = await readCollection([folder], temporaryFolder('drydock-unittest-'));
  const [top = 'tests'] = pattern?.split('*') ?? [];
  const hasOwn = (chart: string): boolean =>
    pattern === undefined ? suitesBelow(join(chart, 'tests')).length > 0 : existsSync(join(chart, top));
  for (const chart of collection.charts.map(([, path]) => path).filter(hasOwn)) {
    const copy = await copyComplete(chart, collection);
    const { missing } = await describe(join(copy, basename(chart)));
    if (missing.length > 0) {
      const names = missing.map(({ name }) => name).join(', ');
      console.log(`skipped ${relative(folder, chart)}: missing dependencies ${names}`);
      rmSync(copy, { recursive: true, force: true });
      continue;
    }
    const isDeep = suitesBelow(join(chart, 'tests')).some((name) => name.includes('/'));
    const files = pattern ?? (isDeep ? 'tests/**/*_test.yaml' : undefined);
    const { code, output } = await unittest(copy, [...(files ? ['-f', files] : []), basename(chart)]);
    const [, , suites = '', tests = '', snapshots = ''] = sums.exec(output) ?? [];
    console.log(
      `${code === 0 ? 'pass' : 'FAIL'} ${relative(folder, chart) || basename(chart)}: ${tests} in ${suites}; ${snapshots}`,
    );
    if (code !== 0) console.log(output.slice(0, 6000));
    passed &&= code === 0;
    rmSync(copy, { recursive: true, force: true });
  }
  return passed;
}

// ---- The tests of helm-unittest itself

const own: Readonly<Record<string, readonly string[]>> = {
  OkWithPassedTests: ['basic'],
  OkWithFailedTests: ['basic', '-f', 'tests_failed/*_test.yaml'],
  OkWithSubSubChartsPassedTests: ['with-subsubcharts', '--with-subchart'],
  OkWithFailingTemplatePassedTest: ['failing-template'],
  OkWithSubSubfolder: ['with-subfolder'],
  WithTestsInSubchart: ['with-subchart', '--with-subchart'],
  WithTestsInSubchartButFlagFalse: ['with-subchart'],
  OkGlobalDoubleWithPassedTests: ['global-double-setting'],
  OkWithFiles: ['with-files'],
  OkWithFullsnapshot: ['full-snapshot'],
  OkWithDocumentSelector: ['with-document-select'],
  OkWithDocumentSelectorWithFailedTests: ['with-document-select', '-f', 'tests_failed/*_test.yaml'],
  OkWithFakeK8sClient: ['with-k8s-fake-client'],
  OkWithSchemaValidation: ['with-schema'],
};

async function checkOwn(checkout: string): Promise<boolean> {
  const copy = copyOf(checkout);
  const cwd = join(copy, basename(checkout), 'pkg', 'unittest');
  let passed = true;
  for (const [name, [chart = '', ...flags]] of Object.entries(own)) {
    const flat = flags.includes('--with-subchart') ? [] : ['--with-subchart=false'];
    const { output } = await unittest(cwd, [...flat, ...flags, `../../test/data/v3/${chart}`]);
    const expected = readFileSync(join(cwd, '.snapshots', `TestV3Runner${name}`), 'utf8');
    const isSame = normalized(output).trim() === expected.trim();
    console.log(`${isSame ? 'same' : 'DIFFERS'} ${name}`);
    if (!isSame) console.log(normalized(output));
    passed &&= isSame;
  }
  rmSync(copy, { recursive: true, force: true });
  return passed;
}

// As in its tests: without times and backslashes, and with sorted suites.
function normalized(output: string): string {
  const text = output.replaceAll('\\', '/').replace(/(Time:\s+)[\d.]+(?:s|ms|µs)/, '$1XX.XXXms');
  const sections = text.split(/(?=(?<!\n)\n*###|(?<!\n)\n*Charts:|(?<!\n)\n*Snapshot Summary:| PASS | FAIL )/);
  const lines: string[] = [];
  let suites: string[] = [];
  for (const section of sections) {
    if (/^ (?:PASS|FAIL) /.test(section)) suites.push(section.trimEnd());
    else {
      lines.push(...suites.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))), section);
      suites = [];
    }
  }
  return [...lines, ...suites].join('\n');
}

const args = process.argv.slice(2);
const isOwn = args[0] === '--of-helm-unittest';
const checkout = isOwn ? args[1] : undefined;
let passed = checkout === undefined || (await checkOwn(resolve(checkout)));
for (const folder of args.slice(isOwn ? 2 : 0)) passed = (await checkFolder(folder)) && passed;
process.exitCode = passed ? 0 : 1;
