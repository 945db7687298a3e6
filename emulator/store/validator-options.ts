// Options of the JSON Schema validator.

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
