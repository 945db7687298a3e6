// JSON against JSON Schemas, and the one file that knows the validator (ajv). Schemas are compiled when first asked.

import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { JsonObject } from './rows.ts';

/** Is a JSON Schema (2020-12 subset that OpenAPI 3.1 shares). A `title` names it in the OpenAPI document. */
export type Schema = JsonObject;

/** Is one fault of a JSON value: `path` such as `emails[1]`, empty for the value itself. */
export interface Fault {
  readonly path: string;
  readonly message: string;
}

// Made when first needed: it takes a while, and most calls need none.
let ajv: Ajv | undefined;
const compiled = new WeakMap<Schema, ValidateFunction>();

/** Gives every way in which a value breaks a schema; none when it fits. */
export function checkJson(schema: Schema, value: unknown): readonly Fault[] {
  let validate = compiled.get(schema);
  if (!validate) {
    ajv ??= createAjv();
    validate = ajv.compile(schema);
    compiled.set(schema, validate);
  }
  return validate(value) ? [] : (validate.errors ?? []).map(fault);
}

/** Formats faults as one line, each after its path below `root`. */
export function formatFaults(root: string, faults: readonly Fault[]): string {
  return faults.map(({ path, message }) => `${joinPath(root, path) || 'body'}: ${message}`).join('; ');
}

function joinPath(root: string, path: string): string {
  return root === '' || path === '' || path.startsWith('[') ? root + path : `${root}.${path}`;
}

function createAjv(): Ajv {
  return new Ajv({
    allErrors: true,
    strict: false,
    formats: {
      'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
      uri: /^[a-z][a-z0-9+.-]*:\S+$/i,
      int32: { type: 'number', validate: (value: number) => Number.isInteger(value) && Math.abs(value) < 2 ** 31 },
      int64: { type: 'number', validate: (value: number) => Number.isInteger(value) },
      byte: /^[A-Za-z0-9+/]*={0,2}$/,
      uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
    },
  });
}

function fault(error: ErrorObject): Fault {
  return { path: error.instancePath.split('/').slice(1).reduce(step, ''), message: wording(error) };
}

// A JSON pointer as people write paths: /emails/1 is emails[1].
function step(path: string, token: string): string {
  const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
  if (/^\d+$/.test(key)) return `${path}[${key}]`;
  if (!/^[\w$-]+$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}

function wording(error: ErrorObject): string {
  const { keyword, params, message } = error;
  if (keyword === 'enum') return `must be one of ${(params.allowedValues as unknown[]).map(String).join(', ')}`;
  if (keyword === 'additionalProperties') return `has an unknown field ${JSON.stringify(params.additionalProperty)}`;
  if (keyword === 'required') return `is missing ${JSON.stringify(params.missingProperty)}`;
  return message ?? keyword;
}
