// JSON against JSON Schemas: the faults of a value, worded for people. Schemas are compiled when first asked.

import { compileSchema, type Schema, type SchemaError, type Validate } from './compile.ts';

/** Is one fault of a JSON value: `path` such as `emails[1]`, empty for the value itself. */
export interface Fault {
  readonly path: string;
  readonly message: string;
}

const compiled = new WeakMap<Schema, Validate>();

/** Gives every way in which a value breaks a schema; none when it fits. */
export function checkJson(schema: Schema, value: unknown): readonly Fault[] {
  let validate = compiled.get(schema);
  if (!validate) {
    validate = compileSchema(schema);
    compiled.set(schema, validate);
  }
  return validate(value) ? [] : (validate.errors ?? []).map(fault);
}

/** Formats faults as one line, each after its path; `whole` is the path of the value itself. */
export function formatFaults(whole: string, faults: readonly Fault[]): string {
  return faults
    .map(({ path, message }) => [path || whole, message].filter((part) => part !== '').join(': '))
    .join('; ');
}

function fault(error: SchemaError): Fault {
  return { path: error.instancePath.split('/').slice(1).reduce(step, ''), message: wording(error) };
}

// A JSON pointer as people write paths: /emails/1 is emails[1].
function step(path: string, token: string): string {
  const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
  if (/^\d+$/.test(key)) return `${path}[${key}]`;
  if (!/^[\w$-]+$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}

function wording(error: SchemaError): string {
  const { keyword, params, message } = error;
  if (keyword === 'enum') return `must be one of ${(params.allowedValues as unknown[]).map(String).join(', ')}`;
  if (keyword === 'additionalProperties') return `has an unknown field ${JSON.stringify(params.additionalProperty)}`;
  if (keyword === 'required') return `is missing ${JSON.stringify(params.missingProperty)}`;
  return message ?? keyword;
}
