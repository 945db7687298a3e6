// The drafts of JSON Schema: where schemas contain others, and which keywords apply.
// Mirrors: github.com/santhosh-tekuri/jsonschema/v6, draft.go and position.go, v6.0.2.

import { type GoMap, type GoValue, sortedEntries } from '../../../go/value.ts';
import { appendPointer, split } from './address.ts';

/** The drafts, by number or year. */
export type DraftVersion = 4 | 6 | 7 | 2019 | 2020;

/** One draft. */
export interface DraftRules {
  readonly version: DraftVersion;
  /** The address of its metaschema. */
  readonly url: string;
  /** The keyword that names a schema. */
  readonly id: 'id' | '$id';
  /** Where schemas are nested: a keyword, and whether they are in an object (`*`) or a list (`[]`). */
  readonly subschemas: readonly (readonly [keyword: string, each?: '*' | '[]'])[];
  /** Prefix of vocabulary addresses. */
  readonly vocabularies: string;
  readonly allVocabularies: readonly string[];
  readonly defaultVocabularies: readonly string[];
}

const none = { vocabularies: '', allVocabularies: [], defaultVocabularies: [] };

const draft4: DraftRules = {
  version: 4,
  url: 'http://json-schema.org/draft-04/schema',
  id: 'id',
  subschemas: [
    ['definitions', '*'],
    ['not'],
    ['allOf', '[]'],
    ['anyOf', '[]'],
    ['oneOf', '[]'],
    ['properties', '*'],
    ['additionalProperties'],
    ['patternProperties', '*'],
    ['items'],
    ['items', '[]'],
    ['additionalItems'],
    ['dependencies', '*'],
  ],
  ...none,
};

const draft6: DraftRules = {
  version: 6,
  url: 'http://json-schema.org/draft-06/schema',
  id: '$id',
  subschemas: [...draft4.subschemas, ['propertyNames'], ['contains']],
  ...none,
};

const draft7: DraftRules = {
  version: 7,
  url: 'http://json-schema.org/draft-07/schema',
  id: '$id',
  subschemas: [...draft6.subschemas, ['if'], ['then'], ['else']],
  ...none,
};

const draft2019: DraftRules = {
  version: 2019,
  url: 'https://json-schema.org/draft/2019-09/schema',
  id: '$id',
  subschemas: [
    ...draft7.subschemas,
    ['$defs', '*'],
    ['dependentSchemas', '*'],
    ['unevaluatedProperties'],
    ['unevaluatedItems'],
    ['contentSchema'],
  ],
  vocabularies: 'https://json-schema.org/draft/2019-09/vocab/',
  allVocabularies: ['core', 'applicator', 'validation', 'meta-data', 'format', 'content'],
  defaultVocabularies: ['core', 'applicator', 'validation'],
};

/** The draft of a schema without `$schema`. */
export const draft2020: DraftRules = {
  version: 2020,
  url: 'https://json-schema.org/draft/2020-12/schema',
  id: '$id',
  subschemas: [...draft2019.subschemas, ['prefixItems', '[]']],
  vocabularies: 'https://json-schema.org/draft/2020-12/vocab/',
  allVocabularies: [
    'core',
    'applicator',
    'unevaluated',
    'validation',
    'meta-data',
    'format-annotation',
    'format-assertion',
    'content',
  ],
  defaultVocabularies: ['core', 'applicator', 'unevaluated', 'validation'],
};

const byAddress: ReadonlyMap<string, DraftRules> = new Map([
  ...[draft4, draft6, draft7, draft2019, draft2020].map((draft) => [withoutScheme(draft.url), draft] as const),
  ['json-schema.org/schema', draft2020],
]);

function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, '');
}

/** Returns the draft of `$schema`, or undefined for another schema. */
export function findDraft(address: string): DraftRules | undefined {
  const [url, fragment] = split(address);
  return fragment === '' ? byAddress.get(withoutScheme(url)) : undefined;
}

/** Returns the id of a schema without its fragment; empty for none. In old drafts, keywords beside `$ref` have no effect. */
export function idOf(draft: DraftRules, schema: GoMap): string {
  if (draft.version < 2019 && schema.has('$ref')) return '';
  const id = schema.get(draft.id);
  return typeof id === 'string' ? split(id)[0] : '';
}

/** Returns the schemas nested directly in a schema, with their pointers. */
export function* subschemasOf(
  draft: DraftRules,
  schema: GoMap,
  pointer: string,
): Generator<[pointer: string, GoValue]> {
  for (const [keyword, each] of draft.subschemas) {
    const held = schema.get(keyword);
    if (held === undefined) continue;
    if (each === undefined) yield [appendPointer(pointer, keyword), held];
    else if (each === '*' && held instanceof Map) {
      for (const [name, inner] of sortedEntries(held)) yield [appendPointer(pointer, keyword, name), inner];
    } else if (each === '[]' && Array.isArray(held)) {
      for (const [i, item] of held.entries()) yield [appendPointer(pointer, keyword, i), item];
    }
  }
}

/** A draft, and the vocabularies of a custom metaschema, if any. */
export interface Dialect {
  readonly draft: DraftRules;
  readonly vocabularies: readonly string[] | undefined;
}

/** Reports whether a dialect has a vocabulary. Old drafts have all. */
export function hasVocabulary({ draft, vocabularies }: Dialect, name: string): boolean {
  if (name === 'core' || draft.version < 2019) return true;
  return (vocabularies ?? draft.defaultVocabularies).includes(name);
}
