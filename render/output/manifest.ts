// An Order as one YAML text: for each package its CRDs, its hooks before, its resources, its hooks after.

import type { RenderedPackage, RenderedPackages } from '../engine/packages.ts';
import { compareStrings } from '../go/value.ts';
import type { Hook, HookEvent } from '../manifest/sort.ts';
import { formatSource, type SourcedDocument } from '../manifest/source.ts';
import { commentText } from './comment.ts';

export interface ManifestOptions {
  /** Leaves out the files in `crds/`. Default false. */
  readonly skipCRDs?: boolean | undefined;
}

/** Returns an Order as one YAML text. */
export function formatManifest(rendered: RenderedPackages, options: ManifestOptions = {}): string {
  return rendered.packages
    .map((item) => {
      const documents = [
        ...(options.skipCRDs === true ? [] : item.release.crds.map(withoutLineBreak)),
        ...hooksOf(item, 'pre-install').map(withoutLineBreak),
        ...item.release.manifests,
        ...hooksOf(item, 'post-install').map(withoutLineBreak),
      ];
      return headerOf(item) + documents.map(formatSource).join('');
    })
    .join('');
}

function headerOf({ selection, chart }: RenderedPackage): string {
  const { name, version } = chart.metadata;
  return `---\n# Source: ${commentText(`${selection.chart.sourceRef.name} - ${name}@${version}`)}\n`;
}

// Without the line break printed after each document, which would belong to a final block scalar.
function withoutLineBreak({ path, content }: SourcedDocument): SourcedDocument {
  return { path, content: content.replace(/\n$/, '') };
}

/**
 * Returns the hooks of one or several events in the order in which Helm runs them: weight, then name, then kind as sorted before.
 * Mirrors: helm.sh/helm/v3/pkg/action, hooks.go, `hookByWeight`, v3.17.3.
 */
export function hooksOf({ release }: RenderedPackage, ...events: readonly HookEvent[]): Hook[] {
  return release.hooks
    .filter((hook) => hook.events.some((event) => events.includes(event)))
    .sort((a, b) => a.weight - b.weight || compareStrings(a.name, b.name));
}

/** Returns the installed documents without `crds/`, in order. A hook that runs before and after is listed once. */
export function installDocuments(item: RenderedPackage): SourcedDocument[] {
  const before = hooksOf(item, 'pre-install');
  const after = hooksOf(item, 'post-install').filter((hook) => !before.includes(hook));
  return [...before, ...item.release.manifests, ...after];
}

/** Returns the notes of every package that has some, each under a line with its release and chart. Empty if there are none. */
export function formatNotes({ packages }: RenderedPackages): string {
  return packages
    .filter(({ release }) => release.notes.trim() !== '')
    .map(({ chart, release }) => {
      const { name, version } = chart.metadata;
      return `NOTES of ${release.namespace}/${release.name} (${name} ${version}):\n${release.notes.replace(/(?<!\n)\n*$/, '\n')}`;
    })
    .join('\n');
}
