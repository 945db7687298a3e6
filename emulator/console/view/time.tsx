// Points in time, relative to now.

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const satisfies readonly (readonly [Intl.RelativeTimeFormatUnit, number])[];

const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

// `now` is in milliseconds; the result is such as `3 days ago`.
function relativeTime(iso: string, now: number): string {
  const seconds = (Date.parse(iso) - now) / 1000;
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return Math.abs(seconds) < 60 ? 'just now' : format.format(Math.trunc(seconds / size), unit);
}

/** A point in time as text, with the exact time as its title. */
export function RelativeTime({ iso, now }: { readonly iso: string; readonly now: number }) {
  return (
    <time dateTime={iso} title={iso}>
      {relativeTime(iso, now)}
    </time>
  );
}
