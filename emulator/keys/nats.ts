// Credentials for NATS: an operator signs accounts, accounts sign users, all derived from one seed.
// Mirrors: nats-io/jwt, claims of version 2, and the decorated credentials file of nsc.

import { fromSeed, type KeyPair, Prefix } from '@nats-io/nkeys';
import { base32 } from '@nats-io/nkeys/lib/base32.js';
import { Codec } from '@nats-io/nkeys/lib/codec.js';
import { sha512_256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { encodeBase64Url } from './base64.ts';
import { deriveBytes } from './derive.ts';

/** A NATS user. Each has its own account, so that nobody else receives its messages. */
export interface NatsPerson {
  readonly login: string;
  readonly id: number;
  /** The ids of the person's organizations. */
  readonly organizations: readonly number[];
}

export interface NatsConfigOptions {
  /** Address that the server listens on. Default `127.0.0.1:4222`. */
  readonly listen?: string | undefined;
  /** WebSocket address for pages, which cannot use `nats://`. Default `127.0.0.1:9222`. */
  readonly websocket?: string | undefined;
  /** Folder in which JetStream stores its streams. Default `nats-store`. */
  readonly store?: string | undefined;
}

// 2024-01-01T00:00:00Z in seconds. Tokens are the same in every run and never expire.
const issuedAt = 1704067200;

const unlimited = { subs: -1, data: -1, payload: -1 };

/** Returns the credentials file of a person: the signed token and the seed of its key. */
export function personCredentials(seed: string, person: NatsPerson): string {
  return credentialsFile(seed, personAccount(person), person.login, personPermissions(person));
}

/** Returns the credentials file of the admin, who receives the messages of every person, or of the system user, who queries the server. */
export function staffCredentials(seed: string, account: 'admin' | 'system'): string {
  return credentialsFile(seed, account, account === 'admin' ? 'admin' : 'sys', { pub: {}, sub: {} });
}

/** Returns a nats-server configuration that accepts the credentials made from the same seed for these people. */
export function natsServerConfig(seed: string, people: readonly NatsPerson[], options: NatsConfigOptions): string {
  const { listen = '127.0.0.1:4222', websocket = '127.0.0.1:9222', store = 'nats-store' } = options;
  const operator = pair(seed, Prefix.Operator, 'operator');
  const system = accountKey(seed, 'system');
  const signed = signClaims(operator, operator, 'drydock', { system_account: system, type: 'operator', version: 2 });
  const accounts: readonly (readonly [string, string, object])[] = [
    ['system', 'system', systemSharing],
    ['admin', 'admin', adminSharing(seed, people)],
    ...people.map((person) => [personAccount(person), person.login, personSharing(seed, person)] as const),
  ];
  const preload = accounts.map(([account, name, sharing]) => {
    const key = pair(seed, Prefix.Account, account);
    const storage = account === 'system' ? {} : jetStream;
    return `  ${key.getPublicKey()}: ${signClaims(operator, key, name, accountClaims(storage, sharing))}`;
  });
  return [
    `# Accepts the messaging credentials of a drydock emulator with the seed ${JSON.stringify(seed)}.`,
    `listen: ${JSON.stringify(listen)}`,
    `websocket { listen: ${JSON.stringify(websocket)}, no_tls: true }`,
    `jetstream { store_dir: ${JSON.stringify(store)} }`,
    `operator: ${signed}`,
    `system_account: ${system}`,
    'resolver: MEMORY',
    'resolver_preload: {',
    ...preload,
    '}',
    '',
  ].join('\n');
}

// The admin receives what a person publishes under `user.ID`; people receive what the admin publishes to them under `notice`.
const own = ({ id }: NatsPerson): string => `user.${id}.>`;

function notices({ id, organizations }: NatsPerson): readonly string[] {
  return [
    `notice.user.${id}.>`,
    ...organizations.map((organization) => `notice.org.${organization}.>`),
    'notice.all.>',
  ];
}

// Replies go to inboxes, which are private because the account is; so are streams, key-value buckets and objects.
function personPermissions(person: NatsPerson): object {
  const streams = ['$JS.API.>', '$JS.ACK.>', '$JS.FC.>', '$KV.>', '$O.>'];
  return {
    pub: { allow: [own(person), '_INBOX.>', ...streams] },
    sub: { allow: [own(person), ...notices(person), '_INBOX.>'] },
  };
}

function personSharing(seed: string, person: NatsPerson): object {
  const account = accountKey(seed, 'admin');
  return {
    exports: [{ name: 'own', subject: own(person), type: 'stream' }],
    imports: notices(person).map((subject) => ({ name: subject, subject, account, type: 'stream' })),
  };
}

// What the admin may request from the system account; the system user may request everything.
const systemServices = ['$SYS.REQ.SERVER.PING', '$SYS.REQ.SERVER.*.*', '$SYS.REQ.ACCOUNT.*.*'];
const systemSharing = {
  exports: [
    ...systemServices.map((subject) => ({ name: subject, subject, type: 'service', response_type: 'Stream' })),
    { name: 'accounts', subject: '$SYS.ACCOUNT.>', type: 'stream' },
  ],
};

function adminSharing(seed: string, people: readonly NatsPerson[]): object {
  const system = accountKey(seed, 'system');
  return {
    exports: [{ name: 'notices', subject: 'notice.>', type: 'stream' }],
    imports: [
      ...people.map((person) => ({
        name: person.login,
        subject: own(person),
        account: accountKey(seed, personAccount(person)),
        type: 'stream',
      })),
      ...systemServices.map((subject) => ({ name: subject, subject, account: system, type: 'service' })),
      { name: 'accounts', subject: '$SYS.ACCOUNT.>', account: system, type: 'stream' },
    ],
  };
}

const jetStream = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };

function accountClaims(storage: object, sharing: object): object {
  return {
    ...sharing,
    limits: { ...unlimited, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1, ...storage },
    default_permissions: { pub: {}, sub: {} },
    type: 'account',
    version: 2,
  };
}

// Logins are compared case-insensitively.
function personAccount({ login }: NatsPerson): string {
  return `person/${login.toLowerCase()}`;
}

function accountKey(seed: string, account: string): string {
  return pair(seed, Prefix.Account, account).getPublicKey();
}

function credentialsFile(seed: string, account: string, user: string, permissions: object): string {
  const issuer = pair(seed, Prefix.Account, account);
  const key = pair(seed, Prefix.User, `${account}/${user}`);
  const token = signClaims(issuer, key, user, { ...permissions, ...unlimited, type: 'user', version: 2 });
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

function pair(seed: string, prefix: Prefix, name: string): KeyPair {
  return fromSeed(Codec.encodeSeed(prefix, deriveBytes(seed, `nats/${prefix}/${name}`, 32)));
}

function signClaims(issuer: KeyPair, subject: KeyPair, name: string, nats: object): string {
  const claims = { iat: issuedAt, iss: issuer.getPublicKey(), name, sub: subject.getPublicKey(), nats };
  // The token's id is the digest of its claims, as in the Go library.
  const digest = sha512_256(utf8ToBytes(JSON.stringify(claims)));
  const jti = new TextDecoder().decode(base32.encode(digest));
  const header = encodeBase64Url(JSON.stringify({ typ: 'JWT', alg: 'ed25519-nkey' }));
  const signed = `${header}.${encodeBase64Url(JSON.stringify({ jti, ...claims }))}`;
  return `${signed}.${encodeBase64Url(issuer.sign(utf8ToBytes(signed)))}`;
}
