// The front door `drydock/emulator`: make an emulator and call it.

/** Tell what the calls of an emulator exercised. */
export {
  type ApiCoverage,
  type CoverageTotal,
  formatCoverage,
  mergeCoverage,
  type OperationCoverage,
  type PartCoverage,
  summarizeCoverage,
} from './app/coverage.ts';
/** Describe routes and models of an application. */
export type { Incoming, Outgoing, Reply } from './app/message.ts';
export type {
  AnswerRule,
  BodyRule,
  Call,
  Parameter,
  Queries,
  Route,
  RouteDefinition,
} from './app/route.ts';
/** Describe what can be set about the emulated service. */
export {
  defaultSettings,
  type SettingName,
  type SettingRule,
  type Settings,
  settingRules,
  settingsSchema,
} from './app/settings.ts';
export { EmulatorError, type EmulatorErrorCode, type Issue } from './core/errors.ts';
export type { CustomNames, NamesIn, RouteName, RouteReference } from './core/names.ts';
export { type CustomRouteDefinition, defineModel, defineRoute } from './define.ts';
export { createEmulator, type Emulator, type EmulatorOptions } from './emulator.ts';
/** Describe how orders are rendered for an emulator, and what a rendering may take. */
export type { OrderLimits } from './rendering/limits.ts';
export type { Renderer } from './rendering/renderer.ts';
export type { Schema } from './store/compile.ts';
/** Describe what an emulator begins with, as it is written in files and in code. */
export {
  type BucketFixture,
  type ClusterFixture,
  type CredentialFixture,
  type EmailFixture,
  FixtureError,
  type Fixtures,
  type FollowFixture,
  type HistoryFixture,
  type OrderFixture,
  type OrganizationFixture,
  type RecordFixture,
  type SubscriptionFixture,
  type TeamFixture,
  type TokenFixture,
  type UserFixture,
} from './store/fixtures.ts';
/** Describe the rows of a world as models. */
export type { FieldComparison as Comparison, Query, Where } from './store/models/query.ts';
export type { CustomModel, Model, ModelName, Models } from './store/models/types.ts';
/** Describe what goes wrong on purpose. */
export type { Fault, Scenario, ScenarioReference } from './world/faults.ts';
/** Describe a logged request, and which of them are meant. */
export type { LogEntry, LogFilter } from './world/log.ts';
/** Describe a world and what it keeps. */
export type { SnapshotDocument, World } from './world/world.ts';
