// A repository on disk: its files for an import.

import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { checkArguments, filled } from '../core/arguments.ts';
import { RenderError } from '../core/errors.ts';
import { decodeUtf8 } from '../go/utf8.ts';
import type { FileTree } from './import/tree.ts';

/**
 * Returns the files below a folder. A symbolic link out of it counts as absent, and one to a folder on its own path is not listed as a folder.
 * Throws ARGUMENT_INVALID.
 * @example
 * const { order } = importRepository(diskTree('/work/fleet'), ['clusters/production']);
 */
export function diskTree(root: string): FileTree {
  checkArguments('diskTree', ['root', root, filled]);
  const home = realRoot(root);
  const inside = (path: string): string | undefined => {
    try {
      const real = realpathSync(join(home, path));
      return real === home || real.startsWith(home.endsWith(sep) ? home : home + sep) ? real : undefined;
    } catch {
      return undefined;
    }
  };
  // A link to a folder that contains it would be followed without end.
  const isLoop = (path: string, target: string): boolean =>
    path.split('/').some((_, index, steps) => inside(steps.slice(0, index + 1).join('/')) === target);
  const lists = new Map<string, readonly string[] | undefined>();
  const list = (path: string): readonly string[] | undefined => {
    const real = inside(path);
    if (real === undefined || !statSync(real).isDirectory()) return undefined;
    const entries = readdirSync(real, { withFileTypes: true }).map((entry) => {
      const isLink = entry.isSymbolicLink();
      const target = isLink ? inside(`${path}/${entry.name}`) : undefined;
      const isFolder = isLink
        ? target !== undefined && target !== home && statSync(target).isDirectory() && !isLoop(path, target)
        : entry.isDirectory();
      return isFolder ? `${entry.name}/` : entry.name;
    });
    return entries.sort();
  };
  return {
    read: (path) => {
      const real = inside(path);
      return real === undefined || !statSync(real).isFile() ? undefined : decodeUtf8(readFileSync(real));
    },
    list: (path) => {
      if (!lists.has(path)) lists.set(path, list(path));
      return lists.get(path);
    },
  };
}

function realRoot(root: string): string {
  try {
    return realpathSync(resolve(root));
  } catch (error) {
    throw new RenderError('ARGUMENT_INVALID', `${root} is not a folder`, {
      cause: error,
      hint: 'Name a folder that exists.',
    });
  }
}
