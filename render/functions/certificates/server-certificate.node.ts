// Creates a certificate for a local server, signed by its own authority.

import { realHost } from '../../core/host.ts';
import { type Certificate, createCertificateFuncs } from './certificates.ts';
import { generateEcdsaKey } from './keys.ts';

/** A server's key and certificate and the authority's certificate in PEM. The authority's key is discarded. */
export interface ServerCertificate {
  readonly key: string;
  readonly cert: string;
  readonly ca: string;
}

// Browsers refuse server certificates that are valid for longer.
const days = 397;

/** Creates a certificate for host names and addresses, valid for 397 days from now, signed by an authority with the given name. */
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
