// The flags of the later side of a difference: those that count for both, and those that begin with `new-` over them.

import type { FlagSpec, ParsedFlags } from '../flags.ts';

// What adds to the values of both sides; any other stands in the place of the one without `new-`.
const adding = new Set(['values', 'set', 'set-string', 'set-json', 'set-file', 'set-literal']);

/** The flags that the later side has of its own, by their names without `new-`. */
const laterNames = [...adding, 'kube-version', 'api-versions', 'helm', 'namespace', 'release'];

/** Returns the flags of the later side alone, made from those that count for both. */
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

/** Returns the flags as the later side has them. */
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
