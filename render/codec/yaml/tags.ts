// The directives of a YAML document, and the tags that they let nodes shorten.
// Mirrors: go-yaml v2 (sigs.k8s.io/yaml 1.4.0), parserc.go, `process_directives`, and of `parse_node` what is about tags.

import { failAt, type TokenPlace } from './error.ts';
import { yamlTagPrefix } from './scalar.ts';
import type { WrittenTag } from './scan-tags.ts';
import type { YamlScanner } from './scanner.ts';

/** Which prefix each handle of a tag stands for. */
export class YamlTags {
  readonly #prefixes = new Map<string, string>();

  /** Reads the directives at which the scanner is, if there are any. */
  readDirectives(scanner: YamlScanner): void {
    let hasVersion = false;
    while (scanner.peek() === 'directive') {
      const directive = scanner.detail;
      const { start } = scanner;
      if ('version' in directive) {
        if (hasVersion) failAt(start, 'found duplicate %YAML directive');
        if (directive.version !== '1.1') failAt(start, 'found incompatible YAML document');
        hasVersion = true;
      } else {
        if (this.#prefixes.has(directive.handle)) failAt(start, 'found duplicate %TAG directive');
        this.#prefixes.set(directive.handle, directive.suffix);
      }
      scanner.skip();
    }
    if (!this.#prefixes.has('!')) this.#prefixes.set('!', '!');
    if (!this.#prefixes.has('!!')) this.#prefixes.set('!!', yamlTagPrefix);
  }

  /** Returns a tag in its long form. The place is for the error. */
  longForm({ handle, suffix }: WrittenTag, start: TokenPlace): string {
    if (handle === '') return suffix;
    const prefix = this.#prefixes.get(handle);
    if (prefix === undefined) failAt(start, 'found undefined tag handle');
    return prefix + suffix;
  }
}
