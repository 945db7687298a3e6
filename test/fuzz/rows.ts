// Runs a family of rows: generates them, runs both programs, repeats rows that differ, and minimizes those that still differ.

import { setTimeout } from 'node:timers/promises';
import { RenderError } from '../../render/core/errors.ts';
import type { HelmVersion } from '../../render/core/helm-version.ts';
import { encodeUtf8 } from '../../render/go/utf8.ts';
import { loadChart, seededHost, template } from '../../render/index.ts';
import { Dice } from '../support/dice.ts';
import { chartOfRow, recordedHelms, shortenError, textOfAnswer, textOfOutput } from '../support/rows.ts';
import { type Family, type Finding, type Job, type Outcome, seedOf, slowMs, type Tools } from './family.ts';
import { askFailing, askRendering, askRow, type RowInput } from './helm-rows.ts';

/** Generates the template of a row. */
type Draw = (dice: Dice) => string;

/** The values of every generated row. */
const rowValues = `s: str
nul: null
i: 3
f: 2.5
big: 1234567890123
b: true
l: [a, b, c]
lm: [{name: n1}, {name: n2}]
m: {b: 2, a: 1, c: {d: e}}
e: ""
el: []
em: {}
`;

/** The results of both programs for a row. */
interface Answers {
  readonly want: string;
  readonly ours: string;
}

/** Returns both results if they differ and are the same a second later, so that random values and times do not count as differences. */
async function steadyAnswers(row: RowInput, { helm, major, folder }: Tools): Promise<Answers | undefined> {
  const ask = async (): Promise<Answers> => {
    const want = await askRow(helm, folder, row);
    const ours = answerRow(row, major).text;
    // If Helm crashed, there is nothing to compare.
    return { want: want === undefined ? ours : textOfAnswer(want), ours };
  };
  const first = await ask();
  // Rows without a result in a batch are usually the same.
  if (first.want === first.ours || isKnown(row, first)) return undefined;
  await setTimeout(1100);
  const second = await ask();
  return first.want === second.want && first.ours === second.ours ? first : undefined;
}

function isKnown(row: RowInput, { want, ours }: Answers): boolean {
  return knownDifferences.some(({ isMeant }) => isMeant(row.template, want, ours));
}

async function differenceOf(row: RowInput, tools: Tools): Promise<Pick<Finding, 'text' | 'row'> | undefined> {
  const answers = await steadyAnswers(row, tools);
  if (answers === undefined) return undefined;
  const smallest = await minimize(row.template, async (candidates) => {
    const inputs = candidates.map((template) => ({ ...row, template }));
    const ours = inputs.map((input) => answerRow(input, tools.major));
    const [first] = await differing(inputs, ours, tools);
    return first === undefined ? -1 : inputs.indexOf(first);
  });
  const small = await steadyAnswers({ ...row, template: smallest }, tools);
  const [template, { want, ours }] = small === undefined ? [row.template, answers] : [smallest, small];
  return { text: template, row: { template, want, got: ours } };
}

/** Returns the rows whose result in a batch differs from drydock's, or is missing. */
async function differing(rows: readonly RowInput[], ours: readonly OurAnswer[], tools: Tools): Promise<RowInput[]> {
  const { helm, folder } = tools;
  const texts = new Map(rows.map((row, at) => [row, ours[at]!.text]));
  const [failing, rendering] = [true, false].map((failed) => rows.filter((_, at) => ours[at]!.failed === failed));
  const found: RowInput[] = [];
  for (const [ask, some = []] of [[askRendering, rendering] as const, [askFailing, failing] as const]) {
    const theirs = await ask(helm, folder, some);
    found.push(...some.filter((row, at) => (theirs[at] && textOfAnswer(theirs[at])) !== texts.get(row)));
  }
  return found;
}

/** Returns a family of rows. */
export function rowFamily(about: Pick<Family, 'name' | 'about' | 'batch' | 'share'>, draw: Draw): Family {
  return { ...about, run: (job, tools) => runRows(job, tools, draw) };
}

async function runRows(job: Job, tools: Tools, draw: Draw): Promise<Outcome> {
  const findings: Finding[] = [];
  const about = (at: number): Pick<Finding, 'family' | 'seed'> => ({ family: job.family, seed: seedOf(job, at) });
  const rows = Array.from(
    { length: job.count },
    (_, at): RowInput => ({ template: draw(new Dice(seedOf(job, at))), values: rowValues }),
  );
  const ours = rows.map((row, at) => {
    const answer = answerRow(row, tools.major);
    // Other load may delay any row once.
    const again = answer.milliseconds > slowMs ? answerRow(row, tools.major).milliseconds : 0;
    if (again > slowMs) findings.push({ ...about(at), kind: 'slow', text: `${again.toFixed()} ms: ${row.template}` });
    if (answer.crash !== undefined)
      findings.push({ ...about(at), kind: 'crashes', text: `${row.template}\n${answer.crash}` });
    return answer;
  });
  for (const row of tools.alone ? [] : await differing(rows, ours, tools)) {
    const difference = await differenceOf(row, tools);
    if (difference === undefined) continue;
    findings.push({ ...about(rows.indexOf(row)), kind: 'differs', ...difference });
  }
  const rejected = ours.filter(({ failed }) => failed).length;
  const longestMs = Math.max(0, ...ours.map(({ milliseconds }) => milliseconds));
  return { inputs: rows.length, rejected, findings, longestMs };
}

// The known differences that remain, each with its reason and how a row is recognized.

/** A known difference. */
interface KnownDifference {
  readonly reason: string;
  /** Recognizes the difference by the template and both results. */
  readonly isMeant: (template: string, want: string, got: string) => boolean;
}

const beyondDoubles = /\d{16,}|0x[\da-f]{14,}/;
const beyondEach = /\d{16,}|0x[\da-f]{14,}|[\d.]+e\+\d+/g;

/** The known differences. fixtures/differences.yaml has a row for each that is reproducible. */
const knownDifferences: readonly KnownDifference[] = [
  {
    reason: 'JavaScript has one NaN, so the sign of -nan, in TOML or from 0 times infinity, is not printed',
    isMeant: (template, want, got) =>
      /nan|round/.test(template) && want.replaceAll('-nan', 'nan') === got.replaceAll('-nan', 'nan'),
  },
  {
    reason: 'an index, a count or a value beyond 2^53 is rounded in an error message',
    isMeant: (_template, want, got) =>
      /out of range|unsupported map key/.test(want) &&
      beyondDoubles.test(want) &&
      want.replace(beyondEach, '') === got.replace(beyondEach, ''),
  },
  {
    reason:
      'the offset of a time zone before 1970 depends on the zone database of the machine; Intl does not have the local times of some towns',
    isMeant: (template, want, got) =>
      /Europe\/Amsterdam/.test(template) && want !== got && want.replace(/\d/g, '') === got.replace(/\d/g, ''),
  },
  {
    reason: 'a merged list has two errors, and Go reports that of the last item first; both programs reject the text',
    isMeant: (template, want, got) =>
      template.includes('<<') && [want, got].every((text) => /invalid map key|map merge requires/.test(text)),
  },
  {
    reason: 'memory addresses differ between programs; those of drydock are constant',
    isMeant: (_template, want, got) =>
      /0xc?[0-9a-f]{6,}|\b\d{8,12}\b/.test(want) &&
      want.replace(/0x[0-9a-f]+|\b\d{8,12}\b/g, '') === got.replace(/0x[0-9a-f]+|\b\d{8,12}\b/g, ''),
  },
];

const maxCandidates = 64;
const maxMs = 15_000;

/** Returns a smaller text that still shows the difference, or the text itself. */
async function minimize(text: string, findDiffering: (texts: readonly string[]) => Promise<number>): Promise<string> {
  let units = [...text];
  const end = Date.now() + maxMs;
  for (let size = units.length >> 1; size >= 1 && Date.now() < end; ) {
    const starts = Array.from({ length: Math.ceil((units.length * 2) / size) }, (_, at) => (at * size) >> 1);
    const candidates = starts.map((at) => [...units.slice(0, at), ...units.slice(at + size)].join(''));
    const some = [...new Set(candidates)].filter((candidate) => candidate !== '').slice(0, maxCandidates);
    const found = await findDiffering(some);
    if (found < 0) size >>= 1;
    else units = [...some[found]!];
  }
  return units.join('');
}

// drydock's result for a row, and its time.

/** drydock's result for a row, and its time in milliseconds. */
interface OurAnswer {
  /** The output, or the error after `Error: `. */
  readonly text: string;
  readonly failed: boolean;
  readonly milliseconds: number;
  /** The stack trace if something other than a RenderError was thrown. */
  readonly crash?: string;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const seeded = seededHost();
// Helm uses the real clock, also in place of an invalid time.
const host = { ...seeded, now: () => Date.now() };

function render({ template: text, values }: RowInput, helm: HelmVersion): string {
  const files = Object.entries(chartOfRow(text, values));
  const chart = loadChart(new Map(files.map(([name, data]) => [name, encoder.encode(data)] as const)), { helm });
  return textOfOutput(template(chart, { releaseName: 'r', namespace: 'default', host, helm }));
}

/** Renders a row without measuring the time. */
function tryRow(row: RowInput, helm: HelmVersion): Omit<OurAnswer, 'milliseconds'> {
  try {
    return { text: render(row, helm), failed: false };
  } catch (error) {
    if (error instanceof RenderError) {
      // Like Helm's output, this replaces bytes that are not valid UTF-8.
      const message = decoder.decode(encodeUtf8(error.message));
      return { text: `Error: ${shortenError(message)}`, failed: true };
    }
    return { text: `Error: ${error}`, failed: true, crash: (error as Error).stack ?? String(error) };
  }
}

/** Renders a row with the recorded version of a major version. Does not throw. */
function answerRow(row: RowInput, major: 3 | 4): OurAnswer {
  const helm = recordedHelms[major];
  const { stackTraceLimit } = Error;
  // Most rows fail, and half of the time would be spent on unused stack traces.
  Error.stackTraceLimit = 0;
  const began = performance.now();
  const answer = tryRow(row, helm);
  const milliseconds = performance.now() - began;
  Error.stackTraceLimit = stackTraceLimit;
  return { ...(answer.crash === undefined ? answer : tryRow(row, helm)), milliseconds };
}
