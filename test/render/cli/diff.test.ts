// `drydock diff` as a user runs it: inputs, output, exit codes, and errors.

import assert from 'node:assert/strict';
import { cpSync, readdirSync, symlinkSync } from 'node:fs';
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

test('one chart with different values', async () => {
  const { exitCode, stdout } = await run('charts/web', '--set', 'replicaCount=3', '--new-set', 'replicaCount=0');
  assert.equal(exitCode, 1);
  assert.equal(
    stdout,
    `1 changed, 4 the same
risks: replicas-zero

~ Deployment default/release-name-web  (web/templates/deployment.yaml)
  ~ spec.replicas: 3 -> 0  [replicas-zero]
      written by web/templates/deployment.yaml:9
      because of replicaCount, set by --set replicaCount=0
`,
  );
});

test('the cause of a difference: a value, a line of a template, Kubernetes', async () => {
  copy(join(folder, 'charts/web'), 'edited/web');
  edit('edited/web/templates/service.yaml', 'name: http', 'name: web');
  const causes = async (...argv: string[]): Promise<string[]> =>
    (await run(...argv)).stdout.split('\n').filter((line) => line.includes('because of'));
  assert.deepEqual(await causes('charts/web', '--new-set', 'autoscaling.enabled=true'), [
    '      because of autoscaling.enabled, set by --set autoscaling.enabled=true',
    '    because of autoscaling.enabled, set by --set autoscaling.enabled=true',
  ]);
  const [template] = await causes('charts/web', 'edited/web');
  assert.match(template ?? '', /because of web\/templates\/service\.yaml:\d+: .*name: web/);
  write(chartIn('kube', { 'templates/a.yaml': configMap('a', 'minor: "{{ .Capabilities.KubeVersion.Minor }}"') }));
  const { stdout } = await run('kube', '--kube-version', '1.29', '--new-kube-version', '1.33');
  assert.match(stdout, /~ data\.minor: "29" -> "33"\n.*\n +because of Kubernetes v1\.29 → v1\.33/);
});

test('no differences', async () => {
  assert.deepEqual(await run('charts/web', 'charts/web'), { exitCode: 0, stdout: '5 the same\n', stderr: '' });
  assert.equal((await run('charts/web', 'charts/web', '--quiet')).stdout, '');
});

test('a version bump of a chart only restarts the pods that carry it', async () => {
  copy(join(folder, 'charts/web'), 'next/web');
  edit('next/web/Chart.yaml', /^version: .*/m, 'version: 99.0.0');
  const { exitCode, stdout } = await run('charts/web', 'next/web');
  assert.equal(exitCode, 1);
  assert.match(
    stdout,
    /^5 the same\n1 workload restarts: Deployment default\/release-name-web\nleft out: \d+ entries: labels of the chart or application version/,
  );
  assert.equal((await run('charts/web', 'next/web', '--all')).exitCode, 1);
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

test('fields that a server fills in or drops are no difference; fields that a chart drops are', async () => {
  const pod = (more: string, container: string): string =>
    `{${more}containers: [{name: web, image: "web:1", ${container}env: [{name: A, value: ""}]}]}`;
  const bookkeeping = 'uid: a-b, resourceVersion: "1", namespace: shop';
  const objects = (live: boolean): string[] => {
    const own = live ? `, ${bookkeeping}, annotations: {meta.helm.sh/release-name: web}` : '';
    const container = live
      ? 'imagePullPolicy: IfNotPresent, resources: {limits: {cpu: 500m}, requests: {cpu: 500m}}, '
      : 'resources: {limits: {cpu: 0.5}}, tty: false, livenessProbe: {httpGet: {port: 80}, initialDelaySeconds: 0}, ';
    const probe = live
      ? 'livenessProbe: {httpGet: {path: /, port: 80, scheme: HTTP}, timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3}, '
      : '';
    const more = live
      ? 'restartPolicy: Always, securityContext: {}, volumes: [{name: a, hostPath: {path: /proc, type: ""}}], '
      : 'hostNetwork: false, hostIPC: false, volumes: [{name: a, hostPath: {path: /proc}}], ';
    const update = live
      ? 'updateStrategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}, '
      : '';
    const claim = live ? 'apiVersion: v1, kind: PersistentVolumeClaim, status: {phase: Pending}, ' : '';
    return [
      `{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: d${own}}, spec: {${update}template: {spec: ${pod(more, container + probe)}}}}`,
      `{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: s${own}}, spec: {minReadySeconds: ${live ? 'null' : 0}, podManagementPolicy: ${live ? 'OrderedReady' : '""'}, volumeClaimTemplates: [{${claim}metadata: {name: data}, spec: {${live ? 'volumeMode: Filesystem' : ''}}}]}}`,
      `{apiVersion: v1, kind: Service, metadata: {name: none${own}}, spec: {clusterIP: None, ${live ? 'clusterIPs: [None], sessionAffinity: None, ' : ''}ports: [{port: 80${live ? ', targetPort: 80, protocol: TCP' : ''}}]}}`,
      `{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, metadata: {name: w${own}}, webhooks: [{name: a.b.c${live ? ', timeoutSeconds: 10, namespaceSelector: {}, objectSelector: {}, matchPolicy: Equivalent' : ''}, rules: [{resources: [pods]${live ? ', scope: "*"' : ''}}]}]}`,
      `{apiVersion: apiregistration.k8s.io/v1, kind: APIService, metadata: {name: v1.a.b${own}}, spec: {service: {name: a${live ? ', port: 443' : ''}}}}`,
      `{apiVersion: cert-manager.io/v1, kind: Issuer, metadata: {name: i${own}}, spec: {selfSigned: {}}}`,
    ];
  };
  const list = (items: readonly string[]): string => `apiVersion: v1\nkind: List\nitems:\n- ${items.join('\n- ')}\n`;
  // Without an event it is a hook too, which Helm never creates.
  const hooks = ['t: test', 'u: ""'].map((word) => {
    const [name, event] = word.split(': ');
    return `{apiVersion: v1, kind: Pod, metadata: {name: ${name}, annotations: {helm.sh/hook: ${event}}}}`;
  });
  const plain = [...objects(false), ...hooks];
  write({ 'live.yaml': list(objects(true)), 'plain.yaml': plain.join('\n---\n') });
  const output = '6 the same\nleft out: 2 entries: hooks, which a cluster holds only while they run\n';
  for (const sides of [
    ['live.yaml', 'plain.yaml'],
    ['plain.yaml', 'live.yaml'],
  ] as const) {
    assert.deepEqual(await run(...sides), { exitCode: 0, stdout: output, stderr: '' });
  }
  assert.match((await run('live.yaml', 'plain.yaml', '--all')).stdout, /^\+ Pod t /m);
  // Differences in a cluster that are not server defaults.
  const differs = async (from: string, to: string, entry: RegExp): Promise<void> => {
    const changed = list(objects(true)).replace(from, to);
    assert.notEqual(changed, list(objects(true)));
    write({ 'live.yaml': changed });
    assert.match((await run('live.yaml', 'plain.yaml')).stdout, entry);
  };
  await differs('targetPort: 80', 'targetPort: 8080', /targetPort: 8080 -> 80$/m);
  await differs('imagePullPolicy: IfNotPresent', 'imagePullPolicy: Always', /"Always" -> "IfNotPresent"$/m);
  await differs('requests: {cpu: 500m}', 'requests: {cpu: 250m}', /requests\.cpu: "250m" -> 0\.5$/m);
  await differs(
    'timeoutSeconds: 1,',
    'timeoutSeconds: 10,',
    /^ {2}- spec\.template.*livenessProbe\.timeoutSeconds: 10$/m,
  );
  await differs('OrderedReady', 'Parallel', /podManagementPolicy: "Parallel" -> "" {2}\[immutable]$/m);
  await differs('maxSurge: 0', 'maxSurge: 25%', /^ {6}- {3}maxSurge: 25%$/m);
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

test('a git revision, from the root and from a folder', async () => {
  git('init', '-q', '.');
  git('add', 'charts', 'shop.yaml', 'old');
  git('commit', '-qm', 'first');
  edit('charts/web/values.yaml', 'replicaCount: 2', 'replicaCount: 7');
  // Other tests write to the folder for temporary files at the same time.
  const { TMPDIR } = process.env;
  const own = createProject().folder;
  process.env.TMPDIR = own;
  assert.match((await run('HEAD:charts/web', 'charts/web')).stdout, /~ spec\.replicas: 2 -> 7/);
  const inFolder = await captureCommand(['diff', 'HEAD:./web', 'web'], { cwd: join(folder, 'charts') });
  assert.match(inFolder.stdout, /~ spec\.replicas: 2 -> 7/);
  assert.match((await run('HEAD:old/a.yaml', 'new/a.yml')).stdout, /^- ConfigMap b/m);
  assert.deepEqual(readdirSync(own), []);
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  for (const word of ['nope:charts/web', 'HEAD:nope']) {
    const { exitCode, stderr } = await run(word, 'charts/web');
    assert.equal(exitCode, 2);
    assert.match(stderr, new RegExp(`^Error: ${word}: `));
  }
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

test('JSON output', async () => {
  const { stdout } = await run('charts/web', '--new-set', 'image.tag=9', '--json');
  const { summary, objects } = JSON.parse(stdout);
  assert.deepEqual(summary, {
    added: 0,
    removed: 0,
    changed: 1,
    replaced: 0,
    renamed: 0,
    same: 4,
    risks: { 'image-changed': 1 },
    restarts: [{ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'release-name-web' }],
  });
  assert.deepEqual(objects[0].entries[0].steps.after, ['spec', 'template', 'spec', 'containers', 0, 'image']);
});

test('inputs that cannot be compared are reported in a sentence, with exit code 2', async () => {
  write({ 'broken.yaml': 'kind: [\n' });
  write(chartIn('broken', { 'templates/a.yaml': '{{ fail "no" }}' }));
  write({ 'order.yaml': 'kind: Order\nspec: {packages: [{chart: {}}]}\n' });
  write({ 'text.yaml': 'No resources found in shop namespace.\n' });
  write({ 'list/a.yaml': '# nothing\n---\n- a\n- b\n' });
  const cases: readonly (readonly [argv: readonly string[], words: RegExp])[] = [
    [['text.yaml', 'charts/web'], /text\.yaml holds a text or a list where an object/],
    [['charts/web', 'list'], /a\.yaml holds a text or a list/],
    [[], /takes two Orders, charts, manifests/],
    [['charts/web'], /name what charts\/web is compared with/],
    [['a', 'b', 'c'], /takes two Orders/],
    [['-', '-'], /one side alone/],
    [['chart/web', 'charts/web'], /there is no chart\/web/],
    [['old', 'broken.yaml'], /YAML parse error on broken\.yaml/],
    [['charts/web', 'broken'], /execution error|error calling fail|no/],
    [['charts/web', 'order.yaml'], /order\.yaml:\d/],
    [['old', 'new', '--set', 'a=b'], /--set is for charts/],
    [['charts/web', 'charts/web', '--ignore', 'kind=A'], /has no reason/],
    [['charts/web', 'charts/web', '--ignore', 'kin=A because b'], /not "kin=A"; did you mean "kind"\?/],
    [['charts/web', 'charts/web', '--ignore', 'pattern=( because b'], /regular expression/],
    [['charts/web', '--new-values', 'none.yaml'], /none\.yaml/],
  ];
  for (const [argv, words] of cases) {
    const { exitCode, stdout, stderr } = await run(...argv);
    assert.deepEqual([exitCode, stdout], [2, ''], argv.join(' '));
    assert.match(stderr, words);
    assert.ok(!/\n {4}at /.test(stderr), stderr);
  }
});

test('a removed line that also occurs elsewhere in a long template is reported with its place', async () => {
  const fields = Array.from({ length: 1200 }, (_, at) => `    f${at}:\n      type: string\n      minLength: 1\n`);
  const chart = (comment: string): Record<string, string> => ({
    'templates/a.yaml': `{{ if true }}\nkind: A\nmetadata: {name: a}\n# ${comment}\nspec:\n  properties:\n${fields.join('')}{{ end }}\n`,
  });
  write(chartIn('short/long', chart('one')));
  fields[900] = fields[900]!.replace('      minLength: 1\n', '');
  write(chartIn('shorter/long', chart('two')));
  const { stdout } = await run('short/long', 'shorter/long');
  assert.match(
    stdout,
    /- spec\.properties\.f900\.minLength: 1\n.*\n {6}because of long\/templates\/a\.yaml:2709, with a line removed\n$/,
  );
});

test('random values do not depend on other packages', async () => {
  const secret = (name: string, value: string): string =>
    `apiVersion: v1\nkind: Secret\nmetadata: {name: ${name}}\nstringData:\n  password: ${value}\n`;
  // So few possible values in the last one that another rendering often draws the same.
  write(
    chartIn('random', {
      'values.yaml': 'first: true\n',
      'templates/a.yaml': `{{ if .Values.first }}\n${secret('a', '{{ randAlphaNum 8 }}')}{{ end }}`,
      'templates/b.yaml': secret('b', '{{ randAlphaNum 8 }}'),
      'templates/c.yaml': configMap('c', 'a: "{{ randInt 0 2 }}", b: "{{ randInt 0 2 }}", c: "{{ randInt 0 2 }}"'),
    }),
  );
  const { stdout } = await run('random', '--new-set', 'first=false');
  assert.match(stdout, /^1 removed, 2 the same\n/);
  write({ 'random/templates/0.yaml': configMap('0', 'a: "{{ randAlphaNum 8 }}"') });
  copy(join(folder, 'random'), 'more');
  const included = '{{ $b := include (print $.Template.BasePath "/b.yaml") . }}';
  write({
    'more/templates/b.yaml': `${secret('b', 'x{{ randAlphaNum 8 }}')}  salt: {{ randAlphaNum 4 }}\n`,
    'more/templates/00.yaml': configMap('00', 'a: "{{ randAlphaNum 8 }}"'),
    'more/templates/d.yaml': `${included}${configMap('d', 'sum: {{ sha1sum $b }}')}`,
  });
  const changed = await run('random', 'more');
  assert.match(changed.stdout, /^2 added, 1 changed, 3 the same\n/, changed.stdout);
  assert.match(changed.stdout, /data\.salt/);
  assert.equal((await run('more', 'more')).exitCode, 0);
});

test('an added package changes no random value of the others', async () => {
  write(
    chartIn('dice/charts/dice', {
      'templates/a.yaml': configMap('a', 'a: "{{ randAlphaNum 8 }}", b: "{{ randInt 0 2 }}", c: "{{ randInt 0 2 }}"'),
    }),
  );
  const order = (...names: string[]): string =>
    `kind: Order\nmetadata: {name: dice}\nspec:\n  packages:\n${names
      .map(
        (name) =>
          `    - name: ${name}\n      chart: {name: dice, version: 1.0.0, namespace: ${name}, releaseName: ${name}, sourceRef: {name: charts}}\n`,
      )
      .join('')}`;
  write({ 'dice/one.yaml': order('b'), 'dice/two.yaml': order('a', 'b') });
  const { stdout, stderr } = await run('dice/one.yaml', 'dice/two.yaml');
  assert.match(stdout, /^1 added, 1 the same\n/, stderr);
});

test('a revision is read like the working tree: its dependencies, links and charts', async () => {
  const own = createProject();
  const link = (target: string): void => symlinkSync(target, join(own.folder, 'all/web/files'));
  const compare = (...argv: string[]) => own.run(['diff', ...argv]);
  const dependency = (name: string, version: string, repository: string): string =>
    `  - {name: ${name}, version: ${version}, repository: "${repository}"}\n`;
  const lists = `dependencies:\n${dependency('redis', '^1.0.0', 'https://example.com')}${dependency('lib', '1.0.0', 'file://../../lib')}`;
  const lib = (folder: string, value: string): Record<string, string> =>
    chartIn(folder, { 'templates/l.yaml': configMap('l', `a: "${value}"`) });
  const plain = (name: string): Record<string, string> =>
    chartIn(`all/${name}`, { 'templates/a.yaml': configMap(name, 'a: "1"') });
  own.write({
    '.gitignore': '**/charts/redis*\n**/charts/lib*\n',
    ...chartIn('all/web', {
      'Chart.yaml': chartYaml('web', lists),
      'templates/a.yaml': configMap('a', 'a: "{{ .Files.Get "files/a.txt" | trim }}"'),
    }),
    ...chartIn('all/web/charts/redis', { 'templates/r.yaml': configMap('r', 'a: "1"') }),
    ...lib('lib', '1'),
    ...lib('all/web/charts/lib', '1'),
    'shared/files/a.txt': 'first\n',
    ...plain('plain'),
  });
  link('../../shared/files');
  own.git('init', '-q');
  own.git('add', '.');
  own.git('commit', '-qm', 'first');
  // The same archives on both sides, with a note.
  const same = await compare('HEAD:all/web', 'all/web');
  assert.deepEqual([same.exitCode, same.stdout], [0, '3 the same\n'], same.stderr);
  assert.match(
    same.stderr,
    /Note: HEAD:all\/web uses all\/web\/charts\/redis of the working tree, which git does not track/,
  );
  // A link is followed within the revision, also to a chart beside it.
  own.write({ 'shared/files/a.txt': 'second\n', ...lib('lib', '2'), ...lib('all/web/charts/lib', '2') });
  const linked = await compare('HEAD:all/web', 'all/web');
  assert.match(linked.stdout, /^2 changed, 1 the same\n[\s\S]*data\.a: "1" -> "2"[\s\S]*data\.a: "first" -> "second"/);
  // Chart by chart: one added, one removed, and one unchanged.
  own.write(plain('new'));
  const folders = await compare('HEAD:all', 'all');
  assert.equal(folders.exitCode, 1);
  assert.match(
    folders.stdout,
    /^new is different: 1 added\n[\s\S]*\nweb is different: 2 changed, 1 the same\n[\s\S]*\n2 of 3 charts differ\n$/,
  );
  own.remove('all/plain');
  const json = JSON.parse((await compare('HEAD:all', './all', '--json')).stdout) as {
    charts: { chart: string; summary: { added: number; removed: number } }[];
  };
  assert.deepEqual(
    json.charts.map(({ chart: name, summary }) => [name, summary.added, summary.removed]),
    [
      ['new', 1, 0],
      ['plain', 0, 1],
      ['web', 0, 0],
    ],
  );
  assert.match((await compare('all', 'all', '--new-set', 'a=1')).stdout, /^2 charts, all the same\n$/);
  assert.match((await compare('all', 'all/new')).stderr, /all is a folder of charts, and all\/new is not/);
  // A version other than the one in the revision is not used.
  own.edit('all/web/charts/redis/Chart.yaml', '1.0.0', '2.0.0');
  const other = await compare('HEAD:all/web', 'all/web');
  assert.equal(other.exitCode, 2);
  assert.match(other.stderr, /lacks redis \^1\.0\.0: git does not track it/);
  // Files outside the repository have no revision.
  own.remove('all/web/files');
  link('../../../outside');
  own.git('add', '.');
  own.git('commit', '-qm', 'second');
  const outside = await compare('HEAD:all/web', 'all/web');
  assert.equal(outside.exitCode, 2);
  assert.match(
    outside.stderr,
    /the symbolic link all\/web\/files leads to \.\.\/\.\.\/\.\.\/outside, out of the revision/,
  );
});
