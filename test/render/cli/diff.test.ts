// `drydock diff` as a user runs it: inputs, output, exit codes, and errors.

import assert from 'node:assert/strict';
import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { captureCommand } from '../../support/cli.ts';
import { chartIn, chartYaml, createProject } from '../../support/project.ts';

const fixtures = join(import.meta.dirname, '../../../fixtures');
const project = createProject();
const { folder, edit, git, write } = project;
const copy = (from: string, to: string): void => cpSync(from, join(folder, to), { recursive: true });
copy(join(fixtures, 'charts/web'), 'charts/web');
copy(join(fixtures, 'orders/shop.yaml'), 'shop.yaml');
const run = (...argv: string[]) => project.run(['diff', ...argv]);

const configMap = (name: string, data: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {${data}}\n`;

test('no secret appears in a cause, from any source', async () => {
  const chart = (word: string): Record<string, string> => ({
    'templates/secret.yaml': `apiVersion: v1\nkind: Secret\nmetadata: {name: db}\nstringData:\n  a: {{ .Values.a }}\n  b: ${word}\n`,
    'templates/labelled.yaml': `apiVersion: v1\nkind: Secret\nmetadata:\n  name: other\n  labels: {team: {{ .Values.team }}}
  annotations: {sum: {{ sha256sum .Values.a }}}\n---\nkind: A\nmetadata:\n  name: a\n  labels: {team: {{ .Values.team }}}\n`,
  });
  write({ ...chartIn('db', chart('codfish-new')), ...chartIn('old-db/db', chart('codfish-old')) });
  const before = ['--set', 'a=swordfish', '--set', 'team=red'];
  const after = ['--new-set', 'a=swordfishes', '--new-set', 'team=blue'];
  for (const form of ['text', 'json', 'html', 'github']) {
    const { stdout } = await run('old-db/db', 'db', ...before, ...after, '--report', form);
    assert.doesNotMatch(stdout, /swordfish|codfish/);
    assert.match(stdout, /set by --set a=(?:<|&lt;)hidden/);
    assert.match(stdout, /db\/templates\/secret\.yaml(?::|,line=)6/);
    // Plain text values are printed, as in other objects.
    const times = form === 'text' || form === 'json' ? 2 : 1;
    assert.equal(stdout.match(/team, set by --set team=blue/g)?.length, times, stdout);
  }
});

test('no differences', async () => {
  assert.deepEqual(await run('charts/web', 'charts/web'), { exitCode: 0, stdout: '5 the same\n', stderr: '' });
  assert.equal((await run('charts/web', 'charts/web', '--quiet')).stdout, '');
  const { exitCode, stderr } = await run('charts/web', 'charts/web', '--kube-version', '1.31,1.33');
  assert.equal(exitCode, 0);
  assert.equal(stderr, 'Note: charts/web: compared for Kubernetes 1.31 only; snapshot compares every version\n');
});

test('two Orders', async () => {
  copy(join(folder, 'shop.yaml'), 'next.yaml');
  edit('next.yaml', 'path: /replicaCount, value: 3', 'path: /replicaCount, value: 4');
  const folders = ['--charts', 'charts', '--charts', join(fixtures, 'charts')];
  const { exitCode, stdout } = await run('shop.yaml', 'next.yaml', ...folders);
  assert.equal(exitCode, 1);
  assert.match(
    stdout,
    /^~ Deployment shop\/web .*\n {2}~ spec\.replicas: 3 -> 4\n {6}written by .*:9\n {6}because of replicaCount, set by the patch at next\.yaml:30:\d+$/m,
  );
});

test('folders and files of rendered YAML', async () => {
  write({ 'old/a.yaml': `${configMap('a', 'x: 1')}---\n${configMap('b', 'z: 1')}` });
  write({ 'new/b/b.yaml': configMap('b', 'z: 2') });
  write({ 'new/a.yml': configMap('a', 'x: 1') });
  const { exitCode, stdout } = await run('old', 'new');
  assert.equal(exitCode, 1);
  assert.equal(stdout, '1 changed, 1 the same\n\n~ ConfigMap b  (b/b.yaml)\n  ~ data.z: 1 -> 2\n');
  assert.equal((await run('old/a.yaml', 'old')).exitCode, 0);
});

test('the output of kubectl from standard input', async () => {
  const live = configMap('release-name-web', 'x: 1').replace('{name:', '{uid: a-b, namespace: shop, name:');
  const list = `apiVersion: v1\nkind: List\nitems:\n- ${live.replaceAll('\n', '\n  ')}`;
  write(chartIn('live', { 'templates/a.yaml': configMap('{{ .Release.Name }}-web', 'x: 2') }));
  const { exitCode, stdout } = await project.run(['diff', '-', 'live'], { stdin: async () => list });
  assert.equal(exitCode, 1);
  assert.match(
    stdout,
    /^1 changed\n\n~ ConfigMap release-name-web {2}\(live\/templates\/a\.yaml\)\n {2}~ data\.x: 1 -> 2\n$/,
  );
});

test('rules, and rules that match nothing', async () => {
  const rule = 'kind=Deployment path=spec.replicas because an autoscaler sets it';
  const rules = ['--ignore', rule, '--ignore', 'name=nobody because why'];
  const { exitCode, stdout, stderr } = await run('charts/web', '--new-set', 'replicaCount=9', ...rules);
  assert.equal(exitCode, 0);
  assert.match(stdout, /left out: 1 entry: an autoscaler sets it/);
  assert.equal(stderr, 'Warning: --ignore "name=nobody because why" matches nothing\n');
});

test('a rule without a path ignores whole objects: added, removed or renamed ones', async () => {
  write({ 'rule/a.yaml': configMap('a', 'x: 1') });
  write({ 'ruled/a.yaml': `${configMap('b', 'x: 1')}---\napiVersion: v1\nkind: Pod\nmetadata: {name: p-test}\n` });
  const tests = ['--ignore', 'kind=Pod name=*-test because tests'];
  const renamed = await run('rule', 'ruled', ...tests);
  assert.match(renamed.stdout, /^1 renamed\nleft out: 1 entry: tests\n/);
  const both = await run('rule', 'ruled', ...tests, '--ignore', 'name=b because it was called a');
  assert.deepEqual([both.exitCode, both.stderr], [0, '']);
  assert.equal((await run('ruled', 'rule', ...tests, '--ignore', 'name=b because it was called a')).exitCode, 0);
  const path = await run('rule', 'ruled', '--ignore', 'kind=Pod path=* because members alone');
  assert.match(path.stdout, /^\+ Pod p-test/m);
  assert.match(path.stderr, /matches nothing/);
});

test('secrets are fingerprints everywhere', async () => {
  const secret = (password: string): string =>
    `apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {password: ${password}}\n`;
  write({ 's1.yaml': secret('hunter2') });
  write({ 's2.yaml': secret('hunter3') });
  for (const flags of [[], ['--json']]) {
    const { stdout } = await run('s1.yaml', 's2.yaml', ...flags);
    assert.ok(!stdout.includes('hunter'), stdout);
    assert.match(stdout, /<secret [0-9a-f]{16}>/);
  }
  assert.match((await run('s1.yaml', 's2.yaml', '--show-secrets')).stdout, /"hunter2" -> "hunter3"/);
});

// `npm run test:e2e -- cluster-diff` compares many more kinds with a real API server.
test('fields that a server fills in or drops are no difference; fields that a chart drops are', async () => {
  const daemonSet = (metadata: string, container: string): string =>
    `{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: a${metadata}}, spec: {template: {spec: {containers: [{name: a, image: "a:1"${container}}]}}}}\n`;
  const server =
    'imagePullPolicy: IfNotPresent, resources: {limits: {cpu: 500m}, requests: {cpu: 500m}}, ports: [{containerPort: 80, protocol: TCP}]';
  const live = daemonSet(', uid: a-b, resourceVersion: "1", namespace: shop', `, ${server}`);
  write({
    'live.yaml': live,
    'plain.yaml': daemonSet('', ', resources: {limits: {cpu: 0.5}}, tty: false, ports: [{containerPort: 80}]'),
  });
  for (const sides of [
    ['live.yaml', 'plain.yaml'],
    ['plain.yaml', 'live.yaml'],
  ] as const) {
    assert.deepEqual(await run(...sides), { exitCode: 0, stdout: '1 the same\n', stderr: '' });
  }
  for (const [from, to, entry] of [
    ['IfNotPresent', 'Always', /"Always" -> "IfNotPresent"$/m],
    ['requests: {cpu: 500m}', 'requests: {cpu: 250m}', /requests\.cpu: "250m" -> 0\.5$/m],
    ['protocol: TCP', 'protocol: UDP', /"UDP"/],
  ] as const) {
    write({ 'live.yaml': live.replace(from, to) });
    assert.match((await run('live.yaml', 'plain.yaml')).stdout, entry);
  }
});

test('a git revision, from the root and from a folder', async () => {
  git('init', '-q', '.');
  git('add', 'charts', 'shop.yaml', 'old');
  git('commit', '-qm', 'first');
  edit('charts/web/values.yaml', 'replicaCount: 2', 'replicaCount: 7');
  assert.match((await run('HEAD:charts/web', 'charts/web')).stdout, /~ spec\.replicas: 2 -> 7/);
  const inFolder = await captureCommand(['diff', 'HEAD:./web', 'web'], { cwd: join(folder, 'charts') });
  assert.match(inFolder.stdout, /~ spec\.replicas: 2 -> 7/);
  assert.match((await run('HEAD:old/a.yaml', 'new/a.yml')).stdout, /^- ConfigMap b/m);
  for (const word of ['nope:charts/web', 'HEAD:nope']) {
    const { exitCode, stderr } = await run(word, 'charts/web');
    assert.equal(exitCode, 2);
    assert.match(stderr, new RegExp(`^Error: ${word}: `));
  }
});

test('inputs that cannot be compared are reported in a sentence, with exit code 2', async () => {
  write(chartIn('broken', { 'templates/a.yaml': '{{ fail "no" }}' }));
  write({ 'text.yaml': 'No resources found in shop namespace.\n' });
  const cases: readonly (readonly [argv: string, words: RegExp])[] = [
    ['text.yaml charts/web', /text\.yaml holds a text or a list where an object/],
    ['', /takes two Orders, charts, manifests/],
    ['charts/web', /name what charts\/web is compared with/],
    ['- -', /one side alone/],
    ['chart/web charts/web', /there is no chart\/web/],
    ['charts/web broken', /: no$/m],
    ['old new --set a=b', /--set is for charts/],
    ['charts/web charts/web --ignore kind=A', /has no reason/],
  ];
  for (const [argv, words] of cases) {
    const { exitCode, stdout, stderr } = await run(...argv.split(' ').filter((word) => word !== ''));
    assert.deepEqual([exitCode, stdout], [2, ''], argv);
    assert.match(stderr, words);
  }
});

test('random values do not depend on other templates', async () => {
  const secret = (name: string): string =>
    `apiVersion: v1\nkind: Secret\nmetadata: {name: ${name}}\nstringData:\n  password: {{ randAlphaNum 8 }}\n`;
  // So few possible values in the last one that another rendering often draws the same.
  write(
    chartIn('random', {
      'values.yaml': 'first: true\n',
      'templates/a.yaml': `{{ if .Values.first }}\n${secret('a')}{{ end }}`,
      'templates/b.yaml': secret('b'),
      'templates/c.yaml': configMap('c', 'a: "{{ randInt 0 2 }}", b: "{{ randInt 0 2 }}", c: "{{ randInt 0 2 }}"'),
    }),
  );
  assert.match((await run('random', '--new-set', 'first=false')).stdout, /^1 removed, 2 the same\n/);
});

test('a revision is read like the working tree: its dependencies, links and charts', async () => {
  const own = createProject();
  const link = (target: string): void => symlinkSync(target, join(own.folder, 'all/web/files'));
  const commit = (): void => {
    own.git('add', '.');
    own.git('commit', '-qm', 'all');
  };
  const compare = (...argv: string[]) => own.run(['diff', ...argv]);
  const plain = (name: string): Record<string, string> =>
    chartIn(`all/${name}`, { 'templates/a.yaml': configMap(name, 'a: "1"') });
  own.write({
    '.gitignore': '**/charts/redis*\n',
    ...chartIn('all/web', {
      'Chart.yaml': chartYaml(
        'web',
        'dependencies: [{name: redis, version: ^1.0.0, repository: "https://example.com"}]\n',
      ),
      'templates/a.yaml': configMap('a', 'a: "{{ .Files.Get "files/a.txt" | trim }}"'),
    }),
    ...chartIn('all/web/charts/redis', { 'templates/r.yaml': configMap('r', 'a: "1"') }),
    'shared/files/a.txt': 'first\n',
    ...plain('plain'),
  });
  link('../../shared/files');
  own.git('init', '-q');
  commit();
  // The same archives on both sides, with a note.
  const same = await compare('HEAD:all/web', 'all/web');
  assert.deepEqual([same.exitCode, same.stdout], [0, '2 the same\n'], same.stderr);
  assert.match(same.stderr, /uses all\/web\/charts\/redis of the working tree, which git does not track/);
  // A link is followed within the revision. Chart by chart: one added, and one unchanged.
  own.write({ 'shared/files/a.txt': 'second\n', ...plain('new') });
  const { exitCode, stdout } = await compare('HEAD:all', 'all');
  assert.equal(exitCode, 1);
  assert.match(stdout, /^new is different: 1 added\n[\s\S]*\nweb is different: [\s\S]*\n2 of 3 charts differ\n$/);
  assert.match(stdout, /data\.a: "first" -> "second"/);
  // A version other than the one in the revision is not used.
  own.edit('all/web/charts/redis/Chart.yaml', '1.0.0', '2.0.0');
  const other = await compare('HEAD:all/web', 'all/web');
  assert.equal(other.exitCode, 2);
  assert.match(other.stderr, /lacks redis \^1\.0\.0: git does not track it/);
  // Files outside the repository have no revision.
  own.remove('all/web/files');
  link('../../../outside');
  commit();
  const outside = await compare('HEAD:all/web', 'all/web');
  assert.equal(outside.exitCode, 2);
  assert.match(outside.stderr, /the symbolic link all\/web\/files leads to .*, out of the revision/);
  // Neither over another link, nor as the path itself.
  symlinkSync(join(own.folder, 'all/plain'), join(own.folder, 'inside'));
  symlinkSync('/', join(own.folder, 'elsewhere'));
  symlinkSync('../../elsewhere', join(own.folder, 'all/new/files'));
  commit();
  assert.equal((await compare('HEAD:inside', 'all/plain')).stdout, '1 the same\n');
  assert.match(
    (await compare('HEAD:elsewhere', 'all/plain')).stderr,
    /the symbolic link elsewhere leads to \/, out of/,
  );
  assert.match((await compare('HEAD:all/new', 'all/plain')).stderr, /error evaluating symlink .*\/all\/new\/files: /);
});

test('library charts of a folder are not compared', async () => {
  write({
    ...chartIn('mixed/app', { 'templates/a.yaml': configMap('a', 'a: "1"') }),
    'mixed/common/Chart.yaml': chartYaml('common', 'type: library\n'),
  });
  assert.deepEqual(await run('mixed', 'mixed'), { exitCode: 0, stdout: '1 chart, all the same\n', stderr: '' });
});

test('every document of a UTF-16 file is compared, as Windows PowerShell writes it', async () => {
  const text = (value: string): Buffer =>
    Buffer.from(`\ufeff${configMap('a', 'a: "1"')}---\r\n${configMap('b', `b: "${value}"`)}`, 'utf16le');
  write({ 'one.yaml': text('1'), 'two.yaml': text('2').swap16() });
  assert.match((await run('one.yaml', 'two.yaml')).stdout, /^1 changed, 1 the same\n/);
});
