// Primes of the keys that renderings draw, which take as long to find as many charts to render: each is looked for in one thread, and
// the others wait for it.

import { createHash } from 'node:crypto';
import type { FoundPrimes } from '../../../render/chance.ts';

// Two seeds, four primes of each size, and some sizes: what finds no place is looked for by each thread.
const places = 64;
/** The longest prime, in bytes. */
const mostBytes = 512;
/** A state, a length, and the first bytes of the name's digest. */
const headWords = 2;
const nameBytes = 16;
const placeBytes = headWords * 4 + nameBytes + mostBytes;

// A thread that ended meanwhile finds nothing more; a search takes a second.
const patienceMs = 5000;

// The states of a place. It is claimed before its name is written, and named before its prime is looked for.
const free = 0;
const claimed = 1;
const searching = 2;
const done = 3;

/** Gives memory that threads share primes in. */
export function primesBuffer(): SharedArrayBuffer {
  return new SharedArrayBuffer(places * placeBytes);
}

/** Gives the primes that threads with the same memory found. */
export function sharedPrimes(memory: SharedArrayBuffer): FoundPrimes {
  const words = new Int32Array(memory);
  const bytes = new Uint8Array(memory);
  const stateAt = (place: number): number => (place * placeBytes) / 4;
  const nameAt = (place: number): number => place * placeBytes + headWords * 4;
  const own = new Map<string, number>();
  // Waits while a place is in a state; gives whether it left it.
  const leave = (place: number, state: number): boolean => {
    const at = stateAt(place);
    return Atomics.wait(words, at, state, patienceMs) !== 'timed-out';
  };
  const move = (place: number, state: number): void => {
    Atomics.store(words, stateAt(place), state);
    Atomics.notify(words, stateAt(place));
  };
  const read = (place: number): bigint => {
    const length = words[stateAt(place) + 1]!;
    const start = nameAt(place) + nameBytes;
    return BigInt(`0x${Buffer.from(bytes.slice(start, start + length)).toString('hex')}`);
  };
  return {
    get: (name) => {
      const digest = createHash('sha256').update(name).digest().subarray(0, nameBytes);
      for (let place = 0; place < places; place++) {
        if (Atomics.compareExchange(words, stateAt(place), free, claimed) === free) {
          bytes.set(digest, nameAt(place));
          own.set(name, place);
          move(place, searching);
          return undefined;
        }
        if (!leave(place, claimed)) return undefined;
        if (!digest.equals(bytes.slice(nameAt(place), nameAt(place) + nameBytes))) continue;
        return leave(place, searching) ? read(place) : undefined;
      }
      return undefined;
    },
    set: (name, prime) => {
      const place = own.get(name);
      const digits = prime.toString(16);
      const found = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
      if (place === undefined || found.length > mostBytes) return;
      words[stateAt(place) + 1] = found.length;
      bytes.set(found, nameAt(place) + nameBytes);
      move(place, done);
    },
  };
}
