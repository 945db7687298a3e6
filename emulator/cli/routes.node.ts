// Reads custom routes from TypeScript and JavaScript files.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../../render/cli/flags.ts';
import { importProgram } from '../../render/cli/run-program.node.ts';
import { messageOf } from '../../render/core/errors.ts';
import { didYouMeanPath } from '../../render/core/paths.node.ts';
import type { Route } from '../index.ts';

/** Returns the routes that files export by default, as a list or a single route. Throws a UsageError that names the file. */
export async function readRoutes(paths: readonly string[], cwd: string): Promise<readonly Route[]> {
  const lists = await Promise.all(paths.map((path) => routesIn(path, resolve(cwd, path), cwd)));
  return lists.flat();
}

async function routesIn(path: string, file: string, cwd: string): Promise<readonly Route[]> {
  if (!existsSync(file)) throw new UsageError(`--routes ${path}: there is no such file${didYouMeanPath(path, cwd)}`);
  let exported: unknown;
  try {
    exported = await importProgram(file);
  } catch (failure) {
    throw new UsageError(`--routes ${path}: ${messageOf(failure).split('\n').slice(0, 2).join(' ')}`);
  }
  const routes = [exported].flat();
  const isRoute = (one: unknown): one is Route => typeof one === 'object' && one !== null && 'validators' in one;
  if (exported !== undefined && routes.every(isRoute)) return routes;
  const hint = "Write `export default [defineRoute({ … })];`, with defineRoute of 'drydock/emulator'.";
  throw new UsageError(`--routes ${path}: its default export must be a list of routes`, hint);
}
