// The flags of the later side of a difference: the common ones, overridden by those that begin with `new-`.

import type { FlagSpec, ParsedFlags } from '../flags.ts';

// These add to the values of both sides; any other replaces the one without `new-`.
const adding = new Set(['values', 'set', 'set-string', 'set-json', 'set-file', 'set-literal']);

/** The later side's own flags, by their names without `new-`. */
const laterNames = [...adding, 'kube-version', 'api-versions', 'helm', 'namespace', 'release'];

/** Returns the later side's own flags, derived from the common ones. */
export function laterSpecs(specs: readonly FlagSpec[]): FlagSpec[] {
  const chosen = specs.filter(({ name }) => laterNames.includes(name));
  return chosen.map(({ short: _, default: __, name, ...spec }) => ({
    ...spec,
    name: `new-${name}`,
    help: adding.has(name)
      ? `as --${name}, of the later side alone, over those`
      : `as --${name}, of the later side alone`,
  }));
}

/** Reports whether the later side has flags of its own. */
export function hasLater(flags: ParsedFlags): boolean {
  return laterNames.some((name) => flags.has(`new-${name}`));
}

/** Returns the flags of the later side. */
export function laterFlags(flags: ParsedFlags): ParsedFlags {
  const nameOf = (name: string): string =>
    laterNames.includes(name) && !adding.has(name) && flags.has(`new-${name}`) ? `new-${name}` : name;
  return {
    args: flags.args,
    chartSettings: flags.chartSettings,
    help: flags.help,
    given: () => flags.given(),
    isGiven: (name) => flags.isGiven(nameOf(name)),
    has: (name) => flags.has(nameOf(name)),
    text: (name) => flags.text(nameOf(name)),
    on: (name) => flags.on(nameOf(name)),
    list: (name) => (adding.has(name) ? [...flags.list(name), ...flags.list(`new-${name}`)] : flags.list(nameOf(name))),
  };
}
