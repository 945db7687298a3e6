// Generates YAML and compares its meaning as values of an Order with its meaning in a values file of real Helm.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseDocument } from '../../render/codec/yaml/parse.ts';
import { askBounded } from '../../scripts/dev/tools/helm-binary.ts';
import { runInProcess } from '../support/cli.ts';
import { Dice } from '../support/dice.ts';
import { chartsDirectory } from '../support/golden.ts';
import { type Family, type Finding, type Job, type Outcome, seedOf, type Tools } from './family.ts';
import { yamlText } from './texts.ts';
import { scalars } from './words.ts';

const chart = 'values-as-json';
const indent = ' '.repeat(10);

// Digits, signs, and the letters of numbers, booleans and times.
const characters = [...'0123456789', ...'0123456789', ...'::..__+-eExXobnyYtTfFNaIi~'];

function makeScalar(dice: Dice): string {
  if (dice.chance(0.3)) return dice.pick(scalars);
  const text = dice.list(1, 8, () => dice.pick(characters)).join('');
  return dice.chance(0.15) ? `${dice.pick(['!!str', '!!int', '!!float', '!!bool', '!!null', '!x'])} ${text}` : text;
}

function makeValues(dice: Dice): string {
  if (dice.chance(0.3)) return yamlText(dice);
  return dice
    .list(1, 6, () => dice.pick([() => makeScalar(dice), () => `[${makeScalar(dice)}, {k: ${makeScalar(dice)}}]`])())
    .map((value, at) => `k${at}: ${value}\n`)
    .join('');
}

// Returns false if indenting would change the meaning: directives, tabs at the start of a line, a second document.
function isIndentable(text: string): boolean {
  if (/^(?:---|\.\.\.|%|\ufeff)|^\s*\t|[\x85\u2028\u2029\r]/m.test(text) || !/\S/.test(text)) return false;
  try {
    parseDocument(text);
    return true;
  } catch (error) {
    return !/document/.test((error as Error).message);
  }
}

function orderWith(values: string): string {
  const lines = values.split('\n').map((line) => (line === '' ? '' : `${indent}${line}`));
  const head = `spec:\n  packages:\n    - chart:\n        name: ${chart}\n        releaseName: demo\n        namespace: default\n`;
  return `${head}        sourceRef: {kind: Local, name: ${JSON.stringify(join(chartsDirectory, chart))}}\n        values:\n${lines.join('\n')}`;
}

// An Order has no negative zero (`unsignZeros`), because scripts could not pass it to Helm.
const jsonOf = (stdout: string): string =>
  stdout
    .split('\n')
    .filter((line) => !/^(?:---|# Source)/.test(line))
    .join('\n')
    .replace(/(?<=[:[,])-0(?=[,}\]])/g, '0')
    .trim();

async function run(job: Job, { helm, folder, alone }: Tools): Promise<Outcome> {
  const findings: Finding[] = [];
  let [inputs, rejected] = [0, 0];
  const cwd = join(folder, 'order-values');
  await mkdir(cwd, { recursive: true });
  for (let at = 0; at < job.count; at++) {
    const seed = seedOf(job, at);
    const values = makeValues(new Dice(seed));
    if (!isIndentable(values)) continue;
    inputs++;
    await writeFile(join(cwd, 'values.yaml'), values);
    await writeFile(join(cwd, 'order.yaml'), orderWith(values));
    const ours = await runInProcess(['render', 'order.yaml'], cwd);
    if (alone) continue;
    const theirs = await askBounded(helm, ['template', 'demo', join(chartsDirectory, chart), '-f', 'values.yaml'], {
      cwd,
    });
    if (theirs.exitCode !== 0) rejected++;
    const report = (text: string): void => {
      findings.push({ family: job.family, seed, kind: 'differs', text: `${JSON.stringify(values)}\n  ${text}` });
    };
    // An Order is rejected for a repeated key, which Helm accepts.
    const isStrict = /occurs a second time|expected a single document/.test(ours.stderr);
    if (theirs.exitCode === 0 && ours.exitCode !== 0 && !isStrict) report(`Helm accepts it: ${ours.stderr}`);

    if (theirs.exitCode !== 0 && ours.exitCode === 0) report(`Helm rejects it: ${theirs.stderr}`);
    if (theirs.exitCode === 0 && ours.exitCode === 0 && jsonOf(theirs.stdout) !== jsonOf(ours.stdout))
      report(`Helm: ${jsonOf(theirs.stdout)}\n  Order: ${jsonOf(ours.stdout)}`);
  }
  return { inputs, rejected, findings, longestMs: 0 };
}

/** YAML as values of an Order and as a values file. */
export const orderValues: Family = {
  name: 'order-values',
  about: 'YAML as values of an Order, compared with the same YAML passed with -f',
  batch: 50,
  share: 2,
  run,
};
