// Version ranges of dependencies and Kubernetes versions.
// Mirrors: helm.sh/helm/v3/pkg/chartutil, compatible.go, v3.17.3.

import { parseConstraint, parseVersion, type SemverRules, satisfies } from '../go/semver.ts';
import { GoError } from '../go/value.ts';

/** Reports whether a version satisfies a constraint; false if either cannot be parsed. Mirrors: `IsCompatibleRange`. */
export function isCompatibleRange(range: string, version: string, rules?: SemverRules): boolean {
  try {
    const parsed = parseVersion(version, rules);
    return satisfies(parsed, parseConstraint(range, rules));
  } catch (error) {
    if (error instanceof GoError) return false;
    throw error;
  }
}
