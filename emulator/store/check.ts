// Validates JSON against JSON Schemas, with messages for people. Schemas are compiled on first use.

import { didYouMean } from '../../render/core/suggest.ts';
import { compileSchema, type Schema, type SchemaError, type Validate } from './compile.ts';
import { fixtureTime } from './time-patterns.ts';

/** An issue of a JSON value: `path` such as `emails[1]`, empty for the value itself. */
export interface Violation {
  readonly path: string;
  readonly message: string;
}

const compiled = new WeakMap<Schema, Validate>();

// Maximum number of reported issues: a large body may have one in each place.
const mostFaults = 100;

/** Uses these functions from now on to validate values of their schemas. */
export function addValidators(validators: ReadonlyMap<Schema, Validate>): void {
  for (const [schema, validate] of validators) compiled.set(schema, validate);
}

/** Returns the issues of a value, the first hundred and how many more there are; empty if it is valid. */
export function checkJson(schema: Schema, value: unknown): readonly Violation[] {
  let validate = compiled.get(schema);
  if (!validate) {
    validate = compileSchema(schema);
    compiled.set(schema, validate);
  }
  if (validate(value)) return [];
  const errors = validate.errors ?? [];
  const listed = errors.slice(0, mostFaults).map((error) => fault(error, schema));
  const more = errors.length - listed.length;
  return more > 0 ? [...listed, { path: '', message: `${more} more faults` }] : listed;
}

/** Formats issues on one line, each after its path; `whole` is the path of the value itself. */
export function formatSchemaViolations(whole: string, faults: readonly Violation[]): string {
  return faults
    .map(({ path, message }) => [path || whole, message].filter((part) => part !== '').join(': '))
    .join('; ');
}

function fault(error: SchemaError, schema: Schema): Violation {
  return { path: error.instancePath.split('/').slice(1).reduce(step, ''), message: wording(error, schema) };
}

// Converts a JSON pointer to a path: /emails/1 is emails[1].
function step(path: string, token: string): string {
  const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
  if (/^\d+$/.test(key)) return `${path}[${key}]`;
  if (!/^[\w$-]+$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}

function wording(error: SchemaError, schema: Schema): string {
  const { keyword, params, message } = error;
  if (keyword === 'enum') return `must be one of ${(params.allowedValues as unknown[]).map(String).join(', ')}`;
  if (keyword === 'additionalProperties') {
    const name = String(params.additionalProperty);
    return `has an unknown field ${JSON.stringify(name)}${didYouMean(name, fieldsBeside(error, schema))}`;
  }
  if (keyword === 'format' && params.format === 'date-time') {
    return 'must be a time that there is, such as 2024-02-29T12:00:00Z';
  }
  if (keyword === 'pattern' && params.pattern === fixtureTime) {
    return 'must be a time that there is, such as 2024-02-29T12:00:00Z, or one relative to the clock, such as now-3d';
  }
  if (keyword === 'uniqueItems')
    return `[${Math.max(Number(params.i), Number(params.j))}] is there twice: leave one out`;
  if (keyword === 'required') return `is missing ${JSON.stringify(params.missingProperty)}`;
  if (keyword === 'type') return `must be ${[params.type].flat().map(nameOfType).join(' or ')}`;
  if (keyword === 'pattern') return `must match ${String(params.pattern)}`;
  if (keyword === 'format') return `must be a ${String(params.format)}`;
  if (keyword === 'minimum') return `must be at least ${String(params.limit)}`;
  if (keyword === 'maximum') return `must be at most ${String(params.limit)}`;
  if (keyword === 'minLength' && params.limit === 1) return 'must not be empty';
  const [bound, counted] = counts[keyword] ?? [];
  return bound ? `must have ${bound} ${String(params.limit)} ${counted}` : (message ?? keyword);
}

const counts: Readonly<Record<string, readonly [string, string]>> = {
  minLength: ['at least', 'characters'],
  maxLength: ['at most', 'characters'],
  minItems: ['at least', 'items'],
  maxItems: ['at most', 'items'],
};

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

function nameOfType(type: unknown): string {
  return typeNames[String(type)] ?? String(type);
}

// The known siblings of an unknown field: the schema's path leads to the keyword beside them.
function fieldsBeside({ schemaPath }: SchemaError, schema: Schema): readonly string[] {
  let at: unknown = schema;
  for (const token of schemaPath.split('/').slice(1, -1)) {
    at = (at as Schema | undefined)?.[decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return Object.keys((at as Schema | undefined)?.properties ?? {});
}
