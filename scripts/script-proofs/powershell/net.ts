// The types of .NET that our scripts use: their static members, what their objects have, and how objects are made.

import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { gunzipSync, gzipSync } from 'node:zlib';
import { collected, itemsOf, NetObject, numberOf, PowerShellError, regexOf, textOf } from './values.ts';

/** What the types may ask of the script that runs. */
export interface Surroundings {
  readonly env: Record<string, string | undefined>;
  /** What the script made of [Console]::OutputEncoding; undefined for the code page of Windows. */
  consoleEncoding: unknown;
  write(stream: 1 | 2, text: string): void;
}

type Method = (...values: readonly unknown[]) => unknown;

function instant(milliseconds: number): NetObject {
  const iso = new Date(milliseconds).toISOString();
  return new NetObject('DateTime', { ticks: milliseconds, tostring: () => `${iso.slice(0, 19)}Z` });
}

/** The encoding of `UTF8Encoding`. */
export const utf8 = new NetObject('Encoding', {
  getbytes: (text: unknown) => [...Buffer.from(textOf(text), 'utf8')],
  getstring: (bytes: unknown) => Buffer.from(bytes as number[]).toString('utf8'),
});

/** Gives a static member of a type, both in lower case; a method is a function. */
export function staticMember(type: string, name: string, shell: Surroundings): unknown {
  const { env } = shell;
  const writer = (stream: 1 | 2): NetObject =>
    new NetObject('TextWriter', { writeline: (text: unknown) => shell.write(stream, `${textOf(text)}\n`) });
  const members: Readonly<Record<string, () => unknown>> = {
    'console.error': () => writer(2),
    'console.out': () => writer(1),
    'console.outputencoding': () => shell.consoleEncoding ?? null,
    'console.isinputredirected': () => true,
    'convert.frombase64string': () => (text: unknown) => [...Buffer.from(textOf(text), 'base64')],
    'convert.tobase64string': () => (bytes: unknown) => Buffer.from(bytes as number[]).toString('base64'),
    'datetime.utcnow': () => instant(Date.now()),
    'environment.getenvironmentvariable': () => (variable: unknown) => env[textOf(variable)] ?? null,
    'environment.setenvironmentvariable': () => (variable: unknown, value: unknown) => {
      env[textOf(variable)] = textOf(value);
    },
    'environment.userinteractive': () => false,
    'guid.newguid': () => () => new NetObject('Guid', { tostring: () => randomUUID() }),
    'io.compression.compressionmode.compress': () => 'Compress',
    'io.compression.compressionmode.decompress': () => 'Decompress',
    'io.file.writealltext': () => (path: unknown, text: unknown) => writeFileSync(textOf(path), textOf(text)),
    'io.path.gettemppath': () => () => `${tmpdir()}/`,
    'math.floor': () => (value: unknown) => Math.floor(numberOf(value)),
    'regex.split': () => (text: unknown, pattern: unknown) => textOf(text).split(regexOf(textOf(pattern), false)),
    'text.encoding.utf8': () => utf8,
  };
  const member = members[`${type.toLowerCase().replace(/^system\./, '')}.${name.toLowerCase()}`];
  if (member === undefined) throw new PowerShellError(`[${type}]::${name} is not known here`);
  return member();
}

/** Makes an object, as `New-Object` does. */
export function newObject(type: string, args: readonly unknown[]): NetObject {
  const name = type.toLowerCase().replace(/^system\./, '');
  if (name === 'text.utf8encoding') return utf8;
  if (name === 'net.networkcredential') return new NetObject('NetworkCredential', { password: textOf(args[1]) });
  if (name === 'io.memorystream') return memoryStream(args.length === 0 ? [] : (args[0] as number[]));
  if (name === 'io.compression.gzipstream') return gzipStream(args[0] as NetObject, textOf(args[1]));
  if (name === 'io.streamreader') {
    const read = (args[0] as NetObject).members.bytes as () => Buffer;
    return new NetObject('StreamReader', { readtoend: () => read().toString('utf8') });
  }
  throw new PowerShellError(`New-Object ${type} is not known here`);
}

function memoryStream(start: readonly number[]): NetObject {
  let content: Buffer = Buffer.from(start);
  return new NetObject('MemoryStream', {
    bytes: () => content,
    fill: (bytes: Buffer) => {
      content = bytes;
    },
    toarray: () => [...content],
  });
}

function gzipStream(target: NetObject, mode: string): NetObject {
  const { bytes, fill } = target.members as { bytes: () => Buffer; fill: (bytes: Buffer) => void };
  const parts: Buffer[] = [];
  return new NetObject('GZipStream', {
    bytes: () => gunzipSync(bytes()),
    write: (data: unknown, from: unknown, count: unknown) => {
      parts.push(Buffer.from((data as number[]).slice(numberOf(from), numberOf(from) + numberOf(count))));
    },
    // Only then is the end of the stream written.
    dispose: () => {
      if (mode === 'Compress') fill(gzipSync(Buffer.concat(parts)));
    },
  });
}

const textMethods: Readonly<Record<string, (text: string) => Method>> = {
  trim: (text) => () => text.trim(),
  tolowerinvariant: (text) => () => text.toLowerCase(),
  substring: (text) => (from, count) => {
    const start = numberOf(from);
    const end = count === undefined ? text.length : start + numberOf(count);
    if (start < 0 || end > text.length) throw new PowerShellError('startIndex or length is out of range');
    return text.slice(start, end);
  },
  replace: (text) => (from, to) => text.replaceAll(textOf(from), () => textOf(to)),
  lastindexof: (text) => (part) => text.lastIndexOf(textOf(part)),
};

/** Gives a member of a value; a method is a function. Throws for what it does not have, as strict mode does. */
export function memberOf(value: unknown, name: string): unknown {
  const key = name.toLowerCase();
  if (value instanceof NetObject && Object.hasOwn(value.members, key)) return value.members[key];
  if (value instanceof NetObject && key === 'tostring') return () => textOf(value);
  if (value instanceof Map && value.has(key)) return value.get(key);
  if ((Array.isArray(value) || value instanceof Map) && (key === 'count' || key === 'length')) {
    return Array.isArray(value) ? value.length : value.size;
  }
  if (typeof value === 'string' && key === 'length') return value.length;
  if (typeof value === 'string' && Object.hasOwn(textMethods, key)) return textMethods[key]?.(value);
  if (Array.isArray(value)) {
    const found = value.map((item) => memberOf(item, name));
    return collected(found);
  }
  throw new PowerShellError(`the property '${name}' cannot be found on ${JSON.stringify(textOf(value))}`);
}

/** Gives the item of a list at an index, or those at several. Throws for one that is not there, as strict mode does. */
export function itemAt(value: unknown, index: unknown): unknown {
  if (value instanceof Map) return value.get(textOf(index).toLowerCase());
  const list = typeof value === 'string' ? [...value] : value;
  if (!Array.isArray(list)) throw new PowerShellError('cannot index into what is no list');
  if (Array.isArray(index))
    return itemsOf(index).flatMap((one) => (numberOf(one) < list.length ? [list.at(numberOf(one))] : []));
  const at = numberOf(index);
  if (at >= list.length || at < -list.length)
    throw new PowerShellError(`index ${at} is outside the bounds of the list`);
  return list.at(at);
}
