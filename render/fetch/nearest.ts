// The versions that are nearest to one that is not there.

import { compareVersions, parseVersion, type Version } from '../go/semver.ts';

const few = 6;

/** Gives a few versions that are nearest to what was asked, the newest first; the newest ones where nothing can be read of it. */
export function nearestVersions(asked: string, versions: readonly string[]): readonly string[] {
  const known = versions.flatMap((text) => {
    const version = orNothing(text);
    return version === undefined ? [] : [{ text, version }];
  });
  known.sort((a, b) => compareVersions(b.version, a.version));
  const wanted = orNothing(/v?\d+(?:\.\d+){0,2}(?:-[0-9A-Za-z.-]+)?/.exec(asked)?.[0] ?? '');
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
