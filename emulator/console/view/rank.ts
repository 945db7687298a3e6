// Ranks commands by a search.

import { matcherOf } from '../search.ts';

/** The texts to search in. */
export interface RankedItem {
  readonly name: string;
  readonly about: string;
  /** Additional keywords. */
  readonly keywords?: readonly string[] | undefined;
}

/** Returns the commands whose texts contain every word of a search; those whose names start with it come first. */
export function rankCommands<One extends RankedItem>(commands: readonly One[], search: string): readonly One[] {
  const matches = matcherOf(search);
  const [first = ''] = search.toLowerCase().trim().split(/\s+/);
  const rank = ({ name, about, keywords = [] }: One): number => {
    if (matches(name)) return name.toLowerCase().startsWith(first) ? 0 : 1;
    return matches(`${name} ${about} ${keywords.join(' ')}`) ? 2 : 3;
  };
  return commands
    .map((command) => ({ command, rank: rank(command) }))
    .filter((one) => one.rank < 3)
    .sort((a, b) => a.rank - b.rank)
    .map(({ command }) => command);
}
