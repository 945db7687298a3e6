// The folder for compiled code. Its content is executed, so a cloned repository must not be able to provide it, and no other user may be
// able to write to it.

import { existsSync, lstatSync, mkdirSync, realpathSync, type Stats } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, sep } from 'node:path';
import { makeFolder } from '../core/make-folder.node.ts';

/**
 * Returns the folder for compiled code, creating it if necessary. Returns undefined if code must not be cached: with
 * `NODE_DISABLE_COMPILE_CACHE=1`, and if the folder is not absolute, is inside the current project, or is writable by another user.
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

/** Returns the platform's cache folder. It is relative if an environment variable is. */
function userCacheFolder(): string {
  const { env, platform } = process;
  if (env.XDG_CACHE_HOME) return env.XDG_CACHE_HOME;
  const home = homedir();
  if (platform === 'win32') return env.LOCALAPPDATA || join(home, 'AppData/Local');
  return join(home, platform === 'darwin' ? 'Library/Caches' : '.cache');
}

/** Reports whether a path is in the current folder or the enclosing repository. */
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

/** Reports whether only the current user can write a file. Always true on platforms without users, such as Windows. */
function isOursAlone({ uid, mode }: Stats): boolean {
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}
