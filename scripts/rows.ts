// Asks the real binary about every row of fixtures/{templates,functions,yaml} and writes its answers into the files.
// `npm run conformance:rows [-- WORD…]`: only files whose path holds one of the words. Rows that vary between two runs go.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { chartOfRow, type Row, type RowFile, readRowFiles, shortenError, textOfOutput } from '../test/support/rows.ts';
import { askBounded, helmBinary } from './tools/helm-binary.ts';
import { writeFiles } from './tools/write-files.ts';

const fixtures = fileURLToPath(new URL('../fixtures', import.meta.url));
const batchSize = 150;
/** Rows that write to what other rows read must not share a run with them. */
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

/** Asks many rows in one run; undefined when one of them fails. */
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

/** Asks rows in batches, halving a batch that fails until the failing rows stand alone. */
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

const words = process.argv.slice(2);
let total = 0;
try {
  for (const file of await readRowFiles()) {
    if (words.length > 0 && !words.some((word) => file.path.includes(word))) continue;
    const first = await regenerate(file);
    // Errors name no random thing; texts may (map order, keys, the time).
    const again = await regenerate({ ...file, rows: first.filter((row) => row.want !== undefined) });
    const second = new Map(again.map((row) => [row.template, row.want]));
    const stable = first.filter((row) => row.want === undefined || row.want === second.get(row.template));
    const document = { values: file.values, rows: stable };
    const heading =
      '# Written by `npm run conformance:rows` from the answers of Helm v3.17.3; edit the templates, not the answers.\n';
    await writeFile(join(fixtures, file.path), heading + stringify(document, { lineWidth: 0 }));
    total += stable.length;
    console.log(`${file.path}: ${stable.length} rows, ${first.length - stable.length} dropped because they vary`);
  }
} finally {
  await rm(workspace, { recursive: true, force: true });
}
console.log(`${total} rows`);
