// The command line of `helm template` 4; every expectation is Helm 4.2.3's, except for the exit status of wrong usage.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInProcess } from '../../support/cli.ts';
import { chartsDirectory } from '../../support/golden.ts';
import { createProject, type Files } from '../../support/project.ts';

async function stderrOf(...flags: string[]): Promise<string> {
  const { stderr } = await runInProcess(['template', 'r', './web', '--helm', '4.2.3', ...flags], chartsDirectory);
  return stderr;
}

for (const [flags, want] of [
  [['--wait', '--rollback-on-failure', '--server-side=false', '--color', 'never'], ''],
  [['--atomic'], 'Flag --atomic has been deprecated, use --rollback-on-failure instead\n'],
  [
    ['--wait=true'],
    'level=WARN msg="--wait=true is deprecated (boolean value) and can be replaced with --wait=watcher"\n',
  ],
  [['--dry-run'], `level=WARN msg="--dry-run is deprecated and should be replaced with '--dry-run=client'"\n`],
  [
    ['--dry-run=true'],
    `level=WARN msg="boolean '--dry-run=true' flag is deprecated and must be replaced with '--dry-run=client'"\n`,
  ],
] as const) {
  test(`accepts ${flags.join(' ')}`, async () => assert.equal(await stderrOf(...flags), want));
}

for (const [flags, want] of [
  [['--dry-run=none'], 'invalid dry-run value ("none"). Must be "server" or "client"'],
  [['--dry-run=no'], 'invalid dry-run value ("no"). Must be "none", "server", or "client"'],
  [
    ['--wait=x'],
    'invalid argument "x" for "--wait" flag: invalid wait input "x". Valid inputs are watcher, hookOnly, and legacy',
  ],
  [
    ['--post-renderer', 'cat'],
    'invalid argument "cat" for "--post-renderer" flag: plugin: {Name:cat Type:postrenderer/v1} not found',
  ],
  [['--set-json', '{a'], 'failed parsing --set-json data JSON: {a'],
  [['--kube-version', '1'], `invalid kube version '1': illegal version string "1"`],
] as const) {
  test(`refuses ${flags.join(' ')}`, async () => {
    const [line] = (await stderrOf(...flags)).split('\n');
    assert.equal(line, `Error: ${want}`);
  });
}

test('exclusive flags are reported after deprecated ones', async () => {
  const lines = (await stderrOf('--force', '--force-conflicts')).split('\n');
  assert.deepEqual(lines.slice(0, 2), [
    'Flag --force has been deprecated, use --force-replace instead',
    'Error: if any flags in the group [force force-conflicts] are set none of the others can be; [force force-conflicts] were all set',
  ]);
});

test('flags that need a cluster fail without one', async () => {
  const reason =
    'cluster reachability check failed: kubernetes cluster unreachable: Get "http://localhost:8080/version": dial tcp 127.0.0.1:8080: connect: connection refused';
  assert.equal(await stderrOf('--dry-run=server'), `level=ERROR msg=${JSON.stringify(reason)}\nError: ${reason}\n`);
});

const text = 'apiVersion: v2\nname: c\nversion: 1.0.0\n';
const charts: readonly (readonly [about: string, files: Files, want: string])[] = [
  ['an empty Chart.yaml', { 'Chart.yaml': '# c\n' }, 'validation: chart.metadata.name is required'],
  [
    'a Chart.yaml that is a list',
    { 'Chart.yaml': '- a\n' },
    'cannot load Chart.yaml: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type loader.chartBase',
  ],
  [
    'a maintainer that is a name',
    { 'Chart.yaml': `${text}maintainers: [x]\n` },
    'cannot load Chart.yaml: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal string into Go struct field Metadata.maintainers of type v2.Maintainer',
  ],
  [
    'a lock that is a text',
    { 'Chart.yaml': text, 'Chart.lock': 'x' },
    'cannot load Chart.lock: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal string into Go value of type v2.Lock',
  ],
  ['a Chart.yaml that is left out', { 'Chart.yaml': text, '.helmignore': '!a.md\n' }, 'Chart.yaml file is missing'],
  [
    'values in UTF-16, which it ends with a byte',
    { 'Chart.yaml': text, 'values.yaml': Buffer.from('fffe61003a00200031000a00', 'hex') },
    'cannot load values.yaml: cannot unmarshal yaml document: error converting YAML to JSON: yaml: incomplete UTF-16 character',
  ],
];
for (const [about, files, want] of charts) {
  test(`refuses ${about}`, async () => {
    const { exitCode, stderr } = await createProject(files).run(['template', 'r', '--helm', '4.2.3', '.']);
    assert.deepEqual([exitCode, stderr], [1, `Error: ${want}\n`]);
  });
}
