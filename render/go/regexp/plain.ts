// Patterns so plain that JavaScript's own engine finds the same matches: single characters and sets of ASCII one after the
// other, some of them repeated, some in groups. A match of theirs is never empty, and no search goes back to try another way.

/** A plain pattern in JavaScript's form. */
export interface PlainPattern {
  /** With the flags `g` and `u`. */
  readonly regexp: RegExp;
  readonly groups: number;
  /** Whether a search takes time in proportion to the text; otherwise each place of the text may look through what follows. */
  readonly isLinear: boolean;
}

const sets: Readonly<Record<string, string>> = { w: '0-9A-Za-z_', d: '0-9', s: '\\t\\n\\f\\r ' };
const plainPart =
  /([\w ,/:;@#%&=~"'!<>-])|\\([-.+*?()|[\]{}^$/])|\\([wds])|\\([WDS])|(\.)|\[(\^?)((?:\\[wds.-]|[\w ./:@,;=+~#%!-])+)\]/y;
const setPart = /\\([wds])|\\([.-])|([0-9])-([0-9])|([a-z])-([a-z])|([A-Z])-([A-Z])|([\w ./:@,;=+~#%!])/y;

/** Returns the pattern in JavaScript's form; undefined for one that is not plain. */
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

/** A part of a pattern; what is repeated is before it, with nothing but parentheses between. */
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

// What is repeated must be unlike what comes next, so that where it ends is never in doubt.
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

// A hyphen that makes no range is first or last.
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
