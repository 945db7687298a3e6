// Runs `drydock snapshot` on whole repositories of public charts: run time, size of the snapshots, and the lines printed when nothing
// changed and when one default value did. `npm run bench -- repositories REPOSITORY... [--kube LIST]`, after `npm run build`.

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { findCharts } from '../../test/conformance/charts.ts';
import { builtCommand, environment } from './measure.ts';

const { values: flags, positionals } = parseArgs({
  options: { kube: { type: 'string', default: '1.31,1.34' } },
  allowPositionals: true,
});

interface Run {
  readonly seconds: number;
  readonly exitCode: number;
  readonly lines: readonly string[];
  readonly errors: string;
}

function snapshot(cwd: string, args: readonly string[]): Run {
  const start = performance.now();
  const argv = [builtCommand, 'snapshot', ...args, '--no-cache', '--kube-version', flags.kube];
  const options = { cwd, env: environment, encoding: 'utf8', maxBuffer: 1 << 30 } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, options);
  const seconds = (performance.now() - start) / 1000;
  const lines = stdout.split('\n').filter((line) => line !== '');
  return { seconds, exitCode: status ?? 1, lines, errors: stderr };
}

function bytesBelow(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return files.reduce((sum, path) => sum + statSync(path).size, 0);
}

/** Changes the first default value that affects the snapshots. Returns the edit and the output. */
function changedValue(root: string, charts: readonly string[]): readonly [edit: string, run: Run] | undefined {
  const edits: readonly (readonly [RegExp, string])[] = [
    [/^( *pullPolicy:) *"?IfNotPresent"?$/m, '$1 Always'],
    [/^( *(?:replicaCount|replicas):) *1$/m, '$1 2'],
  ];
  for (const chart of charts) {
    const file = join(root, chart, 'values.yaml');
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    for (const [from, to] of edits) {
      const edited = text.replace(from, to);
      if (edited === text) continue;
      writeFileSync(file, edited);
      const run = snapshot(root, charts);
      writeFileSync(file, text);
      if (run.exitCode === 1) return [`${chart}: ${from.exec(text)![0].trim()}`, run];
    }
  }
  return undefined;
}

console.log('| repository | charts | seconds | snapshots, KB | lines, no change | lines, one value changed | value |');
console.log('|---|---:|---:|---:|---:|---:|---|');
for (const repository of positionals) {
  const root = mkdtempSync(join(tmpdir(), 'drydock-repositories-'));
  try {
    cpSync(repository, root, { recursive: true });
    // Skips charts that lack a dependency or do not render with their defaults.
    const all = (await findCharts(root)).map((path) => relative(root, path));
    const charts = all.filter((chart) => snapshot(root, [chart, '--update']).exitCode === 0);
    rmSync(join(root, 'snapshots'), { recursive: true, force: true });
    if (charts.length === 0) continue;
    snapshot(root, [...charts, '--update']);
    const green = snapshot(root, charts);
    const size = bytesBelow(join(root, 'snapshots'));
    const [edit = '', changed] = changedValue(root, charts) ?? [];
    const row = [
      basename(repository),
      `${charts.length} of ${all.length}`,
      green.seconds.toFixed(1),
      Math.round(size / 1000),
      `${green.lines.length}${green.exitCode === 0 ? '' : ' (differs)'}`,
      changed?.lines.length ?? '',
      edit.replaceAll('|', '\\|'),
    ];
    console.log(`| ${row.join(' | ')} |`);
    if (green.lines.length > 5 || green.exitCode !== 0)
      console.error(green.lines.join('\n').slice(0, 3000), green.errors);
    if (changed !== undefined && changed.lines.length > 15) console.error(changed.lines.join('\n').slice(0, 5000));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
