// What a bundle needs of the others that were made with it.

import type { Metafile } from 'esbuild';

/** Gives outputs with all that they import: at once, or later too. */
export function reachedFrom({ outputs }: Metafile, entries: readonly string[], when: 'at once' | 'ever'): string[] {
  const reached = new Set(entries);
  for (const path of reached) {
    for (const { kind, path: next, external } of outputs[path]?.imports ?? [])
      if (external !== true && (when === 'ever' || kind === 'import-statement')) reached.add(next);
  }
  return [...reached];
}
