// The entry point `drydock/emulator/seed`: the bundled fixtures and those of demos, as a base for your own.

/** The content of a new emulator: pass a modified copy as `createEmulator({ fixtures: { ...seed, follows: [] } })`. */
export { defaultFixtures as seed } from './store/default-fixtures.ts';
export type { Fixtures } from './store/fixtures.ts';
/** The stories of demos: `createEmulator({ fixtures: storyFixtures('saas') })`. */
export { type StoryName, type StoryOptions, stories, storyFixtures } from './stories/stories.ts';
