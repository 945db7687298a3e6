// `drydock snapshot --watch`: inputs affected by a save are compared again, invalid input is reported, and Ctrl-C ends it.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { captureCommand } from '../../support/cli.ts';
import { chartIn, createProject, type Project } from '../../support/project.ts';

const stops: AbortController[] = [];
after(() => {
  for (const stop of stops) stop.abort();
});

const map = `apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Chart.Name }}}
data: {size: {{ .Values.size | quote }}}
`;

const chart = (name: string): Record<string, string> =>
  chartIn(`charts/${name}`, { 'values.yaml': 'size: 1\n', 'templates/map.yaml': map });
const record = ({ run }: Project, ...argv: readonly string[]) => run(['snapshot', ...argv, '--update']);

interface Session {
  /** Returns the output since the last call, up to the end of the next round. */
  readonly round: () => Promise<string>;
  readonly end: () => Promise<number>;
}

function watch({ folder }: Project, argv: readonly string[]): Session {
  const stop = new AbortController();
  stops.push(stop);
  let output = '';
  let onOutput = (): void => {};
  const take = (text: string): void => {
    output += text;
    onOutput();
  };
  const running = captureCommand(['snapshot', ...argv, '--watch'], {
    cwd: folder,
    stdout: take,
    stderr: take,
    signal: stop.signal,
  });
  return {
    round: async () => {
      const isEnd = (): boolean => output.includes('Ctrl-C ends');
      while (!isEnd()) {
        await new Promise<void>((resolve) => {
          onOutput = resolve;
        });
      }
      const text = output;
      output = '';
      return text;
    },
    end: async () => {
      stop.abort();
      return (await running).exitCode;
    },
  };
}

test('after a save, only affected inputs are compared', async () => {
  const project = createProject({ ...chart('a'), ...chart('b') });
  const { write } = project;
  await record(project, 'charts');
  const session = watch(project, ['charts']);
  assert.match(await session.round(), /a\.snap: same.*\n.*b\.snap: same.*\n2 inputs · all as recorded · watching/);
  write({ 'charts/b/values.yaml': 'size: 2\n' });
  const different = await session.round();
  assert.match(
    different,
    /\ncharts\/b\/values\.yaml:1 {2}size\n {2}~ ConfigMap default\/b\n {4}~ data\.size: "1" -> "2"\n/,
  );
  assert.match(different, /2 inputs · 1 of 2 not as recorded · \d+ ms/);
  assert.doesNotMatch(different, /a\.snap/);
  // Snapshots recorded in another terminal are noticed.
  await record(project, 'charts', '-q');
  assert.match(await session.round(), /b\.snap: same.*\n2 inputs · all as recorded/);
  assert.equal(await session.end(), 0);
});

test('incomplete or invalid saves are reported, and watching continues', async () => {
  const project = createProject({ ...chart('a') });
  const { write, remove } = project;
  await record(project, 'charts/a');
  const session = watch(project, ['charts/a']);
  await session.round();
  write({ 'charts/a/templates/map.yaml': '{{ if }}' });
  assert.match(await session.round(), /missing value for if[\s\S]*1 of 1 not as recorded/);
  write({ 'charts/a/values.yaml': 'size: [' });
  assert.match(await session.round(), /values\.yaml[\s\S]*1 of 1 not as recorded/);
  remove('charts/a');
  assert.match(await session.round(), /charts\/a[\s\S]*1 of 1 not as recorded/);
  write(chart('a'));
  assert.match(await session.round(), /a\.snap: same[\s\S]*all as recorded/);
  write({ 'charts/a/ci/x-values.yaml': '# drydock: nonsense\n' });
  assert.match(await session.round(), /Error: .*"# drydock: nonsense" is not a known setting/);
  remove('charts/a/ci');
  assert.match(await session.round(), /all as recorded/);
  assert.equal(await session.end(), 0);
});

test('an Order follows its charts, and a values file its objects', async () => {
  const project = createProject({ ...chart('a') });
  const { write } = project;
  const from = { name: 'a', sourceRef: { kind: 'Local', name: 'charts/a' }, releaseName: 'a', namespace: 'shop' };
  const order = {
    apiVersion: 'releases.x-helm.dev/v1alpha1',
    kind: 'Order',
    spec: { packages: [{ chart: from }] },
  };
  write({ 'orders/a.json': JSON.stringify(order) });
  write({ 'values/one.yaml': '# drydock: cluster objects.yaml\n' });
  write({ 'values/objects.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: there}\ndata: {a: one}\n' });
  write({
    'charts/a/templates/seen.yaml': `{{ $there := lookup "v1" "ConfigMap" "" "there" }}
apiVersion: v1
kind: ConfigMap
metadata: {name: seen}
data: {a: {{ dig "data" "a" "none" $there }}}
`,
  });
  await record(project, 'charts/a', 'orders/a.json', '-f', 'values/one.yaml');
  const session = watch(project, ['charts/a', 'orders/a.json', '-f', 'values/one.yaml']);
  assert.match(await session.round(), /2 inputs · all as recorded/);
  write({ 'values/objects.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: there}\ndata: {a: two}\n' });
  assert.match(await session.round(), /data\.a: "one" -> "two"/);
  write({ 'charts/a/values.yaml': 'size: 5\n' });
  assert.match(
    await session.round(),
    /charts\/a differs from its snapshot[\s\S]*orders\/a\.json differs from its snapshot[\s\S]*2 of 2 not as recorded/,
  );
  assert.equal(await session.end(), 0);
});

test('a chart that a saved Order names is followed too', { timeout: 30_000 }, async () => {
  const project = createProject({
    ...chart('a'),
    ...chartIn('more/b', { 'templates/map.yaml': map, 'values.yaml': '' }),
  });
  const order = (path: string): string => {
    const packaged = { name: path.split('/').at(-1), sourceRef: { kind: 'Local', name: path }, releaseName: 'a' };
    return JSON.stringify({ spec: { packages: [{ chart: packaged }] } });
  };
  project.write({ 'orders/a.json': order('charts/a') });
  await record(project, 'orders/a.json');
  const session = watch(project, ['orders/a.json']);
  await session.round();
  project.write({ 'orders/a.json': order('more/b') });
  await session.round();
  // The folder is watched shortly after the round.
  const saving = setInterval(() => project.write({ 'more/b/values.yaml': `size: ${Date.now()}\n` }), 200);
  assert.match(await session.round(), /1 of 1 not as recorded/);
  clearInterval(saving);
  assert.equal(await session.end(), 0);
});

test('flags that end the run or record are refused with the reason', async () => {
  const project = createProject({ ...chart('a') });
  const refusals: readonly (readonly [readonly string[], RegExp])[] = [
    [['--update'], /--watch cannot be used with --update: it compares; record with --update in another terminal/],
    [['--report', 'junit'], /give --report a file/],
    [['--coverage'], /cannot be used with --coverage/],
    [['-f', '-'], /values from standard input/],
  ];
  for (const [words, expected] of refusals) {
    const { exitCode, stderr } = await project.run(['snapshot', 'charts/a', '--watch', ...words]);
    assert.equal(exitCode, 2, words.join(' '));
    assert.match(stderr, expected);
  }
  const { exitCode, stderr } = await project.run(['snapshot', 'nowhere', '--watch', '--filter', 'x']);
  assert.equal(exitCode, 2);
  assert.match(stderr, /matches no case/);
});
