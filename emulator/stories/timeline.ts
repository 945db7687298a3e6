// Times relative to the current time of a demo.

/** A duration. */
export interface Ago {
  readonly days?: number;
  readonly hours?: number;
  readonly minutes?: number;
}

/** Converts durations to times. */
export interface Timeline {
  /** Returns the time a duration ago, as ISO 8601 in whole seconds. */
  at(ago: Ago): string;
  /** Returns the time a duration ahead. */
  ahead(span: Ago): string;
}

/** Returns a timeline for a current time in milliseconds since 1970. */
export function timelineOf(now: number): Timeline {
  const span = ({ days = 0, hours = 0, minutes = 0 }: Ago): number => ((days * 24 + hours) * 60 + minutes) * 60_000;
  const write = (time: number): string => new Date(time).toISOString().replace(/\.\d+/, '');
  return { at: (ago) => write(now - span(ago)), ahead: (ago) => write(now + span(ago)) };
}
