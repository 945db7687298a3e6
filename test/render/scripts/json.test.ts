// With --json everything that a script says on standard error is a line of JSON, what its tools say too.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadChart } from '../../../render/chart/load.ts';
import { memoryRegistry } from '../../../render/chart/registry.ts';
import { renderOrder } from '../../../render/rendered-order.ts';
import { loadOrder, renderSample } from '../../support/orders.ts';
import { runScript, shells } from '../../support/shells.ts';

const platform = await renderSample(loadOrder('platform.json'));

interface Line {
  readonly time: string;
  readonly level: string;
  readonly step: string;
  readonly message: string;
}

const linesOf = (text: string): Line[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);

for (const { name, command } of shells) {
  test(`${name}: what tools say is told with the step that it belongs to, and a failure as an error`, () => {
    const behaviour = `case "\${0##*/} $1" in
      'kubectl apply') echo applied; printf 'Warning: a "quoted" \\\\ word\\twith a tab\\n\\n' >&2 ;;
      'kubectl rollout') echo 'error: timed out' >&2; exit 3 ;;
    esac`;
    const run = runScript(platform.yamlScript(), command, { behaviour, args: ['--json'] });
    assert.equal(run.code, 3);
    assert.match(run.stdout, /^applied\n/);
    const lines = linesOf(run.stderr);
    const told = (text: string): Line | undefined => lines.find(({ message }) => message.startsWith(text));
    assert.deepEqual(Object.keys(lines[0] as Line), ['time', 'level', 'step', 'message']);
    const { level, step, message } = told('Warning: ') as Line;
    assert.deepEqual(
      { level, step, message },
      { level: 'warning', step: 'package ops/ops', message: 'Warning: a "quoted" \\ word\twith a tab' },
    );
    assert.equal(told('error: timed out')?.level, 'error');
    assert.equal(lines.at(-1)?.message, 'error: package ops/ops failed with exit code 3');
  });
}

test('packages side by side tell their own steps, and the sum belongs to none', async () => {
  const names = ['a', 'b', 'c'];
  const config = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';
  const charts = names.map((name) =>
    loadChart({ 'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`, 'templates/a.yaml': config }),
  );
  const packages = names.map((name) => ({
    chart: { name, releaseName: name, namespace: `in-${name}`, sourceRef: { kind: 'Embed', name } },
  }));
  const order = await renderOrder(
    { spec: { packages } },
    { registry: memoryRegistry(charts), chartPath: ({ selection }) => selection.chart.name },
  );
  const behaviour = `case "\${0##*/} $1" in 'kubectl apply' | 'helm upgrade') echo "note $*" >&2 ;; esac`;
  for (const script of [order.helmScript(), order.yamlScript()]) {
    const run = runScript(script, ['sh'], { behaviour, args: ['--json', '--parallel', '3'] });
    assert.equal(run.code, 0, run.stderr);
    const lines = linesOf(run.stderr);
    const notes = lines.filter(({ message }) => message.startsWith('note '));
    assert.deepEqual(
      new Set(notes.map(({ step }) => step)),
      new Set(names.map((name) => `package in-${name}/${name}`)),
    );
    for (const { step, message } of notes) {
      const [, namespace = ''] = / --namespace (\S+)/.exec(message) ?? [];
      if (namespace !== '') assert.ok(step.startsWith(`package ${namespace}/`), `${step}: ${message}`);
    }
    assert.equal(lines.at(-2)?.step, '');
    assert.match(String(lines.at(-2)?.message), /^\d+ of \d+ packages: /);
  }
});

test('what a tool leaves behind, and holds its standard error, keeps no script waiting', () => {
  const behaviour = `case "\${0##*/} $1" in 'kubectl apply') sleep 60 >/dev/null & ;; esac`;
  const start = Date.now();
  const run = runScript(platform.yamlScript(), ['sh'], { behaviour, args: ['--json', '--only', 'ops'] });
  assert.equal(run.code, 0, run.stderr);
  assert.ok(Date.now() - start < 50_000);
  linesOf(run.stderr);
});
