// Version ranges of charts: of dependencies and of Kubernetes. Mirrors: helm.sh/helm/v3/pkg/chartutil, compatible.go, v3.17.3.

import { type Constraint, parseConstraint, parseVersion, type Version } from '../go/semver.ts';

/** Tells whether a version lies in a range; false when either cannot be read. Mirrors: `IsCompatibleRange`. */
export function isCompatibleRange(range: string, version: string): boolean {
  let parsed: Version;
  let constraint: Constraint;
  try {
    parsed = parseVersion(version);
    constraint = parseConstraint(range);
  } catch {
    return false;
  }
  return constraint.check(parsed);
}
