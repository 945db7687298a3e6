// The cache of a run, and the settings that are part of its keys.

import { helmVersionsOf, type RenderSettings, type RunIo } from '../inputs/settings.ts';
import { contentDigest } from './cache/digest.node.ts';
import { type CacheStore, RenderCache } from './cache/entries.node.ts';
import { programDigest } from './cache/program.node.ts';

/** The cache of a run. */
export interface RunCache {
  readonly store: CacheStore;
  /** The folder of the cache, which is excluded from charts. */
  readonly folder: string;
  /** The digest of the program that renders. */
  readonly program: string;
}

/**
 * Returns the cache in a folder for a run with these settings. It is undefined with `showSecrets`, with several Helm versions, and for values
 * from standard input, which can be read only once.
 */
export function openRunCache(folder: string, settings: RenderSettings): RunCache | undefined {
  const isStream = settings.values.some((files) => files.split(',').some((file) => file.trim() === '-'));
  if (settings.showSecrets || helmVersionsOf(settings).length > 1 || isStream) return undefined;
  return { store: new RenderCache(folder), folder, program: programDigest() };
}

// The contents of these files, and the settings of the chart at hand, are parts of a key by themselves; the other entries of a matrix have
// keys of their own.
const indifferent: ReadonlySet<string> = new Set<keyof RenderSettings>([
  'charts',
  'forCharts',
  'values',
  'withApiVersions',
  'withValues',
]);

/** Returns what of settings and environment affects a rendering, as one text. */
export function decidingText(settings: RenderSettings, { env }: Pick<RunIo, 'env'>): string {
  const deciding = Object.entries(settings).filter(([name]) => !indifferent.has(name));
  return JSON.stringify([contentDigest(env.DRYDOCK_SECRET_KEY ?? ''), ...deciding]);
}
