// Formats a release like `helm template`.
// Mirrors: helm.sh/helm/v3, pkg/action/action.go `renderResources` and cmd/helm/template.go, v3.17.3.

import { orUndefined } from '../core/catch.ts';
import { RenderError } from '../core/errors.ts';
import type { RenderedRelease } from '../engine/release.ts';
import { matchPattern } from '../go/path.ts';
import { trimSpace } from '../go/trim.ts';
import type { Helm } from '../helm/helm.ts';
import type { Hook } from '../manifest/sort.ts';
import { formatSource, type SourcedDocument } from '../manifest/source.ts';
import { splitManifests } from '../manifest/split.ts';

/** Which parts of a release to print. */
export interface TemplateView {
  /** Whether the files in `crds/` come first. Default false. */
  readonly includeCrds?: boolean | undefined;
  /** Whether hooks are left out. Default false. */
  readonly noHooks?: boolean | undefined;
  /** Whether test hooks are left out. Default false. */
  readonly skipTests?: boolean | undefined;
  /** Patterns of template paths without the chart's name; only matching documents are printed, in this order. Default all. */
  readonly showOnly?: readonly string[] | undefined;
  /** Called with the documents without hooks; returns what replaces them, like a post-renderer of Helm. Default: none. */
  readonly postRender?: ((manifests: string) => string) | undefined;
}

/** Returns a release as `helm template` prints it. Throws CHART_INVALID if a `showOnly` pattern matches nothing. */
export function formatTemplate(release: RenderedRelease, view: TemplateView = {}): string {
  const manifests = listDocuments(release, view).map(formatSource).join('');
  const documents = view.postRender === undefined ? manifests : view.postRender(manifests);
  return formatView({ documents, hooks: listHooks(release.hooks, view) }, view, release.helm);
}

/** Returns the installed documents: CRDs, if requested, and manifests. */
export function listDocuments(release: RenderedRelease, view: TemplateView): SourcedDocument[] {
  return [...(view.includeCrds ? release.crds : []), ...release.manifests];
}

export function listHooks(hooks: readonly Hook[], view: TemplateView): Hook[] {
  if (view.noHooks) return [];
  return hooks.filter((hook) => !(view.skipTests && hook.events.includes('test')));
}

/** The documents to print, before or after a post-renderer, and hooks. */
export interface Shown {
  readonly documents: string;
  readonly hooks: readonly SourcedDocument[];
}

/** Formats documents and hooks. Throws as `formatTemplate`. */
export function formatView({ documents, hooks }: Shown, view: TemplateView, helm: Helm): string {
  const text = `${trimSpace(documents)}\n${hooks.map(formatSource).join('')}`;
  const patterns = view.showOnly ?? [];
  return patterns.length === 0 ? text : showOnly(text, patterns, helm);
}

// Helm splits its own output again, so only the first document of a CRD file has a source.
function showOnly(text: string, patterns: readonly string[], helm: Helm): string {
  const documents = splitManifests(text, helm.documents).map((document) => ({
    document,
    path: shownPath(document),
  }));
  const shown = patterns.flatMap((pattern) => {
    const matches = (path: string): boolean => orUndefined(() => matchPattern(pattern, path)) ?? false;
    const matching = documents.filter(({ path }) => path !== undefined && matches(path));
    if (matching.length > 0) return matching;
    throw new RenderError('CHART_INVALID', `could not find template ${pattern} in chart`, {
      hint: 'Name a template by its path within the chart, such as templates/service.yaml; one that renders nothing is not found.',
    });
  });
  return shown.map(({ document }) => `---\n${document}\n`).join('');
}

// Equivalent to `# Source: [^/]+/(.+)`, with which Helm parses its own output; in linear time, like Go's regular expressions.
function shownPath(document: string): string | undefined {
  const mark = '# Source: ';
  let from = 0;
  for (let slash = document.indexOf('/'); slash >= 0; slash = document.indexOf('/', from)) {
    const at = document.slice(from, slash).indexOf(mark);
    const isSource = at >= 0 && from + at + mark.length < slash;
    from = slash + 1;
    const path = isSource ? document.slice(from).split('\n', 1)[0] : '';
    if (path !== '') return path;
  }
  return undefined;
}
