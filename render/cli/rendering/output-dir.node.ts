// `--output-dir`: one file for each template.
// Mirrors: helm.sh/helm/v3/pkg/action, action.go, `writeToFile`, v3.17.3.

import { appendFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { systemReason } from '../../chart/directory.node.ts';
import { codeOf } from '../../core/errors.ts';
import { makeFolder } from '../../core/make-folder.node.ts';
import type { RenderedRelease } from '../../engine/release.ts';
import { dir } from '../../go/path.ts';
import { encodeUtf8 } from '../../go/utf8.ts';
import { formatSource, type SourcedDocument } from '../../manifest/source.ts';
import { listDocuments, listHooks, type TemplateView } from '../../output/template.ts';
import type { CommandIo } from '../io.ts';

/** The failure to write a file, with the message of Go's os package. */
export class OutputDirError extends Error {
  override readonly name = 'OutputDirError';
}

/**
 * Writes a release into a folder, all documents of a template into one file, and lists the files on standard output. Throws OutputDirError.
 */
export function writeOutputDir(
  release: RenderedRelease,
  view: TemplateView,
  target: { readonly folder: string; readonly withReleaseName: boolean },
  io: CommandIo,
): void {
  const { folder } = target;
  const named = target.withReleaseName ? join(folder, release.name) : folder;
  const written = new Set<string>();
  const crds = new Set<SourcedDocument>(release.crds);
  for (const document of [...listDocuments(release, view), ...listHooks(release.hooks, view)]) {
    const file = `${crds.has(document) ? folder : named}/${document.path}`;
    const folderOfFile = dir(file);
    if (!attempt('stat', folderOfFile, () => exists(resolve(io.cwd, folderOfFile)))) {
      attempt('mkdir', folderOfFile, () => makeFolder(folderOfFile, io.cwd));
    }
    const write = written.has(file) ? appendFileSync : writeFileSync;
    attempt('open', file, () => write(resolve(io.cwd, file), encodeUtf8(formatSource(document))));
    written.add(file);
    io.stdout(`wrote ${file}\n`);
  }
}

// Some Node versions report a file in the path as a missing entry, where Go names it.
function exists(path: string): boolean {
  try {
    statSync(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

function attempt<T>(operation: string, path: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    const { path: culprit, syscall } = error as NodeJS.ErrnoException;
    const place = syscall === 'mkdir' ? culprit : path;
    throw new OutputDirError(`${operation} ${place}: ${systemReason(error)}`, { cause: error });
  }
}
