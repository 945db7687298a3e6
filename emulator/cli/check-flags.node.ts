// Checks files and folders in the flags of `serve` before anything is started, because an error at the end would lose the work.

import { type Stats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type ParsedFlags, UsageError } from '../../render/cli/flags.ts';
import { codeOf, messageOf } from '../../render/core/errors.ts';
import { didYouMeanPath } from '../../render/core/paths.node.ts';

/** Checks flags that depend on each other, or name files and folders. Throws a UsageError that names the flag. */
export function checkFlags(flags: ParsedFlags, cwd: string): void {
  if (flags.args.length > 0) throw new UsageError(`"drydock serve" takes no arguments, not "${flags.args[0]}"`);
  if (flags.on('watch') && !flags.has('fixtures')) throw new UsageError('--watch needs --fixtures DIR');
  if (flags.has('demo') && flags.has('fixtures'))
    throw new UsageError('--demo and --fixtures give other people: use one of them');
  if (flags.has('scale') && !flags.has('demo')) throw new UsageError('--scale needs --demo STORY');
  const scale = Number(flags.text('scale') ?? '1');
  if (!Number.isInteger(scale) || scale < 1 || scale > 50) {
    throw new UsageError(`--scale ${flags.text('scale')}: must be a whole number from 1 to 50`);
  }
  if (flags.has('record') && !flags.has('proxy')) {
    throw new UsageError('--record needs --proxy URL');
  }
  for (const name of ['charts', 'fixtures']) {
    for (const path of flags.list(name)) {
      const stats = look(`--${name} ${path}`, resolve(cwd, path));
      if (stats === undefined)
        throw new UsageError(`--${name} ${path}: there is no such folder${didYouMeanPath(path, cwd)}`);
      if (!stats.isDirectory()) throw new UsageError(`--${name} ${path}: it is not a folder`);
    }
  }
  for (const name of ['persist', 'export']) {
    const path = flags.text(name);
    if (path !== undefined) checkFile(`--${name} ${path}`, resolve(cwd, path));
  }
  for (const path of flags.list('coverage-report')) {
    if (!/\.(?:json|md)$/.test(path))
      throw new UsageError(`--coverage-report ${path}: the file must end in .json or .md`);
    checkFile(`--coverage-report ${path}`, resolve(cwd, path));
  }
  for (const name of ['tls', 'record']) {
    const path = flags.text(name);
    // A missing folder is created.
    if (path !== undefined && look(`--${name} ${path}`, resolve(cwd, path))?.isDirectory() === false) {
      throw new UsageError(`--${name} ${path}: it is not a folder`);
    }
  }
}

function checkFile(flag: string, path: string): void {
  if (look(flag, path)?.isDirectory()) throw new UsageError(`${flag}: it is a folder; name a file in it`);
  if (look(flag, dirname(path))?.isDirectory()) return;
  throw new UsageError(`${flag}: there is no such folder to write into`, `Make the folder ${dirname(path)} first.`);
}

function look(flag: string, path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (failure) {
    // A path below a file does not exist either, but some versions of Node report another error.
    if (codeOf(failure) === 'ENOTDIR') return undefined;
    throw new UsageError(`${flag}: ${messageOf(failure)}`);
  }
}
