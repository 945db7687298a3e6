// Flux's variable substitution: `${NAME}`, defaults, letter case, substrings and replacements, with `$${` as the escape.
// Mirrors: fluxcd/pkg/envsubst, parse/parse.go, parse/scan.go, funcs.go, v1.9.

import { encodeUtf8 } from '../../go/utf8.ts';
import { GoError } from '../../go/value.ts';
import { matchesPattern } from './members.ts';

/** Returns the value of a variable, or "" if it is not set. `hasDefault` is true if the text specifies a default. */
export type Variables = (name: string, hasDefault: boolean) => string;

/** Replaces the variables of a text. Throws GoError with Flux's message. */
export function substitute(text: string, variables: Variables): string {
  let at = 0;
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const [found = ''] = pattern.exec(text) ?? [];
    at += found.length;
    return found;
  };
  const close = (message: string): void => {
    if (take(/\}/y) === '') throw new GoError(message);
  };
  // One nested variable, or the text up to a closing character.
  const parameter = (pattern: RegExp, read = (found: string): string => found): string =>
    take(/\$\{/y) === '' ? read(take(pattern)) : expression();
  const replacement = (value: string, operator: string): string => {
    const pattern = parameter(/(?:\$\$|\\[/\\]|(?!\$\{)[^/])*/y, unescaped);
    if (take(/\/+/y) === '') throw new GoError('bad substitution');
    const isBare = text[at] === '}';
    const by = parameter(/(?:\$\$|\\[/\\]|(?!\$\{)[^}])*/y, unescaped);
    if (operator === '//') return value.replaceAll(pattern, () => by);
    if (operator === '/') return value.replace(pattern, () => by);
    if (isBare) return value;
    if (operator === '/#') return value.startsWith(pattern) ? by + value.slice(pattern.length) : value;
    return value.endsWith(pattern) ? value.slice(0, value.length - pattern.length) + by : value;
  };
  const apply = (value: string, operator: string): string => {
    if (/^[,^]/.test(operator)) return changeCase(operator, value);
    if (operator.startsWith('/')) return replacement(value, operator);
    if (operator !== ':') return trim(operator, value, parameter(toBrace));
    const start = parameter(/(?:(?!\$\{)[^:}])*/y);
    return substringOf(value, start, take(/:+/y) === '' ? undefined : parameter(toBrace));
  };
  const orDefault = (value: string): string => {
    let fallback = '';
    while (at < text.length && text[at] !== '}') fallback += parameter(toBrace);
    return value === '' ? fallback : value;
  };
  // The rest after `${`, including the `}`.
  const expression = (): string => {
    const isLength = take(/#/y) !== '';
    const name = take(/[\p{L}\p{Nd}_]*/uy);
    if (name === '' && !isLength) throw new GoError('unable to parse variable name');
    const operator = isLength ? '' : take(/:[-=?+]|:|=|,,?|\^\^?|\/[/#%]?|##?|%%?/y);
    const isDefault = /^:?[-=?+]$/.test(operator);
    const value = variables(name, isDefault);
    const isPlain = operator === '' && !isLength;
    const result = isPlain || isLength ? value : isDefault ? orDefault(value) : apply(value, operator);
    close(isPlain ? 'missing closing brace' : 'bad substitution');
    return isLength ? String(encodeUtf8(result).length) : result;
  };
  let out = '';
  while (at < text.length) {
    out += take(/[^$]*/y);
    if (take(/\$\{/y) !== '') out += expression();
    else if (take(/\$\$?/y) !== '') out += '$';
  }
  return out;
}

const toBrace = /(?:(?!\$\{)[^}])*/y;

function unescaped(text: string): string {
  return text.replace(/\$\$|\\[/\\]/g, (pair) => pair.slice(1));
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
