// The functions on versions: semver and semverCompare. Mirrors: sprig, semver.go, v3.3.0.

import { parseConstraint, parseVersion } from '../go/semver.ts';
import { type FuncMap, func } from '../go/value.ts';

/** The functions on versions. */
export const semverFuncs: FuncMap = new Map([
  ['semver', func(['string'], parseVersion)],
  ['semverCompare', func(['string', 'string'], semverCompare)],
]);

function semverCompare(constraintText: string, version: string): boolean {
  const constraint = parseConstraint(constraintText);
  return constraint.check(parseVersion(version));
}
