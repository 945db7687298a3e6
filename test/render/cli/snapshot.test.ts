// `drydock snapshot` over many charts and cases: names of snapshots, and failing cases.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { chartIn, chartYaml, createProject } from '../../support/project.ts';

const project = createProject();
const { folder, read, remove, write } = project;
const run = (...argv: string[]) => project.run(['snapshot', ...argv]);

function writeChart(path: string, files: Readonly<Record<string, string>> = {}): void {
  write(
    chartIn(path, {
      'Chart.yaml': chartYaml('web'),
      'templates/a.yaml': 'kind: A\nmetadata: {name: a}\nspec: {{ required "size is missing" .Values.size }}\n',
      'values.yaml': 'size: 1\n',
      ...files,
    }),
  );
}

test('a folder of charts means its charts, and snapshots without an input are reported', async () => {
  writeChart('all/one');
  writeChart('all/two');
  mkdirSync(join(folder, 'all/notes'));
  assert.equal((await run('all', '--update')).exitCode, 0);
  assert.deepEqual(readdirSync(join(folder, 'snapshots')), ['one.snap', 'two.snap']);
  remove('all/two');
  const { exitCode, stdout, stderr } = await run('all/');
  assert.deepEqual([exitCode, stdout], [0, 'snapshots/one.snap: same (1 file)\n']);
  assert.match(stderr, /^Note: no input of this run has the snapshot snapshots\/two\.snap;/);
  assert.equal((await run('all/one')).stderr, '');
});

test('charts with the same name are named by their paths', async () => {
  writeChart('a/same');
  writeChart('b/same');
  await run('a/same', 'b/same', '--update', '--snapshots', 'by-path');
  assert.ok(existsSync(join(folder, 'by-path/a/same.snap/default.yaml')));
  assert.ok(existsSync(join(folder, 'by-path/b/same.snap/default.yaml')));
  assert.equal((await run('a/same', 'b/same', '--snapshots', 'by-path')).exitCode, 0);
  assert.equal((await run('a/same', join(folder, 'a/same'))).exitCode, 2);
});

test('a failing case is reported with its values files, and the other cases are compared', async () => {
  writeChart('cases', { 'ci/bad-values.yaml': 'size: 2\n', 'ci/good-values.yaml': 'size: 3\n' });
  await run('cases', '--update');
  write({ 'cases/ci/also-bad-values.yaml': 'size: null\n' });
  write({ 'cases/ci/bad-values.yaml': 'size: null\n' });
  write({ 'cases/ci/good-values.yaml': 'size: 4\n' });
  const { exitCode, stdout, stderr } = await run('cases');
  assert.equal(exitCode, 1);
  const [title, error, ...rest] = stderr.split('\n');
  assert.equal(title, 'cases, case also-bad-values (cases/ci/also-bad-values.yaml) does not render:');
  assert.match(String(error), /^Error: .*size is missing/);
  assert.equal(rest.filter((line) => line.startsWith('Error')).length, 0);
  assert.equal(rest.at(-3), 'cases, case bad-values (cases/ci/bad-values.yaml) does not render for the same reason.');
  assert.match(stdout, /^cases differs from its snapshot: 1 object changed\n/);
  assert.match(stdout, /\ncases\/ci\/good-values\.yaml:1 {2}size\n/);
  assert.ok(!stdout.includes('bad-values'));
  // An update keeps the snapshot of a failing case.
  assert.equal((await run('cases', '--update')).exitCode, 1);
  assert.equal(read('snapshots/cases.snap/bad-values.yaml').includes('spec: 2'), true);
  assert.equal(read('snapshots/cases.snap/good-values.yaml').includes('spec: 4'), true);
});

test('only the case that differs fails, whatever the names of the others', async () => {
  writeChart('names');
  write({ 'values.yaml': 'size: 2\n', 'values.prod.yaml': 'size: 2\n', 'order.yaml': 'size: 2\n' });
  const cases = ['values.yaml', 'values.prod.yaml', 'order.yaml'].flatMap((file) => ['--values', file]);
  await run('names', ...cases, '--update');
  write({ 'values.prod.yaml': 'size: 3\n' });
  const junit = (await run('names', ...cases, '--report', 'junit')).stdout;
  assert.deepEqual(junit.match(/(?<=name=")[^"]+(?=" time="[^"]*"><failure)/g), ['values.prod']);
  assert.match((await run('names', ...cases)).stdout, /^values\.prod\.yaml:1 {2}size {2}in values\.prod$/m);
});

test('a case of a hidden values file is compared with its recording', async () => {
  writeChart('hidden', { 'ci/.small-values.yaml': 'size: 2\n' });
  await run('hidden', '--update');
  const { exitCode, stdout } = await run('hidden');
  assert.deepEqual([exitCode, stdout], [0, 'snapshots/hidden.snap: same (1 file)\n']);
});

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels: {helm.sh/chart: "web-{{ .Chart.Version }}"}
spec:
  replicas: {{ .Values.size }}
  template:
    metadata:
      annotations: {checksum/config: {{ .Values.theme | sha256sum }}}
    spec:
      containers: [{name: web, image: "web:{{ .Chart.AppVersion }}"}]
`;

test('a chart version, the order of keys and comments are not differences', async () => {
  writeChart('meaning', { 'templates/a.yaml': deployment, 'values.yaml': 'size: 1\ntheme: a\n' });
  await run('meaning', '-u');
  write({
    'meaning/Chart.yaml': chartYaml('web', '', '1.0.1'),
    'meaning/templates/a.yaml': `# a comment\nkind: Deployment\n${deployment.replace('kind: Deployment\n', '')}`,
  });
  const { exitCode, stdout } = await run('meaning');
  assert.deepEqual([exitCode, stdout], [0, 'snapshots/meaning.snap: same (1 file, 1 written otherwise)\n']);
  assert.equal((await run('meaning', '--exact')).exitCode, 1);
});

const secret = `apiVersion: v1
kind: Secret
metadata: {name: db}
stringData: {password: {{ .Values.password }}, token: "{{ randAlphaNum 20 }}"}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: site}
data: {url: "https://{{ uuidv4 }}.example.com/"}
`;

test('random values are stored as <random>, secrets as fingerprints', async () => {
  writeChart('drawn', { 'templates/a.yaml': secret, 'values.yaml': 'password: open-sesame\n' });
  const { stdout } = await run('drawn', '-u');
  assert.match(stdout, /\n {2}<random> Secret db stringData\.token, written by web\/templates\/a\.yaml:4\n/);
  const recorded = read('snapshots/drawn.snap/default.yaml');
  assert.match(recorded, /password: <secret [0-9a-f]{16}>\n {2}token: <random>\n/);
  assert.match(recorded, /url: https:\/\/<random>\.example\.com\/\n/);
  // An additional random value before them changes every later one.
  writeChart('drawn', {
    'templates/a.yaml': `{{ $x := randAlphaNum 3 }}${secret}`,
    'values.yaml': 'password: open-sesame\n',
  });
  assert.equal((await run('drawn')).exitCode, 0);
  write({ 'drawn/values.yaml': 'password: sesame-open\n' });
  const { stdout: changed } = await run('drawn');
  assert.match(changed, /data\.password: "<secret [0-9a-f]{16}>" -> "<secret [0-9a-f]{16}>" {2}\[secret-changed\]/);
  assert.ok(!changed.includes('sesame'));
});

test('a values file sets the objects that lookup finds, and that its case must fail', async () => {
  const template =
    '{{ (lookup "v1" "ConfigMap" "a" "b").data | toYaml }}: {{ len (lookup "v1" "ConfigMap" "" "").items }}\n';
  writeChart('words', {
    'templates/a.yaml': `kind: A\nmetadata: {name: a}\nspec:\n  ${template}`,
    'templates/b.yaml': '{{ if .Values.bad }}{{ fail "no" }}{{ end }}',
    'ci/cluster.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b, namespace: a}\ndata: c\n',
    'ci/more.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: d, namespace: c}\n',
    'ci/good-values.yaml': '# drydock: cluster cluster.yaml\n# drydock: cluster more.yaml\n',
    'ci/bad-values.yaml': '# drydock: cluster cluster.yaml\n# drydock: fails\nbad: true\n',
  });
  assert.equal((await run('words', '-u')).exitCode, 0);
  assert.match(read('snapshots/words.snap/good-values.yaml'), /spec:\n {2}c: 2\n/);
  assert.match(read('snapshots/words.snap/bad-values.failure.txt'), /: no\n$/);
  assert.equal((await run('words')).exitCode, 0);
  write({ 'words/ci/bad-values.yaml': '# drydock: cluster cluster.yaml\n# drydock: fails\n' });
  assert.match(
    (await run('words')).stderr,
    /case bad-values .*\nError: words: the chart renders, but its values file expects it to fail/,
  );
  write({ 'words/ci/bad-values.yaml': '# drydock: fail\n' });
  const { exitCode, stderr } = await run('words');
  assert.deepEqual([exitCode, stderr.includes('did you mean "fails"?')], [2, true]);
});

test('an unchanged long template is no cause, and a changed one is', async () => {
  const lines = Array.from({ length: 2100 }, (_, i) => `  l${i}: ""`).join('\n');
  const template = `{{- if .Values.size }}\nkind: ConfigMap\napiVersion: v1\nmetadata: {name: a}\ndata:\n  size: {{ .Values.size | quote }}\n${lines}\n{{- end }}\n`;
  writeChart('long', { 'templates/a.yaml': template, 'values.yaml': 'size: 1\n' });
  await run('long', '--update');
  write({ 'long/values.yaml': 'size: 2\n' });
  const valued = await run('long');
  assert.match(valued.stdout, /\nlong\/values\.yaml:1 {2}size\n/);
  assert.doesNotMatch(valued.stdout, /templates/);
  write({ 'long/values.yaml': 'size: 1\n' });
  write({ 'long/templates/a.yaml': template.replace('l7: ""', 'l7: "7"') });
  const { stdout } = await run('long');
  assert.match(stdout, /\nlong\/templates\/a\.yaml\n {2}~ ConfigMap default\/a\n {4}~ data\.l7: "" -> "7"\n/);
});

test('hundreds of removed items of a long list are listed in full, with one cause', async () => {
  const items = Array.from({ length: 4000 }, (_, at) => at);
  const values = (of: readonly number[]): string => JSON.stringify({ size: 1, list: of.map((at) => `item-${at}`) });
  const template = 'kind: A\nmetadata: {name: a}\nspec:\n  list:\n{{ range .Values.list }}  - {{ . }}\n{{ end }}';
  writeChart('long', { 'templates/a.yaml': template, 'values.yaml': values(items) });
  await run('long', '-u');
  const isGone = (at: number): boolean => at % 10 === 3;
  writeChart('long', { 'templates/a.yaml': template, 'values.yaml': values(items.filter((at) => !isGone(at))) });
  const { stdout } = await run('long', '--verbose');
  assert.equal(stdout.match(/^long\/values\.yaml:1 {2}list$/gm)?.length, 1);
  const output = [...stdout.matchAll(/- spec\.list\[(\d+)\]: "item-\1"\n/g)];
  assert.deepEqual(
    output.map(([, at]) => Number(at)),
    items.filter(isGone),
  );
});

test('a merge conflict in a record is reported as missing causes, until it is recreated', async () => {
  writeChart('torn');
  await run('torn', '-u');
  write({ 'torn/values.yaml': 'size: 2\n' });
  project.edit('snapshots/torn.snap/.record.json', /^/, '<<<<<<< HEAD\n');
  const { exitCode, stdout, stderr } = await run('torn');
  assert.equal(exitCode, 1);
  assert.doesNotMatch(stdout, /values\.yaml:/);
  assert.match(
    stderr,
    /^Note: snapshots\/torn\.snap\/\.record\.json is missing or incomplete, .* --update writes it again$/m,
  );
  assert.equal((await run('torn', '-u')).stderr, '');
  assert.equal((await run('torn')).stderr, '');
  write({ 'snapshots/torn.snap/.record.json': '{"form": 4}' });
  assert.match((await run('torn')).stderr, /which a later drydock writes\n.*record it again/);
});
