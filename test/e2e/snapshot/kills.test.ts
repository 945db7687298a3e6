// A killed update of a snapshot leaves complete files, and a snapshot with files of two runs is reported.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { folderStore } from '../../../render/snapshot.node.ts';
import { runInProcess } from '../../support/cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = temporaryFolder('drydock-snapshot-kills-');
const write = (name: string, text: string): void => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
};
const run = (...argv: string[]) => runInProcess(['snapshot', ...argv], folder);

test('a killed update leaves the snapshot of one run, or one that is reported as interrupted', {
  timeout: 120_000,
}, async () => {
  const root = join(folder, 'killed.snap');
  const files = (run: string): Map<string, string> =>
    new Map(Array.from({ length: 60 }, (_, at) => [`case-${at}.yaml`, `kind: A\nrun: ${run}\nat: ${at}\n`]));
  folderStore(root).write(files('0'), new Map([['.record.json', '0']]));
  const module = JSON.stringify(join(import.meta.dirname, '../../../render/snapshot.node.ts'));
  // Writes one run after another until the process is killed.
  const script = `
    const { folderStore } = await import(${module});
    const files = (run) => new Map(Array.from({ length: 60 }, (_, at) => ['case-' + at + '.yaml', 'kind: A\\nrun: ' + run + '\\nat: ' + at + '\\n']));
    process.stdout.write('ready');
    for (let run = 1; ; run++) folderStore(${JSON.stringify(root)}).write(files(String(run % 7)), new Map([['.record.json', String(run % 7)]]));
  `;
  let interrupted = 0;
  for (let at = 0; at < 12; at++) {
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    await new Promise((resolve) => setTimeout(resolve, at * 3));
    child.kill('SIGKILL');
    await once(child, 'exit');
    const runs = new Set([...folderStore(root).read().values()].map((text) => /run: (\d)/.exec(text)?.[1]));
    runs.add(readFileSync(join(root, '.record.json'), 'utf8'));
    const isInterrupted = existsSync(join(root, '.updating'));
    // Every file is complete, and all are of one run unless the snapshot is marked.
    assert.equal(runs.has(undefined), false);
    assert.ok(runs.size === 1 || isInterrupted, [...runs].join());
    if (isInterrupted) interrupted++;
  }
  assert.ok(interrupted > 0);
  write('web/Chart.yaml', 'apiVersion: v2\nname: web\nversion: 1.0.0\n');
  write('web/templates/a.yaml', 'kind: A\nmetadata: {name: a}\n');
  await run('web', '--update');
  writeFileSync(join(folder, 'snapshots/web.snap/.updating'), '');
  for (const more of [[], ['--no-cache']]) {
    const { exitCode, stderr } = await run('web', ...more);
    assert.equal(exitCode, 1);
    assert.match(
      stderr,
      /an update of snapshots\/web\.snap was interrupted, so its files may be of two runs\nRecord it again/,
    );
  }
  await run('web', '--update');
  assert.equal((await run('web')).exitCode, 0);
});
