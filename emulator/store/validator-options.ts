// Options of the JSON Schema validator.

import { dateTime } from './time-patterns.ts';

/** The options of the validator. Formats are patterns, because functions cannot be written into a bundle. */
export const validatorOptions = {
  allErrors: true,
  strict: false,
  formats: {
    'date-time': new RegExp(dateTime),
    uri: /^[a-z][a-z0-9+.-]*:\S+$/i,
    byte: /^[A-Za-z0-9+/]*={0,2}$/,
    uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
    // For clients; `type: integer` is what is validated.
    int32: true,
    int64: true,
  },
} as const;
