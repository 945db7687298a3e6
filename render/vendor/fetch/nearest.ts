// Sorts the versions of a chart like Helm, and finds the nearest ones to a missing version.

import { compareVersions, parseVersion, type Version } from '../../go/semver.ts';
import { sortAsGo } from '../../go/sort.ts';

/**
 * Sorts items by version like Helm, the newest first. Of versions that differ only in build metadata, the first is that of Helm's sort.
 * Invalid versions are left out.
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
/** Maximum length of a version that is shown: that of a version in an Order. */
const maxShown = 128;

/** Returns a few versions nearest to the requested one, the newest first; the newest ones if the request cannot be parsed. */
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
