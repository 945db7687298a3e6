// Minimizes a text that shows a difference by removing ever smaller parts, trying many at once.

/** Returns the indices of texts that still show the difference. */
export type StillShows = (texts: readonly string[]) => Promise<readonly number[]>;

const mostRounds = 60;
const mostCandidates = 64;
const mostMs = 15_000;

/** Returns a smaller text that still shows it, or the text itself. */
export async function minimise(text: string, stillShows: StillShows): Promise<string> {
  let units = [...text];
  let size = Math.ceil(units.length / 2);
  const end = Date.now() + mostMs;
  for (let round = 0; round < mostRounds && size >= 1 && Date.now() < end; round++) {
    const candidates: string[] = [];
    const step = Math.max(1, Math.ceil(size / 2));
    for (let at = 0; at < units.length; at += step) {
      candidates.push([...units.slice(0, at), ...units.slice(at + size)].join(''));
    }
    const some = [...new Set(candidates)].filter((candidate) => candidate !== '').slice(0, mostCandidates);
    const [found] = some.length === 0 ? [] : await stillShows(some);
    if (found === undefined) size = size === 1 ? 0 : Math.ceil(size / 2);
    else units = [...(some[found] as string)];
  }
  return units.join('');
}
