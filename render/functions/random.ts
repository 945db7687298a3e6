// The random functions of sprig. Every byte comes from the host, so a seeded host makes them reproducible.
// Mirrors: Masterminds/sprig, strings.go, functions.go and crypto.go, v3.3.0; huandu/xstrings, convert.go, `Shuffle`.

import { RenderError } from '../core/errors.ts';
import type { Host } from '../core/host.ts';
import { encodeBase64 } from '../go/base64.ts';
import { toValidUtf8 } from '../go/utf8.ts';
import { type FuncMap, func, GoError, int } from '../go/value.ts';

const digits = '0123456789';
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const printableAscii = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join('');

/** Returns the random functions, which use the host's random bytes. */
export function createRandomFuncs(host: Host): FuncMap {
  const text = (alphabet: string) => func(['int'], (count) => randomText(host, alphabet, count));
  return new Map([
    ['randAlphaNum', text(digits + letters)],
    ['randAlpha', text(letters)],
    ['randNumeric', text(digits)],
    ['randAscii', text(printableAscii)],
    ['randInt', func(['int', 'int'], (low, high) => int(low + randomInt(host, high - low)))],
    ['randBytes', func(['int'], (count) => randomBase64(host, count))],
    ['shuffle', func(['string'], (value) => shuffle(host, value))],
    ['uuidv4', func([], () => randomUuid(host))],
  ]);
}

function randomText(host: Host, alphabet: string, count: number): string {
  let result = '';
  for (let i = 0; i < count; i++) result += alphabet.charAt(randomBelow(host, alphabet.length));
  return result;
}

function randomInt(host: Host, count: number): number {
  if (count <= 0) throw new GoError('invalid argument to Intn');
  return randomBelow(host, count);
}

// Draws until the number is below the limit, so that all numbers are equally likely.
function randomBelow(host: Host, limit: number): number {
  const bits = Math.ceil(Math.log2(limit));
  const bytes = Math.ceil(bits / 8);
  return drawUntil('randomBytes', () => {
    let drawn = 0;
    for (const byte of host.randomBytes(bytes)) drawn = drawn * 256 + byte;
    const number = drawn % 2 ** bits;
    return number < limit ? number : undefined;
  });
}

function randomBase64(host: Host, count: number): string {
  if (count < 0) throw new GoError('runtime error: makeslice: len out of range');
  return encodeBase64(host.randomBytes(count));
}

function shuffle(host: Host, text: string): string {
  const chars = Array.from(toValidUtf8(text));
  for (let i = chars.length - 1; i > 0; i--) {
    const other = randomBelow(host, i + 1);
    [chars[i], chars[other]] = [chars[other]!, chars[i]!];
  }
  return chars.join('');
}

function randomUuid(host: Host): string {
  const bytes = host.randomBytes(16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

// At least half of all draws fit, so this many misses in a row do not happen with a random host.
const usualDraws = 256;

/**
 * Returns the first draw that fits; `draw` returns undefined for one that does not. `source` is the name of the host's function, `most` the
 * maximum number of draws. Throws ARGUMENT_INVALID.
 */
export function drawUntil<T>(source: keyof Host, draw: () => T | undefined, most = usualDraws): T {
  for (let i = 0; i < most; i++) {
    const drawn = draw();
    if (drawn !== undefined) return drawn;
  }
  throw new RenderError('ARGUMENT_INVALID', `options.host.${source} returned no suitable value in ${most} draws`, {
    hint: 'give something else at each call, as realHost() and seededHost() do',
  });
}
