// Runs the real Helm for every row of fixtures/{templates,functions,yaml} and records the results that changed: that of Helm 3, and that of
// Helm 4 where it differs. Rows that vary between two runs are removed.
// `npm run reference -- record-functions [WORD…] [--others] [--check]`: only files whose path contains one of the words. `--others` runs all
// other versions instead, and records results that differ from those of their major version. `--check` writes nothing.

import { parseArgs } from 'node:util';
import { type HelmVersion, helmVersions } from '../../render/core/helm-version.ts';
import { majorOf } from '../../render/helm/versions.ts';
import { askFailing, askRendering, askRow, type RowInput } from '../../test/fuzz/helm-rows.ts';
import {
  answerOf,
  idOf,
  mutates,
  type Row,
  type RowAnswer,
  type RowFile,
  readRowFiles,
  recordedHelms,
  writeRowFile,
} from '../../test/support/rows.ts';
import { helmProgram } from '../dev/tools/helm-binary.ts';
import { temporaryFolder } from '../dev/tools/tools.ts';

const batchSize = 150;

const { values: flags, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { others: { type: 'boolean', default: false }, check: { type: 'boolean', default: false } },
});
const recordedVersions: readonly HelmVersion[] = Object.values(recordedHelms);
const asked = flags.others ? helmVersions.filter((version) => !recordedVersions.includes(version)) : recordedVersions;
const workspace = temporaryFolder('drydock-rows-');

/** The results of a version by row; undefined for a result that varies. */
type Results = ReadonlyMap<Row, RowAnswer | undefined>;

/** Returns the results of a version: the recorded ones that batches confirm, others from a run of their own. */
async function resultsOf(version: HelmVersion, file: RowFile): Promise<Results> {
  const program = await helmProgram(version);
  const input = (row: Row): RowInput => ({ ...file, template: row.template, values: row.values ?? file.values });
  const results = new Map<Row, RowAnswer | undefined>();
  const askAll = async (ask: typeof askRendering, rows: readonly Row[]): Promise<void> => {
    for (let i = 0; i < rows.length; i += batchSize) {
      const batch = rows.slice(i, i + batchSize);
      const answers = await ask(program, workspace, batch.map(input));
      for (const [at, row] of batch.entries()) results.set(row, answers[at]);
    }
  };
  const fails = (row: Row): boolean => answerOf(row, version).error !== undefined;
  const rendering = file.rows.filter((row) => !fails(row) && !mutates(row));
  for (const values of new Set(rendering.map((row) => row.values))) {
    const rows = rendering.filter((row) => row.values === values);
    await askAll(askRendering, rows);
  }
  await askAll(askFailing, file.rows.filter(fails));

  for (const row of file.rows) {
    const [recorded, batched] = [answerOf(row, version), results.get(row)];
    if (isSame(batched, recorded)) continue;
    const ask = (): Promise<RowAnswer | undefined> => askRow(program, workspace, input(row));
    const answer = await ask();
    if (answer === undefined) throw new Error(`Helm ${version} does not answer ${row.template}`);
    const isStable = isSame(answer, recorded) || isSame(answer, batched) || isSame(answer, await ask());
    results.set(row, isStable ? answer : undefined);
  }
  return results;
}

function isSame(one: RowAnswer | undefined, other: RowAnswer | undefined): boolean {
  return one !== undefined && one.want === other?.want && one.error === other?.error;
}

/** Returns a row with new results; undefined if one of them varies. */
function recordRow(row: Row, results: ReadonlyMap<HelmVersion, Results>): Row | undefined {
  const answers = new Map([...results].map(([version, of]) => [version, of.get(row)]));
  if ([...answers.values()].includes(undefined)) return undefined;
  const [three, four] = ([3, 4] as const).map(
    (major) => answers.get(recordedHelms[major]) ?? answerOf(row, recordedHelms[major]),
  ) as [RowAnswer, RowAnswer];
  const others: { versions: HelmVersion[]; answer: RowAnswer }[] = [];
  for (const version of helmVersions) {
    const usual = majorOf(version) === 4 ? four : three;
    const known = row.others?.some(({ versions }) => versions.includes(version)) ? answerOf(row, version) : usual;
    const answer = answers.get(version) ?? known;
    if (isSame(answer, usual)) continue;
    const alike = others.find((one) => isSame(answer, one.answer));
    if (alike === undefined) others.push({ versions: [version], answer });
    else alike.versions.push(version);
  }
  return {
    template: row.template,
    ...(row.values !== undefined && { values: row.values }),
    ...three,
    ...(!isSame(four, three) && { helm4: four }),
    ...(others.length > 0 && { others: others.map(({ versions, answer }) => ({ versions, ...answer })) }),
  };
}

let changes = 0;
for (const file of await readRowFiles()) {
  if (words.length > 0 && !words.some((word) => file.path.includes(word))) continue;
  const results = new Map<HelmVersion, Results>();
  for (const version of asked) results.set(version, await resultsOf(version, file));
  const rows: Row[] = [];
  for (const row of file.rows) {
    const recorded = recordRow(row, results);
    if (recorded !== undefined) rows.push(recorded);
    if (JSON.stringify(recorded) === JSON.stringify(row)) continue;
    changes++;
    console.log(`  ${recorded === undefined ? 'varies' : 'changed'}: ${idOf(file.path, row)}`);
  }
  if (!flags.check) await writeRowFile({ ...file, rows });
  console.log(`${file.path}: ${rows.length} rows`);
}
console.log(`${changes} rows changed`);
process.exitCode = flags.check && changes > 0 ? 1 : 0;
