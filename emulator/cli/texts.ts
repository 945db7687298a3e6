// Flags as options of a library call.

import type { ParsedFlags } from '../../render/cli/flags.ts';

/** Returns the texts of the flags that are set, by flag name. */
export function textsOf<Name extends string>(
  flags: ParsedFlags,
  ...names: readonly Name[]
): { readonly [N in Name]?: string } {
  const given = names.filter((name) => flags.has(name)).map((name) => [name, flags.text(name)]);
  return Object.fromEntries(given) as { readonly [N in Name]?: string };
}
