// The front door `drydock/emulator`: make an emulator, call it, or hand it to msw.

export { createEmulator, type Emulator, type EmulatorOptions } from './emulator.ts';
export type { Settings } from './http/settings.ts';
export { type HandlerOptions, mswHandlers, mswRouteHandlers } from './msw.ts';
export { FixtureError, type Fixtures } from './store/fixtures.ts';
export type { Fault, Scenario } from './world/faults.ts';
export type { LogEntry, LogFilter } from './world/log.ts';
export type { SnapshotDocument, World } from './world/world.ts';
