// `drydock snapshot --against REVISION`: what changes since a revision; recorded snapshots do not matter.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { captureCommand } from '../../support/cli.ts';
import { chartIn, createProject } from '../../support/project.ts';

const project = createProject({ 'deploy/.keep': '' });
const folder = join(project.folder, 'deploy');
const run = (argv: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  captureCommand(['snapshot', ...argv], { cwd: folder, env: { TZ: 'UTC', ...env } });
const git = (...args: readonly string[]): string => project.git('-C', 'deploy', ...args);
const write = (files: Readonly<Record<string, string>>): void =>
  project.write(Object.fromEntries(Object.entries(files).map(([path, text]) => [`deploy/${path}`, text])));

const configMap = (name: string, data: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {${data}}\n`;
const chart = (name: string): Record<string, string> =>
  chartIn(`charts/${name}`, {
    'values.yaml': 'size: 1\n',
    'templates/a.yaml': configMap(name, 'size: {{ .Values.size | quote }}, extra: {{ .Values.extra | quote }}'),
  });
const config = '{"snapshot": {"inputs": ["charts"], "values": ["values/more.yaml"]}}\n';

before(() => {
  git('init', '-q', '-b', 'main');
  write({
    ...chart('web'),
    ...chart('api'),
    ...chart('old'),
    'values/more.yaml': 'extra: a\n',
    'drydock.config.json': config,
    '.gitignore': '.drydock\n',
  });
});

interface Told {
  readonly input: string;
  readonly against: { readonly status: string; readonly meaning: { readonly objects: readonly NamesObject[] } };
}

interface NamesObject {
  readonly status: string;
  readonly name: string;
  readonly entries: readonly { readonly path: string; readonly causes?: readonly { readonly text: string }[] }[];
}

async function against(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const { stdout, stderr } = await run([...argv, '--json'], env);
  assert.doesNotMatch(stderr, /Error/);
  const { inputs } = JSON.parse(stdout) as { readonly inputs: readonly Told[] };
  return inputs.flatMap(({ input, against: { status, meaning } }) => {
    const objects = meaning.objects.map((one) => {
      const entries = one.entries.map(({ path, causes = [] }) => `${path}: ${causes.map(({ text }) => text).join()}`);
      return `${input} ${status} ${one.status} ${one.name} ${entries.join()}`.trim();
    });
    return objects.length === 0 && status === 'both' ? [] : objects;
  });
}

test('a change is reported against the revision, before and after it is recorded', async () => {
  await run(['--update', '--against', 'none']);
  git('add', '.');
  git('commit', '-qm', 'first');
  git('checkout', '-qb', 'branch');
  assert.deepEqual(await against(['--against', 'main']), []);
  write({ 'charts/web/values.yaml': 'size: 2\n', ...chart('new') });
  project.remove('deploy/charts/old');
  const expected = [
    'charts/new new added new',
    'charts/web both changed web data.size: size, set by charts/web/values.yaml:1:1',
    'charts/old gone removed old',
  ];
  assert.deepEqual(await against(['--against', 'main']), expected);
  assert.equal((await run(['--against', 'main'])).exitCode, 1);
  await run(['--update', '--against', 'none']);
  const { exitCode } = await run(['--against', 'main']);
  assert.deepEqual([exitCode, await against(['--against', 'main'])], [0, expected]);
  assert.deepEqual(await against(['--against', 'main', '--update']), expected);
  // The second run uses the result of the first.
  assert.deepEqual(await against(['--against', 'main']), expected);
  assert.deepEqual(await against(['--against', 'main', '--jobs', '2']), expected);
});

test('each side uses the values and configuration of its revision', async () => {
  git('checkout', '-qf', 'main');
  git('clean', '-qfd');
  git('checkout', '-qb', 'values');
  write({ 'values/more.yaml': 'extra: b\n' });
  const cause = 'data.extra: extra, set by values/more.yaml:1:1';
  assert.deepEqual(await against(['--against', 'main']), [
    `charts/api both changed api ${cause}`,
    `charts/old both changed old ${cause}`,
    `charts/web both changed web ${cause}`,
  ]);
  git('checkout', '-qf', 'main');
});

test('changes in the target since the branch began are not changes of the branch', async () => {
  git('checkout', '-qb', 'later');
  write({ 'charts/web/values.yaml': 'size: 7\n' });
  git('checkout', '-q', '-b', 'ahead');
  git('commit', '-qam', 'ahead');
  git('checkout', '-q', 'later');
  write({ 'charts/api/values.yaml': 'size: 8\n' });
  assert.deepEqual(
    (await against(['--against', 'ahead'])).map((line) => line.split(' ')[0]),
    ['charts/api'],
  );
  git('checkout', '-qf', 'main');
});

test('a pull request job compares with its target', async () => {
  git('update-ref', 'refs/remotes/origin/main', 'main');
  write({ 'charts/web/values.yaml': 'size: 3\n' });
  const expected = ['charts/web both changed web data.size: size, set by charts/web/values.yaml:1:1'];
  assert.deepEqual(await against([], { GITHUB_BASE_REF: 'main' }), expected);
  assert.deepEqual(await against([], { CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main' }), expected);
  const commit = git('rev-parse', 'main').trim();
  assert.deepEqual(await against([], { CI_MERGE_REQUEST_DIFF_BASE_SHA: commit }), expected);
  const { stdout } = await run(['--json', '--against', 'none'], { GITHUB_BASE_REF: 'main' });
  assert.ok(!stdout.includes('"against"'));
  const { stderr } = await run(['charts/web'], { GITHUB_BASE_REF: 'release' });
  assert.match(
    stderr,
    /^Note: the report is against the recorded snapshots: this clone lacks origin\/release; fetch it/,
  );
  git('checkout', '-qf', 'main');
});

test('many unrecorded snapshots produce one annotation and one note', async () => {
  write({ 'values/more.yaml': 'extra: z\n' });
  const github = (await run(['--against', 'main', '--report', 'github'])).stdout.trim().split('\n');
  assert.equal(github.length, 2, github.join('\n'));
  assert.match(
    github[0] ?? '',
    /^::error file=charts\/api\/Chart\.yaml::the snapshot is not as recorded \(and in 2 more files\)/,
  );
  assert.match(github[1] ?? '', /^::notice file=values\/more\.yaml,line=1::extra: 3 ConfigMaps in 3 inputs/);
  const markdown = (await run(['--against', 'main', '--report', 'markdown'])).stdout;
  assert.match(markdown, /^### drydock snapshot: 3 of 3 inputs change\n/);
  assert.equal(markdown.match(/[Nn]ot as recorded/g)?.length, 1, markdown);
  git('checkout', '-qf', 'main');
});

test('a rule that only leaves out a difference from the revision is in use', async () => {
  write({ 'charts/web/values.yaml': 'size: 4\n' });
  await run(['--update', '--against', 'none']);
  const rule = ['--ignore', 'path=data.size because a', '--ignore', 'path=data.none because b'];
  const { stdout, stderr } = await run(['--against', 'main', ...rule]);
  assert.match(stdout, /^nothing differs from main\n/);
  assert.equal(stderr, 'Warning: --ignore "path=data.none because b" matches nothing\n');
  git('checkout', '-qf', 'main');
});

test('an invalid revision is refused, and one that does not render is reported', async () => {
  const { exitCode, stderr } = await run(['--against', 'nowhere']);
  assert.deepEqual([exitCode, stderr.split('\n')[0]], [2, 'Error: --against nowhere: unknown revision']);
  assert.equal((await run(['--against', '-x'])).exitCode, 2);
  git('checkout', '-qb', 'broken');
  write({ 'charts/web/templates/a.yaml': '{{ fail "broken" }}' });
  git('commit', '-qam', 'broken');
  write(chart('web'));
  const { stdout } = await run(['charts/web', '--against', 'HEAD', '--json']);
  assert.match(JSON.parse(stdout).inputs[0].against.fault, /broken/);
  git('checkout', '-qf', 'main');
});
