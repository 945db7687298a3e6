// Tests that every change of a rendered object is reported. `npm run fuzz -- mutations [CHARTS…] [--mutations 200] [--seed 1] [--charts N]`
// renders every chart in folders, changes one scalar or one line of a string at a time (at most `--mutations` random ones for each chart), and
// compares as `diff` and `snapshot` do: both must report the object and the path of the change, and nothing else.

import { parseDocument } from 'yaml';
import { RenderError } from '../../render/core/errors.ts';
import { type Difference, diffObjects } from '../../render/diff/difference.ts';
import { observeHost, withOtherRandomness } from '../../render/engine/randomness.ts';
import { runInstall } from '../../render/engine/release.ts';
import { helmOf } from '../../render/helm/versions.ts';
import { splitStream } from '../../render/manifest/objects.ts';
import { formatTemplate } from '../../render/output/template.ts';
import { changedFiles } from '../../render/snapshot/compare.ts';
import { type Meaning, meaningOf } from '../../render/snapshot/meaning.ts';
import { normalizeFiles } from '../../render/snapshot/normalize.ts';
import { type ChartUnderTest, chartArguments, checkCharts } from '../e2e/charts/every-chart.ts';
import { repeatableHost } from '../support/chart-values.ts';
import { Dice } from '../support/dice.ts';
import { type Mutation, mutationsOf } from './mutate-document.ts';

/** A document of a manifest, and the same document rendered with other random values. */
interface RenderedDocument {
  readonly text: string;
  readonly twin: string | undefined;
}

/** A mutation of both. */
interface DocumentMutation extends Mutation {
  readonly original: RenderedDocument;
  readonly twin: string | undefined;
}

function render({ chart }: ChartUnderTest): RenderedDocument[] {
  const textOf = (host: ReturnType<typeof repeatableHost>): string =>
    formatTemplate(runInstall(chart, { helm: helmOf('3.17.3'), host }), { includeCrds: true });
  const watched = observeHost(repeatableHost());
  const documents = splitStream(textOf(watched.host));
  if (!watched.usedRandom()) return documents.map((text) => ({ text, twin: undefined }));
  const twins = splitStream(textOf(withOtherRandomness(repeatableHost())));
  if (twins.length !== documents.length) return [];
  return documents.map((text, at) => ({ text, twin: twins[at] === text ? undefined : twins[at] }));
}

function documentMutations(original: RenderedDocument): (() => DocumentMutation)[] {
  const mutations = mutationsOf(original.text);
  if (original.twin === undefined) return mutations.map((make) => () => ({ ...make(), original, twin: undefined }));
  const twins = mutationsOf(original.twin);
  if (twins.length !== mutations.length) return [];
  return mutations.map((make, at) => () => ({ ...make(), original, twin: twins[at]!().text }));
}

const side = (documents: string) => ({ documents, name: 'manifest' });
const name = 'manifest.yaml';

function normalized(text: string, twin: string | undefined): ReadonlyMap<string, string> {
  return normalizeFiles(new Map([[name, text]]), { twin: twin === undefined ? undefined : new Map([[name, twin]]) })
    .files;
}

const normalizedOriginals = new WeakMap<RenderedDocument, ReadonlyMap<string, string>>();

function normalizedOriginal(original: RenderedDocument): ReadonlyMap<string, string> {
  const known = normalizedOriginals.get(original) ?? normalized(original.text, original.twin);
  normalizedOriginals.set(original, known);
  return known;
}

function snapshotMeaning(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): Meaning {
  return meaningOf(changedFiles(before, after));
}

type Outcome = 'reported' | 'missed' | 'invented' | `ignored: ${string}`;

function outcomeOf(
  { objects, ignored }: Pick<Difference, 'objects' | 'ignored'>,
  mutation: Mutation,
  hasFiles = false,
): Outcome {
  if (objects.length === 0)
    return ignored[0] === undefined ? (hasFiles ? 'reported' : 'missed') : `ignored: ${ignored[0].reason}`;
  const steps =
    mutation.steps[0] === 'items' && typeof mutation.steps[1] === 'number' ? mutation.steps.slice(2) : mutation.steps;
  const [first, second] = steps;
  // With another name, it is another object.
  if (
    first === 'kind' ||
    first === 'apiVersion' ||
    (first === 'metadata' && (second === 'name' || second === 'namespace'))
  )
    return 'reported';
  if (objects.length > 1 || objects[0]!.entries.length === 0) return 'invented';
  // A changed anchor changes every alias.
  if (/[&*]\w/.test(mutation.text)) return 'reported';
  const matches = objects[0]!.entries.map((entry) =>
    [entry.steps.before, entry.steps.after].some(
      (path) => path !== undefined && path.length > 0 && isWithin(path, steps),
    ),
  );
  if (!matches.some(Boolean)) return 'missed';
  return matches.every(Boolean) ? 'reported' : 'invented';
}

function isWithin(path: readonly (string | number)[], steps: readonly (string | number)[]): boolean {
  return path.every((step, at) => step === steps[at]);
}

// Reports whether the changed line contains random values.
function isInRandom({ original, value, what, steps }: DocumentMutation): boolean {
  if (original.twin === undefined || !what.startsWith('line')) return false;
  const textAt = (text: string): string => {
    const found = parseDocument(text, { version: '1.1', uniqueKeys: false }).getIn(steps);
    return what.endsWith('of a Secret') ? Buffer.from(String(found), 'base64').toString() : String(found);
  };
  const [was, twin] = [textAt(original.text).split('\n'), new Set(textAt(original.twin).split('\n'))];
  const is = (what.endsWith('of a Secret') ? Buffer.from(value, 'base64').toString() : value).split('\n');
  return !twin.has(was.find((line, at) => line !== is[at]) ?? '');
}

function checkChart(chart: ChartUnderTest, count: number): { counts: Record<string, number>; failures: string[] } {
  const counts: Record<string, number> = {};
  const failures: string[] = [];
  const add = (what: string): void => {
    counts[what] = (counts[what] ?? 0) + 1;
  };
  let documents: RenderedDocument[];
  try {
    documents = render(chart);
  } catch (error) {
    if (error instanceof RenderError) return { counts, failures };
    throw error;
  }
  for (const { text, twin } of documents) {
    add('documents');
    if (diffObjects(side(text), side(text)).objects.length > 0)
      failures.push(`${chart.chart.metadata.name}: differs from itself`);
    const [one, again] = [normalized(text, twin), normalized(text, twin)];
    if (snapshotMeaning(one, again).files.length > 0)
      failures.push(`${chart.chart.metadata.name}: a snapshot differs from itself`);
  }
  for (const make of sampled(documents.map(documentMutations), count, new Dice(chart.seed))) {
    const mutation = make();
    const { original } = mutation;
    add('mutations');
    add(mutation.what);
    const report = (by: string, outcome: Outcome): void => {
      add(`${by} ${outcome}`);
      if (outcome !== 'missed' && outcome !== 'invented') return;
      const object = /^kind: .*$/m.exec(original.text)?.[0] ?? '';
      const value = mutation.value.length > 80 ? `${mutation.value.slice(0, 80)}…` : mutation.value;
      failures.push(
        `${chart.chart.metadata.name}: ${by} ${outcome}: ${mutation.what}, ${object} ${mutation.steps.join('.')}: ${JSON.stringify(value)}`,
      );
    };
    report('diff', outcomeOf(diffObjects(side(original.text), side(mutation.text)), mutation));
    const before = normalizedOriginal(original);
    const meaning = snapshotMeaning(before, normalized(mutation.text, mutation.twin));
    // A snapshot does not compare masked lines.
    const isMasked = meaning.files.length === 0 && isInRandom(mutation);
    report('snapshot', isMasked ? 'ignored: random parts' : outcomeOf(meaning, mutation, meaning.files.length > 0));
  }
  return { counts, failures };
}

// Takes items from each list in turn, so that a long document, such as a CRD, does not crowd out the others.
function sampled<Item>(lists: readonly Item[][], count: number, dice: Dice): Item[] {
  const taken: Item[] = [];
  let open = lists.map((list) => [...list]);
  while (taken.length < count && open.length > 0) {
    open = open.filter(({ length }) => length > 0);
    for (const list of open) {
      const at = dice.below(list.length);
      taken.push(list[at]!);
      list[at] = list.at(-1)!;
      list.pop();
    }
  }
  return taken.slice(0, count);
}

const settings = chartArguments({ mutations: 200 });
const started = performance.now();
const { charts, counts, failures } = await checkCharts(settings, (chart) =>
  checkChart(chart, settings.flags.mutations),
);
for (const [what, count] of Object.entries(counts).sort()) console.log(`${String(count).padStart(8)} ${what}`);
const seconds = Math.round((performance.now() - started) / 1000);
console.log(`mutations: ${counts.mutations ?? 0} of ${charts} charts in ${seconds} s, ${failures.length} failures`);
process.exitCode = failures.length === 0 && (counts.mutations ?? 0) > 0 ? 0 : 1;
