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
const { edit, read, write } = project;
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
  assert.equal(read('reports/text'), stdout);
  assert.match(stdout, /^charts\/two, case b-values \(.*b-values\.yaml.*\) does not render:\n/m);
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
    [missing.exitCode, missing.stderr.split('\n').at(-2)?.slice(0, 32)],
    [1, 'Error: shard 3 of 4 is missing: '],
  );
  write({ 'again.json': read('shard-1.json') });
  assert.match((await merge('shard-1.json', 'again.json')).stderr, /shard 1 of 4 was given twice/);
  // A shard with other comparison flags belongs to another run.
  await run(['--shard', '3/4', '--report', 'json=other.json', '--exact']);
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

test('--filter and --changed select inputs', async () => {
  const filtered = await run(['--filter', 'one/a*']);
  assert.match(filtered.stdout, /^charts\/one differs from its snapshot: 2 objects changed\n/);
  assert.match((await run(['--filter', 'nothing'])).stderr, /matches no case; there are one\/a-values, /);
  commit(project);
  assert.equal((await run(['--changed'])).stdout, 'nothing to render\n');
  edit('charts/three/values.yaml', /text: .*/, 'text: a');
  assert.deepEqual(inputsOf(await run(['--changed', '--json'])), ['charts/three']);
  assert.match((await run(['--changed=nowhere'])).stderr, /^Error: --changed nowhere: /);
});

test('every report lists what --bail skipped, and the snapshots of the other cases are kept', async () => {
  const { exitCode, stderr } = await run(['--bail', ...reportsTo('bail')]);
  assert.equal(exitCode, 1);
  assert.match(stderr, /--bail left out 2 inputs: charts\/three, charts\/two\n$/);
  // A JUnit report has only suites that ran.
  for (const form of formats.filter((one) => one !== 'junit')) {
    const text = read(`bail/${form}`);
    assert.match(text, /charts\/three/, form);
    assert.match(text, /left.?out|--bail stopped/i, form);
  }
  assertJunit(read('bail/junit'));
  const merged = await merge('bail/json', '--report', 'text');
  assert.equal(merged.stdout, read('bail/text'));
  // A failing case does not delete what was recorded for the cases after it.
  await run(['--bail', '--update', '--filter', 'two/']);
  assert.match(read('snapshots/two.snap/.same.json'), /c-values/);
});

test('--changed finds every file of an input, through symbolic links too', async () => {
  const own = createProject({
    ...chartIn('charts/plain', {}),
    ...chartIn('charts/web', {
      'Chart.yaml': chartYaml('web', 'dependencies: [{name: lib, version: 1.0.0, repository: "file://../../lib"}]\n'),
    }),
    ...chartIn('lib', {}),
    ...chartIn('hidden/alias', {}),
    ...chartIn('orders/charts/plain', {}),
    'values/small.yaml': '# drydock: cluster objects.yaml\na: 1\n',
    'values/objects.yaml': 'apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n',
    'shared/files/a.txt': 'a',
    'orders/one.yaml':
      'kind: Order\nspec: {packages: [{chart: {name: plain, namespace: a, releaseName: a, sourceRef: {name: charts}}}]}\n',
    'drydock.config.ts': "import { part } from './config/part';\nexport default part;\n",
    'config/part.ts': 'export const part = {};\n',
    'pnpm-lock.yaml': 'a: 1\n',
  });
  const link = (name: string, target: string): void => symlinkSync(target, join(own.folder, name));
  // A values file behind two links, and the file it names.
  link('values/current.yaml', 'small.yaml');
  link('charts/web/ci', '../../values');
  link('values/a-values.yaml', 'current.yaml');
  link('charts/web/files', '../../shared/files');
  link('charts/alias', '../hidden/alias');
  commit(own);
  const compared = ['snapshot', 'charts', 'orders/one.yaml', '--changed', '--json', '--no-cache'];
  const chosen = async () => inputsOf(await own.run(compared));
  const all = ['charts/alias', 'charts/plain', 'charts/web', 'orders/one.yaml'];
  assert.deepEqual(await chosen(), []);
  for (const [file, expected] of [
    ['values/small.yaml', ['charts/web']],
    ['values/objects.yaml', ['charts/web']],
    ['shared/files/a.txt', ['charts/web']],
    // An Order may use any chart of the repository.
    ['lib/Chart.yaml', ['charts/web', 'orders/one.yaml']],
    ['hidden/alias/Chart.yaml', ['charts/alias', 'orders/one.yaml']],
    ['orders/charts/plain/Chart.yaml', ['orders/one.yaml']],
    ['config/part.ts', all],
    // Another release of drydock.
    ['pnpm-lock.yaml', all],
  ] as const) {
    own.edit(file, /$/, '\n');
    assert.deepEqual(await chosen(), expected, file);
    own.git('checkout', '-q', file);
  }
});

test('--changed explains how to fix a shallow clone', async () => {
  const own = createProject(chartIn('web', {}));
  commit(own);
  own.git('commit', '-q', '--allow-empty', '-m', 'second');
  own.git('clone', '-q', '--depth', '1', `file://${own.folder}`, 'shallow');
  const { exitCode, stderr } = await own.run(['snapshot', 'web', '--changed=HEAD~1'], {
    cwd: join(own.folder, 'shallow'),
  });
  assert.equal(exitCode, 2);
  assert.match(stderr, /^Error: --changed HEAD~1: .*\nThis clone is shallow: .*fetch-depth: 0/);
});

test('the number of threads does not change the result', async () => {
  const alone = await run(['--jobs', '1', '--json']);
  const threads = await run(['--jobs', '2', '--json']);
  assert.equal(timeless(threads.stdout), timeless(alone.stdout));
  assert.deepEqual([threads.exitCode, threads.stderr], [alone.exitCode, alone.stderr]);
});
