// Formats a document like Helm, with a separator and the path of its template.
// Mirrors: helm.sh/helm/v3/pkg/action, action.go, `renderResources`, v3.17.3.

/** A document with its template. */
export interface SourcedDocument {
  readonly path: string;
  readonly content: string;
}

/** Formats a document like Helm: separator, `# Source:` line, content, newline. */
export function formatSource({ path, content }: SourcedDocument): string {
  return `---\n# Source: ${path}\n${content}\n`;
}

/**
 * Returns a document as the client that sends it to the API server reads it: Helm writes a line break after each manifest of a release, and
 * the reader ends the last line of anything else, such as a hook or a CRD file. Since Helm 4.2 the content of a manifest keeps the line
 * breaks of its template, so that a final block scalar with `|+` has one more.
 */
export function sentText(document: SourcedDocument): string {
  const isManifest = 'kind' in document && !('events' in document);
  return isManifest || !document.content.endsWith('\n') ? `${document.content}\n` : document.content;
}
