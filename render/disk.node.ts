// The entry point `drydock/node`: charts and Orders on disk, and commands that read them as functions. Everything else about rendering is in
// `drydock`.

export {
  type DependencyOptions,
  formatLint,
  type LintOptions,
  lintChart,
  listDependencies,
  type ShowOptions,
  showChart,
} from './api/inspect.node.ts';
export { loadChartPath } from './chart/directory.node.ts';
export type { LoadOptions } from './chart/load.ts';
export { type JsonRead, readJson } from './codec/json-file.ts';
export { UsageError } from './core/usage-error.ts';
export { diskTree } from './gitops/disk-tree.node.ts';
export { type ChartCases, readCaseOptions } from './inputs/cases.node.ts';
export { type ChartCoverageOptions, coverChartPath } from './inputs/coverage.node.ts';
export {
  explainOrderFailures,
  type InputValue,
  type InputValues,
  type InputValuesOptions,
  listInputValues,
  traceInput,
} from './inputs/explain.node.ts';
export { formatError, formatOrderIssues } from './inputs/failures.ts';
export { isChartInput, locateChart } from './inputs/files.node.ts';
export { type InputImage, type InputImagesOptions, listInputImages } from './inputs/images.node.ts';
export { type ImportPathsOptions, importPaths } from './inputs/import.node.ts';
export { inspectOrderFile } from './inputs/inspect.node.ts';
export { type LintRunOptions, lintCharts } from './inputs/lint.node.ts';
export { type OrderInput, readOrderFile } from './inputs/orders.node.ts';
export { bundleOrder, type OrderBundle, pinOrder } from './inputs/pin.node.ts';
export type { RunOptions } from './inputs/run-options.node.ts';
export type { ChartSettings, RenderSettings, RunIo } from './inputs/settings.ts';
export { type ChartRunOptions, checkKubeSettings, renderChartPath } from './inputs/template.node.ts';
export { type ChartUpgrade, checkUpgradePaths } from './inputs/upgrade.node.ts';
export type { LintedChart, LintFormat, LintText } from './inspect/lint.node.ts';
export type { LintMessage, LintSeverity } from './inspect/lint-rules.ts';
export { type ShownPart, shownParts } from './inspect/show.ts';
export {
  createPostRenderer,
  PostRenderError,
  type PostRenderer,
  type PostRendererOptions,
} from './output/post-renderer.node.ts';
export { compileScriptTemplate } from './scripts/user-template.node.ts';
export { type ReportForm, reportForms } from './unittest/reports/reports.ts';
export { testCharts, type UnittestOptions, type UnittestReport } from './unittest/runner.node.ts';
export { type DirectoryOptions, directoryRegistry } from './vendor/lock/registry.node.ts';
