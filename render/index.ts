// The front door: charts and Orders in, texts out. Runs in Node and in browsers.

export type { PackageApis } from './apis.ts';
export type { Chart, ChartFile, Dependency, Maintainer, Metadata } from './chart/chart.ts';
export { type ChartFiles, type LoadOptions, loadArchive, loadChart } from './chart/load.ts';
export {
  type Candidate,
  type ChartRef,
  chainRegistries,
  memoryRegistry,
  notFound,
  pickCandidate,
  type Registry,
  type Search,
} from './chart/registry.ts';
export type {
  Coverage,
  CoverageTotals,
  CoveredCase,
  DefaultsCoverage,
  FileCoverage,
  Share,
  SubchartDefaults,
  UnreadDefault,
} from './coverage/measure.ts';
export type {
  ActionCoverage,
  BranchCoverage,
  CoveredPlace,
  NamedTemplateCoverage,
  OutcomeCoverage,
} from './coverage/sites.ts';
export {
  type CoverageCase,
  type CoverageFormat,
  type CoverageFormatOptions,
  type CoverageOptions,
  coverChart,
  formatCoverage,
} from './covered-chart.ts';
export type {
  DiffCause,
  DiffEntry,
  Difference,
  DiffOptions,
  DiffSummary,
  ObjectChange,
  ObjectName,
  ObjectStatus,
  VersionChange,
} from './diff/difference.ts';
export type { Ignored, IgnoreRule } from './diff/noise.ts';
export type { DiffDocument, DiffSide } from './diff/objects.ts';
export type { Risk } from './diff/risk-rules.ts';
export { type Issue, type Place, RenderError, type RenderErrorCode, type RenderErrorDetails } from './errors.ts';
export { explain } from './explained.ts';
export type { Engine, ExportedOrder } from './gitops/export/export.ts';
export type { ExportOptions } from './gitops/export/package.ts';
export type { ImportNote } from './gitops/import/found.ts';
export {
  type ImportedOrder,
  type ImportedRelease,
  type ImportFile,
  type ImportOptions,
  type ImportReportOptions,
  importOrder,
  importReport,
  importRepository,
} from './gitops/import/import.ts';
export type { FileTree } from './gitops/import/tree.ts';
export { defaultHelm, type HelmSelector, type HelmVersion, helmVersions } from './helm-version.ts';
export { type Host, realHost, type SeededHostOptions, seededHost } from './host.ts';
export type { Impact, ImpactedField, ImpactedObject, LeftOut } from './impact/impact.ts';
export { type ExplanationPageOptions, explanationPage, impact } from './impacted.ts';
export type { RenderLimits } from './limits.ts';
export type { HookEvent } from './manifest/hooks.ts';
export type { Manifest } from './manifest/sort.ts';
export type { SourcedDocument } from './manifest/source.ts';
export { diffManifests, formatDifference } from './manifest-diff.ts';
/** The parts of an Order as one writes it. */
export type * from './order/document.ts';
export {
  type ChartSelection,
  type JsonObject,
  type JsonValue,
  ORDER_API_VERSION,
  type PackageSelection,
  type ValidOrder,
} from './order/order.ts';
export { formatIssue, type OrderText, readOrder } from './order/read.ts';
export { orderSchema, type ValidatedOrder, validateOrder } from './order/validate.ts';
export type { ManifestOptions } from './output/manifest.ts';
export type { Resource, ResourceFormat, ResourceList, ResourceOptions } from './output/resources.ts';
export type { TemplateView } from './output/template.ts';
export { type OrderOptions, PackageError, type RenderedPackage, type RenderedPackages } from './packages.ts';
export { ReleaseError } from './release.ts';
export {
  type Release,
  type ReleaseHook,
  type ReleaseObject,
  type ReleaseOptions,
  renderRelease,
  type TemplateOptions,
  type TracedReleaseOptions,
  template,
} from './rendered-chart.ts';
export { inspectOrder, type RenderedOrder, type RenderOrderOptions, renderOrder } from './rendered-order.ts';
export type { ScriptTemplate } from './scripts/fill.ts';
export type { ScriptModel } from './scripts/model.ts';
export type { ScriptName, ScriptOptions, ScriptOs, ScriptTemplates } from './scripts/script.ts';
export type { ExplainedCondition, ExplainedPart, TemplatePlace } from './trace/explain.ts';
export type { ExplainQuestion, Explanation, ObjectLine, TracedObjects } from './trace/explanation.ts';
export type { ExplainedLine, ReleaseTrace, TracedFile } from './trace/release-trace.ts';
export type { Setter, SetterKind } from './trace/setters.ts';
export type { ExplainedValue, ValueWay } from './trace/values.ts';
export {
  type FieldValidation,
  type ObjectIssue,
  type ValidationOptions,
  validateObjects,
} from './validation/validate-objects.ts';
export type { SchemaSource } from './values/schema/refs.ts';
export type { ValuesFile } from './values/user.ts';
export { type Bundle, openBundle } from './vendor/bundle.ts';
export type { Lock, LockedChart } from './vendor/lock.ts';
