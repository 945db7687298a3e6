// Tests that every change of a rendered object is reported. `npm run fuzz -- mutations [CHARTS…] [--mutations 200] [--seed 1] [--charts N]`
// renders every chart in folders, changes one scalar or one line of a string at a time (at most `--mutations` random ones for each chart), and
// compares as `diff` and `snapshot` do: both must report the object and the path of the change, and nothing else.

import { parseDocument } from 'yaml';
import type { Host } from '../../render/core/host.ts';
import { type Difference, diffObjects } from '../../render/diff/difference.ts';
import { observeHost, withOtherRandomness } from '../../render/engine/randomness.ts';
import { runInstall } from '../../render/engine/release.ts';
import { helmOf } from '../../render/helm/versions.ts';
import { splitStream } from '../../render/manifest/objects.ts';
import { formatTemplate } from '../../render/output/template.ts';
import { changedFiles } from '../../render/snapshot/compare.ts';
import { meaningOf } from '../../render/snapshot/meaning.ts';
import { normalizeFiles } from '../../render/snapshot/normalize.ts';
import { startsWith } from '../../render/values/paths.ts';
import { type ChartUnderTest, chartArguments, checkCharts } from '../e2e/charts/every-chart.ts';
import type { ChartResult } from '../support/chart-result.ts';
import { repeatableHost, some } from '../support/chart-values.ts';
import { Dice } from '../support/dice.ts';
import { type Mutation, mutationsOf } from './mutate-document.ts';

/** A document of a manifest, and the same document rendered with other random values, if it has some. */
interface RenderedDocument {
  readonly text: string;
  readonly twin: string | undefined;
}

/** A mutation of both. */
interface DocumentMutation extends Mutation {
  readonly twin: string | undefined;
}

function render({ chart }: ChartUnderTest): RenderedDocument[] {
  const documentsOf = (host: Host): readonly string[] =>
    splitStream(formatTemplate(runInstall(chart, { helm: helmOf('3.17.3'), host }), { includeCrds: true }));
  const watched = observeHost(repeatableHost());
  const documents = documentsOf(watched.host);
  const twins = watched.usedRandom() ? documentsOf(withOtherRandomness(repeatableHost())) : documents;
  if (twins.length !== documents.length) return [];
  return documents.map((text, at) => ({ text, twin: twins[at] === text ? undefined : twins[at] }));
}

function documentMutations({ text, twin }: RenderedDocument): (() => DocumentMutation)[] {
  const mutations = mutationsOf(text);
  if (twin === undefined) return mutations.map((make) => () => ({ ...make(), twin }));
  const twins = mutationsOf(twin);
  if (twins.length !== mutations.length) return [];
  return mutations.map((make, at) => () => ({ ...make(), twin: twins[at]!().text }));
}

const side = (documents: string) => ({ documents, name: 'manifest' });
const file = 'manifest.yaml';

function normalized({ text, twin }: RenderedDocument): ReadonlyMap<string, string> {
  const other = twin === undefined ? undefined : new Map([[file, twin]]);
  return normalizeFiles(new Map([[file, text]]), { twin: other }).files;
}

type Outcome = 'reported' | 'missed' | 'invented' | 'ignored';

function outcomeOf({ objects, ignored }: Pick<Difference, 'objects' | 'ignored'>, mutation: Mutation): Outcome {
  if (objects.length === 0) return ignored.length === 0 ? 'missed' : 'ignored';
  const isItem = mutation.steps[0] === 'items' && typeof mutation.steps[1] === 'number';
  const steps = isItem ? mutation.steps.slice(2) : mutation.steps;
  // With another name, it is another object.
  if (/^(?:kind|apiVersion|metadata\.(?:name|namespace))$/.test(steps.slice(0, 2).join('.'))) return 'reported';
  if (objects.length > 1 || objects[0]!.entries.length === 0) return 'invented';
  // A changed anchor changes every alias.
  if (/[&*]\w/.test(mutation.text)) return 'reported';
  const matches = objects[0]!.entries.map((entry) =>
    [entry.steps.before, entry.steps.after].some((path = []) => path.length > 0 && startsWith(steps, path)),
  );
  if (!matches.some(Boolean)) return 'missed';
  return matches.every(Boolean) ? 'reported' : 'invented';
}

/** Reports whether the changed line contains random values, which a snapshot does not compare. */
function isInRandom({ text, twin }: RenderedDocument, { value, what, steps }: Mutation): boolean {
  if (twin === undefined || !what.startsWith('line')) return false;
  const decode = (data: string): string[] =>
    (what.endsWith('of a Secret') ? Buffer.from(data, 'base64').toString() : data).split('\n');
  const linesIn = (document: string): string[] =>
    decode(String(parseDocument(document, { version: '1.1', uniqueKeys: false }).getIn(steps)));
  const [others, changed] = [linesIn(twin), decode(value)];
  return !others.includes(linesIn(text).find((line, at) => line !== changed[at]) ?? '');
}

function checkChart(chart: ChartUnderTest, count: number): ChartResult {
  const counts = { documents: 0, mutations: 0, ignored: 0 };
  const failures: string[] = [];
  const dice = new Dice(chart.seed);
  const documents = render(chart);
  for (const document of documents) {
    counts.documents++;
    const before = normalized(document);
    const isDifferent = diffObjects(side(document.text), side(document.text)).objects.length > 0;
    if (isDifferent || changedFiles(before, normalized(document)).length > 0) failures.push('differs from itself');
    // As many of each document, so that a long one, such as a CRD, does not crowd out the others.
    for (const make of some(documentMutations(document), Math.ceil(count / documents.length), dice)) {
      const mutation = make();
      const meaning = meaningOf(changedFiles(before, normalized(mutation)));
      const isMasked = meaning.files.length === 0 && isInRandom(document, mutation);
      const outcomes = {
        diff: outcomeOf(diffObjects(side(document.text), side(mutation.text)), mutation),
        snapshot: isMasked
          ? 'ignored'
          : meaning.objects.length === 0 && meaning.files.length > 0
            ? 'reported'
            : outcomeOf(meaning, mutation),
      };
      counts.mutations++;
      for (const [by, outcome] of Object.entries(outcomes)) {
        if (outcome === 'ignored') counts.ignored++;
        if (outcome !== 'missed' && outcome !== 'invented') continue;
        const object = /^kind: .*$/m.exec(document.text)?.[0] ?? '';
        const value = JSON.stringify(mutation.value.slice(0, 80));
        failures.push(`${by} ${outcome}: ${mutation.what}, ${object} ${mutation.steps.join('.')}: ${value}`);
      }
    }
  }
  return { counts, failures };
}

const settings = chartArguments({ mutations: 200 });
const { charts, counts, failures } = await checkCharts(settings, (chart) =>
  checkChart(chart, settings.flags.mutations),
);
const { documents = 0, mutations = 0, ignored = 0 } = counts;
console.log(
  `mutations: ${mutations} of ${documents} documents of ${charts} charts, ${ignored} times ignored by a rule, ${failures.length} failures`,
);
process.exitCode = failures.length === 0 && mutations > 0 ? 0 : 1;
