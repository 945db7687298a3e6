// The directives of a YAML document, and the tag prefixes that they define.
// Mirrors: go-yaml v2 (sigs.k8s.io/yaml 1.4.0), parserc.go, `process_directives`, and the tags in `parse_node`.

import { failAt, type TokenPlace } from './error.ts';
import { yamlTagPrefix } from './scalar.ts';
import type { WrittenTag } from './scan-tags.ts';
import type { YamlScanner } from './scanner.ts';

/** The prefix of each tag handle. */
export class YamlTags {
  readonly #prefixes = new Map<string, string>();

  /** Reads the directives at the scanner's position, if any. */
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

  /** Returns a tag in its long form. The place is for errors. */
  longForm({ handle, suffix }: WrittenTag, start: TokenPlace): string {
    if (handle === '') return suffix;
    const prefix = this.#prefixes.get(handle);
    if (prefix === undefined) failAt(start, 'found undefined tag handle');
    return prefix + suffix;
  }
}
