// The versions of a chart in order: as Helm sorts them, and those nearest to one that is not there.

import { compareVersions, parseVersion, type Version } from '../../go/semver.ts';
import { sortAsGo } from '../../go/sort.ts';

/**
 * Returns what has a version sorted as Helm sorts it, the newest first. Of those that differ in build metadata alone, the
 * first is what Helm's sort makes the first. What is no version is left out.
 * Mirrors: helm.sh/helm/v3, pkg/repo/index.go (`SortEntries`) and pkg/registry/client.go (`Tags`), v3.17.3.
 */
export function newestFirst<T extends { readonly version: string }>(items: readonly T[]): readonly T[] {
  const known = items.flatMap((item) => {
    const version = orNothing(item.version);
    return version === undefined ? [] : [{ item, version }];
  });
  return sortAsGo(known, (a, b) => compareVersions(b.version, a.version) < 0).map(({ item }) => item);
}

const few = 6;
/** The length of a text that is still worth showing: what an Order may ask for. */
const maxShown = 128;

/** Returns a few versions that are nearest to what was asked, the newest first; the newest ones where nothing can be read of it. */
export function nearestVersions(range: string, versions: readonly string[]): readonly string[] {
  const known = versions.flatMap((text) => {
    const version = text.length > maxShown ? undefined : orNothing(text);
    return version === undefined ? [] : [{ text, version }];
  });
  known.sort((a, b) => compareVersions(b.version, a.version));
  const wanted = orNothing(/v?\d+(?:\.\d+){0,2}(?:-[0-9A-Za-z.-]+)?/.exec(range)?.[0] ?? '');
  if (wanted === undefined) return known.slice(0, few).map(({ text }) => text);
  const at = known.findIndex(({ version }) => compareVersions(version, wanted) <= 0);
  const middle = at < 0 ? known.length : at;
  const start = Math.max(0, Math.min(middle - few / 2, known.length - few));
  return known.slice(start, start + few).map(({ text }) => text);
}

function orNothing(text: string): Version | undefined {
  try {
    return parseVersion(text);
  } catch {
    return undefined;
  }
}
