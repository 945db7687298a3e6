// The commands `snapshot`, `merge-reports` and `diff` as functions: what they return, and how they refuse wrong use.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  compareSnapshots,
  diffInputs,
  formatReport,
  mergeReports,
  printOutcomes,
  type SnapshotOptions,
  type SnapshotRun,
  UsageError,
  type WatchState,
  watchSnapshots,
} from '../../../render/snapshot.node.ts';
import { chartIn, createProject, type Project } from '../../support/project.ts';

const map = `kind: ConfigMap
apiVersion: v1
metadata: {name: {{ .Chart.Name }}}
data: {size: {{ .Values.size | quote }}, color: red}
`;

const chart = (name: string): Record<string, string> =>
  chartIn(`charts/${name}`, { 'values.yaml': 'size: 1\n', 'templates/map.yaml': map });

interface Recorded extends Project {
  readonly compare: (options?: SnapshotOptions) => Promise<SnapshotRun>;
  /** What runs wrote to standard error. */
  readonly messages: string[];
}

async function recorded(): Promise<Recorded> {
  const project = createProject({ ...chart('a'), ...chart('b'), ...chart('c') });
  const messages: string[] = [];
  const stderr = (text: string): void => void messages.push(text);
  const compare = (options: SnapshotOptions = {}): Promise<SnapshotRun> =>
    compareSnapshots(['charts'], { cwd: project.folder, env: {}, stderr, ...options });
  assert.deepEqual((await compare({ update: true })).counts, { all: 3, failing: 0, invalid: 0, bad: 0 });
  return { ...project, compare, messages };
}

test('a run without options writes nothing and returns an outcome for each chart of a folder', async () => {
  const { folder, compare, edit, messages } = await recorded();
  edit('charts/b/values.yaml', '1', '2');
  const { outcomes, counts, stale } = await compare();
  assert.deepEqual(
    outcomes.map(({ input, meaning }) => [input, meaning.files.length]),
    [
      ['charts/a', 0],
      ['charts/b', 1],
      ['charts/c', 0],
    ],
  );
  assert.equal(counts.bad, 1);
  assert.match(stale, /^Not as recorded: snapshots\/b\.snap\./);
  assert.deepEqual(messages, []);
  assert.equal(existsSync(join(folder, '.drydock')), false);
});

test('bail ends a run, and the callbacks name the processed inputs', async () => {
  const { compare, edit } = await recorded();
  edit('charts/b/values.yaml', '1', '2');
  const called: string[] = [];
  const run = await compare({
    bail: true,
    onInput: (input, total) => called.push(`${input} of ${total}`),
    onOutcome: ({ input }) => called.push(`${input} done`),
  });
  assert.deepEqual(called, ['charts/a of 3', 'charts/a done', 'charts/b of 3', 'charts/b done']);
  assert.equal(run.leftOut, '--bail left out 1 input: charts/c');
  assert.equal(run.counts.all, 3);
});

test('rules of ignore are objects or texts, and unused ones are returned', async () => {
  const { compare, edit } = await recorded();
  edit('charts/b/values.yaml', '1', '2');
  const size = { kind: 'ConfigMap', path: 'data.size', reason: 'it is a matter of taste' };
  const run = await compare({ ignore: [size, 'kind=Secret because there is none'] });
  assert.equal(run.counts.bad, 0);
  assert.deepEqual(run.unusedRules, ['kind=Secret because there is none']);
});

test('snapshots without an input are returned if all inputs are known', async () => {
  const { folder, compare, remove } = await recorded();
  remove('charts/c');
  assert.deepEqual((await compare()).orphans, ['snapshots/c.snap']);
  const single = await compareSnapshots(['charts/a'], { cwd: folder, env: {} });
  assert.deepEqual(single.orphans, []);
});

test('the reports of shards are merged into the run of all of them', async () => {
  const { folder, compare, edit, write } = await recorded();
  edit('charts/c/values.yaml', '1', '3');
  const whole = await compare();
  for (const index of [1, 2]) {
    const one = await compare({ shard: { index, total: 2 } });
    write({ [`reports/${index}.json`]: formatReport(one.report, 'json') });
  }
  const merged = await mergeReports(['reports/*.json'], { cwd: folder });
  assert.deepEqual(
    merged.outcomes.map(({ input, meaning }) => [input, meaning.files]),
    whole.outcomes.map(({ input, meaning }) => [input, meaning.files]),
  );
  assert.equal(merged.missing, '');
  assert.deepEqual(merged.counts, whole.counts);
  const half = await mergeReports(['reports/2.json'], { cwd: folder });
  assert.match(half.missing, /^shard 1 of 2 is missing/);
});

test('outcomes are printed without color, and quietly only if they differ', async () => {
  const { compare } = await recorded();
  const { outcomes } = await compare();
  const printed: string[] = [];
  const stdout = (text: string): void => void printed.push(text);
  printOutcomes(outcomes, {}, { stdout, stderr: stdout });
  assert.equal(printed.join(''), '3 snapshots: same (3 files)\n');
  printed.length = 0;
  printOutcomes(outcomes, {}, { stdout, stderr: stdout, quiet: true });
  assert.equal(printed.join(''), '');
});

test('a watch reports the state after the first comparison and after each save', async () => {
  const { folder, edit } = await recorded();
  const states: WatchState[] = [];
  let onSaved = (): void => {};
  const saved = new Promise<void>((resolve) => {
    onSaved = resolve;
  });
  const watch = await watchSnapshots(['charts'], {
    cwd: folder,
    env: {},
    onEnd: (state) => {
      states.push(state);
      if (state.milliseconds !== undefined) onSaved();
    },
  });
  edit('charts/a/values.yaml', '1', '2');
  await saved;
  await watch.close();
  assert.deepEqual(
    states.map(({ run }) => [run.counts.all, run.counts.bad]),
    [
      [3, 0],
      [3, 1],
    ],
  );
});

test('an input is compared with itself under other settings', async () => {
  const { folder } = await recorded();
  const sides: string[] = [];
  const { differences, isDifferent, isFolder, report } = await diffInputs('charts/a', undefined, {
    cwd: folder,
    later: (settings) => ({ ...settings, set: ['size=2'] }),
    onSides: (before, after) => sides.push(`${before} ${after}`),
  });
  assert.deepEqual(sides, ['chart chart']);
  assert.deepEqual([isDifferent, isFolder, differences.length], [true, false, 1]);
  assert.deepEqual(
    differences[0]!.difference.objects.flatMap(({ entries }) => entries.map(({ path, after }) => [path, after])),
    [['data.size', '2']],
  );
  assert.match(formatReport(report, 'text'), /data\.size: "1" -> "2"/);
});

test('a side that does not render is a fault, and its message goes to stderr', async () => {
  const { folder, edit } = await recorded();
  edit('charts/b/templates/map.yaml', '.Values.size', '.Values.size.large');
  const messages: string[] = [];
  const found = await diffInputs('charts/a', 'charts/b', { cwd: folder, stderr: (text) => messages.push(text) });
  assert.deepEqual([found.isFault, found.differences], [true, []]);
  assert.match(messages.join(''), /charts\/b.*map\.yaml/s);
});

const refused: readonly (readonly [title: string, call: (folder: string) => Promise<unknown>, error: object])[] = [
  [
    'an unknown option',
    (cwd) => compareSnapshots(['a'], { cwd, updates: true } as object),
    { code: 'ARGUMENT_INVALID', message: 'compareSnapshots: options.updates is not a known option' },
  ],
  [
    'an unknown setting',
    (cwd) => diffInputs('a', 'b', { cwd, settings: { nameSpace: 'a' } as object }),
    { code: 'ARGUMENT_INVALID', message: 'diffInputs: options.settings.nameSpace is not a known option' },
  ],
  [
    'a pattern that is not a regular expression',
    (cwd) => diffInputs('a', 'b', { cwd, ignore: [{ pattern: '(', reason: 'a' }] }),
    { code: 'ARGUMENT_INVALID', message: /options\.ignore\[0\]\.pattern must be a regular expression/ },
  ],
  [
    'a rule without a reason',
    (cwd) => compareSnapshots(['a'], { cwd, ignore: ['kind=A'] }),
    { name: 'UsageError', message: /has no reason/ },
  ],
  [
    'a pattern without matches',
    (cwd) => mergeReports(['*.json'], { cwd }),
    { name: 'UsageError', message: 'nothing matches *.json' },
  ],
];

for (const [title, call, error] of refused) {
  test(`${title} is refused`, async () => {
    const { folder } = createProject();
    await assert.rejects(call(folder), error);
    if ('name' in error) await assert.rejects(call(folder), UsageError);
  });
}
