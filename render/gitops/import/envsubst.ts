// Flux's variable substitution: `${NAME}`, defaults, letter case, substrings and replacements, with `$${` as the escape.
// Mirrors: fluxcd/pkg/envsubst, parse/parse.go, parse/scan.go, funcs.go, v1.9.

import { GoError } from '../../go/value.ts';
import { matchesPattern } from './members.ts';

/** Returns the value of a variable, or "" if it is not set. `hasDefault` is true if the text specifies a default. */
export type Variables = (name: string, hasDefault: boolean) => string;

/** Replaces the variables of a text. Throws GoError with Flux's message. */
export function substitute(text: string, variables: Variables): string {
  return new Substitution(text, variables).run();
}

class Substitution {
  readonly #text: string;
  readonly #variables: Variables;
  #at = 0;

  constructor(text: string, variables: Variables) {
    this.#text = text;
    this.#variables = variables;
  }

  run(): string {
    let out = '';
    while (this.#at < this.#text.length) {
      const next = this.#text.indexOf('$', this.#at);
      if (next < 0) return out + this.#text.slice(this.#at);
      out += this.#text.slice(this.#at, next);
      this.#at = next + 1;
      const following = this.#text[this.#at];
      if (following === '{') {
        this.#at++;
        out += this.#expression();
      } else {
        out += '$';
        if (following === '$') this.#at++;
      }
    }
    return out;
  }

  // Parses the rest after `${`, including the `}`.
  #expression(): string {
    if (this.#text[this.#at] === '#') {
      this.#at++;
      const length = new TextEncoder().encode(this.#variables(this.#name(), false)).length;
      this.#close();
      return String(length);
    }
    const name = this.#name();
    if (name === '') throw new GoError('unable to parse variable name');
    const operator = this.#operator();
    const isDefault = /^:?[-=?+]$/.test(operator);
    const value = this.#variables(name, isDefault);
    if (operator === '') {
      if (this.#text[this.#at] !== '}') throw new GoError('missing closing brace');
      this.#at++;
      return value;
    }
    const result = isDefault ? this.#orDefault(value) : this.#apply(operator, value);
    this.#close();
    return result;
  }

  #orDefault(value: string): string {
    let fallback = '';
    while (this.#at < this.#text.length && this.#text[this.#at] !== '}') fallback += this.#parameter(/[}]/);
    return value === '' ? fallback : value;
  }

  #apply(operator: string, value: string): string {
    if (operator === ':') return this.#substring(value);
    if (/^[,^]/.test(operator)) return changeCase(operator, value);
    if (operator.startsWith('/')) return this.#replace(operator, value);
    return trim(operator, value, this.#parameter(/[}]/));
  }

  #substring(value: string): string {
    const start = this.#parameter(/[:}]/);
    if (this.#text[this.#at] !== ':') return substringOf(value, start, undefined);
    while (this.#text[this.#at] === ':') this.#at++;
    return substringOf(value, start, this.#parameter(/[}]/));
  }

  #replace(operator: string, value: string): string {
    const pattern = this.#parameter(/[/]/, true);
    if (this.#text[this.#at] !== '/') throw new GoError('bad substitution');
    while (this.#text[this.#at] === '/') this.#at++;
    const isBare = this.#text[this.#at] === '}';
    const by = isBare ? '' : this.#parameter(/[}]/, true);
    if (operator === '//') return value.replaceAll(pattern, () => by);
    if (operator === '/') return value.replace(pattern, () => by);
    if (isBare) return value;
    if (operator === '/#') return value.startsWith(pattern) ? by + value.slice(pattern.length) : value;
    return value.endsWith(pattern) ? value.slice(0, value.length - pattern.length) + by : value;
  }

  // Parses a text up to a closing character, or one nested variable.
  #parameter(end: RegExp, hasEscapes = false): string {
    if (this.#text.startsWith('${', this.#at)) {
      this.#at += 2;
      return this.#expression();
    }
    let out = '';
    for (; this.#at < this.#text.length; this.#at++) {
      const rest = this.#text.slice(this.#at, this.#at + 2);
      if (rest === '${') break;
      if (hasEscapes && (rest === '$$' || rest === '\\/' || rest === '\\\\')) this.#at++;
      else if (end.test(rest[0] ?? '')) break;
      out += this.#text[this.#at];
    }
    return out;
  }

  #name(): string {
    const start = this.#at;
    while (/[\p{L}\p{Nd}_]/u.test(this.#text[this.#at] ?? '')) this.#at++;
    return this.#text.slice(start, this.#at);
  }

  #operator(): string {
    const [operator = ''] =
      /^(?::[-=?+]|:|=|,,?|\^\^?|\/[/#%]?|##?|%%?)/.exec(this.#text.slice(this.#at, this.#at + 2)) ?? [];
    this.#at += operator.length;
    return operator;
  }

  #close(): void {
    if (this.#text[this.#at] !== '}') throw new GoError('bad substitution');
    this.#at++;
  }
}

function changeCase(operator: string, value: string): string {
  const change = (text: string): string => (operator.startsWith(',') ? text.toLowerCase() : text.toUpperCase());
  if (operator.length === 2) return change(value);
  const [first = ''] = value;
  return change(first) + value.slice(first.length);
}

function substringOf(value: string, start: string, length: string | undefined): string {
  if (!/^[-+]?\d+$/.test(start) || (length !== undefined && !/^[-+]?\d+$/.test(length))) return value;
  const from = Number(start) < 0 ? Math.max(0, value.length + Number(start)) : Number(start);
  if (length === undefined) return value.slice(from);
  const end = Number(length) < 0 ? value.length + Number(length) : from + Number(length);
  return end < from ? '' : value.slice(from, end);
}

// `#` and `%` remove the shortest match, doubled the longest.
function trim(operator: string, value: string, pattern: string): string {
  const sizes = [...value].map((_, index) => index + 1);
  if (operator.length === 2) sizes.reverse();
  for (const size of sizes) {
    const isPrefix = operator.startsWith('#');
    const part = isPrefix ? value.slice(0, size) : value.slice(value.length - size);
    if (matchesPattern(pattern, part)) return isPrefix ? value.slice(size) : value.slice(0, value.length - size);
  }
  return value;
}
