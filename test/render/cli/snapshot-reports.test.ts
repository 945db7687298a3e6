// `drydock snapshot` in reports and in shards: every format contains the same, and merged shards equal one run.

import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { type ReviewedChange, reviewOf } from '../../../render/diff/review.ts';
import { formatMarkdown } from '../../../render/report/markdown.ts';
import { chartIn, chartYaml, createProject, type Project } from '../../support/project.ts';
import { assertJunit, assertSarif } from '../../support/report-schemas.ts';

const project = createProject();
const { edit, git, read, write } = project;
const run = (argv: readonly string[], env?: Readonly<Record<string, string>>) =>
  project.run(['snapshot', 'charts', ...argv], env && { env });
const merge = (...argv: string[]) => project.run(['merge-reports', ...argv]);
const formats = ['text', 'json', 'junit', 'github', 'gitlab', 'markdown', 'html', 'sarif'];
const reportsTo = (folder: string): string[] => formats.flatMap((form) => ['--report', `${form}=${folder}/${form}`]);

/** Returns the inputs that a run with `--json` compared. */
function inputsOf({ stdout }: { readonly stdout: string }): string[] {
  if (stdout === 'nothing to render\n') return [];
  return JSON.parse(stdout).inputs.map(({ input }: { readonly input: string }) => input);
}

function commit({ git }: Project): void {
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'all');
}

const template = `kind: ConfigMap
metadata: {name: {{ .Release.Name }}-config}
data:
  size: "{{ .Values.size }}"
  text: {{ .Values.text | quote }}
  {{- if .Values.more }}
  more: "yes"
  {{- end }}
---
kind: Secret
apiVersion: v1
metadata: {name: a}
stringData: {password: {{ randAlphaNum 9 }}, key: {{ .Values.key }}}
`;

before(async () => {
  const cases = ['a', 'b', 'c'].map((item) => [`ci/${item}-values.yaml`, `more: ${item === 'b'}\n`]);
  for (const name of ['one', 'two', 'three']) {
    write(
      chartIn(`charts/${name}`, {
        'values.yaml': 'size: 1\ntext: "<b> & `code` ```"\nkey: open-sesame\nmore: false\n',
        'templates/a.yaml': template,
        ...Object.fromEntries(cases),
      }),
    );
  }
  await run(['--update']);
  write({
    'charts/one/values.yaml': 'size: 2\ntext: "| # @me <i> `x` ```"\nkey: sesame-open\nmore: false\n',
    'charts/two/ci/b-values.yaml': 'size: {}\nmore: {{\n',
    'snapshots/three.snap/gone-values.yaml': 'kind: A\n',
  });
});

test('every report format describes the same run', async () => {
  const { exitCode, stdout } = await run([...reportsTo('reports'), '--report', 'text']);
  assert.equal(exitCode, 1);
  // On a terminal, failures are on standard error; a file contains them too.
  const [fault = ''] =
    /^charts\/two, case b-values \(.*\) does not render:\n {2}.+\n/m.exec(read('reports/text')) ?? [];
  assert.match(fault, /b-values\.yaml/);
  assert.equal(read('reports/text'), stdout);
  const listed = await run(['--verbose']);
  const [stale = ''] = /^Not as recorded: .*\n/m.exec(listed.stderr) ?? [];
  assert.equal(read('reports/text').replace(fault, ''), `${listed.stdout}${stale}`);
  const where = 'charts/one/values.yaml';
  assert.match(
    read('reports/github'),
    /^::error file=charts\/one\/values\.yaml,line=1::size: 1 ConfigMap%0A.*data\.size: "1" -> "2"/m,
  );
  assert.match(read('reports/github'), /^::error file=charts\/two\/ci\/b-values\.yaml::/m);
  const quality = JSON.parse(read('reports/gitlab')) as { location: { path: string }; fingerprint: string }[];
  assert.ok(quality.some(({ location }) => location.path === where));
  assert.equal(new Set(quality.map(({ fingerprint }) => fingerprint)).size, quality.length);
  assertSarif(read('reports/sarif'));
  const junit = read('reports/junit');
  assert.equal(junit.match(/<testcase /g)?.length, 9);
  assert.match(junit, /<testsuite id="0" name="charts\/one" [^>]*tests="3" failures="3"/);
  assertJunit(junit);
  const markdown = read('reports/markdown');
  assert.match(markdown, /^### drydock snapshot: 1 of 3 inputs changes, 2 errors\n/);
  // The text contains a fence of three backticks, so its own has four.
  assert.match(markdown, /\n````diff\n[\s\S]*?\n````\n/);
  assert.match(read('reports/html'), /<h2>charts\/one\/values\.yaml:1 {2}size<\/h2>/);
  for (const form of formats) assert.ok(!/sesame/.test(read(`reports/${form}`)), `${form} holds a secret`);
});

test('a truncated report counts what is left out, and stays well-formed', async () => {
  const change = (name: string) => ({
    status: 'added' as const,
    ...{ apiVersion: 'v1', kind: 'ConfigMap', namespace: '', name, source: 'x', entries: [], risks: [] },
  });
  const summary = { added: 50, removed: 0, changed: 0, replaced: 0, renamed: 0, same: 0, risks: {}, restarts: [] };
  const changes = Array.from({ length: 50 }, (_, i) => ({
    ...change(`c${i}`),
    risks: i === 40 ? (['pvc-removed'] as const) : [],
    causes: [{ kind: 'value', text: `v${i}` }],
  }));
  const difference = (all: readonly ReviewedChange[]) => ({
    review: reviewOf([{ title: 'a', folder: '', changes: all, summary }]),
    ...{ against: '', severity: 'error' as const, texts: [], notes: [] },
  });
  const report = { files: [{ file: 'a', issues: [] }], version: '1', time: new Date(0) };
  const text = formatMarkdown({ ...report, difference: difference(changes) }, 4000);
  assert.ok(text.length <= 4000);
  assert.equal(text.match(/<details/g)?.length, text.match(/<\/details>/g)?.length);
  const [, left = ''] = /the details of the last (\d+) causes, the least risky/.exec(text) ?? [];
  assert.equal((text.match(/<details/g)?.length ?? 0) + Number(left), 50);
  // The riskiest is the first, and open.
  assert.match(text, /\n<details open><summary><b>v40<\/b>/);
  assert.ok(text.indexOf('v40') < text.indexOf('v0'));
  // A very large object leaves room for the others and for errors.
  const entry = {
    op: 'change' as const,
    path: 'data.a',
    steps: {},
    before: 1,
    after: 2,
    risks: [],
    isImmutable: false,
  };
  const long = { ...change('long'), entries: [{ ...entry, lines: `+ x${'😀'.repeat(600)}\n`.repeat(199) }] };
  const issues = [{ severity: 'error' as const, path: '', message: 'boom', file: 'b' }];
  const files = [{ file: 'b', issues }, ...report.files];
  const whole = formatMarkdown({ ...report, files, difference: difference([long, ...changes]) });
  assert.match(whole, /^### drydock check: 1 of 2 inputs changes, 1 error\n[\s\S]*\n- b: error: boom\n/);
  assert.match(whole, /… and 188 more lines\n/);
  assert.doesNotMatch(whole, /[\ud800-\udbff](?![\udc00-\udfff])/);
  assert.equal(whole.match(/<details/g)?.length, 51);
});

test('one report may go to standard output, and others to files', async () => {
  const { stdout } = await run(['--report', 'github']);
  assert.match(stdout, /^::error /);
  assert.equal((await run(['--report', 'github', '--report', 'sarif'])).exitCode, 2);
  assert.match((await run(['--report', 'junt=x'])).stderr, /did you mean "junit"/);
});

// Times differ between runs.
const timeless = (text: string): string =>
  text.replace(/("milliseconds": )[\d.]+/g, '$10').replace(/ (time|timestamp)="[^"]*"/g, '');

test('merged shards equal the reports of a single run, and a missing shard is reported', async () => {
  const coverage = (name: string): string[] => ['--coverage-report', `${name}/coverage.json`];
  await run([...reportsTo('whole'), ...coverage('whole')]);
  for (const shard of [1, 2, 3, 4])
    await run(['--shard', `${shard}/4`, '--report', `json=shard-${shard}.json`, '--coverage']);
  const names = [4, 2, 1, 3].map((shard) => `shard-${shard}.json`);
  const outputs = [...reportsTo('joined'), ...coverage('joined'), '--durations', 'snapshots/durations.json'];
  const joined = await merge(...names, ...outputs);
  assert.equal(joined.exitCode, 1);
  for (const form of formats) assert.equal(timeless(read(`joined/${form}`)), timeless(read(`whole/${form}`)), form);
  const totals = (name: string) =>
    JSON.parse(read(`${name}/coverage.json`)).charts.map((one: { totals: unknown }) => one.totals);
  assert.deepEqual(totals('joined'), totals('whole'));
  assert.equal(Object.keys(JSON.parse(read('snapshots/durations.json'))).length, 9);
  const missing = await merge('shard-1.json', 'shard-2.json', 'shard-4.json');
  assert.deepEqual(
    [missing.exitCode, missing.stderr.split('\n').at(-2)?.slice(0, 35)],
    [1, 'Error: shard 3 of 4 is missing: no '],
  );
  write({ 'again.json': read('shard-1.json') });
  assert.match((await merge('shard-1.json', 'again.json')).stderr, /shard 1 of 4 was given twice/);
  // A shard with other comparison flags belongs to another run.
  await run(['--shard', '3/4', '--report', 'json=other.json', '--mask', 'replicas']);
  assert.match((await merge('shard-1.json', 'other.json')).stderr, /shards of different runs.*flags/);
  // The durations are now known, so the shards differ.
  await run(['--shard', '3/4', '--report', 'json=shard-3.json', '--filter', 'one/']);
  assert.match((await merge(...names)).stderr, /shards of different runs/);
  write({ 'torn.json': read('shard-1.json').slice(0, 100) });
  assert.equal((await merge('torn.json')).exitCode, 2);
});

test('the shard is read from the variables of CI services', async () => {
  const cases = async (env: Readonly<Record<string, string>>): Promise<number> => {
    const { stdout } = await run(['--shard', 'auto', '--json'], env);
    return (JSON.parse(stdout) as { shard: { index: number } }).shard.index;
  };
  assert.equal(await cases({ JOB_COMPLETION_INDEX: '0', DRYDOCK_SHARDS: '3' }), 1);
  assert.equal(await cases({ CI_NODE_INDEX: '2', CI_NODE_TOTAL: '3' }), 2);
  assert.equal(await cases({ DRYDOCK_SHARD: '3', DRYDOCK_SHARDS: '3' }), 3);
  assert.match((await run(['--shard', 'auto'], {})).stderr, /finds no shard/);
  assert.match((await run(['--shard', '4/3'])).stderr, /a shard is I\/N/);
});

test('every report lists what --bail skipped, and all cases of the input that it stopped at', async () => {
  const own = createProject();
  for (const name of ['a', 'b', 'c']) {
    own.write(
      chartIn(`charts/${name}`, {
        'templates/a.yaml': '{{ with .Values.bad }}{{ fail . }}{{ end }}kind: A\nsize: {{ .Values.size }}\n',
        'ci/one-values.yaml': 'size: one\n',
        'ci/two-values.yaml': 'size: two\n',
      }),
    );
  }
  const bail = (...argv: string[]) => own.run(['snapshot', 'charts', ...argv]);
  await bail('--update');
  own.write({ 'charts/a/ci/one-values.yaml': 'bad: luck\n' });
  const { stdout } = await bail('--bail', ...reportsTo('reports'));
  assert.equal(stdout, 'snapshots/a.snap: same (1 file)\n');
  for (const form of formats) {
    const text = own.read(`reports/${form}`);
    assert.match(text, /charts\/b/, form);
    assert.match(text, /charts\/c/, form);
    assert.match(text, /left.?out|--bail stopped/i, form);
  }
  assert.deepEqual(JSON.parse(own.read('reports/json')).leftOut, ['charts/b', 'charts/c']);
  assertJunit(own.read('reports/junit'));
  const merged = await own.run(['merge-reports', 'reports/json', '--report', 'text']);
  assert.equal(merged.stdout, own.read('reports/text'));
  // The recorded snapshot of a case after the failing one is kept.
  await bail('--bail', '--update');
  assert.equal(own.read('snapshots/a.snap/two-values.yaml').includes('kind: A'), true);
});

test('--filter, --bail and --changed select inputs', async () => {
  const filtered = await run(['--filter', 'one/a*']);
  assert.match(filtered.stdout, /^charts\/one differs from its snapshot: 2 objects changed\n/);
  assert.match((await run(['--filter', 'nothing'])).stderr, /matches no case; there are one\/a-values, /);
  assert.match((await run(['--bail'])).stderr, /--bail left out 2 inputs: charts\/three, charts\/two\n$/);
  commit(project);
  assert.equal((await run(['--changed'])).stdout, 'nothing to render\n');
  edit('charts/three/values.yaml', /text: .*/, 'text: a');
  const chosen = async (...more: string[]) => inputsOf(await run(['--changed', '--json', ...more]));
  assert.deepEqual(await chosen(), ['charts/three']);
  assert.match((await run(['--changed=nowhere'])).stderr, /^Error: --changed nowhere: /);
  const all = ['charts/one', 'charts/three', 'charts/two'];
  // Objects named by a values file elsewhere, a configuration of another name, another release of drydock.
  write({
    'values/a.yaml': '# drydock: cluster objects/a.yaml\nmore: false\n',
    'values/objects/a.yaml': 'apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n',
    'own.config.json': '{}\n',
    'pnpm-lock.yaml': 'a: 1\n',
  });
  commit(project);
  assert.deepEqual(await chosen('-f', 'values/a.yaml'), []);
  for (const file of ['values/objects/a.yaml', 'own.config.json', 'pnpm-lock.yaml']) {
    edit(file, /$/, '\n');
    const named = ['-f', 'values/a.yaml', '--config', 'own.config.json'];
    assert.deepEqual((await chosen(...named)).sort(), all, file);
    git('checkout', '-q', file);
  }
});

test('--changed finds every file of an input, through symbolic links too', async () => {
  const own = createProject({
    ...chartIn('charts/plain', {}),
    ...chartIn('charts/web', {
      'Chart.yaml': chartYaml('web', 'dependencies: [{name: lib, version: 1.0.0, repository: "file://../../lib"}]\n'),
      'ci/objects.yaml': 'apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n',
    }),
    ...chartIn('charts/old', {
      'Chart.yaml': chartYaml('old').replace('v2', 'v1'),
      'requirements.yaml': 'dependencies: [{name: two, version: 1.0.0, repository: "file://../../two"}]\n',
    }),
    ...chartIn('two', {}),
    ...chartIn('lib', {}),
    ...chartIn('hidden/alias', {}),
    ...chartIn('orders/charts/plain', {}),
    'shared/templates/a.yaml': 'kind: A\n',
    'shared/small.yaml': '# drydock: cluster objects.yaml\na: 1\n',
    'shared/files/a.txt': 'a',
    'shared/plain.yaml': 'a: 1\n',
    'orders/one.yaml':
      'kind: Order\nmetadata: {name: one}\nspec:\n  packages:\n    - name: a\n      chart: {name: plain, version: 1.0.0, namespace: a, releaseName: a, sourceRef: {name: charts}}\n',
    'drydock.config.ts': "import { part } from './config/part';\nexport default part;\n",
    'config/part.ts': 'export const part = {};\n',
  });
  const link = (name: string, target: string): void => symlinkSync(target, join(own.folder, name));
  link('lib/templates', '../shared/templates');
  // A values file behind two links, and the file it names.
  link('shared/current.yaml', 'small.yaml');
  link('charts/web/ci/small-values.yaml', '../../../shared/current.yaml');
  link('charts/web/files', '../../shared/files');
  link('charts/alias', '../hidden/alias');
  link('orders/charts/plain/values.yaml', '../../../shared/plain.yaml');
  commit(own);
  const compared = ['snapshot', 'charts', 'orders/one.yaml', '--changed', '--json', '--no-cache'];
  const chosen = async () => inputsOf(await own.run(compared));
  const all = ['charts/alias', 'charts/old', 'charts/plain', 'charts/web', 'orders/one.yaml'];
  assert.deepEqual(await chosen(), []);
  for (const [file, expected] of [
    ['shared/small.yaml', ['charts/web']],
    ['charts/web/ci/objects.yaml', ['charts/web', 'orders/one.yaml']],
    ['shared/files/a.txt', ['charts/web']],
    ['shared/templates/a.yaml', ['charts/web']],
    ['two/Chart.yaml', ['charts/old', 'orders/one.yaml']],
    ['hidden/alias/Chart.yaml', ['charts/alias', 'orders/one.yaml']],
    ['shared/plain.yaml', ['orders/one.yaml']],
    ['config/part.ts', all],
  ] as const) {
    own.edit(file, /$/, '\n');
    assert.deepEqual(await chosen(), expected, file);
    own.git('checkout', '-q', file);
  }
  // The link itself.
  own.remove('shared/current.yaml');
  link('shared/current.yaml', 'plain.yaml');
  assert.deepEqual(await chosen(), ['charts/web']);
});

test('--changed follows submodules, and explains how to fix a shallow clone', async () => {
  const { folder, git, run, write } = createProject({ ...chartIn('sub/web', {}), ...chartIn('top/api', {}) });
  for (const name of ['sub', 'top']) {
    git('-C', name, 'init', '-q');
    git('-C', name, 'add', '.');
    git('-C', name, 'commit', '-qm', 'first');
  }
  git('-C', 'top', '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', join(folder, 'sub'), 'vendored');
  git('-C', 'top', 'commit', '-qm', 'second');
  const changed = (cwd: string, since = 'HEAD') =>
    run(['snapshot', 'vendored/web', 'api', `--changed=${since}`, '--no-cache'], { cwd: join(folder, cwd) });
  assert.equal((await changed('top')).stdout, 'nothing to render\n');
  write({ 'top/vendored/web/values.yaml': 'size: 1\n' });
  const { stdout } = await changed('top');
  assert.match(stdout, /snapshots\/web\.snap/);
  assert.doesNotMatch(stdout, /api/);
  git('clone', '-q', '--depth', '1', `file://${join(folder, 'top')}`, 'shallow');
  const { exitCode, stderr } = await changed('shallow', 'HEAD~1');
  assert.equal(exitCode, 2);
  assert.match(stderr, /^Error: --changed HEAD~1: .*\nThis clone is shallow: .*fetch-depth: 0/);
});

test('the number of threads does not change the result', async () => {
  const alone = await run(['--jobs', '1', '--json']);
  const threads = await run(['--jobs', '2', '--json']);
  assert.equal(timeless(threads.stdout), timeless(alone.stdout));
  assert.deepEqual([threads.exitCode, threads.stderr], [alone.exitCode, alone.stderr]);
  const bailed = await run(['--jobs', '3', '--bail']);
  assert.match(bailed.stderr, /--bail left out 2 inputs: charts\/three, charts\/two\n$/);
  write({ 'charts/two/ci/c-values.yaml': '# drydock: nonsense\n' });
  assert.deepEqual([(await run(['--jobs', '2'])).exitCode, (await run(['--jobs', '1'])).exitCode], [2, 2]);
});
