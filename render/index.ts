// The entry point `drydock`: charts and Orders in, texts out. Runs in Node and in browsers.

export {
  formatCase,
  formatValuesTable,
  type GenerateCasesOptions,
  generateCases,
  listChartImages,
  listImages,
  type ObjectImage,
  type ValuesSchemaOptions,
  valuesSchema,
} from './api/cases.ts';
export {
  formatPartial,
  type PartialRelease,
  type Release,
  type ReleaseDocument,
  type ReleaseHook,
  type ReleaseObject,
  type ReleaseOptions,
  renderRelease,
  type TemplateOptions,
  type TracedReleaseOptions,
  template,
} from './api/chart.ts';
export {
  type CoverageCase,
  type CoverageFormatOptions,
  type CoverageOptions,
  coverChart,
  formatCoverage,
} from './api/coverage.ts';
export { diffManifests, formatDifference } from './api/diff.ts';
export {
  type ExplanationPageOptions,
  explain,
  explanationPage,
  formatExplanation,
  formatImpact,
  impact,
  listOrderValues,
  listValues,
  type PackageValues,
} from './api/explain.ts';
export { inspectOrder, type RenderedOrder, type RenderOrderOptions, renderOrder } from './api/order.ts';
export {
  checkOrderUpgrade,
  checkUpgrade,
  type OrderUpgrade,
  type OrderUpgradeOptions,
  type PackageUpgrade,
  patchOrder,
  type UpgradeReport,
} from './api/upgrade.ts';
export { formatObjectIssue, type ValidationOptions, validateObjects } from './api/validation.ts';
export { formatDocument, formatValues } from './api/yaml.ts';
export {
  type ChartFailure,
  formatOutcome,
  type GeneratedCase,
  type GeneratedCases,
  type RejectedCase,
  type Unreached,
  type UnreachedReason,
} from './cases/generate.ts';
export type { ChartImage, ImageReference, ImageUse } from './cases/images.ts';
export type { BranchOutcome } from './cases/outcomes.ts';
export type { CaseSettings } from './cases/search.ts';
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
export { type Issue, type Place, RenderError, type RenderErrorCode, type RenderErrorDetails } from './core/errors.ts';
export { defaultHelm, type HelmSelector, type HelmVersion, helmVersions } from './core/helm-version.ts';
export { type Host, realHost, type SeededHostOptions, seededHost } from './core/host.ts';
export type { RenderLimits } from './core/limits.ts';
export {
  type Coverage,
  type CoverageTotals,
  type CoveredCase,
  type DefaultsCoverage,
  type FileCoverage,
  percentOf,
  type Share,
  type UnreadDefault,
} from './coverage/measure.ts';
export type { CoverageFormat } from './coverage/report.ts';
export type {
  ActionCoverage,
  BranchCoverage,
  CoveredPlace,
  NamedTemplateCoverage,
  OutcomeCoverage,
} from './coverage/sites.ts';
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
export {
  type OrderOptions,
  type PackageApis,
  PackageError,
  type RenderedPackage,
  type RenderedPackages,
} from './engine/packages.ts';
export { ReleaseError } from './engine/release.ts';
export type { Engine, ExportedOrder, ExportOptions } from './gitops/export.ts';
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
export type { ImportNote } from './gitops/import/members.ts';
export type { FileTree } from './gitops/import/tree.ts';
export type { HelmCommandLine } from './helm/helm.ts';
export { describeCommandLine } from './helm/versions.ts';
export type { HookEvent, Manifest } from './manifest/sort.ts';
export type { SourcedDocument } from './manifest/source.ts';
/** The parts of an Order as users write it. */
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
export {
  compareHelms,
  type HelmComparison,
  type HelmRendering,
  type RenderWith,
} from './provenance/impact/helm-versions.ts';
export type { Impact, ImpactedField, ImpactedObject, LeftOut } from './provenance/impact/impact.ts';
export type { ExplainedCondition, ExplainedPart, TemplatePlace } from './provenance/trace/explain.ts';
export type {
  ExplainQuestion,
  Explanation,
  ObjectLine,
  TracedInput,
  TracedObjects,
} from './provenance/trace/explanation.ts';
export type { ExplainedLine, ReleaseTrace, TracedFile } from './provenance/trace/release-trace.ts';
export type { Setter, SetterKind } from './provenance/trace/setters.ts';
export type { ExplainedValue, MergedValue, ValueWay } from './provenance/trace/values.ts';
export type { ScriptModel } from './scripts/model.ts';
export type { ScriptName, ScriptOptions, ScriptOs, ScriptTemplate, ScriptTemplates } from './scripts/script.ts';
export type { SecretSource } from './scripts/secrets.ts';
export type { DefaultChange, ValueChange, ValuesReport } from './upgrade/check.ts';
export type { FieldValidation, ObjectIssue } from './validation/objects/document-issues.ts';
export type { SchemaSource } from './values/schema/refs.ts';
export type { ValuesFile } from './values/user.ts';
export { type Bundle, openBundle } from './vendor/lock/bundle.ts';
export type { Lock, LockedChart } from './vendor/lock/lock.ts';
