// The functions on versions: semver and semverCompare. Mirrors: sprig, semver.go, v3.3.0.

import { parseConstraint, parseVersion } from '../go/semver.ts';
import { type FuncMap, func, GoError } from '../go/value.ts';
import type { Helm } from '../helm/helm.ts';
import { Kept } from '../kept.ts';

/** Gives the functions on versions, with the errors of a Helm's library. */
export function createSemverFuncs({ semverError, semverOverflow }: Helm): FuncMap {
  const worded = <T>(read: () => T): T => {
    try {
      return read();
    } catch (error) {
      throw error instanceof GoError ? new GoError(semverError(error.message)) : error;
    }
  };
  return new Map([
    ['semver', func(['string'], (text) => worded(() => parseVersion(text, semverOverflow)))],
    ['semverCompare', func(['string', 'string'], (range, text) => worded(() => semverCompare(range, text)))],
  ]);
}

// Charts ask the same of one Kubernetes version hundreds of times.
const answers = new Kept<boolean>({ total: 100_000, each: 200 });

function semverCompare(range: string, version: string): boolean {
  const question = `${range.length} ${range} ${version}`;
  return answers.get(question, () => parseConstraint(range).check(parseVersion(version)));
}
