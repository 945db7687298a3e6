// Schemas into functions, and the one file that knows the validator (ajv). It writes code at run time, which a page
// with a strict content policy forbids: in bundles, scripts/build/ready-validators.ts puts functions made beforehand in its place.

import { Ajv } from 'ajv';
import type { JsonObject } from './json.ts';

/** A JSON Schema (2020-12 subset that OpenAPI 3.1 shares). A `title` names it in the OpenAPI document. */
export type Schema = JsonObject;

/**
 * One way in which a value breaks a schema, as the validator tells it: where (JSON pointers into both), by which keyword. In
 * bundles it tells of each keyword what emulator/store/check.ts words, and no more: scripts/build/ready-validators.ts.
 */
export interface SchemaError {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string | undefined;
}

/** Reports whether a value fits a schema; when it does not, `errors` says why until the next call. */
export interface Validate {
  (value: unknown): boolean;
  errors?: readonly SchemaError[] | null;
}

// A day that there is, the 29th of February in leap years alone, and a time of it.
const day =
  '(?:\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))|' +
  '(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)';
const hour = '(?:[01]\\d|2[0-3]):[0-5]\\d';
const dateTime = new RegExp(`^${day}T${hour}:[0-5]\\d(?:\\.\\d+)?(?:Z|[+-]${hour})$`);

/** The options of the validator. Formats are patterns: functions could not be written into a bundle. */
export const validatorOptions = {
  allErrors: true,
  strict: false,
  // Required fields are asked for in a loop: the functions in the bundles are shorter so.
  loopRequired: 1,
  formats: {
    'date-time': dateTime,
    uri: /^[a-z][a-z0-9+.-]*:\S+$/i,
    byte: /^[A-Za-z0-9+/]*={0,2}$/,
    uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
    // Said for clients; `type: integer` is what is checked.
    int32: true,
    int64: true,
  },
} as const;

// Made when first needed: it takes a while, and most calls need none.
let ajv: Ajv | undefined;

/** Returns the function that checks values by a schema. */
export function compileSchema(schema: Schema): Validate {
  ajv ??= new Ajv(validatorOptions);
  return ajv.compile(schema);
}
