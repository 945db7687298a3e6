// Checks a script template before it is compiled: a value is allowed only where its quoting is effective. Inside "..." or '...', in a
// comment or in a here-document the quotes around a value are plain text, and the shell would interpret the value. Such places are refused,
// so that a template cannot be unsafe by accident.

import type { ShellDialect } from './words.ts';

/** A place of a template where a value would lose its quoting. */
interface TemplateFault {
  /** Line, from 1. */
  readonly line: number;
  readonly message: string;
  readonly hint: string;
}

// The output of helpers is safe where they are meant to be used; blocks, partials and comments print no value.
const silent = /^\{\{\{?~?(?:[#/^>!]|else\b|comment\s|document\s|marker\s)/;
const mustache = /\{\{!--[\s\S]*?--~?\}\}|\{\{\{[\s\S]*?\}\}\}|\{\{[\s\S]*?\}\}/y;

/** Returns all places of a template that print a value inside quotes, a comment or a here-document. */
export function lintTemplate(text: string, dialect: ShellDialect): TemplateFault[] {
  const faults: TemplateFault[] = [];
  const scanner = dialect === 'sh' ? new ShellScanner(text) : new PowerShellScanner(text);
  while (scanner.at < text.length) {
    mustache.lastIndex = scanner.at;
    const found = mustache.exec(text)?.[0];
    if (found === undefined) {
      scanner.step();
      continue;
    }
    const inside = scanner.inside;
    if (inside !== '' && !isSafe(found, inside)) {
      faults.push({
        line: text.slice(0, scanner.at).split('\n').length,
        message: `${found} is ${inside}, where its quoting does not apply`,
        hint: inside === 'in a comment' ? `Write {{comment ...}}.` : 'End the quotes before it, as in "$dir"/{{name}}.',
      });
    }
    scanner.at += found.length;
  }
  return faults;
}

function isSafe(tag: string, inside: string): boolean {
  if (inside === 'in a comment') return silent.test(tag) && !/^\{\{\{?~?(?:document|marker)\s/.test(tag);
  return silent.test(tag) && !/^\{\{\{?~?(?:comment|document|marker|>)/.test(tag);
}

/** Scans a script and tracks what the current position is inside of; empty between words. */
interface Scanner {
  at: number;
  inside: string;
  step(): void;
}

class ShellScanner implements Scanner {
  at = 0;
  inside = '';
  readonly #text: string;
  #end = '';

  constructor(text: string) {
    this.#text = text;
  }

  step(): void {
    const rest = this.#text.slice(this.at, this.at + 120);
    if (this.inside === 'in a document') this.#stepDocument();
    else if (this.inside === '') this.#stepOutside(rest);
    else this.#stepQuoted(rest);
  }

  #stepQuoted(rest: string): void {
    if (this.inside === 'in double quotes' && rest.startsWith('\\')) this.at++;
    else if (rest.startsWith(this.#end)) this.inside = '';
    this.at++;
  }

  #stepOutside(rest: string): void {
    const document = /^<<-?\s*(['"]?)([A-Za-z_]+)\1/.exec(rest);
    const before = this.at === 0 ? '\n' : this.#text.charAt(this.at - 1);
    if (document !== null) this.#enter('in a document', document[2]!, document[0].length);
    else if (rest.startsWith("'")) this.#enter('in single quotes', "'", 1);
    else if (rest.startsWith('"')) this.#enter('in double quotes', '"', 1);
    else if (rest.startsWith('#') && /\s/.test(before)) this.#enter('in a comment', '\n', 1);
    else this.at += rest.startsWith('\\') ? 2 : 1;
  }

  #stepDocument(): void {
    const newline = this.#text.indexOf('\n', this.at);
    const startsLine = this.at > 0 && this.#text.charAt(this.at - 1) === '\n';
    const line = this.#text.slice(this.at, newline < 0 ? undefined : newline);
    if (startsLine && line.trim() === this.#end) this.inside = '';
    this.at++;
  }

  #enter(inside: string, end: string, length: number): void {
    this.inside = inside;
    this.#end = end;
    this.at += length;
  }
}

class PowerShellScanner implements Scanner {
  at = 0;
  inside = '';
  readonly #text: string;
  #end = '';

  constructor(text: string) {
    this.#text = text;
  }

  step(): void {
    const rest = this.#text.slice(this.at, this.at + 3);
    if (this.inside !== '') {
      if (rest.startsWith('`') && this.inside === 'in double quotes') this.at += 2;
      else if (rest.startsWith(this.#end)) {
        this.at += this.#end.length;
        this.inside = '';
      } else this.at++;
      return;
    }
    for (const [start, end, inside] of powerShellQuotes) {
      if (!rest.startsWith(start)) continue;
      [this.inside, this.#end] = [inside, end];
      this.at += start.length;
      return;
    }
    this.at += rest.startsWith('`') ? 2 : 1;
  }
}

const powerShellQuotes: readonly (readonly [string, string, string])[] = [
  ["@'", "\n'@", 'in a document'],
  ['@"', '\n"@', 'in a document'],
  ['<#', '#>', 'in a comment'],
  ['#', '\n', 'in a comment'],
  ["'", "'", 'in single quotes'],
  ['"', '"', 'in double quotes'],
];
