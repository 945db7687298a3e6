// Which part chance has in a rendering: whether templates drew random bytes, what they looked up, and the same world with
// other dice, for a second rendering.

import { type Host, seededHost } from './host.ts';

/** A host that remembers what was asked of it. */
export interface WatchedHost {
  readonly host: Host;
  /** Whether anything random was drawn. */
  readonly hasDrawn: () => boolean;
  /** What templates looked up, as `apiVersion kind namespace name`. */
  readonly lookups: ReadonlySet<string>;
}

/** Gives a host that answers as another one does, and remembers what it was asked. */
export function watchHost(host: Host): WatchedHost {
  let hasDrawn = false;
  const lookups = new Set<string>();
  const { randomPrime } = host;
  const watched: Host = {
    now: () => host.now(),
    // Asked for late, as in the host itself.
    get timeZone() {
      return host.timeZone;
    },
    ...(host.timeZoneName === undefined ? {} : { timeZoneName: host.timeZoneName }),
    randomBytes: (length) => {
      hasDrawn = true;
      return host.randomBytes(length);
    },
    lookup: (...words) => {
      lookups.add(words.join(' '));
      return host.lookup(...words);
    },
    ...(randomPrime === undefined
      ? {}
      : {
          randomPrime: (bits: number) => {
            hasDrawn = true;
            return randomPrime.call(host, bits);
          },
        }),
  };
  return { host: watched, hasDrawn: () => hasDrawn, lookups };
}

/** Gives the same world with other dice. */
export function otherChance(host: Host): Host {
  const { randomBytes } = seededHost({ seed: 'once more' });
  return { ...watchHost(host).host, randomBytes };
}
