// `drydock diff` as a user runs it: inputs, output, exit codes, and errors.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runCommand } from '../../../emulator/cli/run.node.ts';
import { runInProcess } from '../../support/cli.ts';

const root = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'drydock-diff-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));
cpSync(join(root, 'fixtures/charts/web'), join(folder, 'charts/web'), { recursive: true });
cpSync(join(root, 'fixtures/orders/shop.yaml'), join(folder, 'shop.yaml'));
const run = (...argv: string[]) => runInProcess(['diff', ...argv], folder);
const write = (name: string, text: string): void => {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), text);
};

const configMap = (name: string, data: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {${data}}\n`;

test('no secret appears in a cause, from any source', async () => {
  const own = mkdtempSync(join(tmpdir(), 'drydock-secret-'));
  mkdirSync(join(own, 'db/templates'), { recursive: true });
  const secret = (word: string): string =>
    `apiVersion: v1\nkind: Secret\nmetadata: {name: db}\nstringData:\n  a: {{ .Values.a }}\n  b: ${word}\n`;
  const labelled = `apiVersion: v1\nkind: Secret\nmetadata:\n  name: other\n  labels: {team: {{ .Values.team }}}
  annotations: {sum: {{ sha256sum .Values.a }}}\n---\nkind: A\nmetadata:\n  name: a\n  labels: {team: {{ .Values.team }}}\n`;
  writeFileSync(join(own, 'db/Chart.yaml'), 'apiVersion: v2\nname: db\nversion: 1.0.0\n');
  writeFileSync(join(own, 'db/templates/secret.yaml'), secret('codfish-old'));
  writeFileSync(join(own, 'db/templates/labelled.yaml'), labelled);
  cpSync(join(own, 'db'), join(own, 'old/db'), { recursive: true });
  writeFileSync(join(own, 'db/templates/secret.yaml'), secret('codfish-new'));
  const words = [
    'old/db',
    'db',
    '--set',
    'a=swordfish',
    '--new-set',
    'a=swordfishes',
    '--set',
    'team=red',
    '--new-set',
    'team=blue',
  ];
  for (const form of ['text', 'json', 'html', 'github']) {
    const { stdout } = await runInProcess(['diff', ...words, '--report', form], own);
    assert.doesNotMatch(stdout, /swordfish|codfish/);
    assert.match(stdout, /set by --set a=(?:<|&lt;)hidden/);
    assert.match(stdout, /db\/templates\/secret\.yaml(?::|,line=)6/);
    // Plain text values are printed, as in other objects.
    const times = form === 'text' || form === 'json' ? 2 : 1;
    assert.equal(stdout.match(/team, set by --set team=blue/g)?.length, times, stdout);
  }
  rmSync(own, { recursive: true });
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
  cpSync(join(folder, 'charts/web'), join(folder, 'edited/web'), { recursive: true });
  const file = join(folder, 'edited/web/templates/service.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replace('name: http', 'name: web'));
  const causes = async (...argv: string[]): Promise<string[]> =>
    (await run(...argv)).stdout.split('\n').filter((line) => line.includes('because of'));
  assert.deepEqual(await causes('charts/web', '--new-set', 'autoscaling.enabled=true'), [
    '      because of autoscaling.enabled, set by --set autoscaling.enabled=true',
    '    because of autoscaling.enabled, set by --set autoscaling.enabled=true',
  ]);
  const [template] = await causes('charts/web', 'edited/web');
  assert.match(template ?? '', /because of web\/templates\/service\.yaml:\d+: .*name: web/);
  write('kube/Chart.yaml', 'apiVersion: v2\nname: kube\nversion: 1.0.0\n');
  write('kube/templates/a.yaml', configMap('a', 'minor: "{{ .Capabilities.KubeVersion.Minor }}"'));
  const [kube] = await causes('kube', '--kube-version', '1.29', '--new-kube-version', '1.33');
  assert.match(kube ?? '', /because of Kubernetes v1\.29 → v1\.33/);
});

test('no differences', async () => {
  assert.deepEqual(await run('charts/web', 'charts/web'), { exitCode: 0, stdout: '5 the same\n', stderr: '' });
  assert.equal((await run('charts/web', 'charts/web', '--quiet')).stdout, '');
});

test('a version bump of a chart only restarts the pods that carry it', async () => {
  cpSync(join(folder, 'charts/web'), join(folder, 'next/web'), { recursive: true });
  const file = join(folder, 'next/web/Chart.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^version: .*/m, 'version: 99.0.0'));
  const { exitCode, stdout } = await run('charts/web', 'next/web');
  assert.equal(exitCode, 1);
  assert.match(
    stdout,
    /^5 the same\n1 workload restarts: Deployment default\/release-name-web\nleft out: \d+ entries: labels of the chart or application version/,
  );
  assert.equal((await run('charts/web', 'next/web', '--all')).exitCode, 1);
});

test('two versions of Kubernetes', async () => {
  write('kube/Chart.yaml', 'apiVersion: v2\nname: kube\nversion: 1.0.0\n');
  write('kube/templates/a.yaml', configMap('a', 'minor: "{{ .Capabilities.KubeVersion.Minor }}"'));
  const { stdout } = await run('kube', '--kube-version', '1.29', '--new-kube-version', '1.33');
  assert.match(stdout, /~ data\.minor: "29" -> "33"/);
});

test('two Orders, and an Order with itself', async () => {
  write(
    'next.yaml',
    readFileSync(join(folder, 'shop.yaml'), 'utf8').replace(
      'path: /replicaCount, value: 3',
      'path: /replicaCount, value: 4',
    ),
  );
  const { exitCode, stdout } = await run(
    'shop.yaml',
    'next.yaml',
    '--charts',
    'charts',
    '--charts',
    join(root, 'fixtures/charts'),
  );
  assert.equal(exitCode, 1);
  assert.match(
    stdout,
    /^~ Deployment shop\/web .*\n {2}~ spec\.replicas: 3 -> 4\n {6}written by .*:9\n {6}because of replicaCount, set by the patch at next\.yaml:30:\d+$/m,
  );
});

test('folders and files of rendered YAML', async () => {
  write('old/a.yaml', `${configMap('a', 'x: 1')}---\n${configMap('b', 'z: 1')}`);
  write('new/b/b.yaml', configMap('b', 'z: 2'));
  write('new/a.yml', configMap('a', 'x: 1'));
  const { exitCode, stdout } = await run('old', 'new');
  assert.equal(exitCode, 1);
  assert.equal(stdout, '1 changed, 1 the same\n\n~ ConfigMap b  (b/b.yaml)\n  ~ data.z: 1 -> 2\n');
  assert.equal((await run('old/a.yaml', 'old')).exitCode, 0);
});

test('the output of kubectl from standard input', async () => {
  const live = configMap('release-name-web', 'x: 1').replace('{name:', '{uid: a-b, namespace: shop, name:');
  const list = `apiVersion: v1\nkind: List\nitems:\n- ${live.replaceAll('\n', '\n  ')}`;
  write('live/Chart.yaml', 'apiVersion: v2\nname: live\nversion: 1.0.0\n');
  write('live/templates/a.yaml', configMap('{{ .Release.Name }}-web', 'x: 2'));
  let stdout = '';
  const io = {
    cwd: folder,
    env: {},
    stdin: async () => list,
    stderr: () => {},
    stdout: (text: string) => {
      stdout += text;
    },
  };
  assert.equal(await runCommand(['diff', '-', 'live'], io), 1);
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
  const hook = '{apiVersion: v1, kind: Pod, metadata: {name: t, annotations: {helm.sh/hook: test}}}';
  const plain = [...objects(false), hook];
  write('live.yaml', list(objects(true)));
  write('plain.yaml', plain.join('\n---\n'));
  const output = '6 the same\nleft out: 1 entry: hooks, which a cluster holds only while they run\n';
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
    write('live.yaml', changed);
    assert.match((await run('live.yaml', 'plain.yaml')).stdout, entry);
  };
  await differs('targetPort: 80', 'targetPort: 8080', /targetPort: 8080 -> 80$/m);
  await differs(
    'pullPolicy: IfNotPresent'.replace('pull', 'imagePull'),
    'imagePullPolicy: Always',
    /"Always" -> "IfNotPresent"$/m,
  );
  await differs('requests: {cpu: 500m}', 'requests: {cpu: 250m}', /requests\.cpu: "250m" -> 0\.5$/m);
  await differs(
    'timeoutSeconds: 1,',
    'timeoutSeconds: 10,',
    /^ {2}- spec\.template.*livenessProbe\.timeoutSeconds: 10$/m,
  );
  await differs('OrderedReady', 'Parallel', /podManagementPolicy: "Parallel" -> "" {2}\[immutable]$/m);
  await differs('maxSurge: 0', 'maxSurge: 25%', /^ {6}- {3}maxSurge: 25%$/m);
});

test('a rule without a path ignores whole objects: added, removed or renamed ones', async () => {
  write('rule/a.yaml', configMap('a', 'x: 1'));
  write('ruled/a.yaml', `${configMap('b', 'x: 1')}---\napiVersion: v1\nkind: Pod\nmetadata: {name: p-test}\n`);
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
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder });
  git('init', '-q', '.');
  git('add', 'charts', 'shop.yaml', 'old');
  git('commit', '-qm', 'first');
  write(
    'charts/web/values.yaml',
    readFileSync(join(folder, 'charts/web/values.yaml'), 'utf8').replace('replicaCount: 2', 'replicaCount: 7'),
  );
  // Other tests write to the folder for temporary files at the same time.
  const { TMPDIR } = process.env;
  const own = mkdtempSync(join(tmpdir(), 'drydock-revisions-'));
  process.env.TMPDIR = own;
  assert.match((await run('HEAD:charts/web', 'charts/web')).stdout, /~ spec\.replicas: 2 -> 7/);
  const inFolder = await runInProcess(['diff', 'HEAD:./web', 'web'], join(folder, 'charts'));
  assert.match(inFolder.stdout, /~ spec\.replicas: 2 -> 7/);
  assert.match((await run('HEAD:old/a.yaml', 'new/a.yml')).stdout, /^- ConfigMap b/m);
  assert.deepEqual(readdirSync(own), []);
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  rmSync(own, { recursive: true });
  for (const word of ['nope:charts/web', 'HEAD:nope']) {
    const { exitCode, stderr } = await run(word, 'charts/web');
    assert.equal(exitCode, 2);
    assert.match(stderr, new RegExp(`^Error: ${word}: `));
  }
});

test('rules, and rules that match nothing', async () => {
  const rule = 'kind=Deployment path=spec.replicas because an autoscaler sets it';
  const { exitCode, stdout, stderr } = await run(
    'charts/web',
    '--new-set',
    'replicaCount=9',
    '--ignore',
    rule,
    '--ignore',
    'name=nobody because why',
  );
  assert.equal(exitCode, 0);
  assert.match(stdout, /left out: 1 entry: an autoscaler sets it/);
  assert.equal(stderr, 'Warning: --ignore "name=nobody because why" matches nothing\n');
});

test('secrets are fingerprints everywhere', async () => {
  const secret = (password: string): string =>
    `apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {password: ${password}}\n`;
  write('s1.yaml', secret('hunter2'));
  write('s2.yaml', secret('hunter3'));
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
  write('broken.yaml', 'kind: [\n');
  write('broken/Chart.yaml', 'apiVersion: v2\nname: broken\nversion: 1.0.0\n');
  write('broken/templates/a.yaml', '{{ fail "no" }}');
  write('order.yaml', 'kind: Order\nspec: {packages: [{chart: {}}]}\n');
  write('text.yaml', 'No resources found in shop namespace.\n');
  write('list/a.yaml', '# nothing\n---\n- a\n- b\n');
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
  const own = mkdtempSync(join(tmpdir(), 'drydock-long-'));
  const fields = Array.from({ length: 1200 }, (_, at) => `    f${at}:\n      type: string\n      minLength: 1\n`);
  const chart = (parts: readonly string[], folder: string): void => {
    mkdirSync(join(own, folder, 'long/templates'), { recursive: true });
    writeFileSync(join(own, folder, 'long/Chart.yaml'), 'apiVersion: v2\nname: long\nversion: 1.0.0\n');
    const head = '{{ if true }}\nkind: A\nmetadata: {name: a}\n# one\nspec:\n  properties:\n';
    const text = `${folder === 'old' ? head : head.replace('one', 'two')}${parts.join('')}{{ end }}\n`;
    writeFileSync(join(own, folder, 'long/templates/a.yaml'), text);
  };
  chart(fields, 'old');
  chart(
    fields.map((field, at) => (at === 900 ? field.replace('      minLength: 1\n', '') : field)),
    'new',
  );
  const { stdout } = await runInProcess(['diff', 'old/long', 'new/long'], own);
  rmSync(own, { recursive: true });
  assert.match(
    stdout,
    /- spec\.properties\.f900\.minLength: 1\n.*\n {6}because of long\/templates\/a\.yaml:2709, where a line is gone\n$/,
  );
});

test('random values do not depend on other packages', async () => {
  const secret = (name: string, value: string): string =>
    `apiVersion: v1\nkind: Secret\nmetadata: {name: ${name}}\nstringData:\n  password: ${value}\n`;
  write('random/Chart.yaml', 'apiVersion: v2\nname: random\nversion: 1.0.0\n');
  write('random/values.yaml', 'first: true\n');
  write('random/templates/a.yaml', `{{ if .Values.first }}\n${secret('a', '{{ randAlphaNum 8 }}')}{{ end }}`);
  write('random/templates/b.yaml', secret('b', '{{ randAlphaNum 8 }}'));
  // So few possible values that another rendering often draws the same.
  write(
    'random/templates/c.yaml',
    configMap('c', 'a: "{{ randInt 0 2 }}", b: "{{ randInt 0 2 }}", c: "{{ randInt 0 2 }}"'),
  );
  const { stdout } = await run('random', '--new-set', 'first=false');
  assert.match(stdout, /^1 removed, 2 the same\n/);
  write('random/templates/0.yaml', configMap('0', 'a: "{{ randAlphaNum 8 }}"'));
  cpSync(join(folder, 'random'), join(folder, 'more'), { recursive: true });
  write('more/templates/b.yaml', `${secret('b', 'x{{ randAlphaNum 8 }}')}  salt: {{ randAlphaNum 4 }}\n`);
  write('more/templates/00.yaml', configMap('00', 'a: "{{ randAlphaNum 8 }}"'));
  write(
    'more/templates/d.yaml',
    `{{ $b := include (print $.Template.BasePath "/b.yaml") . }}${configMap('d', 'sum: {{ sha1sum $b }}')}`,
  );
  const changed = await run('random', 'more');
  assert.match(changed.stdout, /^2 added, 1 changed, 3 the same\n/, changed.stdout);
  assert.match(changed.stdout, /data\.salt/);
  assert.equal((await run('more', 'more')).exitCode, 0);
});

test('an added package changes no random value of the others', async () => {
  write('dice/charts/dice/Chart.yaml', 'apiVersion: v2\nname: dice\nversion: 1.0.0\n');
  write(
    'dice/charts/dice/templates/a.yaml',
    configMap('a', 'a: "{{ randAlphaNum 8 }}", b: "{{ randInt 0 2 }}", c: "{{ randInt 0 2 }}"'),
  );
  const order = (...names: string[]): string =>
    `kind: Order\nmetadata: {name: dice}\nspec:\n  packages:\n${names
      .map(
        (name) =>
          `    - name: ${name}\n      chart: {name: dice, version: 1.0.0, namespace: ${name}, releaseName: ${name}, sourceRef: {name: charts}}\n`,
      )
      .join('')}`;
  write('dice/one.yaml', order('b'));
  write('dice/two.yaml', order('a', 'b'));
  const { stdout, stderr } = await run('dice/one.yaml', 'dice/two.yaml');
  assert.match(stdout, /^1 added, 1 the same\n/, stderr);
});

test('a revision is read like the working tree: its dependencies, links and charts', async () => {
  const own = mkdtempSync(join(tmpdir(), 'drydock-sides-'));
  const make = (name: string, text: string): void => {
    mkdirSync(join(own, name, '..'), { recursive: true });
    writeFileSync(join(own, name), text);
  };
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: own, stdio: 'pipe' });
  const chart = (name: string, more = ''): string => `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n${more}`;
  const compare = (...argv: string[]) => runInProcess(['diff', ...argv], own);
  const dependency = (name: string, version: string, repository: string): string =>
    `  - {name: ${name}, version: ${version}, repository: "${repository}"}\n`;
  make('.gitignore', '**/charts/redis*\n**/charts/lib*\n');
  const lists = `dependencies:\n${dependency('redis', '^1.0.0', 'https://example.com')}${dependency('lib', '1.0.0', 'file://../../lib')}`;
  make('all/web/Chart.yaml', chart('web', lists));
  make('all/web/templates/a.yaml', configMap('a', 'a: "{{ .Files.Get "files/a.txt" | trim }}"'));
  make('all/web/charts/redis/Chart.yaml', chart('redis'));
  make('all/web/charts/redis/templates/r.yaml', configMap('r', 'a: "1"'));
  make('lib/Chart.yaml', chart('lib'));
  make('lib/templates/l.yaml', configMap('l', 'a: "1"'));
  cpSync(join(own, 'lib'), join(own, 'all/web/charts/lib'), { recursive: true });
  make('shared/files/a.txt', 'first\n');
  symlinkSync('../../shared/files', join(own, 'all/web/files'));
  make('all/plain/Chart.yaml', chart('plain'));
  make('all/plain/templates/a.yaml', configMap('plain', 'a: "1"'));
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'first');
  // The same archives on both sides, with a note.
  const same = await compare('HEAD:all/web', 'all/web');
  assert.deepEqual([same.exitCode, same.stdout], [0, '3 the same\n'], same.stderr);
  assert.match(
    same.stderr,
    /Note: HEAD:all\/web uses all\/web\/charts\/redis of the working tree, which git does not track/,
  );
  // A link is followed within the revision, also to a chart beside it.
  make('shared/files/a.txt', 'second\n');
  make('lib/templates/l.yaml', configMap('l', 'a: "2"'));
  rmSync(join(own, 'all/web/charts/lib'), { recursive: true });
  cpSync(join(own, 'lib'), join(own, 'all/web/charts/lib'), { recursive: true });
  const linked = await compare('HEAD:all/web', 'all/web');
  assert.match(linked.stdout, /^2 changed, 1 the same\n[\s\S]*data\.a: "1" -> "2"[\s\S]*data\.a: "first" -> "second"/);
  // Chart by chart: one added, one removed, and one unchanged.
  make('all/new/Chart.yaml', chart('new'));
  make('all/new/templates/a.yaml', configMap('new', 'a: "1"'));
  const folders = await compare('HEAD:all', 'all');
  assert.equal(folders.exitCode, 1);
  assert.match(
    folders.stdout,
    /^new is different: 1 added\n[\s\S]*\nweb is different: 2 changed, 1 the same\n[\s\S]*\n2 of 3 charts differ\n$/,
  );
  rmSync(join(own, 'all/plain'), { recursive: true });
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
  make('all/web/charts/redis/Chart.yaml', chart('redis').replace('1.0.0', '2.0.0'));
  const other = await compare('HEAD:all/web', 'all/web');
  assert.equal(other.exitCode, 2);
  assert.match(other.stderr, /lacks redis \^1\.0\.0: git does not track it/);
  // Files outside the repository have no revision.
  rmSync(join(own, 'all/web/files'));
  symlinkSync('../../../outside', join(own, 'all/web/files'));
  git('add', '.');
  git('commit', '-qm', 'second');
  const outside = await compare('HEAD:all/web', 'all/web');
  assert.equal(outside.exitCode, 2);
  assert.match(
    outside.stderr,
    /the symbolic link all\/web\/files leads to \.\.\/\.\.\/\.\.\/outside, out of the revision/,
  );
  rmSync(own, { recursive: true });
});
