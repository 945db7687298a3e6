// Times of a story, counted back from its present.

/** How long ago something was. */
export interface Ago {
  readonly days?: number;
  readonly hours?: number;
  readonly minutes?: number;
}

/** Tells when something was. */
export interface Timeline {
  /** Returns the time so long ago, as ISO 8601 in whole seconds. */
  at(ago: Ago): string;
  /** Returns the time so far ahead. */
  ahead(span: Ago): string;
}

/** Returns the times before and after a present, in milliseconds since 1970. */
export function timelineOf(now: number): Timeline {
  const span = ({ days = 0, hours = 0, minutes = 0 }: Ago): number => ((days * 24 + hours) * 60 + minutes) * 60_000;
  const write = (time: number): string => new Date(time).toISOString().replace(/\.\d+/, '');
  return { at: (ago) => write(now - span(ago)), ahead: (ago) => write(now + span(ago)) };
}
