// Install scripts do what is documented, and nothing else, in every shell of this machine.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RenderedOrder, renderOrder } from '../../../render/api/order.ts';
import { loadChart } from '../../../render/chart/load.ts';
import { folderRegistry } from '../../../render/chart/registry.node.ts';
import { memoryRegistry } from '../../../render/chart/registry.ts';
import { parseYamlMap } from '../../../render/codec/yaml/parse.ts';
import { seededHost } from '../../../render/core/host.ts';
import { chartsDirectory, listOrders, loadOrder, renderSample, scriptsOf } from '../../support/orders.ts';
import { parsePowerShell } from '../../support/powershell.ts';
import { isMutating, type RunOptions, runScript, shells, syntaxErrors, testShellCheck } from '../../support/shells.ts';

const orders = new Map<string, RenderedOrder>();
for (const name of listOrders()) orders.set(name, await renderSample(loadOrder(name)));
const shop = orders.get('shop.yaml') as RenderedOrder;
const platform = orders.get('platform.json') as RenderedOrder;

for (const [name, rendered] of orders) {
  for (const [title, script] of scriptsOf(rendered)) {
    for (const shell of shells) {
      test(`${name}: the ${title} script has valid syntax in ${shell.name}`, () => {
        assert.equal(syntaxErrors(script, shell.command), '');
      });
    }
    testShellCheck(`the ${title} script of ${name}`, () => script);
  }
  test(`${name}: the PowerShell scripts have valid syntax`, async () => {
    assert.deepEqual((await parsePowerShell(rendered.helmScript('windows'))).errors, []);
    assert.deepEqual((await parsePowerShell(rendered.yamlScript('windows'))).errors, []);
  });
}

/** Counts the lines of a script outside here-documents and here-strings. */
function ownLines(script: string): number {
  let count = 0;
  let end = '';
  for (const line of script.trimEnd().split('\n')) {
    if (end !== '' && !line.startsWith(end)) continue;
    end = end === '' ? (/<<'(\w+)'$/.exec(line)?.[1] ?? (line.endsWith("@'") ? "'@" : '')) : '';
    count++;
  }
  return count;
}

test('the scripts are short enough to read', () => {
  for (const os of ['linux', 'windows'] as const) {
    assert.ok(ownLines(shop.helmScript(os)) <= 60, `${os}: ${ownLines(shop.helmScript(os))}`);
    assert.ok(ownLines(shop.yamlScript(os)) <= 120, `${os}: ${ownLines(shop.yamlScript(os))}`);
  }
});

for (const { name, command } of shells) {
  test(`values reach Helm unchanged, and every call has the context (${name})`, () => {
    const run = runScript(shop.helmScript(), command, { env: { KUBE_CONTEXT: 'a b' }, args: ['--force-conflicts'] });
    assert.equal(run.code, 0, run.stderr);
    const upgrades = run.calls.filter(({ words }) => words[0] === 'upgrade');
    assert.deepEqual(
      upgrades.map(({ document }) => parseYamlMap(document)),
      shop.packages.map((item) => item.values.overlay),
    );
    assert.ok(upgrades.every(({ words }) => words.includes('--force-conflicts')));
    assert.ok(run.calls.every(({ context }) => context === 'a b'));
    const dry = runScript(shop.helmScript(), command, { args: ['--dry-run'] }).calls;
    assert.ok(
      dry.filter(({ words }) => words[0] === 'upgrade').every(({ words }) => words.includes('--dry-run=server')),
    );
    assert.ok(!dry.some(({ words }) => words[0] === 'wait'));
    const removed = runScript(shop.helmScript(), command, { args: ['uninstall'] }).calls;
    assert.deepEqual(
      removed.filter(({ tool }) => tool === 'helm').map(({ words }) => words.slice(0, 2).join(' ')),
      ['uninstall web', 'uninstall backend'],
    );
  });

  test(`the kubectl script applies the manifest in order and stops at the first failure (${name})`, () => {
    const run = runScript(platform.yamlScript(), command);
    assert.equal(run.code, 0, run.stderr);
    const applied = run.calls.filter(({ words }) => words[0] === 'apply').map(({ document }) => document);
    assert.match(applied[0] ?? '', /kind: CustomResourceDefinition/);
    assert.ok(applied.slice(1).every((text) => text.includes('releases.x-helm.dev/package: ')));
    const total = run.calls.length;
    for (let failAt = 4; failAt < total - 12; failAt += 11) {
      const words = run.calls[failAt - 1]?.words ?? [];
      // A missing namespace or context is not a failure.
      if (words[0] === 'config' || words.join(' ').startsWith('get namespace')) continue;
      const failed = runScript(platform.yamlScript(), command, { failAt });
      assert.notEqual(failed.code, 0, words.join(' '));
      assert.equal(failed.calls.length, failAt, words.join(' '));
    }
  });
}

test('a truncated script does nothing', () => {
  for (const [title, script] of scriptsOf(shop)) {
    const length = script.trimEnd().length;
    const cuts = Array.from({ length: 3 }, (_, index) => Math.floor((length * (index + 0.5)) / 3));
    for (const cut of [...cuts, ...Array.from({ length: 9 }, (_, index) => length - 1 - index)]) {
      assert.deepEqual(runScript(script.slice(0, cut)).calls, [], `${title}, cut at ${cut} of ${length}`);
    }
  }
});

test('an invalid argument is rejected before any program is called', () => {
  for (const [, script] of scriptsOf(shop)) {
    const run = runScript(script, ['sh'], { args: ['remove'], env: { KUBE_CONTEXT: 'c' } });
    assert.deepEqual([run.code, run.calls], [2, []]);
    assert.match(run.stderr, /usage: sh install\.sh/);
  }
});

/** Returns the behavior of a kubectl that finds every object of its input with a label. */
const listed = (label: string): string => `
case "$*" in
  get*custom-columns*-f*|get*-f*custom-columns*)
    awk -v label='${label}' '/^kind:/ { kind = $2 } /^  name:/ { print "v1 " kind " shop " $2 " " label " <none>" }' "$FAKE_HOME/$number.in" ;;
esac`;
const packageOf = (script: string, release: string): string =>
  new RegExp(`package=(${release}\\.\\w+)`).exec(script)?.[1] ?? '';
const deletions = (script: string, options: RunOptions): string[] =>
  runScript(script, ['sh'], options)
    .calls.filter(({ words }) => words[0] === 'delete')
    .map(({ words }) => words.join(' '));

test('uninstall deletes nothing without the label of its package', () => {
  const script = shop.yamlScript();
  assert.deepEqual(deletions(script, { args: ['uninstall'] }), []);
  assert.deepEqual(deletions(script, { args: ['uninstall'], behavior: listed('<none>') }), []);
  assert.deepEqual(deletions(script, { args: ['uninstall'], behavior: listed('web.0000000000') }), []);
  const own = packageOf(script, 'web');
  const deleted = deletions(script, { args: ['uninstall'], behavior: listed(own) });
  assert.equal(deleted.length, 4);
  for (const words of deleted) assert.ok(words.includes(`--selector=releases.x-helm.dev/package=${own}`), words);
});

test('an object of another owner is not taken over', () => {
  const run = runScript(shop.yamlScript(), ['sh'], { behavior: listed('<none>') });
  assert.notEqual(run.code, 0);
  assert.deepEqual(
    run.calls.filter(({ words }) => words[0] === 'apply'),
    [],
  );
  assert.match(
    run.stderr,
    /error: ConfigMap backend-postgres exists and lacks the label releases\.x-helm\.dev\/package=/,
  );
});

const kinds = [
  'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata:\n  name: data\n',
  'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: space\n',
  'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: config\n',
];

async function renderChart(files: Readonly<Record<string, string>>): Promise<RenderedOrder> {
  const chart = loadChart({ 'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n', ...files });
  const sourceRef = { kind: 'Embed', name: 'web' };
  const order = {
    metadata: { name: 'shop' },
    spec: {
      packages: [{ chart: { name: 'web', releaseName: 'web', namespace: 'shop', sourceRef } }],
    },
  };
  return renderOrder(order, { registry: memoryRegistry([chart]), host: seededHost() });
}

test('uninstall never deletes persistent volume claims and namespaces', async () => {
  const rendered = await renderChart({ 'templates/all.yaml': kinds.join('---\n') });
  const script = rendered.yamlScript();
  const deleted = deletions(script, { args: ['uninstall'], behavior: listed(packageOf(script, 'web')) });
  assert.deepEqual(
    deleted.map((words) => words.split(' ')[1]),
    ['configmap'],
  );
});

test('objects that this Order no longer contains are listed but not deleted', () => {
  const script = shop.yamlScript();
  const live = `case "$*" in get*--all-namespaces*) echo 'apps/v1 Deployment data old drydock-data-backend,kube' ; echo 'v1 Endpoints data x kube-controller-manager' ;; esac`;
  const run = runScript(script, ['sh'], { behavior: live });
  assert.equal(run.code, 0, run.stderr);
  assert.match(run.stderr, /^not in the Order: kubectl delete deployment\.v1\.apps old --namespace=data$/m);
  assert.doesNotMatch(run.stderr, /endpoints/);
  assert.deepEqual(
    run.calls.filter(({ words }) => words[0] === 'delete'),
    [],
  );
});

test('Orders with the same name but other namespaces have different labels', async () => {
  const labels = async (name: string): Promise<string[]> => {
    const other = loadOrder('shop.yaml') as {
      metadata: object;
      spec: { packages: { chart: { namespace: string } }[] };
    };
    for (const { chart } of other.spec.packages) chart.namespace = name;
    return (await renderSample(other)).yamlScript().match(/releases\.x-helm\.dev\/\w+=[\w.]+/g) ?? [];
  };
  const [one, two] = [await labels('one'), await labels('two')];
  assert.ok(one.every((label) => !two.includes(label)));
});

test('a script with random values from a seed is marked as a preview', async () => {
  const files = {
    'templates/a.yaml': 'apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {a: "{{ randAlpha 9 }}"}\n',
  };
  assert.match((await renderChart(files)).yamlScript(), /^# PREVIEW ONLY: /m);
});

test("no script modifies Helm's release records", () => {
  for (const os of ['linux', 'windows'] as const) {
    assert.doesNotMatch(shop.helmScript(os), /patch|sh\.helm\.release|gzip/);
    assert.deepEqual(
      runScript(shop.helmScript(), ['sh'], { args: ['uninstall'] }).calls.filter(
        ({ tool, words }) => tool === 'kubectl' && isMutating({ tool, words, context: '', document: '' }),
      ),
      [],
    );
  }
});

test('output of the cluster never becomes an option', () => {
  const script = shop.yamlScript();
  const behavior = `case "$*" in get*custom-columns*) echo "v1 ConfigMap shop web ${packageOf(script, 'web')} --filename=http://e.com" ;; esac`;
  for (const { words } of runScript(script, ['sh'], { args: ['uninstall'], behavior }).calls) {
    assert.ok(!words.some((word) => word.startsWith('--filename=')), words.join(' '));
  }
});

test("a document with a line that starts with '@ is valid in PowerShell", async () => {
  const rendered = await renderChart({
    'templates/a.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"'@ key": x\n`,
  });
  assert.deepEqual((await parsePowerShell(rendered.yamlScript('windows'))).errors, []);
});

test('an embedded chart is referenced by a path next to the script, and the header says that its digest is not verified', async () => {
  const rendered = await renderOrder(loadOrder('shop.yaml'), {
    registry: folderRegistry([chartsDirectory]),
    host: seededHost(),
  });
  for (const os of ['linux', 'windows'] as const) {
    const script = rendered.helmScript(os);
    assert.ok(!script.includes(process.cwd()) && !script.includes(chartsDirectory), script);
    assert.match(
      script,
      /^# {3}1\. data\/backend: postgres 3\.1\.0, sha256:\w{64} \(not verified\), to be copied to charts\/postgres beside this script$/m,
    );
  }
  const run = runScript(rendered.helmScript());
  assert.equal(run.code, 0, run.stderr);
  const [first] = run.calls.filter(({ words }) => words[0] === 'upgrade');
  assert.match(first?.words[3] ?? '', /\/drydock script ü-\w+\/charts\/postgres$/);
});

test('the time to live of a hook is only set after the script has seen its result', async () => {
  const job = (name: string, spec: string): string =>
    `---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: ${name}, annotations: {helm.sh/hook: pre-install}}\nspec: {${spec}}\n`;
  const rendered = await renderChart({
    'templates/a.yaml': job('short', 'ttlSecondsAfterFinished: 0') + job('long', 'suspend: false'),
  });
  for (const { command } of shells) {
    const { code, calls } = runScript(rendered.yamlScript(), command);
    assert.equal(code, 0);
    const patches = calls.flatMap(({ words }, at) => (words[0] === 'patch' ? [{ words, at }] : []));
    assert.deepEqual(
      patches.map(({ words }) => words),
      [
        [
          'patch',
          'job.v1.batch/short',
          '--namespace=shop',
          '--type=merge',
          '--patch=spec: {ttlSecondsAfterFinished: 0}',
        ],
      ],
    );
    const applied = calls.findIndex(({ words, document }) => words[0] === 'apply' && document.includes('name: short'));
    assert.doesNotMatch(calls[applied]?.document ?? '', /ttlSecondsAfterFinished/);
    const firstGet = calls.findIndex(({ words }) => words.includes('job.v1.batch/short') && words[0] === 'get');
    assert.ok(applied < firstGet && firstGet < patches[0]!.at);
  }
  assert.match(
    rendered.yamlScript('windows'),
    /Invoke-Hook \$hook_1_2 'before-hook-creation' 'job\.v1\.batch\/short' 'shop' '0' }$/m,
  );
});
