// Measures drydock, beside the programs that it is compared with: whole processes and snapshots beside Helm, the engine in a page, and the
// emulator beside json-server and Prism.
// `npm run bench [-- --charts DIR…] [--only PART,…] [--runs N] [--cases N] [--record]`; `npm run docs -- reference` writes the table of the
// recorded run.

import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { listCases } from '../../test/conformance/charts.ts';
import { recordedHelms } from '../../test/support/rows.ts';
import { helmBinary } from '../dev/tools/helm-binary.ts';
import { cacheDirectory } from '../dev/tools/pinned-package.ts';
import { buildProduct } from '../dev/tools/product.ts';
import { measureEmulator } from './emulator.ts';
import { type Bench, measureWhole } from './measure.ts';
import { measurePage } from './page.ts';
import { measureSnapshot } from './snapshot.ts';
import { compareRuns, formatRun, type Recorded, type Row, type Section } from './table.ts';

const record = join(import.meta.dirname, '../docs/speed.json');

const parts: Readonly<Record<Section, (bench: Bench) => Promise<readonly Row[]>>> = {
  whole: measureWhole,
  snapshot: measureSnapshot,
  page: measurePage,
  emulator: measureEmulator,
};

const { values: flags } = parseArgs({
  options: {
    charts: { type: 'string', multiple: true, default: [] },
    only: { type: 'string', default: Object.keys(parts).join() },
    runs: { type: 'string', default: '7' },
    cases: { type: 'string', default: '1000' },
    record: { type: 'boolean', default: false },
  },
});
const { helm } = await helmBinary();
const bench: Bench = {
  helm,
  drydock: await buildProduct(),
  runs: Number(flags.runs),
  caseCount: Number(flags.cases),
  cases: await listCases(
    flags.charts.map((folder) => resolve(folder)),
    join(cacheDirectory, 'conformance'),
  ),
};
const earlier = JSON.parse(await readFile(record, 'utf8')) as Recorded;
const selected = flags.only.split(',') as Section[];
const rows: Row[] = [];
for (const part of Object.keys(parts) as Section[]) {
  if (selected.includes(part)) rows.push(...(await parts[part](bench)));
  // A part that is not selected keeps its recorded rows.
  else rows.push(...earlier.rows.filter(({ section }) => section === part));
}
const made: Recorded = {
  date: new Date().toISOString().slice(0, 10),
  machine: `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'processor'}`,
  node: process.version,
  helm: `v${recordedHelms[3]}`,
  rows,
};
console.log(formatRun({ rows: rows.filter(({ section }) => selected.includes(section)) }));
for (const line of compareRuns(earlier, made)) console.log(line);
if (flags.record) await writeFile(record, `${JSON.stringify(made, null, 2)}\n`);
