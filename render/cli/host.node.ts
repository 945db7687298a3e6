// The real world as a command sees it: the zone of the environment, and Node's own key generator.

import { generateKeyPairSync } from 'node:crypto';
import { type Host, realHost } from '../host.ts';
import type { CliIo } from './io.ts';

/** Gives the host of a command. RSA keys come from Node, which is many times faster than JavaScript. */
export function commandHost(io: Pick<CliIo, 'env'>): Host {
  const host = realHost();
  return {
    ...host,
    ...(io.env.TZ ? { timeZone: io.env.TZ, timeZoneName: io.env.TZ } : {}),
    generateRsaKey: (bits) =>
      new Uint8Array(
        generateKeyPairSync('rsa', {
          modulusLength: bits,
          publicKeyEncoding: { type: 'spki', format: 'der' },
          privateKeyEncoding: { type: 'pkcs8', format: 'der' },
        }).privateKey,
      ),
  };
}
