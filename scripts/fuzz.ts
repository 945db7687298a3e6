// Asks real Helm about generated templates and compares our answers: `npm run fuzz -- --minutes N [--seed S]`.
// A difference is printed as a row, ready to be added to fixtures/functions.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { RenderError } from '../render/errors.ts';
import { loadChart, seededHost, template } from '../render/index.ts';
import { chartOfRow, shortenError, textOfOutput } from '../test/support/rows.ts';
import { askHelm, helmBinary } from './helm-binary.ts';

const scalar = fc.constantFrom(
  '18446744073709551616.NaN',
  '-nan',
  '1e3',
  '0x1f',
  '~',
  'a: b',
  '{null: 1}',
  '[1, {a: 2}]',
  'a\rb',
  '',
);
const word = fc.oneof(scalar, fc.string({ maxLength: 8 }));
const literal = fc.oneof(
  word.map((text) => JSON.stringify(text)),
  fc.constantFrom(
    '1',
    '-7',
    '2.5',
    'true',
    'nil',
    '(list 1 "a")',
    '(dict "a" 1)',
    '(toDate "2006-01-02" "0001-02-03")',
  ),
);
const call = fc.constantFrom(
  ...[
    'toYaml',
    'fromYaml',
    'toJson',
    'fromJson',
    'toToml',
    'fromToml',
    'quote',
    'int',
    'float64',
    'divf 3',
    'len',
    'kindOf',
  ],
  ...['printf "%z %y %+v"', 'printf "%#v"', 'semver', 'default "x"', 'trim', 'title', 'urlParse'],
);

/** Is what each family of inputs gives: the text of a template. */
const families: readonly fc.Arbitrary<string>[] = [
  fc
    .tuple(literal, fc.array(call, { minLength: 1, maxLength: 3 }))
    .map(([first, calls]) => `{{ ${[first, ...calls].join(' | ')} }}`),
  fc
    .tuple(fc.constantFrom('fromYaml', 'fromJson', 'fromToml', 'fromYamlArray'), word, word)
    .map(
      ([read, key, value]) =>
        `{{ ${read} ${JSON.stringify(read === 'fromToml' ? `${key} = ${value}` : `{${key}: ${value}}`)} | toJson }}`,
    ),
];

const { values: flags } = parseArgs({ options: { minutes: { type: 'string' }, seed: { type: 'string' } } });
const seed = Number(flags.seed ?? Date.now() % 1_000_000);
const end = Date.now() + Number(flags.minutes ?? 1) * 60_000;
const { helm } = await helmBinary();
const folder = await mkdtemp(join(tmpdir(), 'drydock-fuzz-'));

async function answerOfHelm(text: string): Promise<string> {
  for (const [name, data] of Object.entries(chartOfRow(text, ''))) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), data);
  }
  const { exitCode, stdout, stderr } = await askHelm(helm, ['template', 'r', folder], folder);
  return exitCode === 0 ? textOfOutput(stdout) : `Error: ${shortenError(stderr)}`;
}

function ourAnswer(text: string): string {
  const encoder = new TextEncoder();
  const files = Object.entries(chartOfRow(text, '')).map(([name, data]) => [name, encoder.encode(data)] as const);
  try {
    return textOfOutput(template(loadChart(new Map(files)), { releaseName: 'r', host: seededHost() }));
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    return `Error: ${shortenError(error.message)}`;
  }
}

let count = 0;
let differences = 0;
try {
  for (let round = 0; Date.now() < end; round++) {
    for (const text of fc.sample(fc.oneof(...families), { seed: seed + round, numRuns: 50 })) {
      if (Date.now() >= end) break;
      const [want, got] = [await answerOfHelm(text), ourAnswer(text)];
      count++;
      if (want === got) continue;
      differences++;
      console.log(
        `- template: ${JSON.stringify(text)}\n  want: ${JSON.stringify(want)}\n  got: ${JSON.stringify(got)}`,
      );
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log(`fuzz: ${count} templates, seed ${seed}, ${differences} differences`);
process.exitCode = differences === 0 ? 0 : 1;
