// Patterns for which JavaScript's engine finds the same matches: a sequence of ASCII characters and sets, some repeated, some in groups.
// Their matches are never empty, and there is no backtracking.

/** A plain pattern in JavaScript's syntax. */
export interface PlainPattern {
  /** With the flags `g` and `u`. */
  readonly regexp: RegExp;
  readonly groups: number;
  /** Whether a search takes linear time; otherwise each position may scan the rest of the text. */
  readonly isLinear: boolean;
}

const sets: Readonly<Record<string, string>> = { w: '0-9A-Za-z_', d: '0-9', s: '\\t\\n\\f\\r ' };
const plainPart =
  /([\w ,/:;@#%&=~"'!<>-])|\\([-.+*?()|[\]{}^$/])|\\([wds])|\\([WDS])|(\.)|\[(\^?)((?:\\[wds.-]|[\w ./:@,;=+~#%!-])+)\]/y;
const setPart = /\\([wds])|\\([.-])|([0-9])-([0-9])|([a-z])-([a-z])|([A-Z])-([A-Z])|([\w ./:@,;=+~#%!])/y;

/** Converts a pattern to JavaScript's syntax; undefined if it is not plain. */
export function plainPattern(pattern: string): PlainPattern | undefined {
  const last = pattern.endsWith('$') && !pattern.endsWith('\\$') ? pattern.length - 1 : pattern.length;
  const first = pattern.startsWith('^') ? 1 : 0;
  let source = '';
  let groups = 0;
  let open = 0;
  let before: Item | undefined;
  let isLinear = last === pattern.length;
  for (let at = first; at < last; ) {
    const item = itemAt(pattern, at);
    if (item === undefined || !fits(before, item)) return undefined;
    if (item.kind === '(') groups++;
    open += item.kind === '(' ? 1 : item.kind === ')' ? -1 : 0;
    if (open < 0) return undefined;
    const follows = item.kind === ')' || item.kind === '(' ? before?.repeated : undefined;
    if (item.kind === 'set' && before?.repeated !== undefined) isLinear = false;
    source += item.source;
    before = item.kind === '+' ? { ...item, repeated: before?.source } : { ...item, repeated: follows };
    at = item.end;
  }
  if (open !== 0 || before === undefined || before.kind === '(') return undefined;
  const whole = pattern.slice(0, first) + source + pattern.slice(last);
  return { regexp: new RegExp(whole, 'gu'), groups, isLinear };
}

/** A part of a pattern; a repeated part comes before it with only parentheses between. */
interface Item {
  readonly kind: 'set' | '+' | '(' | ')';
  readonly source: string;
  readonly end: number;
  readonly repeated?: string | undefined;
}

function itemAt(pattern: string, at: number): Item | undefined {
  const char = pattern[at];
  if (char === '+' || char === '(' || char === ')') return { kind: char, source: char, end: at + 1 };
  const source = setAt(pattern, at);
  return source === undefined ? undefined : { kind: 'set', source, end: plainPart.lastIndex };
}

// A repeated set must be disjoint from what comes next, so that its end is unambiguous.
function fits(before: Item | undefined, { kind, source }: Item): boolean {
  if (kind === '+') return before?.kind === 'set';
  if (kind === ')') return before !== undefined && before.kind !== '(';
  if (kind === '(' || before?.repeated === undefined) return true;
  const [one, other] = [new RegExp(`^${before.repeated}$`, 'u'), new RegExp(`^${source}$`, 'u')];
  return !alphabet.some((char) => one.test(char) && other.test(char));
}

// A set has one entry for each ASCII character, and one for all others.
const alphabet = [...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)), 'é'];

function setAt(pattern: string, at: number): string | undefined {
  plainPart.lastIndex = at;
  const [part, literal, quoted, set, notSet, any, negation, items] = plainPart.exec(pattern) ?? [];
  if (part === undefined) return undefined;
  const char = literal ?? quoted;
  if (char !== undefined) return escaped(char);
  if (any !== undefined) return '[^\\n]';
  if (set !== undefined) return `[${sets[set]}]`;
  if (notSet !== undefined) return `[^${sets[notSet.toLowerCase()]}]`;
  const inside = setSource(items!);
  return inside === undefined ? undefined : `[${negation}${inside}]`;
}

function escaped(char: string): string {
  return `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`;
}

// A hyphen that is not a range is first or last.
function setSource(items: string): string | undefined {
  const inner = items.replace(/^-|(?<!\\)-$/g, '');
  let source = inner.length < items.length ? '\\-' : '';
  for (let at = 0; at < inner.length; at = setPart.lastIndex) {
    setPart.lastIndex = at;
    const [part, set, quoted, ...ends] = setPart.exec(inner) ?? [];
    if (part === undefined) return undefined;
    const [low, high] = ends.filter((end) => end !== undefined);
    if (set !== undefined) source += sets[set];
    else if (quoted !== undefined) source += escaped(quoted);
    else if (high === undefined) source += escaped(low!);
    else if (low! > high) return undefined;
    else source += `${low}-${high}`;
  }
  return source;
}
