// The entry points of the package and the declarations that they publish.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './pages.ts';

/** One entry point: what a program imports, and its declarations (a path from the repository's root). */
export interface Entry {
  readonly name: string;
  readonly declarations: string;
}

/** Returns the entry points that have declarations, in the order of package.json. */
export async function readEntries(): Promise<Entry[]> {
  const { name, exports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly exports: Readonly<Record<string, unknown>>;
  };
  return Object.entries(exports).flatMap(([path, conditions]) => {
    const declarations = typesOf(conditions);
    return declarations === undefined ? [] : [{ name: `${name}${path.slice(1)}`, declarations }];
  });
}

/** Finds the first `types` among nested conditions. */
function typesOf(conditions: unknown): string | undefined {
  if (typeof conditions !== 'object' || conditions === null) return undefined;
  if ('types' in conditions && typeof conditions.types === 'string') return conditions.types;
  return Object.values(conditions)
    .map(typesOf)
    .find((types) => types !== undefined);
}
