// The fixed functions of scripts: which of them a script needs, found by following their names.

import { type HelperText, helperTexts } from './helpers.generated.ts';
import type { Dialect } from './words.ts';

/**
 * Gives the text of the functions that a script needs, in the order of their files: those named, and what these call.
 * `text` is what the script itself says.
 */
export function helpersFor(dialect: Dialect, roots: Iterable<string>): string {
  const all = helperTexts[dialect];
  const byName = new Map(all.map((helper) => [helper.name, helper]));
  const needed = new Set<HelperText>();
  const visit = (name: string): void => {
    const helper = byName.get(name);
    if (helper === undefined || needed.has(helper)) return;
    needed.add(helper);
    for (const other of helper.calls) visit(other);
  };
  for (const root of roots) visit(root);
  return all
    .filter((helper) => needed.has(helper))
    .map(({ text }) => text)
    .join('\n');
}
