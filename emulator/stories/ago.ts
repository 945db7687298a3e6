// Times of stories, relative to the clock of the world.

/** A duration. */
export interface Span {
  readonly days?: number;
  readonly hours?: number;
  readonly minutes?: number;
}

/** Returns the time a duration ago, such as `now-3d-4h`. */
export function ago(span: Span): string {
  return `now${format('-', span)}`;
}

/** Returns the time a duration ahead. */
export function ahead(span: Span): string {
  return `now${format('+', span)}`;
}

function format(sign: '-' | '+', { days = 0, hours = 0, minutes = 0 }: Span): string {
  const parts = [
    [days, 'd'],
    [hours, 'h'],
    [minutes, 'm'],
  ] as const;
  return parts.map(([count, unit]) => (count === 0 ? '' : `${sign}${count}${unit}`)).join('');
}
