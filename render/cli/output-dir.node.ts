// `--output-dir`: one file for each template.
// Mirrors: helm.sh/helm/v3/pkg/action, action.go, `writeToFile`, v3.17.3.

import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { encodeUtf8 } from '../go/utf8.ts';
import { formatSource, type SourcedDocument } from '../manifest/source.ts';
import { listDocuments, listHooks, type TemplateView } from '../output/template.ts';
import type { RenderedRelease } from '../release.ts';
import type { CliIo } from './io.ts';

/** Writes a release below a folder, several documents of one template into one file, and tells each on standard output. */
export function writeOutputDir(
  release: RenderedRelease,
  view: TemplateView,
  target: { readonly folder: string; readonly withReleaseName: boolean },
  io: CliIo,
): void {
  const { folder } = target;
  const named = target.withReleaseName ? join(folder, release.name) : folder;
  const written = new Set<string>();
  const crds = new Set<SourcedDocument>(release.crds);
  for (const document of [...listDocuments(release, view), ...listHooks(release.hooks, view)]) {
    const file = `${crds.has(document) ? folder : named}/${document.path}`;
    const path = resolve(io.cwd, file);
    mkdirSync(dirname(path), { recursive: true });
    (written.has(file) ? appendFileSync : writeFileSync)(path, encodeUtf8(formatSource(document)));
    written.add(file);
    io.stdout(`wrote ${file}\n`);
  }
}
