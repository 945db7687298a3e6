// Tests that the engine's bundle renders the same bytes in headless Chromium, with another time zone and language, as in Node, for the
// defaults of every fixture chart (which must match the output of Helm 3 and 4) and for every row of the fixtures.
// `npm run test:e2e -- browser`

import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { readChartPath } from '../../../render/chart/directory.node.ts';
import { buildBrowserEngine } from '../../../scripts/build/build.ts';
import { check, temporaryFolder } from '../../../scripts/dev/tools/tools.ts';
import { type Engine, type EngineCase, runCases } from '../../support/engine-cases.ts';
import { chartsDirectory, type GoldenCase, type GoldenHelm, readCases, readRecord } from '../../support/golden.ts';
import { chartOfRow, idOf, readRowFiles, recordedHelms } from '../../support/rows.ts';
import { reportOfPage } from './page-report.ts';

const root = join(import.meta.dirname, '../../..');
const page = `
import * as engine from '/engine.js';
import { runCases } from '/replay.js';
window.report = runCases(engine, await (await fetch('/cases.json')).json());
`;

function readChart(chart: string): Record<string, string> {
  const files = [...readChartPath(join(chartsDirectory, chart)).files];
  return Object.fromEntries(files.map(([name, data]) => [name, Buffer.from(data).toString('base64')]));
}

/** Returns a golden case without flags as a case of the engine, with the output of Helm. */
async function goldenCase(golden: GoldenCase, helm: GoldenHelm): Promise<GoldenEngineCase> {
  const { chart, name = 'demo' } = golden;
  const options = { helm: recordedHelms[helm], releaseName: name, namespace: 'default' };
  const id = `${chart}/${golden.case} (Helm ${helm})`;
  return { item: { id, files: readChart(chart), options }, stdout: (await readRecord(golden, helm)).stdout };
}

interface GoldenEngineCase {
  readonly item: EngineCase;
  readonly stdout: string;
}

async function rowCases(): Promise<EngineCase[]> {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  return (await readRowFiles()).flatMap(({ path, rows, values, files: texts }) =>
    rows.flatMap((row) => {
      const chart = chartOfRow(row.template, row.values ?? values, texts);
      const files = Object.fromEntries(Object.entries(chart).map(([name, text]) => [name, base64(text)]));
      const id = idOf(path, row);
      const first: EngineCase = { id, files, options: { releaseName: 'r' } };
      return row.helm4 === undefined
        ? [first]
        : [first, { id: `${id} (Helm 4)`, files, options: { releaseName: 'r', helm: recordedHelms[4] } }];
    }),
  );
}

async function runInPage(cases: readonly EngineCase[], engine: Uint8Array): Promise<string[]> {
  const replay = await build({
    entryPoints: [join(root, 'test/support/engine-cases.ts')],
    format: 'esm',
    write: false,
    logLevel: 'warning',
  });
  const content = {
    '/page.js': page,
    '/engine.js': engine,
    '/replay.js': replay.outputFiles[0]?.contents ?? '',
    '/cases.json': JSON.stringify(cases),
  };
  return (await reportOfPage<string[]>(content)).report;
}

async function runInNode(cases: readonly EngineCase[], engine: Uint8Array): Promise<string[]> {
  const folder = temporaryFolder('drydock-engine-');
  const file = join(folder, 'engine.mjs');
  await writeFile(file, engine);
  const module = (await import(pathToFileURL(file).href)) as Engine;
  return runCases(module, cases);
}

const plain = (await readCases()).filter(
  ({ args, chart }) => args.length === 0 && existsSync(join(chartsDirectory, chart)),
);
const golden = await Promise.all(plain.flatMap((one) => [goldenCase(one, 3), goldenCase(one, 4)]));
const cases = [...golden.map(({ item }) => item), ...(await rowCases())];
const { code, gzipBytes } = await buildBrowserEngine();
const inNode = await runInNode(cases, code);
// The browser inherits the environment.
Object.assign(process.env, { TZ: 'Pacific/Chatham', LANG: 'ar_EG.UTF-8', LC_ALL: 'ar_EG.UTF-8' });
const inPage = await runInPage(cases, code);
let differing = 0;
for (const [i, { id }] of cases.entries()) {
  const [node, browser] = [inNode[i], inPage[i]];
  const helm = golden[i]?.stdout;
  if (node === browser && (helm === undefined || helm === '' || helm === node)) continue;
  if (++differing <= 5)
    console.log(`    ${id}\n      node ${JSON.stringify(node)}\n      page ${JSON.stringify(browser)}`);
}
const kibibytes = (bytes: number): number => Math.round(bytes / 1024);
console.log(`    engine ${kibibytes(code.length)} KiB, ${kibibytes(gzipBytes)} KiB gzipped`);
check(
  `${golden.length} golden cases and ${cases.length - golden.length} rows render to the same bytes in a page`,
  differing === 0,
);
