// The entry point `drydock/snapshot`: compares renderings with files in a repository and with each other.

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
export {
  type ChartSettings,
  type OrderOutput,
  orderOutputs,
  type RenderSettings,
  type RunIo,
} from './inputs/settings.ts';
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
export type { BaseFolder } from './snapshot/base.node.ts';
export type { SnapshotStatus } from './snapshot/compare.ts';
export {
  type ComparedInput,
  diffInputs,
  type InputDiff,
  type InputDiffOptions,
  type SideKind,
} from './snapshot/diff-inputs.node.ts';
export type { BaseInputs } from './snapshot/input.node.ts';
export type { Meaning, MeantFile, ShownChange } from './snapshot/meaning.ts';
export { type MergedRun, type MergeOptions, mergeReports } from './snapshot/merge.node.ts';
export type { InputOptions } from './snapshot/options.node.ts';
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
