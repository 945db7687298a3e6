// Runs the real Helm for every vector (fixtures/vectors) and records the results that changed.
// `npm run reference -- record-vectors [WORD…] [--check]`: only files whose name contains one of the words; `--check` writes nothing.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { recordedHelms } from '../../test/support/rows.ts';
import {
  type ChartRun,
  commandOf,
  matches,
  readVectorFiles,
  vectorsDirectory,
  writeRun,
} from '../../test/support/vectors.ts';
import { askBounded, helmProgram } from '../dev/tools/helm-binary.ts';
import { temporaryFolder } from '../dev/tools/tools.ts';

const workspace = temporaryFolder('drydock-vectors-');
const changed: string[] = [];

async function askRun(run: ChartRun): Promise<ChartRun> {
  const cwd = await mkdtemp(join(workspace, 'one-'));
  await writeRun(run, cwd);
  const answer = await askBounded(await helmProgram(run.helm ?? recordedHelms[3]), commandOf(run), {
    cwd,
    env: run.env,
  });
  await rm(cwd, { recursive: true });
  const { exitCode } = answer;
  const [stdout, stderr] = [answer.stdout, answer.stderr].map((text) => text.replaceAll(cwd, '{cwd}')) as [
    string,
    string,
  ];
  // A crash of Helm leaves a stack trace with other memory addresses each time.
  if (exitCode < 0) return run;
  if (exitCode === run.exitCode && matches(run.stdout, stdout) && matches(run.stderr, stderr)) return run;
  changed.push(run.name);
  return { ...run, exitCode, stdout, stderr };
}

/** Returns JSON on one line, with a blank after each comma and colon. */
function line(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(line).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value).replaceAll('\ufeff', '\\ufeff');
  return `{${Object.entries(value)
    .map(([key, member]) => `${JSON.stringify(key)}: ${line(member)}`)
    .join(', ')}}`;
}

const words = process.argv.slice(2).filter((word) => word !== '--check');
const isCheck = process.argv.includes('--check');
for (const [file, runs] of readVectorFiles()) {
  if (words.length > 0 && !words.some((word) => file.includes(word))) continue;
  const before = changed.length;
  const lines: string[] = [];
  for (const run of runs) lines.push(`  ${line(await askRun(run))}`);
  const text = `[\n${lines.join(',\n')}\n]\n`;
  if (!isCheck) await writeFile(join(vectorsDirectory, `${file}.json`), text);
  console.log(`${file}: ${changed.length - before} results changed`);
}
for (const name of changed) console.log(`  ${name}`);
process.exitCode = isCheck && changed.length > 0 ? 1 : 0;
