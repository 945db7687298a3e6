// The path at a position of a YAML text, from its lines and indentation only: a text being typed is seldom valid YAML.

/** A place in a text: a name being written, or the value after one. */
export interface YamlPlace {
  /** `key` also stands for a single word on a line, which may become a name. */
  readonly kind: 'key' | 'value';
  /** For a key: the path of its parent. For a value: its own path. */
  readonly path: readonly (string | number)[];
  /** The whole word including quotes. */
  readonly word: string;
  /** Its range in the text. */
  readonly from: number;
  readonly to: number;
  /** Whether a colon follows a key. */
  readonly hasColon: boolean;
  /** Within braces or brackets: the names before it in the same braces. */
  readonly taken?: readonly string[];
}

interface Token {
  /** The column of a dash or of a key. */
  readonly column: number;
  /** Undefined for a dash. */
  readonly key?: string;
  /** What follows a key on its line. */
  readonly rest: string;
}

interface Line {
  readonly tokens: readonly Token[];
  /** Where the text after all dashes starts. */
  readonly body: number;
}

const keyPattern = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#:[\]{},&*!|>'"%@`](?:[^#:]*[^\s#:])?)\s*:(?=\s|$)/;

/** Returns the place at an offset; undefined in comments and multi-line texts. */
export function placeAt(text: string, at: number): YamlPlace | undefined {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const end = text.indexOf('\n', at) < 0 ? text.length : text.indexOf('\n', at);
  const line = text.slice(start, end);
  const column = at - start;
  if (/(?:^|\s)#/.test(line.slice(0, column))) return undefined;
  const flow = flowAround(text, at);
  if (flow) return flow.place;
  const { tokens, body } = readLine(line);
  if (column < body) return undefined;
  const key = tokens.at(-1)?.key === undefined ? undefined : tokens.at(-1);
  const above = text.slice(0, start).split('\n').slice(0, -1);
  const own = key ? tokens.slice(0, -1) : tokens;
  const path = wayTo(above, own, Math.min(body, column));
  if (path === undefined) return undefined;
  const word = key
    ? (keyPattern.exec(line.slice(body))?.[1] ?? '')
    : line
        .slice(body)
        .replace(/(?<=\s)#.*$/s, '')
        .trimEnd();
  if (!key || column <= body + word.length) {
    if (/^[[{|>&*!]/.test(word)) return undefined;
    return { kind: 'key', path, word, from: start + body, to: start + body + word.length, hasColon: key !== undefined };
  }
  return valueAt({ line, start, column, body }, [...path, key.key ?? '']);
}

interface At {
  readonly line: string;
  readonly start: number;
  readonly column: number;
  readonly body: number;
}

function valueAt({ line, start, column, body }: At, path: readonly (string | number)[]): YamlPlace | undefined {
  const colon = body + (keyPattern.exec(line.slice(body))?.[0].length ?? 0);
  if (column <= colon - 1) return undefined;
  const blank = /^\s*/.exec(line.slice(colon))?.[0].length ?? 0;
  const word = line
    .slice(colon + blank)
    .replace(/(?<!\S)#.*$/s, '')
    .trimEnd();
  if (/^[[{|>&*!]/.test(word)) return undefined;
  const from = start + Math.min(colon + Math.max(blank, 1), Math.max(column, colon));
  return { kind: 'value', path, word, from, to: Math.max(from, start + colon + blank + word.length), hasColon: false };
}

// Braces over more lines get no help.
const mostLines = 40;

// The place within open braces or brackets at an offset, or undefined.
function flowAround(text: string, at: number): { readonly place: YamlPlace | undefined } | undefined {
  let start = text.lastIndexOf('\n', at - 1) + 1;
  for (let count = 0; count < mostLines; count++) {
    const end = text.indexOf('\n', start) < 0 ? text.length : text.indexOf('\n', start);
    const line = text.slice(start, end);
    const { tokens, body } = readLine(line);
    const key = tokens.at(-1)?.key;
    const colon = key === undefined ? body : body + (keyPattern.exec(line.slice(body))?.[0].length ?? 0);
    const open = start + colon + (/^\s*/.exec(line.slice(colon))?.[0].length ?? 0);
    const frames = '[{'.includes(text[open] ?? '.') && open < at ? openAt(text, open, at) : [];
    if (frames.length > 0) {
      const above = text.slice(0, start).split('\n').slice(0, -1);
      const path = wayTo(above, key === undefined ? tokens : tokens.slice(0, -1), body);
      return { place: path && flowPlace(text, at, frames, key === undefined ? path : [...path, key]) };
    }
    if (start === 0 || (count > 0 && key !== undefined && !/[,[{]\s*(?:#.*)?$/s.test(line))) return undefined;
    start = text.lastIndexOf('\n', start - 2) + 1;
  }
  return undefined;
}

/** Open braces or brackets. */
interface Frame {
  readonly kind: '{' | '[';
  /** For brackets: the number of preceding members. */
  index: number;
  /** For braces: the preceding names, and the one whose value is being written. */
  readonly names: string[];
  key: string | undefined;
  /** Where the current text starts. */
  from: number;
}

function openAt(text: string, open: number, at: number): readonly Frame[] {
  const frames: Frame[] = [];
  for (let here = open; here < at; here++) {
    const letter = text[here] ?? '';
    const frame = frames.at(-1);
    const isFresh = frame === undefined || text.slice(frame.from, here).trim() === '';
    if ((letter === '"' || letter === "'") && isFresh) {
      const close = closeOf(text, here);
      if (close >= at) break;
      here = close;
    } else if ((letter === '{' || letter === '[') && isFresh)
      frames.push({ kind: letter, index: 0, names: [], key: undefined, from: here + 1 });
    else if (letter === '}' || letter === ']') {
      frames.pop();
      if (frames.length === 0) return [];
    } else if (letter === ',' && frame) {
      frame.index++;
      if (frame.kind === '{' && frame.key === undefined) frame.names.push(wordIn(text, frame.from, here));
      frame.key = undefined;
      frame.from = here + 1;
    } else if (letter === ':' && frame?.kind === '{' && frame.key === undefined && endsKey(text, frame.from, here)) {
      frame.key = wordIn(text, frame.from, here);
      frame.names.push(frame.key);
      frame.from = here + 1;
    } else if (letter === '#' && /\s/.test(text[here - 1] ?? '')) {
      const end = text.indexOf('\n', here);
      if (end < 0 || end >= at) return frames;
      if (isFresh && frame) frame.from = end + 1;
      here = end;
    }
  }
  return frames;
}

// As in JSON, nothing need follow the colon of a quoted name.
function endsKey(text: string, from: number, colon: number): boolean {
  return /^[\s,[\]{}]?$/.test(text[colon + 1] ?? '') || /^["']/.test(text.slice(from, colon).trim());
}

function wordIn(text: string, from: number, to: number): string {
  return plainKey(text.slice(from, to).trim());
}

function closeOf(text: string, open: number): number {
  const quote = text[open];
  for (let here = open + 1; here < text.length; here++) {
    if (text[here] === '\\' && quote === '"') here++;
    else if (text[here] === quote) return here;
  }
  return text.length;
}

function flowPlace(
  text: string,
  at: number,
  frames: readonly Frame[],
  above: readonly (string | number)[],
): YamlPlace | undefined {
  const inner = frames.at(-1)!;
  const steps = frames.slice(0, -1).map((frame) => (frame.kind === '[' ? frame.index : (frame.key ?? '')));
  const path = [...above, ...steps];
  const isKey = inner.kind === '{' && inner.key === undefined;
  const blank = /^\s*/.exec(text.slice(inner.from))?.[0].length ?? 0;
  const from = Math.min(inner.from + blank, at);
  const quote = text[from] === '"' || text[from] === "'";
  const rest = quote
    ? closeOf(text, from) + 1 - from
    : (/^[^,:[\]{}#\n]*(?::(?=\S)[^,:[\]{}#\n]*)*/.exec(text.slice(from))?.[0].length ?? 0);
  const word = text.slice(from, from + rest).trimEnd();
  const to = Math.max(from + word.length, at);
  const hasColon = isKey && /^\s*:/.test(text.slice(to));
  const own = isKey ? path : [...path, inner.kind === '[' ? inner.index : (inner.key ?? '')];
  return { kind: isKey ? 'key' : 'value', path: own, word, from, to, hasColon, taken: inner.names };
}

function readLine(line: string): Line {
  const tokens: Token[] = [];
  let body = /^ */.exec(line)?.[0].length ?? 0;
  for (;;) {
    const dash = /^-(?: +|$)/.exec(line.slice(body))?.[0];
    if (dash === undefined) break;
    tokens.push({ column: body, rest: '' });
    body += dash.length;
  }
  const found = keyPattern.exec(line.slice(body));
  if (found?.[1] !== undefined) {
    const rest = line.slice(body + found[0].length).replace(/(?<!\S)#.*$/s, '');
    tokens.push({ column: body, key: plainKey(found[1]), rest: rest.trim() });
  }
  return { tokens, body };
}

function plainKey(word: string): string {
  if (word.startsWith("'")) return word.slice(1, -1).replaceAll("''", "'");
  if (!word.startsWith('"')) return word;
  try {
    return String(JSON.parse(word));
  } catch {
    return word.slice(1, -1);
  }
}

// The path of the parent of an entry at a column: up through lines with less indentation. Undefined within a text.
function wayTo(above: readonly string[], own: readonly Token[], column: number): (string | number)[] | undefined {
  const path: (string | number)[] = [];
  let at = column;
  // For an entry of a list: the number of preceding entries.
  let index: number | undefined;
  const climb = (token: Token): boolean => {
    if (token.key === undefined) {
      if (index !== undefined && token.column === at) index++;
      else if (token.column < at) {
        if (index !== undefined) path.unshift(index);
        [at, index] = [token.column, 0];
      }
      return true;
    }
    if (token.column < at || (index !== undefined && token.column === at)) {
      if (token.rest !== '' && !/^[&!]\S*$/.test(token.rest)) return false;
      if (index !== undefined) path.unshift(index);
      path.unshift(token.key);
      [at, index] = [token.column, undefined];
    }
    return true;
  };
  for (const token of [...own].reverse()) if (!climb(token)) return undefined;
  for (let line = above.length - 1; line >= 0 && (at > 0 || index !== undefined); line--) {
    const text = above[line] ?? '';
    if (/^\s*(?:#|$)/.test(text)) continue;
    if (/^(?:---|\.\.\.)/.test(text)) break;
    for (const token of [...readLine(text).tokens].reverse()) if (!climb(token)) return undefined;
  }
  if (index !== undefined) path.unshift(index);
  return path;
}
