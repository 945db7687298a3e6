// Sample values for schemas, for responses without data.

import type { Schema } from '../store/compile.ts';
import type { Json } from '../store/json.ts';

const texts: Readonly<Record<string, string>> = {
  'date-time': '2025-01-01T00:00:00Z',
  uri: 'https://example.com/',
  byte: 'ZHJ5ZG9jaw==',
  uuid: '00000000-0000-4000-8000-000000000000',
};

/** Returns the same small value for the same schema: with all fields, and one item in each list. */
export function sampleOf(schema: Schema): Json {
  const {
    examples,
    enum: choices,
    anyOf,
    type,
    properties,
    items,
    default: value,
  } = schema as {
    readonly examples?: readonly Json[];
    readonly enum?: readonly Json[];
    readonly anyOf?: readonly Schema[];
    readonly type?: string | readonly string[];
    readonly properties?: Readonly<Record<string, Schema>>;
    readonly items?: Schema;
    readonly default?: Json;
  };
  if (value !== undefined) return value;
  if (examples?.[0] !== undefined) return examples[0];
  if (choices) return choices[0] ?? null;
  if (anyOf) return sampleOf(anyOf[0] ?? {});
  const kind = typeof type === 'string' ? type : type?.[0];
  if (kind === 'array') return [sampleOf(items ?? {})];
  if (kind === 'object') {
    return Object.fromEntries(Object.entries(properties ?? {}).map(([name, inner]) => [name, sampleOf(inner)]));
  }
  return sampleScalar(kind, schema);
}

function sampleScalar(kind: string | undefined, { format, minimum, minLength }: Schema): Json {
  if (kind === 'string') return texts[String(format)] ?? 'text'.padEnd(Number(minLength ?? 0), 't');
  if (kind === 'integer' || kind === 'number') return Number(minimum ?? 1);
  if (kind === 'boolean') return true;
  return kind === 'null' ? null : {};
}
