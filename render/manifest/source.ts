// How Helm prints a document: under a separator and the path of its template.
// Mirrors: helm.sh/helm/v3/pkg/action, action.go, `renderResources`, v3.17.3.

/** A document and where it came from. */
export interface SourcedDocument {
  readonly path: string;
  readonly content: string;
}

/** Gives a document as Helm prints it: separator, `# Source:` line, content, newline. */
export function formatSource({ path, content }: SourcedDocument): string {
  return `---\n# Source: ${path}\n${content}\n`;
}
