// Version functions: semver and semverCompare.
// Mirrors: sprig, semver.go, v3.3.0.

import { LruCache } from '../core/lru-cache.ts';
import { parseConstraint, parseVersion, satisfies } from '../go/semver.ts';
import { type FuncMap, func } from '../go/value.ts';
import type { Helm } from '../helm/helm.ts';

/** Returns the version functions with the semver library of a Helm version. */
export function createSemverFuncs({ semver }: Helm): FuncMap {
  // Charts compare one Kubernetes version with the same few constraints hundreds of times.
  const answers = new LruCache<boolean>({ total: 100_000, each: 200 });
  const semverCompare = (constraint: string, version: string): boolean =>
    answers.get(`${constraint.length} ${constraint} ${version}`, () => {
      const parsed = parseConstraint(constraint, semver);
      return satisfies(parseVersion(version, semver), parsed);
    });
  return new Map([
    ['semver', func(['string'], (text) => parseVersion(text, semver))],
    ['semverCompare', func(['string', 'string'], semverCompare)],
  ]);
}
