// Runs the real Helm for every vector (fixtures/vectors) and records the results that changed.
// `npm run reference -- record-vectors [WORD…] [--check]`: only files whose name contains one of the words; `--check` writes nothing.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ChartRun,
  chartOfExpressions,
  commandOf,
  type ExpressionGroup,
  type ExpressionRow,
  isSameOutput,
  matches,
  outputsOf,
  readVectorFiles,
  vectorsDirectory,
  writeRun,
} from '../../test/support/vectors.ts';
import { askBounded, helmBinary, helmProgram } from '../dev/tools/helm-binary.ts';
import { writeFiles } from '../dev/tools/write-files.ts';

const { helm } = await helmBinary();
const workspace = await mkdtemp(join(tmpdir(), 'drydock-vectors-'));
const changed: string[] = [];

type Entry = ExpressionGroup | ChartRun;

async function within<T>(ask: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(workspace, 'one-'));
  try {
    return await ask(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Returns the output of expressions in one chart, or Helm's standard error without its last newline. */
function askExpressions(group: ExpressionGroup, expressions: readonly string[]): Promise<readonly string[] | string> {
  return within(async (folder) => {
    await writeFiles(join(folder, 'c'), chartOfExpressions(group, expressions));
    await writeFiles(folder, { x: group.valuesFile ?? '' });
    const flags = [...(group.valuesFile === undefined ? [] : ['-f', './x']), ...(group.args ?? [])];
    const answer = await askBounded(helm, ['template', 'r', 'c', ...flags], { cwd: folder });
    return outputsOf(answer.stdout, expressions.length) ?? answer.stderr.replace(/\n$/, '');
  });
}

async function askRow(group: ExpressionGroup, row: ExpressionRow): Promise<ExpressionRow> {
  const [expression, , , order] = row;
  const answer = await askExpressions(group, [expression]);
  const output = typeof answer === 'string' ? answer : (answer[0] as string);
  const result = typeof answer === 'string' ? 'err' : 'ok';
  if (row[1] === result && isSameOutput(row, output)) return row;
  changed.push(`${group.group}: ${expression}`);
  return order === undefined ? [expression, result, output] : [expression, result, output, order];
}

async function askGroup(group: ExpressionGroup): Promise<ExpressionGroup> {
  // The rows that rendered together before are tried together again; those that differ run separately.
  const shared = group.batch ? group.rows.filter(([, result]) => result === 'ok') : [];
  const together =
    shared.length < 2
      ? ''
      : await askExpressions(
          group,
          shared.map(([expression]) => expression),
        );
  const known = new Set(
    typeof together === 'string' ? [] : shared.filter((row, i) => isSameOutput(row, together[i] as string)),
  );
  const rows: ExpressionRow[] = [];
  for (const row of group.rows) rows.push(known.has(row) ? row : await askRow(group, row));
  return { ...group, rows };
}

function askRun(run: ChartRun): Promise<ChartRun> {
  return within(async (cwd) => {
    await writeRun(run, cwd);
    const program = run.helm === undefined ? helm : await helmProgram(run.helm);
    const answer = await askBounded(program, commandOf(run), { cwd, env: run.env });
    const { exitCode } = answer;
    const [stdout, stderr] = [answer.stdout, answer.stderr].map((text) => text.replaceAll(cwd, '{cwd}')) as [
      string,
      string,
    ];
    // The stack trace of a Helm crash has a different memory address each time.
    if (exitCode < 0) return run;
    if (exitCode === run.exitCode && matches(run.stdout, stdout) && matches(run.stderr, stderr)) return run;
    changed.push(run.name);
    return { ...run, exitCode, stdout, stderr };
  });
}

/** Returns JSON on one line, with a blank after each comma and colon. */
function line(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(line).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value).replaceAll('\ufeff', '\\ufeff');
  return `{${Object.entries(value)
    .map(([key, member]) => `${JSON.stringify(key)}: ${line(member)}`)
    .join(', ')}}`;
}

/** Returns an entry as formatted in the file: a run or a group with one row on one line; otherwise one line for each row. */
function block(entry: Entry): string {
  if (!('rows' in entry) || entry.rows.length === 1) return `  ${line(entry)}`;
  const members = Object.entries(entry).map(([key, member]) =>
    key === 'rows'
      ? `    "rows": [\n${entry.rows.map((row) => `      ${line(row)}`).join(',\n')}\n    ]`
      : `    ${JSON.stringify(key)}: ${line(member)}`,
  );
  return `  {\n${members.join(',\n')}\n  }`;
}

const words = process.argv.slice(2).filter((word) => word !== '--check');
const isCheck = process.argv.includes('--check');
try {
  for (const [file, entries] of readVectorFiles()) {
    if (words.length > 0 && !words.some((word) => file.includes(word))) continue;
    const before = changed.length;
    const pending: Entry[] = [];
    for (const entry of entries) pending.push('rows' in entry ? await askGroup(entry) : await askRun(entry));
    const text = `[\n${pending.map(block).join(',\n')}\n]\n`;
    if (!isCheck) await writeFile(join(vectorsDirectory, `${file}.json`), text);
    console.log(`${file}: ${changed.length - before} answers are others than recorded`);
  }
} finally {
  await rm(workspace, { recursive: true, force: true });
}
for (const name of changed) console.log(`  ${name}`);
process.exitCode = isCheck && changed.length > 0 ? 1 : 0;
