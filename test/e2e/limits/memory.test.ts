// An input that needs more memory than a thread has: `snapshot` reports it, and the others are compared.

import { equal, match } from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { execa } from 'execa';

const program = new URL('../../../emulator/cli/main.node.ts', import.meta.url).pathname;

const manifest = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';
// Keeps 600,000 dicts.
const growing = `{{ range until 300 }}{{ $dicts := list }}{{ range until 2000 }}{{ $dicts = append $dicts (dict "a" (printf "%d" .)) }}{{ end }}
{{ $_ := set $.Values (printf "k%d" .) $dicts }}{{ end }}
`;

test('an input that takes too much memory fails, and the run goes on', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'drydock-memory-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, before] of [
    ['a', ''],
    ['b', growing],
    ['c', ''],
  ] as const) {
    mkdirSync(join(folder, name, 'templates'), { recursive: true });
    writeFileSync(join(folder, name, 'Chart.yaml'), `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`);
    writeFileSync(join(folder, name, 'templates/a.yaml'), before + manifest);
  }
  const { exitCode, stdout, stderr } = await execa(
    process.execPath,
    [
      '--import',
      import.meta.resolve('tsx'),
      program,
      'snapshot',
      'a',
      'b',
      'c',
      '--update',
      '--jobs',
      '2',
      '--no-cache',
    ],
    { cwd: folder, env: { NODE_OPTIONS: '--max-old-space-size=100' }, reject: false },
  );
  equal(exitCode, 1, stderr);
  equal(stdout, '2 snapshots: 2 files written, 0 removed');
  match(stderr, /^Error: b: .* took more memory than a thread of Node has\n/);
});
