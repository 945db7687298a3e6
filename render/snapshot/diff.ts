// The lines in which two texts differ, as a unified diff for people: each hunk names the object it lies in.
// Mirrors: E. W. Myers, "An O(ND) Difference Algorithm and Its Variations" (the greedy form).

/** One line of a comparison: of both texts (` `), of the first only (`-`) or of the second only (`+`). */
interface Edit {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
  /** The line numbers, from 0, that the two texts have reached. */
  readonly before: number;
  readonly after: number;
}

const context = 3;

// Texts that share next to nothing are told as one exchange: the shortest way between them would tell no more.
const maxEdits = 1500;

/** Gives the hunks of a unified diff, at most `maxLines` lines (default 200), the last of which tells how many more there are. */
export function diffLines(before: string, after: string, maxLines = 200): string {
  const old = linesOf(before);
  const now = linesOf(after);
  const lines = hunksOf(editsOf(old, now)).flatMap((hunk) => [headOf(hunk, old, now), ...hunk.map(printEdit)]);
  if (lines.length <= maxLines) return lines.map((line) => `${line}\n`).join('');
  const rest = lines.length - maxLines;
  return [...lines.slice(0, maxLines), `... and ${rest} more lines`].map((line) => `${line}\n`).join('');
}

// A last line without an end differs from one with it, and is marked as git does.
function linesOf(text: string): string[] {
  const lines = text.split('\n');
  const last = lines.pop() as string;
  return last === '' ? lines : [...lines, `${last}\n\\ No newline at end of file`];
}

// Blanks at the end of a line and carriage returns are seen only when something stands for them.
function printEdit({ mark, text }: Edit): string {
  return mark + (mark === ' ' ? text : text.replace(/\r$/, '\\r'));
}

function editsOf(old: readonly string[], now: readonly string[]): Edit[] {
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const steps = [
    ...' '.repeat(start),
    ...stepsBetween(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...' '.repeat(end),
  ] as Edit['mark'][];
  let before = 0;
  let after = 0;
  return steps.map((mark) => {
    const edit = { mark, text: (mark === '+' ? now[after] : old[before]) as string, before, after };
    if (mark !== '+') before++;
    if (mark !== '-') after++;
    return edit;
  });
}

/** How far into the old text the ways of so many edits get, for each diagonal from `-radius` to `radius`. */
interface Reach {
  readonly radius: number;
  readonly ends: Int32Array;
}

/** Gives the marks of a shortest way from `old` to `now`. */
function stepsBetween(old: readonly string[], now: readonly string[]): string[] {
  const trail: Reach[] = [{ radius: 1, ends: Int32Array.of(-1, -1, 0) }];
  for (let edits = 0; edits <= Math.min(old.length + now.length, maxEdits); edits++) {
    const reach = trail[edits] as Reach;
    const next: Reach = { radius: edits, ends: new Int32Array(2 * edits + 1) };
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = isDown(reach, diagonal, edits) ? endAt(reach, diagonal + 1) : endAt(reach, diagonal - 1) + 1;
      while (x < old.length && x - diagonal < now.length && old[x] === now[x - diagonal]) x++;
      next.ends[diagonal + edits] = x;
      if (x >= old.length && x - diagonal >= now.length) return walkBack(trail, old.length, now.length);
    }
    trail.push(next);
  }
  return [...old.map(() => '-'), ...now.map(() => '+')];
}

function endAt({ radius, ends }: Reach, diagonal: number): number {
  return ends[diagonal + radius] ?? -1;
}

function isDown(reach: Reach, diagonal: number, edits: number): boolean {
  return diagonal === -edits || (diagonal !== edits && endAt(reach, diagonal - 1) < endAt(reach, diagonal + 1));
}

function walkBack(trail: readonly Reach[], oldLength: number, nowLength: number): string[] {
  const steps: string[] = [];
  let x = oldLength;
  let y = nowLength;
  for (let edits = trail.length - 1; edits >= 0; edits--) {
    const reach = trail[edits] as Reach;
    const down = isDown(reach, x - y, edits);
    const fromX = endAt(reach, down ? x - y + 1 : x - y - 1);
    const fromY = fromX - (down ? x - y + 1 : x - y - 1);
    while (x > fromX && y > fromY && x > 0 && y > 0) {
      steps.push(' ');
      x--;
      y--;
    }
    if (edits > 0) steps.push(down ? '+' : '-');
    x = fromX;
    y = fromY;
  }
  return steps.reverse();
}

function hunksOf(edits: readonly Edit[]): Edit[][] {
  const hunks: Edit[][] = [];
  let end = -1;
  edits.forEach((edit, index) => {
    if (edit.mark === ' ') return;
    const start = Math.max(index - context, end, 0);
    const following = edits.slice(start, index + context + 1);
    if (hunks.length > 0 && index - context <= end) hunks.at(-1)?.push(...following);
    else hunks.push(following);
    end = Math.min(index + context + 1, edits.length);
  });
  return hunks;
}

function headOf(hunk: readonly Edit[], old: readonly string[], now: readonly string[]): string {
  const [first] = hunk as [Edit];
  const change = hunk.find(({ mark }) => mark !== ' ') ?? first;
  const range = (start: number, length: number): string => `${length === 0 ? start : start + 1},${length}`;
  const before = range(first.before, hunk.filter(({ mark }) => mark !== '+').length);
  const after = range(first.after, hunk.filter(({ mark }) => mark !== '-').length);
  const object = change.mark === '-' ? objectAt(old, change.before) : objectAt(now, change.after);
  return `@@ -${before} +${after} @@${object === '' ? '' : ` ${object}`}`;
}

/** Gives `Kind name (file of the chart)` of the document that holds a line of a manifest; empty for other texts. */
function objectAt(lines: readonly string[], index: number): string {
  let start = index;
  while (start > 0 && lines[start] !== '---') start--;
  let end = index + 1;
  while (end < lines.length && lines[end] !== '---') end++;
  const document = lines.slice(start, end).join('\n');
  const kind = /^kind: *"?([\w.-]+)/m.exec(document)?.[1];
  if (kind === undefined) return '';
  const name = /^metadata:(?:\n[ #-].*)*?\n {2}name: *["']?([^\s"']+)/m.exec(document)?.[1];
  const source = /^# Source: (.+)$/m.exec(document)?.[1];
  return [kind, name, source && `(${source})`].filter(Boolean).join(' ');
}
