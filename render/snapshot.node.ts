// The entry point `drydock/snapshot`: compares renderings with files in a repository and with each other, for test runners and the command.

import { resolve } from 'node:path';
import type { RenderedOrder } from './api/order.ts';
import {
  type Check,
  callback,
  checkArguments,
  filled,
  flag,
  having,
  isMembers,
  listOf,
  oneOf,
  optionsOf,
  text,
  wrongKind,
} from './core/arguments.ts';
import { joinPath } from './core/paths.ts';
import { formatBlocks, formatSummary } from './diff/text.ts';
import {
  type CompareOptions,
  changedFiles,
  formatChanges,
  type SnapshotChange,
  type SnapshotFiles,
  writeChanges,
} from './snapshot/compare.ts';
import { failureNames } from './snapshot/failure-names.node.ts';
import { type Meaning, meaningOf } from './snapshot/meaning.ts';
import { type OrderOutput, orderFiles, orderOutputs } from './snapshot/order-files.ts';
import { checkWhole, fileStore, folderStore } from './snapshot/stores.node.ts';

/** Options of `matchSnapshot`. `update` defaults to whether `UPDATE_SNAPSHOTS=1` is set in the environment. */
export interface MatchOptions extends Omit<CompareOptions, 'missing'> {
  /** Whether every byte counts. Default false: manifests with the same meaning are equal, as in the command. */
  readonly exact?: boolean | undefined;
  /** The outputs of an Order to compare. Default all. */
  readonly outputs?: readonly OrderOutput[] | undefined;
}

/** The failure of `matchSnapshot`. Test runners show it as a failed assertion; its message contains the diff. */
export class SnapshotError extends Error {
  override readonly name = failureNames().name;
  readonly code = failureNames().code;
  /** Every file that differs from the recorded one. */
  declare readonly changes: readonly SnapshotChange[];

  constructor(message: string, changes: readonly SnapshotChange[]) {
    super(message);
    // Not enumerable, because runners print enumerable members and the message already has the content.
    Object.defineProperty(this, 'changes', { value: changes });
  }
}

const matchOptions = optionsOf<MatchOptions>({
  mask: listOf(text),
  update: flag,
  exact: flag,
  outputs: listOf(oneOf(orderOutputs)),
});
const order = having<RenderedOrder>('a rendered Order', { manifest: callback, resources: callback });
const filePath: Check = (value, path) =>
  typeof value !== 'string' || /(?:^|[\\/])\.\.(?:[\\/]|$)|^[\\/]|^$|\0/.test(value)
    ? wrongKind(value, path, 'a path below the snapshot, such as "web/manifest.yaml"')
    : [];

const renderings: Check = (value, path) => {
  if (typeof value === 'string') return [];
  if (isMembers(value) && 'order' in value) return order(value, path);
  if (!(value instanceof Map)) return wrongKind(value, path, 'a text, a Map of paths to texts, or a rendered Order');
  return [...value].flatMap(([name, content]) => [
    ...filePath(name, path),
    ...text(content, typeof name === 'string' ? joinPath(path, name) : path),
  ]);
};

/**
 * Compares a rendering with its snapshot: a text with the file at `path`, an Order or several texts with the folder there. Manifests are
 * compared by meaning, as in `drydock snapshot`; other texts byte by byte. The folder belongs to the snapshot: an update removes files that
 * are no longer rendered. Nothing is written unless `update` is set, so a snapshot that was never recorded fails. Render with
 * `seededHost()`, because random values differ each time. Rejects with SnapshotError if anything differs, with MANIFEST_INVALID after an
 * interrupted update, with ARGUMENT_INVALID.
 * @example
 * test('the shop renders as recorded', async () => {
 *   const rendered = await renderOrder(order, { registry, host: seededHost() });
 *   await matchSnapshot(rendered, 'snapshots/shop');
 * });
 */
export async function matchSnapshot(
  rendered: string | SnapshotFiles | RenderedOrder,
  path: string,
  options: MatchOptions = {},
): Promise<void> {
  checkArguments(
    'matchSnapshot',
    ['rendered', rendered, renderings],
    ['path', path, filled],
    ['options', options, matchOptions],
  );
  const isText = typeof rendered === 'string';
  const files = isText
    ? new Map([['', rendered]])
    : 'order' in rendered
      ? orderFiles(rendered, { outputs: options.outputs })
      : rendered;
  const update = options.update ?? /^(1|true|yes)$/i.test(process.env.UPDATE_SNAPSHOTS ?? '');
  const store = isText ? fileStore(path) : folderStore(path);
  if (!isText && !update) checkWhole(resolve(path), path);
  const { mask, exact } = options;
  const changed = changedFiles(store.read(), files, { mask });
  if (update) writeChanges(changed, store);
  if (update || changed.length === 0) return;
  const meaning = meaningOf(changed, { exact });
  if (meaning.files.length === 0) return;
  const changes = meaning.files.map(({ path: file, status, diff }) => ({ path: file, status, diff }));
  const hint = 'If this is meant, record it: run the test with UPDATE_SNAPSHOTS=1 and commit the files.';
  throw new SnapshotError(`the snapshot does not match\n\n${meaningText(meaning, path)}\n${hint}`, changes);
}

// Objects first; for other texts and for new or removed files, lines.
function meaningText(meaning: Meaning, name: string): string {
  const others = meaning.files.filter(({ hasObjects }) => !hasObjects);
  const lines = formatChanges(others, name);
  if (meaning.objects.length === 0) return lines;
  const blocks = formatBlocks(meaning.objects);
  return [`${name} is different: ${formatSummary(meaning)}`, ...blocks, lines].join('\n');
}

export { UsageError } from './core/usage-error.ts';
export type { PlacedCoverage } from './coverage/formats.ts';
export {
  type CoverageLimits,
  type CoverageReportOptions,
  formatCoverageReport,
  formatCoverageTotals,
  listShortfalls,
} from './coverage/report.ts';
export type { Review, ReviewBlock, ReviewGroup, ReviewMark, ReviewPlace, ReviewSummary } from './diff/review.ts';
export { listKubeVersions } from './inputs/kube-versions.ts';
export type { ChartSettings, RenderSettings, RunIo } from './inputs/settings.ts';
export { countIssues, formatReport } from './report/format.ts';
export {
  type FileReport,
  type Report,
  type ReportedCase,
  type ReportedDifference,
  type ReportedIssue,
  type ReportFormat,
  reportFormats,
} from './report/model.ts';
export type {
  CompareOptions,
  SnapshotChange,
  SnapshotFiles,
  SnapshotStatus,
  SnapshotStore,
} from './snapshot/compare.ts';
export {
  type ComparedInput,
  diffInputs,
  type InputDiff,
  type InputDiffOptions,
  type SideKind,
} from './snapshot/diff-inputs.node.ts';
export type { Meaning, MeantFile, ShownChange } from './snapshot/meaning.ts';
export { type MergedRun, type MergeOptions, mergeReports } from './snapshot/merge.node.ts';
export type { InputOptions } from './snapshot/options.node.ts';
export { type OrderOutput, orderFiles, orderOutputs } from './snapshot/order-files.ts';
export type {
  CaseFinding,
  CaseOutcome,
  CaseStatus,
  Finding,
  Outcome,
  OutcomeChange,
  RandomSite,
  RevisionChange,
} from './snapshot/outcome.ts';
export type { Shard } from './snapshot/report.ts';
export {
  type ComparisonOptions,
  compareSnapshots,
  type SnapshotOptions,
  type SnapshotRun,
} from './snapshot/run.node.ts';
export { type OutcomeTextOptions, type Printer, printOutcomes } from './snapshot/text.ts';
export { type SnapshotWatch, type WatchOptions, type WatchState, watchSnapshots } from './snapshot/watch.node.ts';
export { fileStore, folderStore };
