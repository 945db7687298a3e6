// Runs the real Helm for every row of fixtures/{templates,functions,yaml} and records the results: that of Helm 3, and that of Helm 4 where it
// differs. `npm run reference -- record-functions [WORD…]`: only files whose path contains one of the words. `--helm 4` runs Helm 4 only. Rows
// that vary between two runs are removed. `--others` runs all other versions and records results that differ from their major version.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { stringify } from 'yaml';
import { type HelmVersion, helmVersions } from '../../render/core/helm-version.ts';
import { majorOf } from '../../render/helm/versions.ts';
import { askFailing, askRendering, askRow } from '../../test/fuzz/helm-rows.ts';
import {
  answerOf,
  chartOfRow,
  type OtherRow,
  otherRowsFile,
  type Row,
  type RowAnswer,
  type RowFile,
  readOtherRows,
  readRowFiles,
  recordedHelms,
  shortenError,
  textOfOutput,
} from '../../test/support/rows.ts';
import { askBounded, helmBinary, helmProgram } from '../dev/tools/helm-binary.ts';
import { writeFiles } from '../dev/tools/write-files.ts';

const fixtures = fileURLToPath(new URL('../../fixtures', import.meta.url));
const batchSize = 150;
/** Rows that write files must not share a run with rows that read them. */
const mutating = /\b(set|unset|merge|mergeOverwrite|mustMerge|mustMergeOverwrite|push|define|block)\b/;

const { helm } = await helmBinary();
const workspace = await mkdtemp(join(tmpdir(), 'drydock-rows-'));

async function askOne(template: string, values: string): Promise<Row> {
  const folder = await mkdtemp(join(workspace, 'one-'));
  await writeFiles(folder, chartOfRow(template, values));
  const { exitCode, stdout, stderr } = await askBounded(helm, ['template', 'r', folder], { cwd: workspace });
  await rm(folder, { recursive: true });
  return exitCode === 0 ? { template, want: textOfOutput(stdout) } : { template, error: shortenError(stderr) };
}

/** Runs many rows together; undefined if one of them fails. */
async function askBatch(templates: readonly string[], values: string): Promise<Row[] | undefined> {
  const folder = await mkdtemp(join(workspace, 'batch-'));
  const files: Record<string, string> = { ...chartOfRow('', values), 'templates/out.yaml': '' };
  templates.forEach((template, i) => {
    files[`templates/_row${i}.tpl`] = template;
    files['templates/out.yaml'] += `r${i}: {{ include "c/templates/_row${i}.tpl" . | toJson }}\n`;
  });
  await writeFiles(folder, files);
  const { exitCode, stdout } = await askBounded(helm, ['template', 'r', folder], { cwd: workspace });
  await rm(folder, { recursive: true });
  if (exitCode !== 0) return undefined;
  const lines = stdout.split('\n').filter((line) => /^r\d+: /.test(line));
  return templates.map((template, i) => ({ template, want: textOfOutput(lines[i]?.replace(/^r\d+/, 'out') ?? '') }));
}

/** Runs rows in batches, and halves a failing batch until the failing rows are isolated. */
async function ask(templates: readonly string[], values: string): Promise<Row[]> {
  if (templates.length === 0) return [];
  const [only] = templates;
  if (templates.length === 1 && only !== undefined) return [await askOne(only, values)];
  const batch = templates.some((template) => mutating.test(template)) ? undefined : await askBatch(templates, values);
  if (batch !== undefined) return batch;
  const middle = Math.ceil(templates.length / 2);
  return [...(await ask(templates.slice(0, middle), values)), ...(await ask(templates.slice(middle), values))];
}

async function regenerate(file: RowFile): Promise<Row[]> {
  const templates = [...new Set(file.rows.map((row) => row.template))];
  const safe = templates.filter((template) => !mutating.test(template));
  const answers = new Map<string, Row>();
  for (let i = 0; i < safe.length; i += batchSize) {
    for (const row of await ask(safe.slice(i, i + batchSize), file.values)) answers.set(row.template, row);
  }
  for (const template of templates) {
    if (!answers.has(template)) answers.set(template, await askOne(template, file.values));
  }
  return templates.map((template) => answers.get(template) as Row);
}

/** Returns the results of the rows that render in a batch. */
async function askMany(program: string, rows: readonly Row[], values: string): Promise<Map<Row, string>> {
  const folder = await mkdtemp(join(workspace, 'many-'));
  const answers = new Map<Row, string>();
  const shares = ({ template }: Row): boolean => !mutating.test(template);
  const take = async (some: readonly Row[], askAll: typeof askRendering): Promise<void> => {
    for (let i = 0; i < some.length; i += batchSize) {
      const batch = some.slice(i, i + batchSize);
      const inputs = batch.map(({ template }) => ({ template, values }));
      for (const [at, answer] of (await askAll(program, folder, inputs)).entries()) {
        if (answer !== undefined) answers.set(batch[at] as Row, answer);
      }
    }
  };
  await take(
    rows.filter((row) => row.error === undefined && shares(row)),
    askRendering,
  );
  await take(
    rows.filter((row) => row.error !== undefined),
    askFailing,
  );
  return answers;
}

/** Returns the results of rows that differ from the expected ones. */
async function askUnexpected(
  program: string,
  file: Pick<RowFile, 'rows' | 'values'>,
  expected: (row: Row) => string,
): Promise<Map<Row, RowAnswer>> {
  const { rows, values } = file;
  const answers = await askMany(program, rows, values);
  const folder = await mkdtemp(join(workspace, 'alone-'));
  const unexpected = new Map<Row, RowAnswer>();
  for (const row of rows) {
    // A different or missing result is confirmed in a separate run.
    if (answers.get(row) === expected(row)) continue;
    const answer = await askRow(program, folder, { template: row.template, values });
    if (answer === undefined) throw new Error(`${program} does not answer ${row.template}`);
    if (answer === expected(row)) continue;
    unexpected.set(row, answer.startsWith('Error: ') ? { error: answer.slice('Error: '.length) } : { want: answer });
  }
  return unexpected;
}

/** Returns rows with Helm 4's result where it differs. */
async function addSecond(rows: readonly Row[], values: string): Promise<Row[]> {
  const first = rows.map(({ helm4: _, ...row }) => row);
  const four = (await helmBinary(4)).helm;
  const unexpected = await askUnexpected(four, { rows: first, values }, (row) => answerOf(row, 3));
  return first.map((row) => (unexpected.has(row) ? { ...row, helm4: unexpected.get(row)! } : row));
}

async function recordOthers(files: readonly RowFile[]): Promise<void> {
  const known = [...(await readOtherRows()).values()].flat();
  const found: OtherRow[] = known.filter(({ path }) => files.every((file) => file.path !== path));
  const recorded: readonly HelmVersion[] = Object.values(recordedHelms);
  for (const version of helmVersions.filter((one) => !recorded.includes(one))) {
    const major = majorOf(version);
    const program = await helmProgram(version);
    let count = 0;
    for (const file of files.filter(({ helms }) => helms.includes(major))) {
      const unexpected = await askUnexpected(program, file, (row) => answerOf(row, major));
      for (const [{ template }, answer] of unexpected) {
        count++;
        const isSame = (one: OtherRow): boolean =>
          one.path === file.path && one.template === template && isDeepStrictEqual(one.answer, answer);
        const at = found.findIndex(isSame);
        if (at < 0) found.push({ path: file.path, template, versions: [version], answer });
        else found[at] = { ...found[at]!, versions: [...found[at]!.versions, version] };
      }
    }
    console.log(`Helm ${version}: ${count} rows differ from the record of its major version`);
  }
  await writeFile(otherRowsFile, `${JSON.stringify(found, null, 1)}\n`);
}

const { values: flags, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { helm: { type: 'string', default: 'both' }, others: { type: 'boolean', default: false } },
});
let total = 0;
try {
  const isWanted = ({ path }: RowFile): boolean => words.length === 0 || words.some((word) => path.includes(word));
  const files = (await readRowFiles()).filter(isWanted);
  if (flags.others) await recordOthers(files);
  for (const file of flags.others ? [] : files) {
    const first = flags.helm === '4' ? file.rows : await regenerate(file);
    // Error messages have no random parts; output may (map order, keys, the time).
    const texts = flags.helm === '4' ? [] : first.filter((row) => row.want !== undefined);
    const again = new Map((await regenerate({ ...file, rows: texts })).map((row) => [row.template, row.want]));
    const isStable = ({ want, template }: Row): boolean => want === undefined || want === again.get(template);
    const stable = flags.helm === '4' ? first : first.filter(isStable);
    const document = { helms: [3, 4], values: file.values, rows: await addSecond(stable, file.values) };
    const heading = `# Written by \`npm run reference -- record-functions\` from the answers of Helm v${recordedHelms[3]} (helm4: where v${recordedHelms[4]} differs); edit the templates, not the answers.\n`;
    await writeFile(join(fixtures, file.path), heading + stringify(document, { lineWidth: 0 }));
    total += stable.length;
    console.log(`${file.path}: ${stable.length} rows, ${first.length - stable.length} dropped because they vary`);
  }
} finally {
  await rm(workspace, { recursive: true, force: true });
}
if (!flags.others) console.log(`${total} rows`);
