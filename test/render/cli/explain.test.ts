// `drydock explain` and `drydock coverage` as a user runs them: output, exit codes, and errors.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { runInProcess } from '../../support/cli.ts';
import { createProject } from '../../support/project.ts';

const fixtures = join(import.meta.dirname, '../../../fixtures');
const run = (line: string) => runInProcess(line.split(' '), fixtures);

test('explain: a line in full, with every place that sets its value', async () => {
  const { exitCode, stdout } = await run(
    'explain charts/web deployment/release-name-web spec.replicas --set replicaCount=5',
  );
  assert.equal(exitCode, 0);
  assert.ok(
    stdout.includes(`5
  written by web/templates/deployment.yaml:9:16
    9 |   replicas: {{ .Values.replicaCount }}
                       ^^^^^^^^^^^^^^^^^^^^
  replicaCount = 5: used here
    set by --set replicaCount=5
    over charts/web/values.yaml:2:1 (2)
`),
    stdout,
  );
});

test('explain: for an Order the places are in the Order', async () => {
  const { exitCode, stdout } = await run('explain orders/shop.yaml Deployment/web spec.replicas --charts charts');
  assert.equal(exitCode, 0);
  assert.match(
    stdout,
    /replicaCount = 3: used here\n {4}set by orders\/shop\.yaml:\d+:\d+ \(patch\)\n {4}over web\/values\.yaml:2:1 \(2\)\n/,
  );
});

test('explain: a whole object with a margin, a line of the manifest, JSON', async () => {
  const { stdout: service } = await run('explain charts/web Service/default/release-name-web');
  assert.match(service, /^web\/templates\/service\.yaml:9 +\| {5}- port: 80$/m);
  const { stdout: manifest } = await run('template charts/web');
  const line = manifest.split('\n').findIndex((text) => text.startsWith('  replicas:')) + 1;
  const { stdout } = await run(`explain charts/web --line ${line} --json`);
  const [found] = JSON.parse(stdout).lines;
  assert.equal(found.text, '  replicas: 2');
  assert.deepEqual(found.parts.at(-1).values, [
    {
      path: 'replicaCount',
      steps: ['replicaCount'],
      chart: 'web',
      how: 'exact',
      value: 2,
      setBy: [{ kind: 'chart', where: 'charts/web/values.yaml', value: 2, line: 2, column: 1, path: 'replicaCount' }],
    },
  ]);
});

test('explain: a page with every object', async () => {
  const { folder, read } = createProject();
  const { stdout } = await run(`explain charts/web --html ${folder}/web.html`);
  assert.match(stdout, /web\.html: 5 objects\n$/);
  assert.ok(read('web.html').includes('replicas: {{ .Values.replicaCount }}'));
});

test('explain: missing objects and lines are reported in a sentence', async () => {
  const cases: readonly (readonly [line: string, exitCode: number, words: RegExp])[] = [
    ['explain', 2, /takes an Order or a chart/],
    ['explain charts/web', 2, /name an object, a line with/],
    ['explain orders/shop.yaml --line 3', 2, /name a chart/],
    ['explain charts/web --line 0', 2, /a line number, from 1/],
    ['explain charts/web --line 99999', 1, /no line 99999/],
    ['explain charts/web --line 2', 1, /names the source of a document/],
    ['explain charts/web Deploymnt/release-name-web', 1, /Did you mean Deployment\/release-name-web\?/],
    ['explain charts/web Deployment/release-name-web spec.none', 1, /the object has no spec\.none/],
    ['explain charts/none A/b', 1, /charts\/none/],
    ['explain charts/broken-template A/b', 1, /nil pointer evaluating/],
  ];
  for (const [line, exitCode, words] of cases) {
    const answer = await run(line);
    assert.equal(answer.exitCode, exitCode, line);
    assert.match(answer.stderr, words);
    assert.equal(answer.stdout, '');
  }
});

test('coverage: exit codes for limits, failing cases and wrong usage', async () => {
  const short = await run('coverage charts/web --min 80 --min-branches 90');
  assert.equal(short.exitCode, 1);
  assert.match(short.stderr, /^Error: web: \d+\.\d % of branches ran, less than 90 %\n$/);
  assert.equal((await run('coverage charts/web --min 80')).exitCode, 0);
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
