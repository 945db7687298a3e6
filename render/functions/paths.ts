// Path and URL functions: base, dir, clean, ext, isAbs, their `os` variants, urlParse, urlJoin.
// Mirrors: sprig, functions.go and url.go, v3.3.0.

import { prefixGoError } from '../core/catch.ts';
import { base, clean, dir, ext, isAbs } from '../go/path.ts';
import { formatUrl, formatUserInfo, hostName, parseGoUrl, type Url } from '../go/url.ts';
import { type FuncMap, func, GoError, type GoFunc, type GoMap, type GoValue, kindOf } from '../go/value.ts';

// On Linux, the reference platform, system paths use slashes.
const onPaths: readonly [name: string, osName: string, fn: GoFunc][] = [
  ['base', 'osBase', func(['string'], base)],
  ['dir', 'osDir', func(['string'], dir)],
  ['clean', 'osClean', func(['string'], clean)],
  ['ext', 'osExt', func(['string'], ext)],
  ['isAbs', 'osIsAbs', func(['string'], isAbs)],
];

export const pathFuncs: FuncMap = new Map<string, GoFunc>([
  ...onPaths.map(([name, , fn]) => [name, fn] as const),
  ...onPaths.map(([, osName, fn]) => [osName, fn] as const),
  ['urlParse', func(['string'], urlParse)],
  ['urlJoin', func(['map[string]interface {}'], urlJoin)],
]);

function urlParse(text: string): GoMap {
  const url = prefixGoError('unable to parse url', () => parseGoUrl(text));
  return new Map<string, GoValue>([
    ['scheme', url.scheme],
    ['host', url.host],
    ['hostname', hostName(url.host)],
    ['path', url.path],
    ['query', url.query],
    ['opaque', url.opaque],
    ['fragment', url.fragment],
    ['userinfo', url.user === undefined ? '' : formatUserInfo(url.user)],
  ]);
}

function urlJoin(parts: GoMap | null): string {
  const text = (key: string): string => textAt(parts, key);
  const url: Url = {
    scheme: text('scheme'),
    host: text('host'),
    path: text('path'),
    query: text('query'),
    opaque: text('opaque'),
    fragment: text('fragment'),
  };
  const userinfo = text('userinfo');
  if (userinfo === '') return formatUrl(url);
  const { user } = prefixGoError('unable to parse userinfo in dict', () => parseGoUrl(`proto://${userinfo}@host`));
  return formatUrl(user === undefined ? url : { ...url, user });
}

function textAt(parts: GoMap | null, key: string): string {
  const value = parts?.get(key);
  if (value === undefined) return '';
  if (typeof value === 'string') return value;
  if (value === null) throw new GoError('runtime error: invalid memory address or nil pointer dereference');
  throw new GoError(`unable to parse ${key} key, must be of type string, but ${kindOf(value)} found`);
}
