// Proves the scripts of PowerShell without a PowerShell: an interpreter of the part that they use runs them, as Windows PowerShell
// 5.1 and as PowerShell 7, with tools that write down every call; sh runs the same script in its own language. Both must call the
// same tools with the same words and documents, and end alike. `npm run powershell-proof`

import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { RenderedOrder } from '../../render/rendered-order.ts';
import { loadOrder, renderSample } from '../../test/support/orders.ts';
import { type Call, type RunOptions, runScript } from '../../test/support/shells.ts';

const runner = fileURLToPath(new URL('./powershell/run.ts', import.meta.url));
const editions = ['5.1', '7.4'] as const;
let failures = 0;

// Answers as far as scripts look at answers.
const behaviour = `case "\${0##*/} $1 $2" in
  'helm version '*) echo v3.17.3 ;;
  'kubectl version '*) echo 'Server Version: v1.33.1' ;;
  'kubectl auth '*) echo yes ;;
  'kubectl config '*) echo here ;;
esac`;

// PowerShell ends what it pipes with a line break of Windows; folders that scripts make have names of their own.
const plain = ({ tool, words, document }: Call): Call => ({
  tool,
  words: words.map((word) => word.replace(/^\/tmp\/[^/]+(?=\/|$)/, '/tmp')),
  document: document.replaceAll('\r\n', '\n').trimEnd(),
});

interface Case {
  readonly title: string;
  readonly scripts: readonly [sh: string, powerShell: string];
  /** Options as sh has them. */
  readonly args?: readonly string[];
  readonly options?: RunOptions;
}

const parameterOf = (flag: string): string =>
  flag
    .replace(/^--?/, '-')
    .replace(/-([a-z])/g, (_all, letter: string, at: number) => `${at === 0 ? '-' : ''}${letter.toUpperCase()}`);

function prove({ title, scripts: [sh, powerShell], args = [], options = {} }: Case): void {
  const shell = runScript(sh, ['sh'], { behaviour, ...options, args });
  for (const edition of editions) {
    const command = [process.execPath, '--liftoff-only', '--import', import.meta.resolve('tsx'), runner, edition];
    const words = args.map((word) => (word.startsWith('--') ? parameterOf(word) : word));
    const other = runScript(powerShell, command, { behaviour, ...options, args: words });
    const [wanted, found] = [shell.calls.map(plain), other.calls.map(plain)];
    const at = wanted.findIndex((call, index) => !isDeepStrictEqual(call, found[index]));
    const isSame = shell.code === other.code && wanted.length === found.length && at < 0;
    if (!isSame) failures++;
    console.log(`${isSame ? 'ok  ' : 'FAIL'} ${edition} ${title}: ${found.length} calls, exit code ${other.code}`);
    if (isSame) continue;
    const index = at < 0 ? wanted.length : at;
    console.log(`call ${index + 1}: sh ${JSON.stringify(wanted[index])}\nPowerShell ${JSON.stringify(found[index])}`);
    console.log(`sh ends with ${shell.code}, PowerShell with ${other.code}: ${other.stderr.slice(-600)}`);
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

for (const [name, order] of orders) for (const one of cases(name, order)) prove(one);
console.log(failures === 0 ? 'powershell: all hold' : `powershell: ${failures} do not hold`);
process.exitCode = failures === 0 ? 0 : 1;
