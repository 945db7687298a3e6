// What Helm reads of a document: kind, name and annotations.
// Mirrors: helm.sh/helm/v3/pkg/releaseutil, manifest.go, `SimpleHead`, v3.17.3, as sigs.k8s.io/yaml and encoding/json fill it.

import { parseYamlExact, scalarText, type ValuePath } from '../codec/yaml/parse.ts';
import { LruCache } from '../core/lru-cache.ts';
import { GoError, type GoMap, type GoValue, kindOf, sortedEntries } from '../go/value.ts';

/** The head of a document. Missing texts are empty. */
export interface ManifestHead {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly annotations: ReadonlyMap<string, string>;
}

// A rendering without parsing spends most of its time on heads, and few documents change from one rendering to the next.
const heads = new LruCache<ManifestHead>({ total: 4_000_000, each: 2_000_000 });

/**
 * Reads the head of a document; the rest must be valid YAML. Throws GoError with the message of sigs.k8s.io/yaml, which names the target
 * type.
 */
export function readHead(document: string, type = 'releaseutil.SimpleHead'): ManifestHead {
  return heads.get(document, () => decodeHead(document, type));
}

function decodeHead(document: string, type: string): ManifestHead {
  const value = parseYamlExact(document, isTextField);
  const decoder = new HeadDecoder();
  if (value instanceof Map) decoder.root(value);
  else if (value !== null) decoder.refuse(value, `value of type ${type}`);
  if (decoder.refusal !== undefined) throw new GoError(decoder.refusal);
  return decoder;
}

function isTextField(path: ValuePath): boolean {
  const [first, second] = path.slice(0, 2).map((key) => foldCase(String(key)));
  if (typeof path.at(-1) === 'number') return false;
  if (path.length === 1) return first === 'apiversion' || first === 'kind';
  if (first !== 'metadata') return false;
  return path.length === 2 ? second === 'name' : path.length === 3 && second === 'annotations';
}

const metadataType = 'struct { Name string "json:\\"name\\""; Annotations map[string]string "json:\\"annotations\\"" }';

// encoding/json continues after a wrong type and reports the first one at the end. Keys are sorted and case-insensitive; of two that differ
// only in case the later one wins.
class HeadDecoder implements ManifestHead {
  apiVersion = '';
  kind = '';
  name = '';
  annotations = new Map<string, string>();
  refusal: string | undefined;

  refuse(value: GoValue, target: string): void {
    this.refusal ??= `error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${jsonKind(value)} into Go ${target}`;
  }

  root(value: GoMap): void {
    for (const [key, field] of sortedEntries(value)) {
      const name = foldCase(key);
      if (name === 'apiversion') this.apiVersion = this.text(field, 'SimpleHead.apiVersion') ?? this.apiVersion;
      else if (name === 'kind') this.kind = this.text(field, 'SimpleHead.kind') ?? this.kind;
      else if (name === 'metadata') this.metadata(field);
    }
  }

  metadata(value: GoValue): void {
    if (value === null) {
      this.name = '';
      this.annotations = new Map();
    } else if (!(value instanceof Map)) {
      this.refuse(value, `struct field SimpleHead.metadata of type ${metadataType}`);
    } else {
      for (const [key, field] of sortedEntries(value)) {
        const name = foldCase(key);
        if (name === 'name') this.name = this.text(field, '.metadata.name') ?? this.name;
        else if (name === 'annotations') this.readAnnotations(field);
      }
    }
  }

  readAnnotations(value: GoValue): void {
    if (value === null) {
      this.annotations = new Map();
    } else if (!(value instanceof Map)) {
      this.refuse(value, 'struct field .metadata.annotations of type map[string]string');
    } else {
      for (const [key, field] of sortedEntries(value)) {
        this.annotations.set(key, this.text(field, '.metadata.annotations') ?? '');
      }
    }
  }

  // Numbers and bools are converted for text fields; null leaves the field unchanged.
  text(value: GoValue, field: string): string | undefined {
    const text = scalarText(value);
    if (text === undefined && value !== null) this.refuse(value, `struct field ${field} of type string`);
    return text;
  }
}

function jsonKind(value: GoValue): string {
  if (value instanceof Map) return 'object';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'string' || typeof value === 'boolean' ? kindOf(value) : 'number';
}

// The two non-ASCII letters that encoding/json folds: the Kelvin sign and the long s.
function foldCase(name: string): string {
  return name.toLowerCase().replaceAll('\u017f', 's');
}
