// Writes small archives for tests.

import { gzipSync } from 'node:zlib';
import { encodeUtf8 } from '../../../render/go/utf8.ts';

/** One entry to write; `data` is a text, `type` the letter of the header. */
export interface Entry {
  readonly name: string;
  readonly data?: string | Uint8Array;
  readonly type?: string;
  readonly prefix?: string;
}

/** Returns one header and its padded content. */
export function tarEntry({ name, data = '', type = '0', prefix = '' }: Entry): Uint8Array {
  const content = typeof data === 'string' ? encodeUtf8(data) : data;
  const block = new Uint8Array(512 + Math.ceil(content.length / 512) * 512);
  const put = (text: string, at: number): void => block.set(encodeUtf8(text), at);
  put(name, 0);
  put('0000644\0', 100);
  put(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
  put('        ', 148);
  put(type, 156);
  put('ustar\x0000', 257);
  put(prefix, 345);
  const sum = block.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  put(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  block.set(content, 512);
  return block;
}

/** Returns a whole archive, two empty blocks at its end. */
export function tar(entries: readonly Entry[]): Uint8Array {
  return Buffer.concat([...entries.map(tarEntry), new Uint8Array(1024)]);
}

/** Returns a gzipped archive. */
export function tgz(entries: readonly Entry[]): Uint8Array {
  return gzipSync(tar(entries));
}

/** Returns a PAX record, its own length included. */
export function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  const size = encodeUtf8(rest).length;
  const length = size + String(size + String(size).length).length;
  return `${length}${rest}`;
}
