// Runs a family of rows: draws them, asks both, asks again alone where they differ, and makes what still differs small.

import { setTimeout } from 'node:timers/promises';
import type { HelmMajor } from '../../render/helm/helm.ts';
import { Dice } from './dice.ts';
import { type Family, type Finding, type Job, type Outcome, seedOf, slowMs, type Tools } from './family.ts';
import { askFailing, askRendering, askRow, type RowInput } from './helm-rows.ts';
import { knownDifferences } from './known.ts';
import { minimise } from './minimise.ts';
import { answerRow, type OurAnswer } from './our-rows.ts';

/** Draws the text of a row's template; `id` is a number that no other row of a job has. */
export type Draw = (dice: Dice, id: number) => string;

/** The values that every generated row sees. */
export const rowValues = `s: str
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

/** What both make of a row. */
interface Answers {
  readonly want: string;
  readonly ours: string;
}

/** Returns what both answer, where it differs and is the same a second later: what is of chance or of the clock is nobody's difference. */
async function steadyAnswers(row: RowInput, { helm, major, folder }: Tools): Promise<Answers | undefined> {
  const ask = async (): Promise<Answers> => {
    const want = await askRow(helm, folder, row);
    const ours = answerRow(row, major).text;
    // A Helm that did not end well tells nothing.
    return { want: want ?? ours, ours };
  };
  const first = await ask();
  // What a batch had no answer to is mostly none.
  if (first.want === first.ours || isKnown(row, first, major)) return undefined;
  await setTimeout(1100);
  const second = await ask();
  return first.want === second.want && first.ours === second.ours ? first : undefined;
}

function isKnown(row: RowInput, { want, ours }: Answers, major: HelmMajor): boolean {
  const answer = (template: string): string => answerRow({ ...row, template }, major).text;
  return (
    reported.has(causeOf({ want, ours })) ||
    knownDifferences.some(({ isMeant }) => isMeant(row.template, want, ours, answer))
  );
}

async function differenceOf(row: RowInput, tools: Tools): Promise<Pick<Finding, 'text' | 'row'> | undefined> {
  const answers = await steadyAnswers(row, tools);
  if (answers === undefined) return undefined;
  const smallest = await minimise(row.template, async (candidates) => {
    const inputs = candidates.map((template) => ({ ...row, template }));
    const found = await differing(inputs, tools);
    return found.map(({ template }) => inputs.findIndex((input) => input.template === template));
  });
  const small = await steadyAnswers({ ...row, template: smallest }, tools);
  const [template, { want, ours }] = small === undefined ? [row.template, answers] : [smallest, small];
  reported.add(causeOf(answers)).add(causeOf({ want, ours }));
  return { text: template, row: { template, want, got: ours } };
}

/** Returns those of the rows to which a batch answers otherwise than we do. */
async function differing(rows: readonly RowInput[], tools: Tools): Promise<RowInput[]> {
  return (await compare(rows, answersTo(rows, tools), tools)).map(({ row }) => row);
}

function answersTo(rows: readonly RowInput[], { major }: Tools): OurAnswer[] {
  return rows.map((row) => answerRow(row, major));
}

/** A row to which a batch answered otherwise than we did, or not at all. */
interface Doubt {
  readonly row: RowInput;
  readonly want: string | undefined;
  readonly ours: string;
}

/** Returns those doubtful rows whose answers are the same a second later, asked again together. */
async function steadyDoubts(doubts: readonly Doubt[], tools: Tools): Promise<RowInput[]> {
  if (doubts.length === 0) return [];
  await setTimeout(1100);
  const rows = doubts.map(({ row }) => row);
  const again = new Map((await compare(rows, answersTo(rows, tools), tools)).map((doubt) => [doubt.row, doubt]));
  return doubts
    .filter(({ row, want, ours }) => again.get(row)?.want === want && again.get(row)?.ours === ours)
    .map(({ row }) => row);
}

async function compare(rows: readonly RowInput[], ours: readonly OurAnswer[], tools: Tools): Promise<Doubt[]> {
  const places = rows.map((_, at) => at);
  const fails = (at: number): boolean => (ours[at] as OurAnswer).failed;
  const differ: Doubt[] = [];
  for (const [ask, some] of [
    [askRendering, places.filter((at) => !fails(at))],
    [askFailing, places.filter(fails)],
  ] as const) {
    if (some.length === 0) continue;
    const theirs = await ask(
      tools.helm,
      tools.folder,
      some.map((at) => rows[at] as RowInput),
    );
    for (const [place, at] of some.entries()) {
      const [want, { text }] = [theirs[place], ours[at] as OurAnswer];
      if (want !== text) differ.push({ row: rows[at] as RowInput, want, ours: text });
    }
  }
  return differ;
}

/** Returns a family of rows; `together` inputs stand in one template, where most of them render. */
export function rowFamily(about: Pick<Family, 'name' | 'about' | 'batch' | 'share'>, draw: Draw, together = 1): Family {
  return { ...about, run: (job, tools) => runRows(job, tools, { draw, together }) };
}

/** The differences of this process that are told already: of many alike, one is enough. */
const reported = new Set<string>();

/** Returns what differences of one cause mostly share: the error without the names, numbers and texts in it. */
function causeOf({ want, ours: got }: Answers): string {
  const plain = (text: string): string =>
    text.startsWith('Error: ')
      ? text.replace(/^.*?: error calling|^.*>: /s, '').replace(/"(\\.|[^"])*"|<.*?>|[\d.]+/gs, '')
      : '';
  return want.startsWith('Error: ') || got.startsWith('Error: ') ? `${plain(want)}\n${plain(got)}` : want + got;
}

interface Drawing {
  readonly draw: Draw;
  readonly together: number;
}

async function runRows(job: Job, tools: Tools, { draw, together }: Drawing): Promise<Outcome> {
  const findings: Finding[] = [];
  const about = (at: number): Pick<Finding, 'family' | 'seed'> => ({ family: job.family, seed: seedOf(job, at) });
  const rows: RowInput[] = [];
  for (let at = 0; at < job.count; at++) {
    const dice = new Dice(seedOf(job, at));
    const texts = Array.from({ length: together }, () => draw(dice, at));
    rows.push({ template: texts.join('\n'), values: rowValues });
  }
  const ours = rows.map((row, at) => {
    const answer = answerRow(row, tools.major);
    const again = answer.milliseconds > slowMs ? answerRow(row, tools.major).milliseconds : 0;
    if (again > slowMs) findings.push({ ...about(at), kind: 'slow', text: `${again.toFixed()} ms: ${row.template}` });
    if (answer.crash !== undefined)
      findings.push({ ...about(at), kind: 'crashes', text: `${row.template}\n${answer.crash}` });
    return answer;
  });
  for (const row of tools.alone ? [] : await steadyDoubts(await compare(rows, ours, tools), tools)) {
    const difference = await differenceOf(row, tools);
    if (difference === undefined) continue;
    findings.push({ ...about(rows.indexOf(row)), kind: 'differs', ...difference });
  }
  const refused = ours.filter(({ failed }) => failed).length;
  const longestMs = Math.max(0, ...ours.map(({ milliseconds }) => milliseconds));
  // What follows a failure is not looked at.
  const inputs = refused + (rows.length - refused) * together;
  return { inputs, refused, findings, longestMs };
}
