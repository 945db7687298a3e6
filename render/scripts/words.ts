// Words of generated scripts: text of an Order that a template prints is quoted for its shell, because the template
// only ever holds `Word`s, and a `Word` has no other text than the quoted one.

/** Names the language of a script. */
export type ShellDialect = 'sh' | 'powershell';

// Plain words to every shell, and yet read with care: they begin or end something where a command could stand.
const reserved = new Set('case do done elif else esac fi for function if in select then time until while'.split(' '));

/** Quotes a text as one word of a POSIX shell; plain words stay as they are. */
export function shellQuote(text: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(text) && !reserved.has(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Quotes a text as one PowerShell string. PowerShell takes the typographic quotes for quotes too. */
export function powerShellQuote(text: string): string {
  return `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`;
}

/**
 * Returns a text as one argument of a native command in PowerShell. Windows PowerShell passes words on without escaping what is in
 * them, so this is done here, as `CommandLineToArgvW` reads it.
 */
export function powerShellArgument(text: string): string {
  const escaped = text.replace(/(?<!\\)(\\*)"/g, '$1$1\\"');
  const hasBlanks = text === '' || /\s/.test(text);
  return powerShellQuote(hasBlanks ? `"${escaped.replace(/(?<!\\)\\+$/, '$&$&')}"` : escaped);
}

/** Returns the quoting of a dialect. */
function quotingOf(dialect: ShellDialect): (text: string) => string {
  return dialect === 'sh' ? shellQuote : powerShellQuote;
}

/** A text on its way into a script. Handlebars prints it quoted, with two braces and with three. */
export class Word {
  readonly #text: string;
  readonly #quoted: string;

  constructor(text: string, dialect: ShellDialect) {
    this.#text = text;
    this.#quoted = quotingOf(dialect)(text);
  }

  /** Returns the quoted form: what `{{{word}}}` prints. */
  toString(): string {
    return this.#quoted;
  }

  /** Returns the quoted form: what `{{word}}` prints. */
  toHTML(): string {
    return this.#quoted;
  }

  /** Returns the bare text, for the helpers that write comments and documents. */
  static textOf(word: unknown): string {
    return word instanceof Word ? word.#text : String(word ?? '');
  }
}

/**
 * Returns a copy of a view model in which every text is a `Word`. Empty texts stay empty, so that `{{#if}}` sees them;
 * numbers and booleans stay as they are.
 */
export function quoteWords(value: unknown, dialect: ShellDialect): unknown {
  if (typeof value === 'string') return value === '' ? '' : new Word(value, dialect);
  if (Array.isArray(value)) return value.map((item) => quoteWords(item, dialect));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, quoteWords(item, dialect)]));
}

/**
 * Returns a document as the operand of a command: a quoted here-document in sh, a literal here-string in PowerShell. Nothing in it is
 * expanded. In sh the marker grows until no line of the document equals it. In PowerShell, a document with a line that would end the
 * here-string becomes a quoted string, which means the same.
 */
export function hereDocument(text: string, marker: string, dialect: ShellDialect): string {
  const body = text.endsWith('\n') ? text : `${text}\n`;
  if (dialect === 'powershell') {
    return /^['\u2018-\u201b]@/m.test(body) ? powerShellQuote(body.slice(0, -1)) : `@'\n${body}'@`;
  }
  const free = freeMarker(body, marker);
  return `<<'${free}'\n${body}${free}`;
}

/** Returns the marker, lengthened until no line of the text equals it. */
export function freeMarker(text: string, marker: string): string {
  const lines = new Set(text.split('\n'));
  let free = marker;
  while (lines.has(free)) free += '_';
  return free;
}
