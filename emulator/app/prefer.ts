// The `Prefer` header: `Prefer: code=404`, `Prefer: code=200, example=empty`. `dynamic` and the names of RFC 7240 are ignored.
// Mirrors: Prism's header (stoplightio/prism, docs/guides/01-mocking.md).

import type { Schema } from '../store/compile.ts';
import type { Json } from '../store/json.ts';
import { answersOf } from './answers.ts';
import type { Incoming, Reply } from './message.ts';
import { Problem, violation } from './problem.ts';
import type { AnswerRule, Route } from './route.ts';

interface Preference {
  readonly code: number | undefined;
  readonly example: string | undefined;
}

/** Returns the response for a call's `Prefer` header, without executing the call. Undefined without the header. */
export function preferredReply(route: Route, incoming: Incoming): Reply | undefined {
  const header = incoming.header('prefer');
  const preference = header === undefined ? undefined : readPreference(header);
  if (!preference) return undefined;
  const answers = answersOf(route);
  const status = preference.code ?? Number(Object.keys(answers)[0]);
  const rule = answers[status];
  // Any error status is possible; a successful one must be declared by the route.
  if (!rule && status < 400) {
    throw violation(
      `Prefer: ${route.name} answers no ${status}, only ${Object.keys(answers).join(', ')} and any failure`,
    );
  }
  const applied = [
    ...(preference.code ? [`code=${preference.code}`] : []),
    ...(preference.example ? [`example=${preference.example}`] : []),
  ];
  const headers = { 'Preference-Applied': applied.join(', ') };
  if (status >= 400) {
    if ((preference.example ?? 'sample') !== 'sample')
      throw violation(`Prefer: example=${preference.example}: a failure has only sample`);
    throw new Problem(status, rule?.description ?? `The caller preferred ${status}.`, { headers });
  }
  if (status >= 300) return { status, headers: { ...headers, Location: '/' } };
  return goodReply(status, rule!, preference, headers);
}

function readPreference(header: string): Preference | undefined {
  const preferences = new Map(
    header.split(/[,;]/).map((part): [string, string] => {
      const [name = '', value = ''] = part.split('=');
      return [name.trim().toLowerCase(), value.trim().replace(/^"(.*)"$/, '$1')];
    }),
  );
  const [code, example] = [preferences.get('code'), preferences.get('example')];
  if (code === undefined && example === undefined) return undefined;
  if (code !== undefined && !/^[2-5]\d\d$/.test(code)) throw violation(`Prefer: code=${code}: expected 200 to 599`);
  return { code: code === undefined ? undefined : Number(code), example };
}

function examplesOf(rule: AnswerRule): Readonly<Record<string, Json>> {
  if (!rule.schema) return {};
  const sample = sampleOf(rule.schema);
  return Array.isArray(sample)
    ? { sample, empty: [], many: Array.from({ length: 3 }, () => sample[0] as Json) }
    : { sample };
}

function goodReply(status: number, rule: AnswerRule, { example }: Preference, headers: Reply['headers'] & {}): Reply {
  const examples = examplesOf(rule);
  const names = Object.keys(examples);
  if (example !== undefined && !names.includes(example)) {
    throw violation(`Prefer: example=${example}: the answer has ${names.join(', ') || 'no examples'}`);
  }
  if (rule.schema) return { status, headers, json: examples[example ?? 'sample'] as Json };
  return rule.type ? { status, headers, text: { type: rule.type, content: '' } } : { status, headers };
}

// Sample values for schemas, for responses without data.

const texts: Readonly<Record<string, string>> = {
  'date-time': '2025-01-01T00:00:00Z',
  uri: 'https://example.com/',
  byte: 'ZHJ5ZG9jaw==',
  uuid: '00000000-0000-4000-8000-000000000000',
};

/** Returns the same small value for the same schema: with all fields, and one item in each list. */
function sampleOf(schema: Schema): Json {
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
