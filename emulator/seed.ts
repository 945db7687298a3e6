// The front door `drydock/emulator/seed`: the fixtures that ship with drydock, to begin one's own from.

/** What a fresh emulator holds: pass it on with changes as `createEmulator({ fixtures: { ...seed, follows: [] } })`. */
export { defaultFixtures as seed } from './store/default-fixtures.ts';
export type { Fixtures } from './store/fixtures.ts';
