// Command lines made of others: as plain data for a thread, or with one flag otherwise.

import { parseBool } from '../../render/go/number.ts';
import type { ParsedFlags } from './flags.ts';

/** What a command line says: texts by the name of their flag. */
export interface PlainFlags {
  readonly args: readonly string[];
  readonly texts: Readonly<Record<string, readonly string[]>>;
}

/** Gives what flags of these names say. */
export function plainFlags(flags: ParsedFlags, names: readonly string[]): PlainFlags {
  const said = names.filter((name) => flags.has(name)).map((name) => [name, flags.list(name)] as const);
  return { args: flags.args, texts: Object.fromEntries(said) };
}

/** Gives flags that say the same. Which of them stand on the command line is not known any more: all count as given. */
export function flagsOfPlain({ args, texts }: PlainFlags): ParsedFlags {
  const list = (name: string): readonly string[] => texts[name] ?? [];
  return {
    args,
    help: false,
    given: () => Object.keys(texts),
    isGiven: (name) => name in texts,
    has: (name) => name in texts,
    text: (name) => list(name).at(-1),
    on: (name) => {
      const text = list(name).at(-1);
      return text !== undefined && parseBool(text);
    },
    list,
  };
}

/** Gives a command line as if it said this alone of a flag. */
export function flagsFor(flags: ParsedFlags, flag: string, said: string | readonly string[]): ParsedFlags {
  return {
    args: flags.args,
    help: flags.help,
    given: () => flags.given(),
    isGiven: (name) => flags.isGiven(name),
    has: (name) => name === flag || flags.has(name),
    text: (name) => (name === flag ? [said].flat().join() : flags.text(name)),
    on: (name) => flags.on(name),
    list: (name) => (name === flag ? [said].flat() : flags.list(name)),
  };
}
