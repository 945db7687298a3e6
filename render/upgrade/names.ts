// Proposes the paths that a value may have moved to.

import { pathText, type Steps } from '../values/paths.ts';

const mostTried = 30;

/**
 * Returns the paths that a value may have moved to, the most likely first; at most 30: those that have a word in common with its path, and
 * those that `isNew` accepts, with any name.
 */
export function likelyNames(steps: Steps, paths: readonly Steps[], isNew: (path: Steps) => boolean): Steps[] {
  const words = wordsOf(steps);
  const last = String(steps.at(-1)).toLowerCase();
  const scored = new Map<string, { readonly path: Steps; readonly score: number }>();
  for (const path of paths) {
    const own = wordsOf(path);
    const common = [...words].filter((word) => own.has(word)).length;
    const sameName = String(path.at(-1)).toLowerCase() === last ? 2 : 0;
    const score = sameName + (2 * common) / (words.size + own.size) + (isNew(path) ? 0.2 : 0);
    if (score > 0) scored.set(pathText(path), { path, score });
  }
  const inOrder = [...scored.values()].sort((a, b) => b.score - a.score);
  return inOrder.slice(0, mostTried).map(({ path }) => path);
}

// `serviceAccount.nameOverrides` has the words service, account, name, override.
function wordsOf(steps: Steps): ReadonlySet<string> {
  return new Set(
    steps.flatMap((step) =>
      String(step)
        .split(/[^A-Za-z\d]|(?<=[a-z\d])(?=[A-Z])/)
        .map((word) => word.toLowerCase().replace(/(?<=..)s$/, ''))
        .filter((word) => word !== ''),
    ),
  );
}
