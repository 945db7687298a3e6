// `drydock explain`, `values`, `images` and `coverage`: flags, exit codes and errors. Their output is in executed pages: render/docs.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { captureCommand } from '../../support/cli.ts';
import { createProject } from '../../support/project.ts';

const fixtures = join(import.meta.dirname, '../../../fixtures');
const run = (line: string) => captureCommand(line.split(' '), { cwd: fixtures });

test('explain: a page with every object', async () => {
  const { folder, read } = createProject();
  const { stdout } = await run(`explain charts/web --html ${folder}/web.html`);
  assert.match(stdout, /web\.html: 5 objects\n$/);
  assert.ok(read('web.html').includes('replicas: {{ .Values.replicaCount }}'));
});

test('explain: missing objects and lines are reported in a sentence', async () => {
  for (const [line, exitCode, words] of [
    ['explain charts/web', 2, /name an object, a line with/],
    ['explain orders/shop.yaml --line 3', 2, /name a chart/],
    ['explain charts/web --line 99999', 1, /no line 99999/],
    ['explain charts/web Deploymnt/release-name-web', 1, /Did you mean Deployment\/release-name-web\?/],
    ['explain charts/web Deployment/release-name-web spec.none', 1, /the object has no spec\.none/],
    ['explain charts/broken-template A/b', 1, /nil pointer evaluating/],
  ] as const) {
    const answer = await run(line);
    assert.deepEqual([answer.exitCode, answer.stdout], [exitCode, ''], line);
    assert.match(answer.stderr, words);
  }
});

const { folder, write } = createProject({
  'prod.yaml': 'replicaCount: 3\nimage:\n  tag: "9"\n  pullPolicy: IfNotPresent\nwrong:\n  name: 1\n',
});
const given = join(folder, 'prod.yaml');
const order = 'values orders/shop.yaml --charts charts';

test('values: the merged values as YAML, which render the same', async () => {
  const { stdout } = await run(`values charts/web -f ${given}`);
  write({ 'merged.yaml': stdout });
  const merged = await run(`template charts/web -f ${folder}/merged.yaml`);
  assert.equal(merged.stdout, (await run(`template charts/web -f ${given}`)).stdout);
});

test('values: differences from the defaults, and values that nothing reads', async () => {
  const changed = await run(`values charts/web -f ${given} --defaults-changed`);
  assert.equal(changed.stdout, 'image:\n  tag: "9"\nreplicaCount: 3\nwrong:\n  name: 1\n');
  assert.equal((await run('values charts/web --unused')).stdout, '{}\n');
});

test('values: of an Order, package by package', async () => {
  const { stdout } = await run(`${order} --defaults-changed --origin`);
  assert.match(stdout, /^# package backend\nauth:\n {2}database: shop # orders\/shop\.yaml:17\n/);
  assert.match(stdout, /^# package web\n/m);
  const json = JSON.parse((await run(`${order} --json`)).stdout);
  assert.deepEqual(
    json.map((one: { package: string }) => one.package),
    ['backend', 'web'],
  );
});

test('unreadable input is an error, and an invalid command line is refused', async () => {
  assert.equal((await run('values orders/invalid/nothing.yaml')).exitCode, 1);
  assert.equal((await run('values')).exitCode, 2);
  assert.equal((await run('images a b')).exitCode, 2);
  assert.equal((await run('images charts/web --format xml')).exitCode, 2);
});

test('snapshot: --explain says why a case does not render, cached or not', async () => {
  const { folder } = createProject();
  const words = `snapshot charts/broken-template --explain --snapshots ${folder}/s --cache ${folder}/cache`;
  for (const _ of ['rendered', 'cached']) {
    assert.match(
      (await run(words)).stderr,
      /nil pointer[\s\S]*so there is no settings\.depth[\s\S]*Set settings\.depth\./,
    );
  }
});

test('coverage: exit codes for limits, failing cases and wrong usage', async () => {
  const short = await run('coverage charts/web --min 80 --min-branches 90');
  assert.equal(short.exitCode, 1);
  assert.match(short.stderr, /^Error: web: \d+\.\d % of branches ran, less than 90 %\n$/);
  const upgraded = await run('coverage charts/web --min 80 --upgrade --json');
  assert.equal(upgraded.exitCode, 0);
  assert.match(upgraded.stdout, /"name": "minimal-values upgrade"/);
  const failed = await run('coverage charts/broken-template --json');
  assert.equal(failed.exitCode, 1);
  assert.match(failed.stderr, /^Error: broken-template, case default: /);
  assert.match(JSON.parse(failed.stdout).charts[0].cases[0].failure, /nil pointer/);
  for (const words of ['', ' charts/web --min 101', ' charts/web --json --format lcov']) {
    assert.equal((await run(`coverage${words}`)).exitCode, 2, words);
  }
});

test('coverage: within a snapshot run, for its cases, with reports and limits', async () => {
  const { folder, read } = createProject();
  const web = `snapshot charts/web --snapshots ${folder}/s`;
  const reports = `--coverage-report ${folder}/deep/c.html --coverage-report ${folder}/c.json`;
  await run(`${web} --update`);
  const whole = await run(`${web} charts/broken-template ${reports}`);
  assert.equal(whole.exitCode, 1);
  assert.match(
    whole.stdout,
    /same \(2 files\)\nchart +cases +actions.*\n.*web +\d+ +95\.9 % +73\.8 % .*\n.*broken-template +\d+, \d+ failed/,
  );
  assert.match(read('deep/c.html'), /2 cases: minimal-values, production-values/);
  const { charts } = JSON.parse(read('c.json'));
  assert.match(charts[1].cases[0].failure, /nil pointer/);
  const short = await run(`${web} --min-branches 90 --json`);
  assert.equal(short.exitCode, 1);
  assert.equal(JSON.parse(short.stdout).inputs[0].status, 'same');
  assert.match(short.stderr, /^web: 95.*\nError: web: 73\.8 % of branches ran, less than 90 %\n$/);
  assert.equal((await run(`${web} --coverage`)).exitCode, 0);
  const wrong = await run(`${web} --coverage-report c.pdf`);
  assert.deepEqual([wrong.exitCode, /ends in \.html/.test(wrong.stderr)], [2, true]);
});
