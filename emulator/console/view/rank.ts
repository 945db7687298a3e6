// Which commands a search means, best first.

/** What a search looks at. */
export interface RankedItem {
  readonly name: string;
  readonly about: string;
  /** Further words that find it. */
  readonly keywords?: readonly string[] | undefined;
}

/** Returns the commands whose names or words hold every word of a search; those that begin with it stand first. */
export function rankCommands<One extends RankedItem>(commands: readonly One[], search: string): readonly One[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const rank = ({ name, about, keywords = [] }: One): number => {
    const low = name.toLowerCase();
    if (words.every((word) => low.includes(word))) return low.startsWith(words[0] ?? '') ? 0 : 1;
    return words.every((word) => `${low} ${about} ${keywords.join(' ')}`.toLowerCase().includes(word)) ? 2 : 3;
  };
  return commands
    .map((command) => ({ command, rank: rank(command) }))
    .filter((one) => one.rank < 3)
    .sort((a, b) => a.rank - b.rank)
    .map(({ command }) => command);
}
