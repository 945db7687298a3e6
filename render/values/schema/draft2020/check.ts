// Reads the schemas of charts as Helm does since 3.18.5 and 4.0, with validation against the metaschema.
// Mirrors: github.com/santhosh-tekuri/jsonschema/v6, draft.go and roots.go, v6.0.2.

import { quote } from '../../../go/number.ts';
import { GoError, type GoValue } from '../../../go/value.ts';
import type { SchemaSource } from '../refs.ts';
import { formatAddress } from './address.ts';
import { Compiler } from './compile.ts';
import { type CheckSchema, type Root, resourceOf } from './documents.ts';
import type { Dialect } from './drafts.ts';
import { formatViolations, quoteName } from './faults.ts';
import type { Draft2020Schema } from './model.ts';
import { violationsOf } from './validate.ts';

const address = 'file:///values.schema.json';

/** A schema of values, or why it is invalid. */
export interface ReadSchema {
  readonly schema: Draft2020Schema | GoError;
  /** Unresolved URNs: Helm warns about each and accepts any value for them. */
  readonly unresolved: readonly string[];
}

/** Options for reading schemas. */
export interface ReadingRules {
  readonly isLater: boolean;
  readonly resolvesUrns: boolean;
}

/** Reads a schema document; errors have the library's message. */
export function readDraft2020Schema(
  document: GoValue,
  { isLater, resolvesUrns }: ReadingRules,
  load?: SchemaSource,
): ReadSchema {
  const check: CheckSchema = (...place) => checkSchema(isLater, ...place);
  const documents = [[address, document]] as const;
  const compiler = new Compiler({ documents, check, assertFormat: false, resolvesUrns, ...(load && { load }) });
  const { unresolved } = compiler;
  try {
    return { schema: compiler.compile(address), unresolved };
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    return { schema: error, unresolved };
  }
}

function checkSchema(isLater: boolean, root: Root, schema: GoValue, pointer: string): void {
  const metaschema = metaschemaOf(resourceOf(root, pointer).dialect);
  const metaschemaAt = (at: string): Draft2020Schema | undefined => {
    const resource = root.resources.get(at);
    return resource === undefined ? undefined : metaschemaOf(resource.dialect);
  };
  const faults = violationsOf(metaschema, schema, { isLater, meta: { metaschema, metaschemaAt } });
  if (faults.length === 0) return;
  const place = quote(formatAddress(root.url, pointer));
  const failed = `jsonschema validation failed with ${quoteName(metaschema.location)}`;
  throw new GoError(
    `${place} is not valid against metaschema: ${failed}\n${formatViolations(faults).replace(/\n$/, '')}`,
  );
}

const compiler = new Compiler({ documents: [], check: () => undefined, assertFormat: true });
const compiled = new Map<string, Draft2020Schema>();

function compiledMetaschema(url: string): Draft2020Schema {
  let schema = compiled.get(url);
  if (schema === undefined) {
    schema = compiler.compile(url);
    compiled.set(url, schema);
  }
  return schema;
}

// A schema with vocabularies other than its draft's is validated against theirs.
function metaschemaOf({ draft, vocabularies }: Dialect): Draft2020Schema {
  if (vocabularies === undefined) return compiledMetaschema(draft.url);
  const base = draft.url.replace(/schema$/, 'meta/');
  const allOf = vocabularies.map((name) => compiledMetaschema(base + name));
  const schema: Draft2020Schema = {
    location: 'urn:mem:metaschema',
    draft: draft.version,
    resource: undefined as unknown as Draft2020Schema,
    dynamicAnchors: new Map(),
    allOf,
  };
  schema.resource = schema;
  if (draft.version >= 2020) {
    schema.dynamicAnchor = 'meta';
    schema.dynamicAnchors.set('meta', schema);
  }
  return schema;
}
