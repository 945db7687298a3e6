// Quoting in generated scripts: the model of a template contains only `Word`s, and the text of a `Word` is always quoted for its shell.

export type ShellDialect = 'sh' | 'powershell';

// Words without special characters that still have a meaning where a command can be.
const reserved = new Set('case do done elif else esac fi for function if in select then time until while'.split(' '));

/** Quotes a text as one word of a POSIX shell; simple words are unchanged. */
export function shellQuote(text: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(text) && !reserved.has(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Quotes a text as one PowerShell string. PowerShell treats typographic quotes as quotes too. */
export function powerShellQuote(text: string): string {
  return `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`;
}

/**
 * Quotes a text as one argument of a native command in PowerShell. Windows PowerShell passes arguments on without escaping, so this is done
 * here according to `CommandLineToArgvW`.
 */
export function powerShellArgument(text: string): string {
  const escaped = text.replace(/(?<!\\)(\\*)"/g, '$1$1\\"');
  const hasBlanks = text === '' || /\s/.test(text);
  return powerShellQuote(hasBlanks ? `"${escaped.replace(/(?<!\\)\\+$/, '$&$&')}"` : escaped);
}

/** A text in a script. Handlebars prints it quoted, with two braces and with three. */
export class Word {
  readonly #text: string;
  readonly #quoted: string;

  constructor(text: string, dialect: ShellDialect) {
    this.#text = text;
    this.#quoted = (dialect === 'sh' ? shellQuote : powerShellQuote)(text);
  }

  /** Returns the quoted form, which `{{{word}}}` prints. */
  toString(): string {
    return this.#quoted;
  }

  /** Returns the quoted form, which `{{word}}` prints. */
  toHTML(): string {
    return this.#quoted;
  }

  /** Returns the bare text, for helpers that write comments and documents. */
  static textOf(word: unknown): string {
    return word instanceof Word ? word.#text : String(word ?? '');
  }
}

/**
 * Returns a copy of a view model in which every text is a `Word`. Empty texts stay empty for `{{#if}}`; numbers and booleans are unchanged.
 */
export function quoteWords(value: unknown, dialect: ShellDialect): unknown {
  if (typeof value === 'string') return value === '' ? '' : new Word(value, dialect);
  if (Array.isArray(value)) return value.map((item) => quoteWords(item, dialect));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, quoteWords(item, dialect)]));
}

/**
 * Returns a document as the operand of a command: a quoted here-document in sh, a literal here-string in PowerShell. Nothing in it is
 * expanded. In sh the marker is lengthened until no line of the document equals it. In PowerShell, a document with a line that would end
 * the here-string becomes an equivalent quoted string.
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
