// The flags of the later side of a difference: they begin with `new-` and override the common ones.

import type { FlagSpec, ParsedFlags } from '../flags.ts';
import { addingFlags } from '../settings.ts';

/** The common flags of which the later side has its own. */
const laterNames = [...addingFlags, 'kube-version', 'api-versions', 'helm', 'namespace', 'release'];

/** Returns the later side's own flags, derived from the common ones. */
export function laterSpecs(specs: readonly FlagSpec[]): FlagSpec[] {
  const chosen = specs.filter(({ name }) => laterNames.includes(name));
  return chosen.map(({ short: _, default: __, name, ...spec }) => ({
    ...spec,
    name: `new-${name}`,
    help: addingFlags.has(name)
      ? `as --${name}, of the later side alone, over those`
      : `as --${name}, of the later side alone`,
  }));
}

/** Reports whether the later side has flags of its own. */
export function hasLater(flags: ParsedFlags): boolean {
  return laterNames.some((name) => flags.has(`new-${name}`));
}
