// What scripts do where a question to the cluster gets no answer: nothing is taken for absent, and nothing is lost.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadChart } from '../../../render/chart/load.ts';
import { memoryRegistry } from '../../../render/chart/registry.ts';
import { renderOrder } from '../../../render/rendered-order.ts';
import { loadOrder, renderSample } from '../../support/orders.ts';
import { type Call, type RunOptions, runScript } from '../../support/shells.ts';

const platform = await renderSample(loadOrder('platform.json'));
const words = ['--delete-namespaces', '--timeout', '5'];

/** Fails what asks for this. */
const silent = (question: string): RunOptions => ({
  args: words,
  behaviour: `case "\${0##*/} $*" in '${question}'*) echo 'Error from server (InternalError): down' >&2; exit 1 ;; esac`,
});

const deleted = (calls: readonly Call[], type: string): string[] =>
  calls.flatMap((call) => (call.words[0] === 'delete' && call.words[1] === type ? [String(call.words[2])] : []));

test('a namespace stays whose claims cannot be asked for', () => {
  for (const script of [platform.helmScript, platform.yamlScript]) {
    const text = script('linux', { action: 'uninstall' });
    const fine = runScript(text, ['sh'], { args: words });
    assert.notDeepEqual(deleted(fine.calls, 'namespace'), []);
    const run = runScript(text, ['sh'], silent('kubectl get pvc'));
    assert.deepEqual(deleted(run.calls, 'namespace'), []);
    assert.equal(run.code, 1);
    assert.match(run.stderr, /\(InternalError\): down\n/);
    assert.match(run.stderr, /error: not everything could be removed\n/);
  }
});

test('what may have stayed is told where it cannot be listed', () => {
  const text = platform.yamlScript('linux', { action: 'uninstall' });
  const run = runScript(text, ['sh'], { ...silent('kubectl get crd/'), args: [] });
  assert.match(run.stderr, /may stay: /);
});

test('a secret of chance is not made anew where nobody can tell whether it is there', async () => {
  const chart = loadChart({
    'Chart.yaml': 'apiVersion: v2\nname: db\nversion: 1.0.0\n',
    'templates/a.yaml': 'apiVersion: v1\nkind: Secret\nmetadata: {name: db}\nstringData: {a: {{ randAlpha 9 }}}\n',
  });
  const selection = { name: 'db', releaseName: 'db', namespace: 'shop', sourceRef: { kind: 'Embed', name: 'db' } };
  const order = { spec: { packages: [{ chart: selection }] } };
  const script = (await renderOrder(order, { registry: memoryRegistry([chart]) })).yamlScript();
  const applied = (calls: readonly Call[]): string[] =>
    calls.flatMap(({ words: [verb], document }) =>
      verb === 'apply' && /kind: Secret/.test(document) ? [document] : [],
    );
  assert.equal(applied(runScript(script).calls).length, 1);
  const run = runScript(script, ['sh'], { ...silent('kubectl get secret'), args: [] });
  assert.equal(applied(run.calls).length, 0);
  assert.equal(run.code, 1);
  assert.match(run.stderr, /error: package shop\/db failed with exit code 1\n$/);
});

test('another version of the cluster than everything was rendered for is told, where kubectl knows it', () => {
  const told = (script: string, answer: string): boolean => {
    const behaviour = `case "\${0##*/} $1" in 'kubectl version') ${answer} ;; esac`;
    const run = runScript(script, ['sh'], { behaviour });
    assert.equal(run.code, 0, run.stderr);
    return /warning: this was rendered for Kubernetes 1\.32, and the cluster is 1\.27/.test(run.stderr);
  };
  for (const script of [platform.helmScript(), platform.yamlScript()]) {
    assert.ok(told(script, 'echo "Server Version: v1.27.4+k3s1"'));
    assert.ok(!told(script, 'echo "Server Version: v1.32.1"'));
  }
  assert.ok(!told(platform.helmScript(), 'exit 1'));
});

test('what a release had and Helm did not delete is told, with the command that does', () => {
  const document = (name: string, more = ''): string =>
    `printf '%s\\n' --- 'apiVersion: v1' 'kind: ConfigMap' 'metadata:' '  name: ${name}'${more}; `;
  const behaviour = `case "\${0##*/} $*" in
    'helm get manifest ops '*)
      ${document('stays', ` "  labels: {at: $number}"`)}
      if [ ! -e "$FAKE_HOME/upgraded" ]; then ${document('left')}${document('apart', " '  namespace: elsewhere'")}fi ;;
    'helm upgrade '*) : >"$FAKE_HOME/upgraded" ;;
    'kubectl get '*custom-columns*)
      sed -n 's/^  name: //p' "$FAKE_HOME/$number.in" | while read -r name; do
        case "$name" in apart) space=elsewhere ;; *) space=ops ;; esac
        echo "v1   ConfigMap   $space   $name   <none>   <none>"
      done ;;
  esac`;
  const run = runScript(platform.helmScript(), ['sh'], { behaviour, args: ['--only', 'ops'] });
  assert.equal(run.code, 0, run.stderr);
  const told = run.stderr.split('\n').filter((line) => / stays: /.test(line));
  const why = 'release ops no longer has it, and Helm did not delete it';
  assert.deepEqual(told, [
    `warning: configmap/left in ops stays: ${why} (kubectl delete configmap/left --namespace ops)`,
    `warning: configmap/apart in elsewhere stays: ${why} (kubectl delete configmap/apart --namespace elsewhere)`,
  ]);
  const asked = run.calls.filter(({ words }) => words.some((word) => word.startsWith('custom-columns')));
  assert.equal(asked.length, 3);
});

test('an uninstallation asks nothing more of a cluster that does not answer', () => {
  for (const script of [platform.helmScript, platform.yamlScript]) {
    const run = runScript(script('linux', { action: 'uninstall' }), ['sh'], silent('kubectl version'));
    assert.equal(run.code, 1);
    assert.match(run.stderr, /down\nerror: preflight failed with exit code 1\n$/);
    assert.deepEqual(
      run.calls.filter(({ words }) => /^(?:delete|uninstall|get)$/.test(String(words[0]))),
      [],
    );
  }
});

test('a release whose records Helm cannot list is not taken for one that is gone', () => {
  // As Helm does: with that flag every failure to find a release is none.
  const behaviour = `case "\${0##*/} $*" in
    'helm uninstall '*--ignore-not-found*) ;;
    'helm uninstall '*) echo 'Error: uninstall: Release not loaded: injected failure' >&2; exit 1 ;;
  esac`;
  const script = platform.helmScript('linux', { action: 'uninstall' });
  const run = runScript(script, ['sh'], { behaviour, args: words });
  assert.equal(run.code, 1);
  assert.deepEqual(deleted(run.calls, 'namespace'), []);
  assert.match(run.stderr, /error: not everything could be removed\n/);
});

test('what is changed as it goes away is applied again until it is gone, and that it stays is a failure', () => {
  const warning = 'Warning: Detected changes to resource a which is currently being deleted.';
  const told = (times: number): ReturnType<typeof runScript> => {
    const behaviour = `case "\${0##*/} $*" in
      'kubectl apply '*'--namespace ops '*)
        echo . >>"$FAKE_HOME/told"
        if [ "$(wc -l <"$FAKE_HOME/told")" -le ${times} ]; then echo '${warning}' >&2; fi ;;
    esac`;
    const script = platform.yamlScript().replace('sleep 5', ':');
    return runScript(script, ['sh'], { behaviour, args: ['--only', 'ops', '--timeout', '20'] });
  };
  const applied = ({ calls }: ReturnType<typeof runScript>): number =>
    calls.filter(({ words }) => words[0] === 'apply' && words.join(' ').includes('--namespace ops ')).length;
  const fine = told(0);
  assert.equal(fine.code, 0, fine.stderr);
  const gone = told(1);
  assert.equal(gone.code, 0, gone.stderr);
  assert.equal(applied(gone), applied(fine) + 1);
  assert.match(gone.stderr, /being deleted\.\nthe cluster is not ready for this yet: trying again\n/);
  const stuck = told(99);
  assert.equal(stuck.code, 1);
  assert.match(stuck.stderr, /being deleted\.\nerror: package ops\/ops failed with exit code 1\n$/);
});

test('who may not make definitions is stopped before anything is begun, unless they are left out', () => {
  const script = platform.yamlScript();
  const behaviour = `case "\${0##*/} $*" in
    'kubectl auth can-i *'*) echo no; exit 1 ;;
    'kubectl auth can-i patch customresourcedefinition'*) echo no; exit 1 ;;
    'kubectl auth '*) echo yes ;;
  esac`;
  const run = runScript(script, ['sh'], { behaviour });
  assert.equal(run.code, 1);
  assert.match(run.stderr, /error: this user may not patch customresourcedefinition\.v1\.apiextensions\.k8s\.io/);
  assert.deepEqual(
    run.calls.filter(({ words }) => words[0] === 'apply'),
    [],
  );
  const others = runScript(script, ['sh'], { behaviour, args: ['--skip-crds'] });
  assert.equal(others.code, 0, others.stderr);
});
