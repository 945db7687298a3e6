// The entry point `drydock/emulator`: creates and calls an emulator.

/** API coverage. */
export {
  type ApiCoverage,
  type CoverageTotal,
  formatCoverage,
  mergeCoverage,
  type OperationCoverage,
  type PartCoverage,
  summarizeCoverage,
} from './app/coverage.ts';
/** Custom routes and models. */
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
export { EmulatorError, type EmulatorErrorCode, type Issue } from './core/errors.ts';
export type { CustomNames, NamesIn, RouteName, RouteReference } from './core/names.ts';
export { type CustomRouteDefinition, defineModel, defineRoute } from './define.ts';
export { createEmulator, type Emulator, type EmulatorOptions } from './emulator.ts';
/** Messaging credentials and the configuration of a nats-server. */
export { type NatsConfigOptions, natsConfig, natsCredentials } from './nats.ts';
/** The OpenAPI document. */
export { type OpenApiOptions, openApiDocument } from './openapi.ts';
/** How orders are rendered. */
export type { Renderer } from './rendering/renderer.ts';
/** Settings of the emulated service. */
export * from './settings.ts';
export type { Schema } from './store/compile.ts';
/** Initial data, as in files and in code. */
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
/** The rows of a world as models. */
export type { FieldComparison as Comparison, Query, Where } from './store/models/query.ts';
export type { CustomModel, Model, ModelName, Models } from './store/models/types.ts';
/** Faults. */
export type { Fault, Scenario, ScenarioReference } from './world/faults.ts';
/** The request log, and filters for it. */
export type { LogEntry, LogFilter } from './world/log.ts';
/** Worlds. */
export type { SnapshotDocument, World } from './world/world.ts';
