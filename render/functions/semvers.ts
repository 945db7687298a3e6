// The functions on versions: semver and semverCompare. Mirrors: sprig, semver.go, v3.3.0.

import { parseConstraint, parseVersion } from '../go/semver.ts';
import { type FuncMap, func, GoError } from '../go/value.ts';
import type { Helm } from '../helm/helm.ts';

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

function semverCompare(constraintText: string, version: string): boolean {
  const constraint = parseConstraint(constraintText);
  return constraint.check(parseVersion(version));
}
