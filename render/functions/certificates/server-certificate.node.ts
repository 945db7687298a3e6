// A certificate for a server of this machine, signed by an authority made for it alone.

import { realHost } from '../../core/host.ts';
import { type Certificate, createCertificateFuncs } from './certificates.ts';
import { generateEcdsaKey } from './keys.ts';

/** A server's key and certificate and the authority's certificate, each in PEM. The authority's key is kept nowhere. */
export interface ServerCertificate {
  readonly key: string;
  readonly cert: string;
  readonly ca: string;
}

// Browsers take no certificate of a server that is good for longer.
const days = 397;

/** Creates a certificate for these host names and these addresses, good from now on for 397 days, by an authority of this name. */
export function makeServerCertificate(
  authorityName: string,
  names: readonly string[],
  addresses: readonly string[],
): ServerCertificate {
  const host = realHost();
  const functions = createCertificateFuncs(host);
  const make = (name: string, ...values: readonly unknown[]): Certificate =>
    functions.get(name)?.call(...(values as never[])) as unknown as Certificate;
  const authority = make('genCAWithKey', authorityName, days, generateEcdsaKey(host).pem);
  const { pem } = generateEcdsaKey(host);
  const { cert, key } = make('genSignedCertWithKey', names[0] ?? 'localhost', addresses, names, days, authority, pem);
  return { key, cert, ca: authority.cert };
}
