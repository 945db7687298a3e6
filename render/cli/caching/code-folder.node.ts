// The folder in which compiled code is cached between runs. What lies in it is run as code, so a repository that somebody cloned must
// not be able to bring it along, and nobody else may be able to write to it.

import { existsSync, lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, sep } from 'node:path';
import { makeFolder } from '../../core/make-folder.node.ts';
import { isOursAlone } from './owner.node.ts';

/**
 * Returns the folder for compiled code, and makes it if it is missing. Returns undefined if code must not be cached: with
 * `NODE_DISABLE_COMPILE_CACHE=1`, and for a folder that is not absolute, lies inside the current project, or can be written by another
 * user.
 */
export function codeFolder(): string | undefined {
  if (process.env.NODE_DISABLE_COMPILE_CACHE === '1') return undefined;
  const parent = userCacheFolder();
  try {
    if (!isAbsolute(parent) || isInProject(parent)) return undefined;
    makeFolder(parent);
    const folder = join(realpathSync(parent), 'drydock');
    if (isInProject(folder)) return undefined;
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
    const stats = lstatSync(folder);
    return stats.isDirectory() && isOursAlone(stats) ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the folder that the platform has for caches. It is relative if an environment variable is. */
function userCacheFolder(): string {
  const { env, platform } = process;
  if (env.XDG_CACHE_HOME) return env.XDG_CACHE_HOME;
  const home = homedir();
  if (platform === 'win32') return env.LOCALAPPDATA || join(home, 'AppData/Local');
  return join(home, platform === 'darwin' ? 'Library/Caches' : '.cache');
}

/** Reports whether a path lies in the current folder, or in the repository around it. */
function isInProject(path: string): boolean {
  const current = realpathSync(process.cwd());
  let project = current;
  while (!existsSync(join(project, '.git'))) {
    const above = dirname(project);
    if (above === project) {
      project = current;
      break;
    }
    project = above;
  }
  return `${path}${sep}`.startsWith(project.endsWith(sep) ? project : `${project}${sep}`);
}
