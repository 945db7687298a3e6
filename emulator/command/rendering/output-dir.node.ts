// `--output-dir`: one file for each template.
// Mirrors: helm.sh/helm/v3/pkg/action, action.go, `writeToFile`, v3.17.3.

import { appendFileSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { dir } from '../../../render/go/path.ts';
import { encodeUtf8 } from '../../../render/go/utf8.ts';
import { formatSource, type SourcedDocument } from '../../../render/manifest/source.ts';
import { listDocuments, listHooks, type TemplateView } from '../../../render/output/template.ts';
import type { RenderedRelease } from '../../../render/release.ts';
import type { CommandIo } from '../io.ts';
import { reasonOf } from './read.node.ts';

/** The failure to write a file, in the words of Go's os package. */
export class OutputDirError extends Error {
  override readonly name = 'OutputDirError';
}

/**
 * Writes a release below a folder, several documents of one template into one file, and tells each on standard output.
 * Throws OutputDirError.
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
    attempt('stat', folderOfFile, () => statSync(resolve(io.cwd, folderOfFile), { throwIfNoEntry: false }));
    attempt('mkdir', folderOfFile, () => mkdirSync(resolve(io.cwd, folderOfFile), { recursive: true }));
    const write = written.has(file) ? appendFileSync : writeFileSync;
    attempt('open', file, () => write(resolve(io.cwd, file), encodeUtf8(formatSource(document))));
    written.add(file);
    io.stdout(`wrote ${file}\n`);
  }
}

function attempt(operation: string, path: string, call: () => unknown): void {
  try {
    call();
  } catch (error) {
    throw new OutputDirError(`${operation} ${path}: ${reasonOf(error)}`, { cause: error });
  }
}
