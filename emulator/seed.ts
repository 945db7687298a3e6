// The front door `drydock/emulator/seed`: the fixtures that ship with drydock, to begin one's own from, and those of demos.

/** What a fresh emulator holds: pass it on with changes as `createEmulator({ fixtures: { ...seed, follows: [] } })`. */
export { defaultFixtures as seed } from './store/default-fixtures.ts';
export type { Fixtures } from './store/fixtures.ts';
/** The stories of demos: `createEmulator({ fixtures: storyFixtures('saas') })`. */
export { type StoryName, type StoryOptions, stories, storyFixtures } from './stories/stories.ts';
