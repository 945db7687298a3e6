// Credentials of the messaging system (NATS): an operator signs accounts, accounts sign users, all from one seed.
// Mirrors: nats-io/jwt, claims of version 2, and the decorated credentials file of nsc.

import { fromSeed, type KeyPair, Prefix } from '@nats-io/nkeys';
import { base32 } from '@nats-io/nkeys/lib/base32.js';
import { Codec } from '@nats-io/nkeys/lib/codec.js';
import { sha512_256 } from '@noble/hashes/sha2.js';
import { encodeBase64Url } from './base64.ts';
import { deriveBytes } from './derive.ts';

/** Names the accounts: they do not depend on who is seeded, so one server configuration fits every set of fixtures. */
export type NatsAccount = 'members' | 'admin' | 'system';

const accounts: readonly NatsAccount[] = ['members', 'admin', 'system'];

// 2024-01-01T00:00:00Z in seconds: the tokens are the same in every run, and never expire.
const issuedAt = 1704067200;

const unlimited = { subs: -1, data: -1, payload: -1 };

/** Gives the credentials file of a user, as text: the signed token and the seed of its key. */
export function natsCredentials(seed: string, account: NatsAccount, user: string): string {
  const issuer = pair(seed, Prefix.Account, account);
  const key = pair(seed, Prefix.User, `${account}/${user}`);
  const token = signClaims(issuer, key, user, { pub: {}, sub: {}, ...unlimited, type: 'user', version: 2 });
  return [
    '-----BEGIN NATS USER JWT-----',
    token,
    '------END NATS USER JWT------',
    '',
    '************************* IMPORTANT *************************',
    'NKEY Seed printed below can be used to sign and prove identity.',
    'NKEYs are sensitive and should be treated as secrets.',
    '',
    '-----BEGIN USER NKEY SEED-----',
    new TextDecoder().decode(key.getSeed()),
    '------END USER NKEY SEED------',
    '',
    '*************************************************************',
    '',
  ].join('\n');
}

/** Gives the configuration with which a nats-server accepts the credentials made from the same seed. */
export function natsServerConfig(seed: string, listen: string): string {
  const operator = pair(seed, Prefix.Operator, 'operator');
  const system = pair(seed, Prefix.Account, 'system').getPublicKey();
  const signed = signClaims(operator, operator, 'drydock', { system_account: system, type: 'operator', version: 2 });
  const preload = accounts.map((name) => {
    const account = pair(seed, Prefix.Account, name);
    return `  ${account.getPublicKey()}: ${signClaims(operator, account, name, accountClaims)}`;
  });
  return [
    `# Accepts the messaging credentials of a drydock emulator with the seed ${JSON.stringify(seed)}.`,
    `listen: ${JSON.stringify(listen)}`,
    `operator: ${signed}`,
    `system_account: ${system}`,
    'resolver: MEMORY',
    'resolver_preload: {',
    ...preload,
    '}',
    '',
  ].join('\n');
}

const accountClaims = {
  limits: { ...unlimited, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 },
  default_permissions: { pub: {}, sub: {} },
  type: 'account',
  version: 2,
};

function pair(seed: string, prefix: Prefix, name: string): KeyPair {
  return fromSeed(Codec.encodeSeed(prefix, deriveBytes(seed, `nats/${prefix}/${name}`, 32)));
}

function signClaims(issuer: KeyPair, subject: KeyPair, name: string, nats: object): string {
  const claims = { iat: issuedAt, iss: issuer.getPublicKey(), name, sub: subject.getPublicKey(), nats };
  // The token's id is the digest of its claims, as the Go library makes it.
  const digest = sha512_256(new TextEncoder().encode(JSON.stringify(claims)));
  const jti = new TextDecoder().decode(base32.encode(digest));
  const header = encodeBase64Url(JSON.stringify({ typ: 'JWT', alg: 'ed25519-nkey' }));
  const signed = `${header}.${encodeBase64Url(JSON.stringify({ jti, ...claims }))}`;
  return `${signed}.${encodeBase64Url(issuer.sign(new TextEncoder().encode(signed)))}`;
}
