// Compares drydock with real Helm in one run: whole processes, renderings in a warm process, many cases, a page.
// `npm run bench [-- --charts DIR…] [--only PART,…] [--runs N] [--count N] [--many N] [--json FILE] [--record]`;
// `npm run docs -- reference` writes the table of the recorded run.

import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { recordedHelms } from '../../test/support/rows.ts';
import { buildLauncher } from '../build/build.ts';
import { helmBinary } from '../dev/tools/helm-binary.ts';
import { cacheDirectory } from '../dev/tools/pinned-package.ts';
import { type Bench, measureCharts, measureMany, measureWhole } from './beside-helm.ts';
import { publicCases } from './measure.ts';
import { measurePage } from './page.ts';
import { compareRuns, completed, formatRun, type Recorded, type Row, type Section, sections } from './table.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const record = join(root, 'scripts/docs/speed.json');

const { values: flags } = parseArgs({
  options: {
    charts: { type: 'string', multiple: true, default: [] },
    only: { type: 'string', default: sections.join(',') },
    runs: { type: 'string', default: '7' },
    count: { type: 'string', default: '300' },
    many: { type: 'string', default: '1000' },
    json: { type: 'string' },
    record: { type: 'boolean', default: false },
  },
});

function selectedParts(): Section[] {
  const names = flags.only.split(',');
  const unknown = names.find((name) => !(sections as readonly string[]).includes(name));
  if (unknown !== undefined) throw new Error(`unknown part --only ${unknown}: choose from ${sections.join(', ')}`);
  return sections.filter((name) => names.includes(name));
}

async function readRecord(): Promise<Recorded | undefined> {
  const text = await readFile(record, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Recorded);
}

/** Measures the selected parts. Parts that need charts are skipped if there are none. */
async function measureParts(bench: Bench, parts: readonly Section[]): Promise<Row[]> {
  const rows: Row[] = [];
  const collect = async (measurement: Promise<readonly Row[]>): Promise<void> => {
    const made = (await measurement).filter(({ section }) => parts.includes(section));
    // Printed after each part, so that a failure of a later part does not lose the results.
    console.log(`${formatRun({ rows: made })}\n`);
    rows.push(...made);
  };
  if (parts.includes('whole')) {
    await buildLauncher(dirname(bench.drydock));
    await collect(measureWhole(bench));
  }
  const needCharts = parts.filter((part) => part === 'cold' || part === 'again' || part === 'many');
  if (bench.cases.length === 0) {
    if (needCharts.length > 0)
      console.log(`skipped: ${needCharts.join(', ')}; select folders of charts with --charts DIR…`);
  } else {
    if (parts.includes('cold') || parts.includes('again')) await collect(measureCharts(bench));
    if (parts.includes('many')) await collect(measureMany(bench));
  }
  if (parts.includes('page')) await collect(measurePage(bench));
  return rows;
}

async function run(): Promise<void> {
  const parts = selectedParts();
  const { helm } = await helmBinary();
  const bench: Bench = {
    root,
    helm,
    drydock: join(cacheDirectory, 'bench-dist/drydock.cjs'),
    runs: Number(flags.runs),
    count: Number(flags.count),
    many: Number(flags.many),
    cases: await publicCases(flags.charts),
  };
  const made: Recorded = {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'processor'}`,
    node: process.version,
    helm: `v${recordedHelms[3]}`,
    rows: await measureParts(bench, parts),
  };
  const earlier = await readRecord();
  for (const line of compareRuns(earlier, made)) console.log(line);
  const whole = `${JSON.stringify(completed(made, earlier, parts), null, 2)}\n`;
  if (flags.json !== undefined) await writeFile(flags.json, whole);
  if (flags.record) await writeFile(record, whole);
}

await run();
