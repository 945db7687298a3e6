// A signal ends a script and the tools that run for it: nothing goes on unseen, no folder is left, and it is told.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadChart } from '../../../render/chart/load.ts';
import { memoryRegistry } from '../../../render/chart/registry.ts';
import { renderOrder } from '../../../render/rendered-order.ts';
import { loadOrder, renderSample } from '../../support/orders.ts';
import { shells } from '../../support/shells.ts';

const platform = await renderSample(loadOrder('platform.json'));

// A tool that stands still at its first change, tells its number, and dies of nothing but what it is sent.
const tool = `#!/bin/sh
case "$1" in
  upgrade | apply)
    trap 'echo ended >>"$FAKE_HOME/ended"; exit 1' TERM
    echo "$$" >>"$FAKE_HOME/waiting"
    while :; do sleep 0.1; done ;;
esac
`;

interface Ended {
  readonly code: number | null;
  readonly stderr: string;
  readonly waiting: readonly string[];
  readonly ended: number;
  readonly left: readonly string[];
}

async function until(holds: () => boolean): Promise<void> {
  for (const start = Date.now(); !holds() && Date.now() - start < 20_000; )
    await new Promise((resolve) => setTimeout(resolve, 20));
}

const linesOf = (file: string): string[] => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []);

/** Runs a script, sends it a signal when so many tools stand still, and gives what is left of it. */
async function signalled(
  script: string,
  shell: readonly string[],
  { signal, args = [], count = 1 }: { signal: NodeJS.Signals; args?: readonly string[]; count?: number },
): Promise<Ended> {
  const home = mkdtempSync(join(tmpdir(), 'drydock-signals-'));
  try {
    for (const folder of ['bin', 'tmp']) mkdirSync(join(home, folder));
    for (const name of ['helm', 'kubectl']) writeFileSync(join(home, 'bin', name), tool, { mode: 0o755 });
    writeFileSync(join(home, 'install.sh'), script);
    const [command = 'sh', ...words] = shell;
    const child = spawn(command, [...words, join(home, 'install.sh'), ...args], {
      env: {
        ...process.env,
        PATH: `${join(home, 'bin')}:${process.env.PATH}`,
        FAKE_HOME: home,
        TMPDIR: join(home, 'tmp'),
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      stderr += part;
    });
    const end = new Promise<number | null>((resolve) => child.on('close', resolve));
    await until(() => linesOf(join(home, 'waiting')).length >= count);
    child.kill(signal);
    const code = await end;
    const [waiting, ended] = [linesOf(join(home, 'waiting')), linesOf(join(home, 'ended')).length];
    return { code, stderr, waiting, ended, left: readdirSync(join(home, 'tmp')) };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const signals = [
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const;

for (const { name, command } of shells) {
  test(`a signal ends the script and its tool at once (${name})`, async () => {
    for (const script of [platform.helmScript(), platform.yamlScript()]) {
      for (const [signal, wanted] of signals) {
        const { code, stderr, waiting, ended, left } = await signalled(script, command, { signal });
        assert.equal(code, wanted, stderr);
        assert.deepEqual([waiting.length, ended, left], [1, 1, []], `${signal}\n${stderr}`);
        assert.match(stderr, new RegExp(`error: package ops/ops failed with exit code ${wanted}\n$`));
      }
    }
  });
}

// Packages that need nothing of each other are worked on at once, each by a shell of its own.
const three = await renderOrder(
  {
    spec: {
      packages: ['a', 'b', 'c'].map((name) => ({
        chart: { name, releaseName: name, namespace: `in-${name}`, sourceRef: { kind: 'Embed', name } },
      })),
    },
  },
  {
    registry: memoryRegistry(
      ['a', 'b', 'c'].map((name) =>
        loadChart({
          'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`,
          'templates/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
        }),
      ),
    ),
    chartPath: ({ selection }) => selection.chart.name,
  },
);

for (const { name, command } of shells) {
  test(`a signal ends all that --parallel runs at once (${name})`, async () => {
    for (const script of [three.helmScript(), three.yamlScript()]) {
      for (const [signal, wanted] of signals) {
        const run = await signalled(script, command, { signal, args: ['--parallel', '2'], count: 2 });
        assert.equal(run.code, wanted, run.stderr);
        assert.deepEqual([run.waiting.length, run.ended, run.left], [2, 2, []], `${signal}\n${run.stderr}`);
        for (const one of ['in-a/a', 'in-b/b'])
          assert.match(run.stderr, new RegExp(`error: package ${one} failed with exit code 143\n`));
      }
    }
  });
}

for (const { name, command } of shells) {
  test(`with --json the last words of all come out, after a signal too (${name})`, async () => {
    for (const script of [three.helmScript(), three.yamlScript()]) {
      for (const [signal, wanted] of signals) {
        const run = await signalled(script, command, { signal, args: ['--json', '--parallel', '2'], count: 2 });
        assert.equal(run.code, wanted, run.stderr);
        assert.deepEqual([run.waiting.length, run.ended, run.left], [2, 2, []], `${signal}\n${run.stderr}`);
        const lines = run.stderr.split('\n').slice(0, -1);
        const said = lines.map((line) => JSON.parse(line) as { readonly step: string; readonly message: string });
        for (const one of ['in-a/a', 'in-b/b']) {
          const [{ step } = { step: '' }] = said.filter(
            ({ message }) => message === `error: package ${one} failed with exit code 143`,
          );
          assert.equal(step, `package ${one}`);
        }
      }
    }
  });
}

for (const { name, command } of shells) {
  test(`a signal that comes as a tool is started ends it too (${name})`, async () => {
    // The shell is slow to note the number of what it has started.
    const slow = (script: string, mark: string): string => {
      assert.ok(script.includes(mark));
      return script.replace(mark, `sleep 0.5\n${mark}`);
    };
    for (const [script, args] of [
      [slow(platform.yamlScript(), '  child=$!'), []],
      [slow(three.helmScript(), '  child=$!'), ['--parallel', '2']],
      [slow(three.yamlScript(), '    pids="$pids $!"'), ['--parallel', '2']],
    ] as const) {
      const run = await signalled(script, command, { signal: 'SIGTERM', args });
      assert.equal(run.code, 143, run.stderr);
      assert.deepEqual([run.waiting.length, run.left], [run.ended, []], run.stderr);
    }
  });
}
