// Watches folders with the same events on all systems.

import { watch } from 'chokidar';
import { messageOf } from '../core/errors.ts';

/** What happened to a path: `change` of a file's content, or another set of files. */
export type FollowedEvent = 'add' | 'addDir' | 'change' | 'unlink' | 'unlinkDir';

interface FollowOptions {
  /** Maximum depth. Default: no limit. */
  readonly depth?: number | undefined;
  /** Reports whether a path, absolute or relative, is ignored. `isFile` is set if it is known. */
  readonly ignored: (path: string, isFile: boolean) => boolean;
  readonly onEvent: (event: FollowedEvent, path: string) => void;
  /** Called once if watching fails. */
  readonly onFailure: (message: string) => void;
}

/** Watched folders. */
export interface Followed {
  readonly add: (paths: readonly string[]) => void;
  readonly close: () => Promise<void>;
}

/** Watches folders. Resolves when all changes from then on are reported. */
export async function followFolders(paths: readonly string[], options: FollowOptions): Promise<Followed> {
  const { depth, ignored, onEvent, onFailure } = options;
  const watcher = watch([...paths], {
    ...(depth === undefined ? {} : { depth }),
    ignoreInitial: true,
    ignored: (path, stats) => ignored(path, stats?.isFile() === true),
  });
  watcher.on('all', (event, path) => {
    if (event !== 'ready' && event !== 'raw' && event !== 'error') onEvent(event as FollowedEvent, path);
  });
  watcher.on('error', (failure) => onFailure(messageOf(failure)));
  await new Promise<void>((ready) => void watcher.once('ready', ready));
  return { add: (more) => void watcher.add([...more]), close: () => watcher.close() };
}
