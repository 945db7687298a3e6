// The scripts of whole Orders do what they say in every shell of this machine.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emitYaml } from '../../../render/codec/yaml/emit.ts';
import { parseYamlMap } from '../../../render/codec/yaml/parse.ts';
import type { GoMap } from '../../../render/go/value.ts';
import type { RenderedOrder } from '../../../render/rendered-order.ts';
import { identity, objectsIn, withoutFilledIn } from '../../support/objects.ts';
import { listOrders, loadOrder, renderSample, scriptsOf } from '../../support/orders.ts';
import {
  areToolsAsked,
  type Call,
  hasTool,
  isMutating,
  type Run,
  runScript,
  shells,
  syntaxFaults,
  testShellCheck,
} from '../../support/shells.ts';

const orders = new Map<string, RenderedOrder>();
for (const name of listOrders()) orders.set(name, await renderSample(loadOrder(name)));
const platform = orders.get('platform.json') as RenderedOrder;
const shop = orders.get('shop.yaml') as RenderedOrder;

const runs = new Map<string, Run>();

/** Runs a script as it is, once for each shell. */
function runPlain(script: string, shell: readonly string[] = ['sh']): Run {
  const key = `${shell.join(' ')} ${script}`;
  const known = runs.get(key) ?? runScript(script, shell);
  runs.set(key, known);
  return known;
}

for (const [name, rendered] of orders) {
  for (const [title, script] of scriptsOf(rendered)) {
    for (const shell of shells) {
      test(`${name}: the ${title} script is good syntax in ${shell.name}`, () => {
        assert.equal(syntaxFaults(script, shell.command), '');
      });
    }
    testShellCheck(`the ${title} script of ${name}`, () => script);
  }
}

test('the three shells are on this machine', { skip: areToolsAsked ? false : 'not asked for' }, () => {
  for (const tool of ['dash', 'bash', 'busybox', 'shellcheck']) assert.ok(hasTool(tool), tool);
});

for (const shell of shells) {
  test(`${shell.name}: values reach Helm as they are`, () => {
    for (const [name, rendered] of orders) {
      const run = runPlain(rendered.helmScript(), shell.command);
      assert.equal(run.code, 0, `${name}: ${run.stderr}`);
      const upgrades = run.calls.filter(({ words }) => words[0] === 'upgrade');
      assert.deepEqual(
        upgrades.map(({ document }) => parseYamlMap(document)),
        rendered.packages.map((item) => item.values.overlay),
      );
      assert.deepEqual(
        upgrades.map(({ words }) => words.slice(0, 3)),
        rendered.packages.map((item) => ['upgrade', '--install', item.release.name]),
      );
    }
  });

  test(`${shell.name}: every script does the same as in the first shell`, () => {
    for (const rendered of orders.values()) {
      for (const [title, script] of scriptsOf(rendered)) {
        const first = runPlain(script, shells[0]?.command);
        const run = runPlain(script, shell.command);
        assert.equal(run.code, 0, `${title}: ${run.stderr}`);
        assert.deepEqual(run.calls, first.calls);
        assert.match(run.stderr, /^context: \n[\s\S]*done\n$/);
      }
    }
  });
}

const isInventory = (document: string): boolean => document.includes('applyset.kubernetes.io/tooling');
const textOf = (object: GoMap): string => emitYaml(withoutFilledIn(object));
const applied = (calls: readonly Call[]): GoMap[] =>
  calls
    .filter(({ words, document }) => words[0] === 'apply' && !isInventory(document))
    .flatMap(({ document }) => objectsIn(document));

test('the kubectl script applies the manifest, in its order, with the namespaces that it creates', () => {
  for (const rendered of orders.values()) {
    const objects = applied(runPlain(rendered.yamlScript()).calls).map(textOf);
    const manifest = objectsIn(rendered.manifest()).map(textOf);
    const own = objects.filter((object) => !manifest.includes(object));
    assert.ok(own.every((object) => object.includes('kind: Namespace\n')));
    assert.deepEqual(
      objects.filter((object) => !own.includes(object)),
      manifest,
    );
  }
});

test('the kubectl script keeps the phases of Helm', () => {
  const { calls } = runPlain(platform.yamlScript());
  const steps = calls.map(({ words, document }) =>
    isInventory(document)
      ? `inventory ${/installed: "(\w+)"/.exec(document)?.[1]}`
      : words[0] === 'apply'
        ? `apply ${objectsIn(document)
            .map((object) => identity(object).split(' ').slice(1).join(' '))
            .join(', ')}`
        : words
            .filter((word) => !/^--|^-o$|^name$|^jsonpath|^applyset\./.test(word))
            .join(' ')
            .replace(/^(get) .*(part-of).*/, '$1 $2'),
  );
  const first = steps.findIndex((step) => step.startsWith('apply'));
  const crds = 'backups.data.example.com vaults.data.example.com keys.data.example.com';
  const kinds = 'backup.data.example.com,configmap,deployment.apps,namespace,vault.data.example.com';
  assert.deepEqual(steps.slice(first, first + 23), [
    `apply ${crds.replace(/\S+/g, 'CustomResourceDefinition $&').replace(/ (?=Custom)/g, ', ')}`,
    `get crd ${crds}`,
    `wait crd ${crds}`,
    'get namespace ops',
    'apply Namespace ops',
    'get configmap drydock-ops ops',
    'inventory no',
    'delete serviceaccount/ops-migrate ops',
    'apply ServiceAccount ops-migrate',
    'delete job.v1.batch/ops-pre-install ops',
    'apply Job ops-pre-install',
    'wait job.v1.batch/ops-pre-install ops',
    'delete job.v1.batch/ops-pre-install ops',
    'apply Namespace ops-data, Deployment ops, Backup ops-nightly, ConfigMap ops-a, ConfigMap ops-b, Vault ops',
    'rollout status deployment.v1.apps/ops ops',
    'delete job.v1.batch/ops-post-install ops',
    'apply Job ops-post-install',
    'wait job.v1.batch/ops-post-install ops',
    'delete job.v1.batch/ops-post-install ops',
    'get crd backups.data.example.com',
    'wait crd backups.data.example.com',
    `get ${kinds} ops`,
    'inventory yes',
  ]);
});

test('every namespaced object is applied with its namespace, in the object and beside it', () => {
  for (const rendered of orders.values()) {
    for (const { words, document } of runPlain(rendered.yamlScript()).calls) {
      if (words[0] !== 'apply' || isInventory(document)) continue;
      const option = words[words.indexOf('--namespace') + 1];
      for (const object of objectsIn(document)) {
        const namespace = (object.get('metadata') as GoMap).get('namespace');
        const isClusterKind = /^(Namespace|CustomResourceDefinition|Vault|StorageClass)$/.test(
          String(object.get('kind')),
        );
        assert.equal(namespace, isClusterKind ? undefined : option, identity(object));
      }
    }
  }
});

test('the n-th call that fails stops an installation, names what failed and keeps the code', () => {
  for (const rendered of [platform, shop]) {
    for (const script of [rendered.helmScript(), rendered.yamlScript()]) {
      const { calls } = runPlain(script);
      const total = calls.length;
      const step = Math.max(1, Math.floor(total / 8));
      for (let failAt = 1; failAt <= total; failAt += failAt < 4 ? 1 : step) {
        const run = runScript(script, ['sh'], { failAt });
        if (calls[failAt - 1]?.words.join(' ').startsWith('auth can-i * *')) continue;
        // The list of what an earlier run applied is asked for again, type by type.
        if (calls[failAt - 1]?.words.includes('--selector')) continue;
        // Helm needs no answer of kubectl.
        if (script === rendered.helmScript() && calls[failAt - 1]?.words[0] === 'version' && run.code === 0) {
          assert.deepEqual([calls[failAt - 1]?.tool, run.calls.length], ['kubectl', total]);
          continue;
        }
        // Nor has it to look at what a release was made of before, or to tell what of that Helm left.
        if (calls[failAt - 1]?.words.slice(0, 2).join(' ') === 'get manifest') {
          assert.deepEqual([run.code, run.calls.length], [0, total]);
          assert.match(
            run.stderr,
            /warning: whether Helm removes all that release \S+ no longer has will not be seen: boom/,
          );
          continue;
        }
        if (calls[failAt - 1]?.words[0] === 'config') {
          // A pod has a cluster and no context.
          assert.deepEqual([run.code, run.calls.length], [0, total]);
          assert.match(run.stderr, /^context: none, the cluster this runs in\n/);
          continue;
        }
        assert.equal(run.code, 7, run.stderr);
        // What comes after it asks for the reason, or deletes a hook that its chart wants gone.
        assert.deepEqual(
          run.calls.slice(failAt).filter(({ words }) => !/^(get pods|get events|delete job)/.test(words.join(' '))),
          [],
        );
        assert.match(run.stderr, /error: (preflight|package \S+\/\S+) failed with exit code 7\n$/);
      }
    }
  }
});

test('a script that is cut off anywhere does nothing, and fails', () => {
  for (const [, script] of [...scriptsOf(platform), ...scriptsOf(shop)]) {
    const whole = script.trimEnd().length;
    const cuts = Array.from({ length: 12 }, (_, index) => Math.floor((whole * (index + 0.5)) / 12));
    for (const cut of [...cuts, ...Array.from({ length: 11 }, (_, index) => whole - 1 - index)]) {
      const run = runScript(script.slice(0, cut));
      assert.notEqual(run.code, 0, `cut at ${cut}`);
      assert.deepEqual(run.calls, [], `cut at ${cut}: ${script.slice(cut - 30, cut)}`);
    }
    assert.notEqual(runScript(script.slice(0, whole)).calls.length, 0);
  }
});

test('a dry run calls nothing, and what it prints does what the script does', () => {
  for (const rendered of orders.values()) {
    for (const [title, script] of scriptsOf(rendered)) {
      const dry = runScript(script, ['sh'], { args: ['--dry-run'] });
      assert.equal(dry.code, 0, dry.stderr);
      assert.deepEqual(dry.calls, []);
      const real = runPlain(script).calls.filter(isMutating);
      assert.deepEqual(runPlain(dry.stdout).calls.filter(isMutating), real, title);
    }
  }
});

test('packages can be chosen, and unknown ones are refused', () => {
  const releases = (args: readonly string[]): (string | undefined)[] =>
    runScript(shop.helmScript(), ['sh'], { args }).calls.flatMap(({ words }) =>
      words[0] === 'upgrade' ? [words[2]] : [],
    );
  assert.deepEqual(releases([]), ['backend', 'web']);
  assert.deepEqual(releases(['--only', 'web']), ['web']);
  assert.deepEqual(releases(['--only=data/backend']), ['backend']);
  assert.deepEqual(releases(['--only', 'web', '--only', 'backend']), ['backend', 'web']);
  assert.deepEqual(releases(['--from', 'shop/web']), ['web']);
  for (const args of [['--only', 'we'], ['--from=x'], ['--only'], ['--frob'], ['extra'], ['--timeout', '5m']]) {
    const run = runScript(shop.helmScript(), ['sh'], { args });
    assert.equal(run.code, 2, args.join(' '));
    assert.deepEqual(run.calls, []);
    assert.match(run.stderr, /^error: /);
  }
});

test('a context goes to every call', () => {
  for (const script of [shop.helmScript(), shop.yamlScript()]) {
    const { calls } = runScript(script, ['sh'], { args: ['--context', 'a b'] });
    const asked = calls.filter(
      ({ tool, words }) => (tool === 'kubectl' || words[0] !== 'version') && words[0] !== 'config',
    );
    assert.ok(asked.length > 2);
    for (const { tool, words } of asked) {
      assert.deepEqual(words.slice(-2), [tool === 'helm' ? '--kube-context' : '--context', 'a b']);
    }
  }
});

test('Helm and kubectl are never sent to two clusters: the environment names the context for both', () => {
  const contexts = (script: string, args: readonly string[] = []): Set<string | undefined> => {
    const env = { HELM_KUBECONTEXT: 'a b' };
    const { calls } = runScript(script, ['sh'], { args, env });
    return new Set(calls.filter(({ words }) => words[0] !== 'version').map(({ words }) => words.at(-1)));
  };
  for (const action of ['install', 'uninstall'] as const) {
    const script = platform.helmScript('linux', { action });
    assert.deepEqual(contexts(script), new Set(['a b']));
    assert.deepEqual(contexts(script, ['--context', 'c']), new Set(['c']));
    const deletions = action === 'uninstall' ? ['--delete-crds', '--delete-pvcs'] : [];
    assert.deepEqual(contexts(script, deletions), new Set(['a b']));
  }
});

test('a script for one context works with no other', async (context) => {
  const rendered = await renderSample(loadOrder('platform.json'), { context: "it's prod" });
  for (const [title, script] of scriptsOf(rendered)) {
    await testShellCheck(`the ${title} script`, () => script, context);
    const { code, calls, stderr } = runScript(script);
    assert.equal(code, 0, stderr);
    const asked = calls.filter(({ tool, words }) => !(tool === 'helm' && words[0] === 'version'));
    for (const { words } of asked) assert.equal(words.at(-1), "it's prod", title);
    assert.match(stderr, /^context: it's prod\n/);
    assert.equal(runScript(script, ['sh'], { args: ['--context', "it's prod"] }).code, 0);
    const other = runScript(script, ['sh'], { args: ['--context', 'test'] });
    assert.deepEqual([other.code, other.calls], [2, []]);
    assert.equal(other.stderr, "error: this script is for the context it's prod\n");
  }
  assert.match(rendered.yamlScript('windows'), /\[string\]\$Context = 'it''s prod'/);
});

test('who may not create something is told before anything is changed', () => {
  const behaviour = `case "$*" in 'auth can-i create job'*) echo no; exit 1 ;; esac`;
  const run = runScript(platform.yamlScript(), ['sh'], { behaviour });
  assert.equal(run.code, 1);
  assert.deepEqual(run.calls.filter(isMutating), []);
  assert.match(run.stderr, /error: this user may not create job\.v1\.batch \(--namespace=ops\)\n/);
  const asked = (args: readonly string[]): string[] =>
    runScript(platform.yamlScript(), ['sh'], { args }).calls.flatMap(({ words }) =>
      words[0] === 'auth' && words[2] === 'patch' ? [words.slice(3).join(' ')] : [],
    );
  const all = asked([]);
  assert.equal(new Set(all).size, all.length);
  assert.ok(all.includes('namespace --all-namespaces'));
  const almighty = `case "$*" in 'auth can-i * *'*) echo yes ;; esac`;
  const few = runScript(platform.yamlScript(), ['sh'], { behaviour: almighty }).calls;
  assert.equal(few.filter(({ words }) => words[0] === 'auth').length, 1);
  assert.deepEqual(asked(['--from', 'tools']), asked(['--only', 'tools']));
  assert.ok(asked(['--only', 'tools']).every((words) => words.endsWith('--namespace=default')));
});

test('old tools are refused, unknown versions are taken', () => {
  const run = (version: string, script: string): number =>
    runScript(script, ['sh'], { behaviour: `[ "$1" != version ] || echo '${version}'` }).code;
  for (const [version, code] of [
    ['v3.7.2+g1', 1],
    ['v2.17.0', 1],
    ['v3.8.0', 0],
    ['v3.17.3+ge4da497', 0],
    ['v4.0.1', 1],
    ['v4.0.1-rc.1', 1],
    ['v40.0.0', 1],
    ['v3.10.0', 0],
    ['odd', 0],
  ] as const) {
    assert.equal(run(version, shop.helmScript()), code, version);
    assert.equal(run(version, shop.helmScript('linux', { action: 'uninstall' })), code, version);
  }
  for (const [version, code4, codeAny] of [
    ['v3.7.2+g1', 1, 1],
    ['v2.17.0', 1, 1],
    ['v3.17.3+ge4da497', 1, 0],
    ['v4.2.3+g43e8b7f', 0, 0],
    ['v40.0.0', 1, 0],
    ['odd', 0, 0],
  ] as const) {
    assert.equal(run(version, shop.helmScript('linux', { forHelm: 4 })), code4, version);
    assert.equal(run(version, shop.helmScript('linux', { forHelm: 'any' })), codeAny, version);
  }
  for (const [version, code] of [
    ['v1.22.3', 1],
    ['v1.9.0', 1],
    ['v1.23.0', 0],
    ['v1.31.9', 0],
  ] as const) {
    assert.equal(run(`Client Version: ${version}`, shop.yamlScript()), code, version);
    assert.equal(run(`Client Version: v1.31.0\nServer Version: ${version}`, shop.yamlScript()), code, version);
    assert.equal(run(`Client Version: version.Info{GitVersion:"${version}"}`, shop.yamlScript()), code, version);
  }
});

test('a namespace is applied only where it is absent, and stops the script where it goes away', () => {
  const run = (phase: string): { code: number; namespaces: number } => {
    const { code, calls } = runScript(platform.yamlScript(), ['sh'], {
      behaviour: `[ "$1 $2" != 'get namespace' ] || printf '${phase}'`,
    });
    return { code, namespaces: applied(calls).filter((object) => identity(object) === 'v1 Namespace ops').length };
  };
  assert.deepEqual(run(''), { code: 0, namespaces: 1 });
  assert.deepEqual(run('Active'), { code: 0, namespaces: 0 });
  assert.deepEqual(run('Terminating'), { code: 1, namespaces: 0 });
});

test('an uninstallation goes backwards, goes on after a failure, and leaves CRDs, claims and namespaces alone', () => {
  for (const [title, script] of scriptsOf(platform).filter(([title]) => title.endsWith(' uninstall'))) {
    const plain = runPlain(script).calls;
    const behaviour = `case "$*" in 'uninstall tools'* | 'delete deployment'*) echo boom >&2; exit 7 ;; esac`;
    const run = runScript(script, ['sh'], { behaviour });
    assert.equal(run.code, 7, title);
    assert.match(run.stderr, /warning: package default\/tools: something is left/);
    const deleted = plain.filter(isMutating).map(({ words }) => words.join(' '));
    assert.ok(
      !deleted.some((words) =>
        /\b(crd|customresourcedefinition|pvc|persistentvolumeclaim|namespace\/|delete namespace)/.test(words),
      ),
      title,
    );
    const order = deleted.map((words) => /tools|ops/.exec(words)?.[0]);
    assert.deepEqual(order, [...order].sort().reverse());
    assert.ok(run.calls.filter(isMutating).length >= deleted.length, title);
    const all = runScript(script, ['sh'], { args: ['--delete-crds', '--delete-pvcs', '--delete-namespaces'] }).calls;
    const words = all.map((call) => call.words.join(' '));
    assert.ok(words.some((line) => line.startsWith('delete crd/backups.data.example.com crd/vaults.data.example.com')));
    assert.ok(
      words.some((line) => line.startsWith('delete pvc --namespace ops --selector app.kubernetes.io/instance=ops')),
    );
    // The namespace of the Order, and the one that a chart makes.
    const namespaces = words.filter((line) => line.startsWith('delete namespace '));
    assert.deepEqual(
      namespaces.map((line) => line.split(' ')[2]),
      ['ops-data', 'ops'],
    );
    assert.ok(
      words
        .filter((line) => /^delete (?!configmap drydock)/.test(line))
        .every((line) => line.endsWith(' --timeout=600s')),
    );
  }
});

const canCheckFiles = areToolsAsked || hasTool('sha256sum') || hasTool('shasum');

test('a folder of scripts holds what the one script holds, and refuses changed files', async (context) => {
  for (const tool of ['helm', 'yaml'] as const) {
    const files = new Map(shop.scriptFolder(tool));
    const script = files.get('install.sh') as string;
    await testShellCheck(`the ${tool} install script of a folder`, () => script, context);
    assert.deepEqual([...files.keys()].filter((name) => !name.includes('/')).sort(), [
      'SHA256SUMS',
      'install.ps1',
      'install.sh',
      'uninstall.ps1',
      'uninstall.sh',
    ]);
    const run = runScript(script, ['sh'], { files });
    if (!canCheckFiles) {
      // Without a tool that makes checksums nothing is installed, and the tool is named.
      assert.equal(run.code, 1);
      assert.match(run.stderr, /sha256sum or shasum is needed/);
      assert.deepEqual(run.calls.filter(isMutating), []);
      continue;
    }
    assert.equal(run.code, 0, run.stderr);
    const inline = runPlain(tool === 'helm' ? shop.helmScript() : shop.yamlScript());
    assert.equal(run.calls.filter(isMutating).length, inline.calls.filter(isMutating).length);
    const data = [...files.keys()].find((name) => name.includes('/')) as string;
    const changed = runScript(script, ['sh'], { files: new Map(files).set(data, 'changed') });
    assert.notEqual(changed.code, 0);
    assert.deepEqual(changed.calls.filter(isMutating), []);
  }
});
