// Proves the scripts of PowerShell without a PowerShell: an interpreter of the part that they use runs them, as Windows PowerShell
// 5.1 and as PowerShell 7, with tools that write down every call; sh runs the same script in its own language. Both must call the
// same tools with the same words and documents, and end alike. `npm run powershell-proof`; with `-- --small` each case runs as one of
// the two, in turn.

import { isDeepStrictEqual } from 'node:util';
import { loadChart } from '../../render/chart/load.ts';
import { memoryRegistry } from '../../render/chart/registry.ts';
import { type RenderedOrder, renderOrder } from '../../render/rendered-order.ts';
import { loadOrder, renderSample } from '../../test/support/orders.ts';
import { type Call, isMutating, type RunOptions, runScript } from '../../test/support/shells.ts';
import { parameterOf, powerShell } from './powershell/command.ts';
import type { Edition } from './powershell/native.ts';

const editions = ['5.1', '7.4'] as const;
const isSmall = process.argv.includes('--small');
let count = 0;

/** Gives the editions to run the next case as. */
const nextEditions = (): readonly (typeof editions)[number][] =>
  isSmall ? editions.slice(count % 2, (count++ % 2) + 1) : editions;

let failures = 0;

// Answers as far as scripts look at answers.
const behaviour = `case "\${0##*/} $1 $2" in
  'helm version '*) echo v3.17.3 ;;
  'kubectl version '*) echo 'Server Version: v1.33.1' ;;
  'kubectl auth '*) echo yes ;;
  'kubectl config '*) echo here ;;
esac`;

// PowerShell ends what it pipes with a line break of Windows; folders that scripts make have names of their own; and sh has the
// definitions of a chart in a file where PowerShell pipes them.
const plain = ({ tool, words, document }: Call): Call => ({
  tool,
  words: words.map((word) => word.replace(/^\/tmp\/[^/]+(?=\/|$)/, '/tmp').replace(/^\/tmp\/crds$/, '-')),
  document: document.replaceAll('\r\n', '\n').trimEnd(),
});

interface Case {
  readonly title: string;
  readonly scripts: readonly [sh: string, powerShell: string];
  /** Options as sh has them. */
  readonly args?: readonly string[];
  readonly options?: RunOptions;
}

/** Runs a script of PowerShell in an edition, with options as sh has them. */
function runAs(
  edition: Edition,
  script: string,
  args: readonly string[],
  options: RunOptions,
): ReturnType<typeof runScript> {
  const words = args.map(parameterOf);
  return runScript(script, powerShell(edition), { behaviour, ...options, args: words });
}

function prove({ title, scripts: [sh, powerShell], args = [], options = {} }: Case): void {
  const shell = runScript(sh, ['sh'], { behaviour, ...options, args });
  for (const edition of nextEditions()) {
    const other = runAs(edition, powerShell, args, options);
    const [wanted, found] = [shell.calls.map(plain), other.calls.map(plain)];
    const at = wanted.findIndex((call, index) => !isDeepStrictEqual(call, found[index]));
    const isSame = shell.code === other.code && wanted.length === found.length && at < 0 && isTold(other, args);
    if (!isSame) failures++;
    console.log(`${isSame ? 'ok  ' : 'FAIL'} ${edition} ${title}: ${found.length} calls, exit code ${other.code}`);
    if (isSame) continue;
    const index = at < 0 ? wanted.length : at;
    console.log(`call ${index + 1}: sh ${JSON.stringify(wanted[index])}\nPowerShell ${JSON.stringify(found[index])}`);
    console.log(`sh ends with ${shell.code}, PowerShell with ${other.code}: ${other.stderr.slice(-600)}`);
  }
}

// With --json nothing stands on standard error but lines of it.
function isTold({ stderr }: ReturnType<typeof runScript>, args: readonly string[]): boolean {
  const lines = stderr.split(/\r?\n/).filter((line) => line !== '');
  return !args.includes('--json') || lines.every((line) => /^\{"time":".*"\}$/.test(line));
}

// Each package in a PowerShell of its own, which looks again whether all is there: what changes the cluster is the same.
function proveParallel(title: string, script: string): void {
  const changes = ({ calls }: ReturnType<typeof runScript>): string[] =>
    calls
      .filter(isMutating)
      .map((call) => JSON.stringify(plain(call)))
      .sort();
  for (const edition of nextEditions()) {
    const [one, several] = [[], ['--parallel', '3']].map((args) => runAs(edition, script, args, {}));
    const isSame = one?.code === 0 && several?.code === 0 && isDeepStrictEqual(changes(one), changes(several));
    if (!isSame) failures++;
    console.log(`${isSame ? 'ok  ' : 'FAIL'} ${edition} ${title} with -Parallel: exit code ${several?.code}`);
    if (!isSame) console.log(several?.stderr.slice(-600));
  }
}

const orders = await Promise.all(
  ['shop.yaml', 'platform.json'].map(async (name) => [name, await renderSample(loadOrder(name))] as const),
);

function cases(name: string, order: RenderedOrder): Case[] {
  const forms = (action: 'install' | 'uninstall', tool: 'helm' | 'kubectl'): readonly [string, string] => {
    const write = tool === 'helm' ? order.helmScript : order.yamlScript;
    return [write('linux', { action }), write('windows', { action })];
  };
  return (['helm', 'kubectl'] as const).flatMap((tool): Case[] => [
    { title: `${name}: ${tool} installs`, scripts: forms('install', tool) },
    { title: `${name}: ${tool} meets a failure`, scripts: forms('install', tool), options: { failAt: 9 } },
    {
      title: `${name}: ${tool} uninstalls`,
      scripts: forms('uninstall', tool),
      args: ['--delete-pvcs', '--delete-crds', '--delete-namespaces'],
    },
  ]);
}

// An operation that was interrupted; objects of an earlier run that the Order no longer has, one of them a claim.
const pending = `${behaviour}
case "\${0##*/} $1 $2" in 'helm list --pending') echo web ;; esac`;
const stale = `${behaviour}
case "\${0##*/} $*" in
  'kubectl get configmap '*contains-group-kinds*) printf 'ConfigMap,PersistentVolumeClaim|shop,stage' ;;
  'kubectl get '*part-of=*)
    echo 'v1|ConfigMap|shop|gone||'
    echo 'v1|ConfigMap|shop|theirs|other|'
    echo 'v1|PersistentVolumeClaim|shop|data||'
    ;;
  'kubectl diff '*) echo '+changed: true'; exit 1 ;;
esac`;

// Definitions are described in any language.
const described = `${behaviour}
case "\${0##*/} $1 $2" in 'helm show crds') echo 'description: naïve – 説明' ;; esac`;

// Something of what is applied is going away at first.
const going = `${behaviour}
case "\${0##*/} $1" in
  'kubectl apply')
    echo . >>"$FAKE_HOME/told"
    if [ "$(wc -l <"$FAKE_HOME/told")" -eq 2 ]; then
      echo 'Warning: Detected changes to resource a which is currently being deleted.' >&2
    fi ;;
esac`;
const failing = `${behaviour}
case "\${0##*/} $1" in 'kubectl apply') echo 'Warning: odd' >&2 ;; 'kubectl rollout' | 'helm upgrade') echo 'Error: no' >&2; exit 3 ;; esac`;
// Tools, and what signs in for them, warn on standard error with whatever they do: that is no part of their answers.
const chatty = (told: string): string => `echo 'Warning: v1 Endpoints is deprecated in v1.33+' >&2; echo >&2
${told}`;
// Helm tells that a server takes no more, without its reason.
const full = `${behaviour}
case "\${0##*/} $1" in
  'helm upgrade')
    echo . >>"$FAKE_HOME/told"
    if [ "$(wc -l <"$FAKE_HOME/told")" -lt 3 ]; then
      echo 'Error: INSTALLATION FAILED: Too many requests: wait' >&2; exit 1
    elif [ "$(wc -l <"$FAKE_HOME/told")" -eq 3 ]; then
      echo 'Error: UPGRADE FAILED: storage is (re)initializing' >&2; exit 1
    fi ;;
esac`;
const hasty = ([sh, powerShell]: readonly [string, string]): readonly [string, string] => [
  sh.replaceAll('sleep 5', 'sleep 0'),
  powerShell.replaceAll('Start-Sleep -Seconds 5', 'Start-Sleep -Seconds 0'),
];

const gone = (order: RenderedOrder): [string, string] => [
  order.yamlScript('linux', { action: 'uninstall' }),
  order.yamlScript('windows', { action: 'uninstall' }),
];

/** What the switches do: each meets what it is for. */
function switches(order: RenderedOrder, secret: RenderedOrder): Case[] {
  const helm: [string, string] = [order.helmScript('linux'), order.helmScript('windows')];
  const kubectl: [string, string] = [order.yamlScript('linux'), order.yamlScript('windows')];
  const env: [string, string] = [
    secret.yamlScript('linux', { secrets: 'env' }),
    secret.yamlScript('windows', { secrets: 'env' }),
  ];
  const names = [...new Set(env[0].match(/\bSECRET_[A-Z0-9_]+/g))];
  return [
    { title: 'a pending release stops', scripts: helm, options: { behaviour: pending } },
    { title: 'a pending release, -Unlock', scripts: helm, args: ['--unlock'], options: { behaviour: pending } },
    { title: '-UpgradeCrds', scripts: helm, args: ['--upgrade-crds'], options: { behaviour: described } },
    { title: '-Diff', scripts: kubectl, args: ['--diff'], options: { behaviour: stale } },
    { title: 'pruning', scripts: kubectl, options: { behaviour: stale } },
    { title: 'pruning, -PruneData', scripts: kubectl, args: ['--prune-data'], options: { behaviour: stale } },
    { title: 'an object is going away', scripts: hasty(kubectl), options: { behaviour: going } },
    { title: '-Json, and a failure', scripts: kubectl, args: ['--json'], options: { behaviour: failing } },
    { title: '-Json of Helm, and a failure', scripts: helm, args: ['--json'], options: { behaviour: failing } },
    { title: 'Helm, a server that is full', scripts: hasty(helm), options: { behaviour: full } },
    { title: 'Helm, with warnings', scripts: helm, options: { behaviour: chatty(behaviour) } },
    { title: 'kubectl, with warnings', scripts: kubectl, options: { behaviour: chatty(stale) } },
    { title: '-Json, with warnings', scripts: kubectl, args: ['--json'], options: { behaviour: chatty(stale) } },
    {
      title: '-Json of Helm, with warnings',
      scripts: helm,
      args: ['--json'],
      options: { behaviour: chatty(behaviour) },
    },
    {
      title: 'uninstalling, with warnings',
      scripts: gone(order),
      args: ['--json'],
      options: { behaviour: chatty(stale) },
    },
    { title: '-NoPrune', scripts: kubectl, args: ['--no-prune'], options: { behaviour: stale } },
    { title: `${names.length} secrets of the environment are missing`, scripts: env },
    {
      title: `${names.length} secrets of the environment`,
      scripts: env,
      options: { env: Object.fromEntries(names.map((name) => [name, `it's "${name}" $x \u00fc`])) },
    },
  ];
}

for (const [name, order] of orders) for (const one of cases(name, order)) prove(one);
const vault = loadChart({
  'Chart.yaml': 'apiVersion: v2\nname: vault\nversion: 1.0.0\n',
  'templates/secret.yaml':
    'apiVersion: v1\nkind: Secret\nmetadata: {name: keys}\nstringData: {first: "1", second: "2"}\n',
});
const selection = { name: 'vault', sourceRef: { name: 'x' }, releaseName: 'vault', namespace: 'ops' };
const secret = await renderOrder({ spec: { packages: [{ chart: selection }] } }, { registry: memoryRegistry([vault]) });
const platform = await renderSample(loadOrder('platform.json'));
for (const one of switches(platform, secret)) prove(one);
proveParallel('helm', platform.helmScript('windows'));
console.log(failures === 0 ? 'powershell: all hold' : `powershell: ${failures} do not hold`);
process.exitCode = failures === 0 ? 0 : 1;
