// Draws YAML texts and compares what they mean as values of an Order with what they mean in a values file of the real Helm.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseDocument } from '../../render/codec/yaml/parse.ts';
import { askBounded } from '../../scripts/dev/tools/helm-binary.ts';
import { runInProcess } from '../support/cli.ts';
import { chartsDirectory } from '../support/golden.ts';
import { Dice } from './dice.ts';
import { type Family, type Finding, type Job, type Outcome, seedOf, type Tools } from './family.ts';
import { yamlText } from './texts.ts';
import { scalars } from './words.ts';

const chart = 'values-as-json';
const indent = ' '.repeat(10);

// Digits, signs and the letters that numbers, words and times are made of.
const odd = [...'0123456789', ...'0123456789', ...'::..__+-eExXobnyYtTfFNaIi~'];

function drawScalar(dice: Dice): string {
  if (dice.chance(0.3)) return dice.of(scalars);
  const text = dice.some(1, 8, () => dice.of(odd)).join('');
  return dice.chance(0.15) ? `${dice.of(['!!str', '!!int', '!!float', '!!bool', '!!null', '!x'])} ${text}` : text;
}

function drawValues(dice: Dice): string {
  if (dice.chance(0.3)) return yamlText(dice);
  return dice
    .some(1, 6, () => dice.of([() => drawScalar(dice), () => `[${drawScalar(dice)}, {k: ${drawScalar(dice)}}]`])())
    .map((value, at) => `k${at}: ${value}\n`)
    .join('');
}

// Indenting must not change what a text means: directives, tabs at the start of a line, what follows the first document.
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

// An Order has no negative zero (`unsignZeros`): scripts could not hand it to Helm.
const jsonOf = (stdout: string): string =>
  stdout
    .split('\n')
    .filter((line) => !/^(?:---|# Source)/.test(line))
    .join('\n')
    .replace(/(?<=[:[,])-0(?=[,}\]])/g, '0')
    .trim();

async function run(job: Job, { helm, folder, alone }: Tools): Promise<Outcome> {
  const findings: Finding[] = [];
  let [inputs, refused] = [0, 0];
  const cwd = join(folder, 'order-values');
  await mkdir(cwd, { recursive: true });
  for (let at = 0; at < job.count; at++) {
    const seed = seedOf(job, at);
    const values = drawValues(new Dice(seed));
    if (!isIndentable(values)) continue;
    inputs++;
    await writeFile(join(cwd, 'values.yaml'), values);
    await writeFile(join(cwd, 'order.yaml'), orderWith(values));
    const ours = await runInProcess(['render', 'order.yaml'], cwd);
    if (alone) continue;
    const theirs = await askBounded(helm, ['template', 'demo', join(chartsDirectory, chart), '-f', 'values.yaml'], {
      cwd,
    });
    if (theirs.exitCode !== 0) refused++;
    const note = (text: string): void => {
      findings.push({ family: job.family, seed, kind: 'differs', text: `${JSON.stringify(values)}\n  ${text}` });
    };
    // An Order may be refused for a repeated key, which Helm overwrites.
    const isStrict = /occurs a second time|expected a single document/.test(ours.stderr);
    if (theirs.exitCode === 0 && ours.exitCode !== 0 && !isStrict) note(`Helm accepts it: ${ours.stderr}`);
    // JSON's escapes, and values beside a key that has none, are the Order's own.
    if (theirs.exitCode !== 0 && ours.exitCode === 0) note(`Helm refuses it: ${theirs.stderr}`);
    if (theirs.exitCode === 0 && ours.exitCode === 0 && jsonOf(theirs.stdout) !== jsonOf(ours.stdout))
      note(`Helm: ${jsonOf(theirs.stdout)}\n  Order: ${jsonOf(ours.stdout)}`);
  }
  return { inputs, refused, findings, longestMs: 0 };
}

/** Texts as values of an Order and as a values file. */
export const orderValues: Family = {
  name: 'order-values',
  about: 'YAML texts as values of an Order, against the same text through -f',
  batch: 50,
  share: 2,
  run,
};
