// Imports files and folders on disk as an Order.

import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { plainValue } from '../codec/plain.ts';
import { callback, checkArguments, filled, listOf, optionsOf, text } from '../core/arguments.ts';
import { RenderError } from '../core/errors.ts';
import { findGitRoot } from '../core/git-root.node.ts';
import { didYouMeanPath, expandPatterns } from '../core/paths.node.ts';
import { UsageError } from '../core/usage-error.ts';
import { diskTree } from '../gitops/disk-tree.node.ts';
import { type ImportedOrder, importOrder, importRepository } from '../gitops/import/import.ts';
import { readTextFile } from '../go/os.node.ts';
import type { JsonObject } from '../order/order.ts';
import { mergeUserValues } from '../values/user.ts';
import { type RunOptions, runChecks, runContext } from './run-options.node.ts';

/** Options of `importPaths`. */
export interface ImportPathsOptions extends Pick<RunOptions, 'cwd' | 'env' | 'stdin'> {
  /** The environment of helmfile. Default `default`. */
  readonly environment?: string | undefined;
  /** Paths of helmfile's state values files. Default none. */
  readonly stateValuesFiles?: readonly string[] | undefined;
  /** helmfile's state values, such as `region=eu`. Default none. */
  readonly stateValuesSet?: readonly string[] | undefined;
}

const pathsOptions = optionsOf<ImportPathsOptions>({
  cwd: filled,
  env: runChecks.env,
  stdin: callback,
  environment: text,
  stateValuesFiles: listOf(filled),
  stateValuesSet: listOf(text),
});

/**
 * Imports files, folders and patterns of Argo CD, Flux, helmfile or kustomize as an Order; `-` is standard input. References lead to all
 * files of the Git repository around the paths, else of the nearest folder that contains all of them. Rejects with ORDER_INVALID,
 * VALUES_INVALID, UsageError, ARGUMENT_INVALID.
 * @example
 * const { order, notes } = await importPaths(['clusters/production']);
 */
export async function importPaths(paths: readonly string[], options: ImportPathsOptions = {}): Promise<ImportedOrder> {
  checkArguments('importPaths', ['paths', paths, listOf(filled)], ['options', options, pathsOptions]);
  const { environment = 'default', stateValuesFiles = [], stateValuesSet, ...surroundings } = options;
  const { io } = runContext(surroundings);
  const valuesFiles = stateValuesFiles.map((name) => ({ name, text: readTextFile(name, io.cwd) }));
  const values = plainValue(mergeUserValues({ valuesFiles, set: stateValuesSet })) as JsonObject;
  const importing = { environment, env: io.env, values };
  if (paths.includes('-')) {
    if (paths.length > 1) throw new UsageError('- for standard input goes alone');
    return importOrder([{ name: '<stdin>', text: await io.stdin() }], importing);
  }
  const cwd = realpathSync(io.cwd);
  const found = (await expandPatterns(paths, io.cwd)).map((name) => existingPath(name, io.cwd));
  const root = rootOf(found, cwd);
  const below = (path: string): string => relative(root, path).split(sep).join('/');
  const folder = isWithin(cwd, root) ? below(cwd) : '';
  return importRepository(diskTree(root), found.map(below), { ...importing, folder });
}

function existingPath(name: string, cwd: string): string {
  const path = resolve(cwd, name);
  if (existsSync(path)) return realpathSync(path);
  throw new RenderError('ORDER_INVALID', `open ${name}: no such file or directory${didYouMeanPath(name, cwd)}`, {
    hint: 'Name a file or folder that exists, or - for standard input.',
  });
}

function isWithin(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

// The Git repository, or the nearest folder that contains all of them, preferably the current one.
function rootOf(paths: readonly string[], cwd: string): string {
  const [first = cwd] = paths;
  const folder = statSync(first).isDirectory() ? first : dirname(first);
  const start = [findGitRoot(folder), cwd].find(
    (root) => root !== undefined && paths.every((path) => isWithin(path, root)),
  );
  let root = start ?? folder;
  while (!paths.every((path) => isWithin(path, root))) root = dirname(root);
  return root;
}
