// The commands `snapshot`, `merge-reports` and `diff` as functions: what they return, and how they refuse wrong use.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  compareSnapshots,
  diffInputs,
  mergeReports,
  type SnapshotOptions,
  type SnapshotRun,
  UsageError,
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

test('the current folder is named like the folder of `cwd`', async () => {
  const { folder } = createProject(chart('a'));
  const { outcomes } = await compareSnapshots(['.'], { cwd: join(folder, 'charts/a'), env: {} });
  assert.deepEqual(
    outcomes.map(({ name }) => name),
    ['a'],
  );
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
