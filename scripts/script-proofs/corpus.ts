// Checks the scripts of 200 generated Orders: syntax in every shell, ShellCheck, a PowerShell parser; and that waiting
// for what never comes has an end. `npm run proofs` runs it after the proofs against Helm. PROOF_SEED=n repeats a run.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import fc from 'fast-check';
import { directoryRegistry } from '../../render/chart/registry.node.ts';
import type { ScriptOptions } from '../../render/scripts/script.ts';
import { generatedOrder } from '../../test/support/generated-orders.ts';
import { chartsDirectory, loadOrder, renderSample } from '../../test/support/orders.ts';
import { runScript, shells } from '../../test/support/shells.ts';
import { powerShellParser } from './powershell/parser.ts';

const seed = Number(process.env.PROOF_SEED ?? 20250101);
let failures = 0;

function report(title: string, faults: readonly string[]): void {
  if (faults.length > 0) failures++;
  console.log([`${faults.length === 0 ? 'ok  ' : 'FAIL'} ${title}`, ...faults.slice(0, 5)].join('\n'));
}

async function checkCorpus(folder: string): Promise<void> {
  const parsePowerShell = await powerShellParser();
  const files: string[] = [];
  const powerShellFaults: string[] = [];
  const orders = fc.sample(generatedOrder(), { numRuns: 200, seed });
  for (const [index, input] of orders.entries()) {
    const resolve = (ref: { readonly name: string }) =>
      sampleRegistry.resolve({ ...ref, version: '', sourceRef: embedded });
    const rendered = await renderSample(input, { registry: { resolve }, chartPath: undefined });
    const scripts = (options: ScriptOptions): [string, string][] => [
      [`${index}-helm-${options.action}`, rendered.helmScript(options.os, options)],
      [`${index}-kubectl-${options.action}`, rendered.yamlScript(options.os, options)],
    ];
    for (const action of ['install', 'uninstall'] as const) {
      for (const [name, text] of scripts({ action, os: 'linux' })) {
        await writeFile(join(folder, `${name}.sh`), text);
        files.push(`${name}.sh`);
      }
      for (const [name, text] of scripts({ action, os: 'windows' })) {
        const fault = parsePowerShell(text.replace(/^\ufeff/, ''));
        if (fault !== '') powerShellFaults.push(`${name}.ps1: ${fault}`);
      }
    }
  }
  for (const { name, command } of shells) {
    const [program = 'sh', ...words] = command;
    const faults: string[] = [];
    for (const file of files) {
      const { exitCode, stderr } = await execa(program, [...words, '-n', file], { cwd: folder, reject: false });
      if (exitCode !== 0) faults.push(`${file}: ${stderr}`);
    }
    report(`${files.length} scripts of ${orders.length} Orders are good syntax in ${name}`, faults);
  }
  // Each carries the same functions, which takes ShellCheck half a second a script.
  const some = files.filter((_file, index) => index % 80 < 4);
  const { stdout } = await execa('shellcheck', ['-s', 'sh', '-f', 'gcc', ...some], { cwd: folder, reject: false });
  report(`ShellCheck finds nothing in ${some.length} scripts`, stdout === '' ? [] : stdout.split('\n'));
  report(`${files.length} PowerShell scripts parse`, powerShellFaults);
}

const embedded = { kind: 'Embed', name: '' };
const sampleRegistry = directoryRegistry([chartsDirectory]);

/** A CRD that never comes, a hook that never ends: the scripts stop within their limit, with a code of their own. */
async function checkLimits(): Promise<void> {
  const rendered = await renderSample(loadOrder('platform.json'));
  const absent = `case "$1 $2" in 'get crd') echo 'Error from server (NotFound): not found' >&2; exit 1 ;; esac`;
  const endless = `case "$*" in 'wait job'*) echo 'error: timed out waiting for the condition' >&2; exit 1 ;; esac`;
  const broken = `case "$*" in *condition=failed*) exit 0 ;; esac\n${endless}`;
  for (const [title, script, behaviour, calls] of [
    ['a CRD that never comes (helm)', rendered.helmScript(), absent, 2],
    ['a CRD that never comes (kubectl)', rendered.yamlScript(), absent, 2],
    ['a hook that never ends', rendered.yamlScript(), endless, 2],
    ['a hook that fails', rendered.yamlScript(), broken, 2],
  ] as const) {
    const started = performance.now();
    const run = runScript(script, ['sh'], { args: ['--timeout', '3'], behaviour });
    const seconds = (performance.now() - started) / 1000;
    const asked = run.calls.filter(({ words }) =>
      /^(get crd|wait job).*(-o name|complete --timeout=5s)$/.test(words.join(' ')),
    ).length;
    const fine = run.code === 1 && seconds < 20 && asked === calls && /package ops\/ops failed/.test(run.stderr);
    report(
      `${title}: stops after ${seconds.toFixed(1)} s`,
      fine ? [] : [`code ${run.code}, asked ${asked}`, run.stderr],
    );
  }
}

const folder = await mkdtemp(join(tmpdir(), 'drydock-corpus-'));
try {
  await checkCorpus(folder);
  await checkLimits();
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log(failures === 0 ? 'corpus: all hold' : `corpus: ${failures} do not hold`);
process.exitCode = failures === 0 ? 0 : 1;
