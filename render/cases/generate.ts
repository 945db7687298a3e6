// Generates the smallest set of cases that reach what the existing ones of a chart do not, and explains why the rest cannot be reached.

import type { Chart } from '../chart/chart.ts';
import { emitYaml } from '../codec/yaml/emit.ts';
import { checkArguments, having, text, wholeNumber } from '../core/arguments.ts';
import { listNames } from '../core/counted.ts';
import type { RenderError } from '../core/errors.ts';
import type { Share } from '../coverage/measure.ts';
import type { ObjectIssue } from '../validation/objects/document-issues.ts';
import { valueOfJson } from '../values/patch.ts';
import { pathText } from '../values/paths.ts';
import type { BranchOutcome } from './outcomes.ts';
import { reduceCases, reduceFailures, reduceRejections } from './reduce.ts';
import {
  CaseSearch,
  type CaseSettings,
  type Found,
  type ObjectChecks,
  type Rejection,
  type SearchOptions,
} from './search.ts';

/** A generated case. */
export interface GeneratedCase extends CaseSettings {
  /** The outcomes that it reaches and no earlier case does, in file order. */
  readonly reaches: readonly BranchOutcome[];
}

/** Why no case reaches an outcome. The first four mean that no values can. */
export type UnreachedReason =
  /** It is in a named template that nothing includes. */
  | 'unused'
  /** An enclosing branch implies the opposite. */
  | 'contradiction'
  /** The branch depends on no value and on nothing of the cluster. */
  | 'constant'
  /** The branch depends on the result of `lookup`. */
  | 'lookup'
  /** Only failing renderings reach it. */
  | 'fails'
  /** The enclosing branch is not entered. */
  | 'outside'
  /** No value that was tried reaches it. */
  | 'untried';

/** An outcome that no case reaches. */
export interface Unreached extends BranchOutcome {
  readonly reason: UnreachedReason;
  /** The reason as the end of a sentence: the values that were tried, or the failure. */
  readonly explanation: string;
}

/** Values that a chart accepts and then fails on, other than by `fail`, `required` or its schema. */
export interface ChartFailure extends CaseSettings {
  readonly error: RenderError;
}

/** Realistic settings for which the chart renders an object that a cluster refuses, reduced to what causes the problem. */
export interface RejectedCase extends CaseSettings {
  readonly issue: ObjectIssue;
  /** Other objects with the same problem from the same line of a named template, such as `Service/web`. */
  readonly others: readonly string[];
}

/** The cases of a chart. */
export interface GeneratedCases {
  /** The name of the chart. */
  readonly chart: string;
  /** Outcomes reached by the existing cases. */
  readonly before: Share;
  /** Outcomes reached by the existing and the generated cases. */
  readonly after: Share;
  /** Number of outcomes that values can reach according to the templates. */
  readonly reachable: number;
  readonly cases: readonly GeneratedCase[];
  readonly unreached: readonly Unreached[];
  readonly failures: readonly ChartFailure[];
  /** Objects that a cluster of the rendered Kubernetes version refuses. */
  readonly rejections: readonly RejectedCase[];
  /** Existing cases that do not render, by index; they reach nothing. */
  readonly failedCases: readonly { readonly at: number; readonly error: RenderError }[];
  /** Number of renderings of the search. */
  readonly renderings: number;
  /** Whether a limit ended the search. */
  readonly isCut: boolean;
}

export function generate(chart: Chart, existing: readonly CaseSettings[], options: SearchOptions): GeneratedCases {
  const search = new CaseSearch(chart, options);
  const found = search.run(existing);
  const { list } = found.outcomes;
  const before = new Set(found.existing.flatMap(({ failure, reached }) => (failure === undefined ? [...reached] : [])));
  const covered = new Set(before);
  const cases = reduceCases(found.kept, before, search).map(({ settings, reached }): GeneratedCase => {
    const reaches = [...reached].filter((at) => !covered.has(at)).sort((a, b) => a - b);
    for (const at of reaches) covered.add(at);
    return { ...settings, reaches: reaches.map((at) => list[at]!) };
  });
  const unreached = list.flatMap((outcome, at) => (covered.has(at) ? [] : [{ ...outcome, ...reasonOf(at, found) }]));
  return {
    chart: chart.metadata.name,
    before: { covered: before.size, total: list.length },
    after: { covered: covered.size, total: list.length },
    reachable: list.length - unreached.filter(({ reason }) => outOfReach.has(reason)).length,
    cases: cases.filter(({ reaches }) => reaches.length > 0),
    unreached,
    failures: reduceFailures(found.failures, search).map(({ error, settings }) => ({ ...settings, error })),
    rejections: options.objects === undefined ? [] : rejectionsOf(found, search, options.objects),
    failedCases: found.existing.flatMap(({ failure }, at) => (failure === undefined ? [] : [{ at, error: failure }])),
    renderings: found.renderings,
    isCut: found.isCut,
  };
}

// All objects that include a named template share its problem: the one with the smallest values is listed, the others are named.
function rejectionsOf({ rejections }: Found, search: CaseSearch, { issueOf }: ObjectChecks): RejectedCase[] {
  const listed = new Map<string, RejectedCase>();
  const sizeOf = ({ settings }: Rejection): number => JSON.stringify(settings.values).length;
  for (const { fault, settings } of reduceRejections(rejections, search).sort((a, b) => sizeOf(a) - sizeOf(b))) {
    const issue = issueOf(fault, settings);
    const { object, source, line, writtenAt, message } = issue;
    const key = JSON.stringify([writtenAt ?? { source, line, object }, message]);
    const known = listed.get(key);
    listed.set(
      key,
      known === undefined ? { ...settings, issue, others: [] } : { ...known, others: [...known.others, object] },
    );
  }
  return [...listed.values()];
}

const outOfReach: ReadonlySet<UnreachedReason> = new Set(['unused', 'contradiction', 'constant', 'lookup']);

function reasonOf(at: number, found: Found): { readonly reason: UnreachedReason; readonly explanation: string } {
  const { outcomes, inputs, failing, isCut } = found;
  if (outcomes.unused.has(at)) return { reason: 'unused', explanation: 'nothing includes this template' };
  if (outcomes.contradicted.has(at)) {
    return { reason: 'contradiction', explanation: 'a branch around it has found the same value filled' };
  }
  const failure = failing.get(at);
  if (failure !== undefined) {
    return { reason: 'fails', explanation: `only a rendering that fails reaches it: ${firstLine(failure.message)}` };
  }
  const own = inputs.get(outcomes.siteOf(at));
  if (own === undefined) return { reason: 'outside', explanation: 'no case enters the branch around it' };
  if (own.others.has('lookup'))
    return { reason: 'lookup', explanation: 'it depends on what lookup finds in a cluster' };
  const names = [...own.values.values()].map(({ path }) => pathText(path));
  if (names.length === 0 && own.others.size === 0 && own.versionRanges.size === 0) {
    const explanation =
      own.apiVersions.size === 0
        ? 'it depends on no value'
        : 'it asks for API versions that Helm knows without a cluster';
    return { reason: 'constant', explanation };
  }
  const what = isCut ? 'not found before the limit was reached' : 'none of the values tried leads there';
  return { reason: 'untried', explanation: names.length === 0 ? what : `${what}; it reads ${listNames(names, 3)}` };
}

function firstLine(text: string): string {
  const [line = ''] = text.split('\n');
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

const mostListed = 30;

const generatedLine = '# Generated by `drydock cases`.';

/** Reports whether a values file was written by `valuesFileOf`. */
export function isGeneratedFile(text: string): boolean {
  return text.split('\n', 10).some((line) => line.startsWith(generatedLine));
}

/** Returns a case as a values file. `drydock coverage` and `drydock snapshot` read its `# drydock:` comments. */
export function valuesFileOf({ values, kubeVersion, apiVersions = [], isUpgrade, reaches }: GeneratedCase): string {
  const words = [
    ...(kubeVersion === undefined ? [] : [`kube-version ${kubeVersion}`]),
    ...apiVersions.map((name) => `api-versions ${name}`),
    ...(isUpgrade === true ? ['upgrade'] : []),
  ];
  const listed = reaches.slice(0, mostListed).map((one) => `#   ${outcomeText(one)}`);
  const more = reaches.length - listed.length;
  return [
    ...words.map((word) => `# drydock: ${word}`),
    `${generatedLine} It reaches, beyond the cases before it:`,
    ...listed,
    ...(more > 0 ? [`#   and ${more} more`] : []),
    emitYaml(valueOfJson(values)),
  ].join('\n');
}

const branchOutcome = having<BranchOutcome>('an outcome, as of generateCases', {
  path: text,
  line: wholeNumber(0),
  text,
  outcome: text,
});

/**
 * Formats an outcome on one line: `templates/web.yaml:12 if .Values.tls (then)`. Throws ARGUMENT_INVALID.
 * @example
 * for (const one of generateCases(chart).unreached) console.log(`${formatOutcome(one)}: ${one.explanation}`);
 */
export function formatOutcome(outcome: BranchOutcome): string {
  checkArguments('formatOutcome', ['outcome', outcome, branchOutcome]);
  return outcomeText(outcome);
}

function outcomeText({ path, line, text, outcome }: BranchOutcome): string {
  const short = text.length > 80 ? `${text.slice(0, 79)}…` : text;
  return `${path}:${line} ${short.replaceAll('\n', ' ')} (${outcome.replaceAll('\n', ' ')})`;
}
