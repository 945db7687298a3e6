// Regular expressions of times, for schemas.

// A valid date (February 29 only in leap years) and a time.
const day =
  '(?:\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))|' +
  '(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)';
const hour = '(?:[01]\\d|2[0-3]):[0-5]\\d';
const time = `${day}T${hour}:[0-5]\\d(?:\\.\\d+)?(?:Z|[+-]${hour})`;

/** Matches a `date-time`. */
export const dateTime = `^${time}$`;

/** Matches a relative time, as in Grafana and Elasticsearch: `now`, `now-3d`, `now-1d-4h`, `now+29d`. */
export const relativeTime = '^now(?:[+-]\\d{1,6}[smhdw])*$';

/** Matches a time in a fixture: a `date-time` or a relative time. */
export const fixtureTime = `${dateTime}|${relativeTime}`;
