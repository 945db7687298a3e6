// URLs parsed and formatted like Go's; the platform's URL class normalizes its input.
// Mirrors: Go, net/url, url.go, 1.23.

import { prefixGoError } from '../core/catch.ts';
import { quote } from './number.ts';
import { encodeUtf8, joinBytes, sliceBytes } from './utf8.ts';
import { GoError } from './value.ts';

/** The user part of a URL; `password` is undefined if there is no colon. */
export interface UserInfo {
  readonly name: string;
  readonly password?: string;
}

/** A parsed URL. `path` and `fragment` are decoded, `opaque` and `query` are as written. */
export interface Url {
  readonly scheme: string;
  readonly opaque: string;
  readonly user?: UserInfo;
  readonly host: string;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
}

/** The parts of a URL with their own sets of unescaped characters. */
type Part = 'path' | 'segment' | 'host' | 'zone' | 'user' | 'query' | 'fragment';

// The unescaped characters of that part.
const escaped: Readonly<Record<Part, RegExp>> = {
  path: /[^A-Za-z0-9\-_.~$&+,/:;=@]/gu,
  segment: /[^A-Za-z0-9\-_.~$&+:=@]/gu,
  host: /[^A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]/gu,
  zone: /[^A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]/gu,
  user: /[^A-Za-z0-9\-_.~$&+,;=]/gu,
  query: /[^A-Za-z0-9\-_.~]/gu,
  fragment: /[^A-Za-z0-9\-_.~$&+,/:;=?@!()*]/gu,
};

/**
 * Parses a URL. Throws `GoError` with Go's message, `parse "…": …`.
 * Mirrors: `Parse`.
 */
export function parseGoUrl(text: string): Url {
  const [whole, fragment] = cut(text, '#');
  const url = orParseError(whole, () => parseWhole(whole));
  return { ...url, fragment: orParseError(text, () => unescapePart(fragment, 'fragment')) };
}

/** Parses a URL, or the path of a request; a `#` does not start a fragment. Throws GoError. Mirrors: `ParseRequestURI`. */
export function parseRequestUri(text: string): Url {
  return orParseError(text, () => {
    if (text === '') throw new GoError('empty url');
    const url = parseWhole(text);
    if (url.scheme === '' && !text.startsWith('/') && text !== '*') throw new GoError('invalid URI for request');
    return url;
  });
}

function orParseError<T>(text: string, parse: () => T): T {
  return prefixGoError(`parse ${quote(text)}`, parse);
}

function cut(text: string, separator: string): [before: string, after: string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}

function parseWhole(text: string): Url {
  if (/[\x00-\x1f\x7f]/.test(text)) throw new GoError('net/url: invalid control character in URL');
  if (text.startsWith(':')) throw new GoError('missing protocol scheme');
  const scheme = /^[a-zA-Z][a-zA-Z0-9+.-]*(?=:)/.exec(text)?.[0] ?? '';
  const [beforeQuery, query] = cut(scheme === '' ? text : text.slice(scheme.length + 1), '?');
  const url: Url = { scheme: scheme.toLowerCase(), opaque: '', host: '', path: '', query, fragment: '' };
  let rest = beforeQuery;
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...url, opaque: rest };
    if (cut(rest, '/')[0].includes(':')) throw new GoError('first path segment in URL cannot contain colon');
  }
  let authority: Pick<Url, 'host' | 'user'> = { host: '' };
  if (rest.startsWith('//') && (scheme !== '' || !rest.startsWith('///'))) {
    const slash = rest.indexOf('/', 2);
    const end = slash < 0 ? rest.length : slash;
    authority = parseAuthority(rest.slice(2, end));
    rest = rest.slice(end);
  }
  return { ...url, ...authority, path: unescapePart(rest, 'path') };
}

function parseAuthority(text: string): Pick<Url, 'host' | 'user'> {
  const at = text.lastIndexOf('@');
  const host = parseHost(text.slice(at + 1));
  if (at < 0) return { host };
  const info = text.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(info)) throw new GoError('net/url: invalid userinfo');
  const [name, password] = cut(info, ':').map((part) => unescapePart(part, 'user')) as [string, string];
  return { host, user: info.includes(':') ? { name, password } : { name } };
}

function parseHost(text: string): string {
  const isLiteral = text.startsWith('[');
  const close = text.lastIndexOf(']');
  if (isLiteral && close < 0) throw new GoError("missing ']' in host");
  const colon = text.lastIndexOf(':');
  const port = isLiteral ? text.slice(close + 1) : colon < 0 ? '' : text.slice(colon);
  if (!/^(?::[0-9]*)?$/.test(port)) throw new GoError(`invalid port ${quote(port)} after host`);
  const zone = isLiteral ? text.slice(0, close).indexOf('%25') : -1;
  if (zone < 0) return unescapePart(text, 'host');
  return (
    unescapePart(text.slice(0, zone), 'host') +
    unescapePart(text.slice(zone, close), 'zone') +
    unescapePart(text.slice(close), 'host')
  );
}

function unescapePart(text: string, part: Part): string {
  const isHost = part === 'host' || part === 'zone';
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (char === '%') {
      const sequence = text.slice(at, at + 3);
      if (!/^%[0-9a-fA-F]{2}$/.test(sequence) || (isHost && !isAllowedInHost(sequence, part)))
        throw badEscape(text, at);
      at += 2;
    } else if (isHost && char < '\x80' && mustEscape(char, part)) {
      throw new GoError(`invalid character ${quote(char)} in host name`);
    }
  }
  if (!text.includes('%')) return text;
  return joinBytes([text.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) => byteText(Number.parseInt(hex, 16)))]);
}

// A host can escape non-ASCII characters and percent signs; a zone also unescaped characters and spaces.
function isAllowedInHost(sequence: string, part: Part): boolean {
  if (sequence === '%25') return true;
  const code = Number.parseInt(sequence.slice(1), 16);
  if (part === 'host') return code >= 0x80;
  return code === 0x20 || (code < 0x80 && !mustEscape(String.fromCharCode(code), 'host'));
}

function mustEscape(char: string, part: Part): boolean {
  return char.search(escaped[part]) === 0;
}

function badEscape(text: string, at: number): GoError {
  const rest = text.slice(at);
  return new GoError(`invalid URL escape ${quote(sliceBytes(rest, 0, 3))}`);
}

/** A byte in our strings: a non-ASCII byte may be part of a character. */
function byteText(byte: number): string {
  return String.fromCharCode(byte < 0x80 ? byte : 0xdc00 + byte);
}

function escapePart(text: string, part: Part): string {
  return text.replace(escaped[part], (char) => {
    const bytes = Array.from(encodeUtf8(char), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`);
    return bytes.join('');
  });
}

/**
 * Formats a URL with escaping.
 * Mirrors: `URL.String`, for a URL without raw path and fragment.
 */
export function formatUrl(url: Url): string {
  const { scheme, opaque, user, host, path, query, fragment } = url;
  let text = scheme === '' ? '' : `${scheme}:`;
  if (opaque !== '') text += opaque;
  else {
    if (host !== '' || user !== undefined || (scheme !== '' && path !== '')) text += '//';
    if (user !== undefined) text += `${formatUserInfo(user)}@`;
    text += escapePart(host, 'host');
    const escapedPath = path === '*' ? path : escapePart(path, 'path');
    if (escapedPath !== '' && !escapedPath.startsWith('/') && host !== '') text += '/';
    // Otherwise the first segment would be read as a scheme.
    if (text === '' && cut(escapedPath, '/')[0].includes(':')) text += './';
    text += escapedPath;
  }
  if (query !== '') text += `?${query}`;
  return fragment === '' ? text : `${text}#${escapePart(fragment, 'fragment')}`;
}

/**
 * Escapes a path segment.
 * Mirrors: `PathEscape`.
 */
export function pathEscape(text: string): string {
  return escapePart(text, 'segment');
}

/** Escapes a part of a query. Mirrors: `QueryEscape`. */
export function queryEscape(text: string): string {
  return escapePart(text, 'query').replaceAll('%20', '+');
}

/**
 * Unescapes a path segment. Throws `GoError` with Go's message.
 * Mirrors: `PathUnescape`.
 */
export function pathUnescape(text: string): string {
  return unescapePart(text, 'segment');
}

/** Returns `name:password`, escaped. Mirrors: `Userinfo.String`. */
export function formatUserInfo({ name, password }: UserInfo): string {
  return escapePart(name, 'user') + (password === undefined ? '' : `:${escapePart(password, 'user')}`);
}

/** Returns the host without its port, and without the brackets of IPv6. Mirrors: `URL.Hostname`. */
export function hostName(host: string): string {
  const name = host.replace(/:[0-9]*$/, '');
  return name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name;
}

/**
 * Resolves a reference against `base`.
 * Mirrors: `URL.ResolveReference`.
 */
export function resolveReference(base: Url, reference: Url): Url {
  const isAbsolute = reference.scheme !== '';
  if (isAbsolute || reference.host !== '' || reference.user !== undefined) {
    return { ...reference, scheme: reference.scheme || base.scheme, path: resolvePath(reference.path, '') };
  }
  const { fragment } = reference;
  if (reference.path === '') {
    const isSame = reference.query === '';
    return {
      ...base,
      path: base.opaque === '' ? resolvePath(base.path, '') : '',
      query: isSame ? base.query : reference.query,
      fragment: isSame ? fragment || base.fragment : fragment,
    };
  }
  return { ...base, opaque: '', path: resolvePath(base.path, reference.path), query: reference.query, fragment };
}

// Mirrors: `resolvePath`.
function resolvePath(base: string, path: string): string {
  const full = path === '' ? base : path.startsWith('/') ? path : base.slice(0, base.lastIndexOf('/') + 1) + path;
  if (full === '') return '';
  const kept: string[] = [];
  const parts = full.split('/');
  for (const part of parts) {
    if (part === '..') kept.pop();
    else if (part !== '.') kept.push(part);
  }
  if (/^\.\.?$/.test(parts[parts.length - 1]!)) kept.push('');
  return `/${kept.join('/').replace(/^\//, '')}`;
}
