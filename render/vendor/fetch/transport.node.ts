// HTTP requests: proxies, certificates, redirects without leaking credentials, timeouts, retries. The only file that uses `undici`.

import { type LookupAddress, lookup } from 'node:dns';
import { lookup as lookupAll } from 'node:dns/promises';
import { existsSync, readFileSync } from 'node:fs';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { rootCertificates } from 'node:tls';
import { Agent, type Dispatcher, ProxyAgent } from 'undici';
import { messageOf } from '../../core/errors.ts';
import { getOrCreate } from '../../core/lazy.ts';
import { publicUrl } from '../lock/lock.ts';
import { connectionFailure, hostOf, parseUrl, VendorError } from './errors.ts';
import type { VendorOptions } from './options.ts';

/** Who can reach an address: this machine, its link, its private network, everyone. */
type Reach = 'loopback' | 'link-local' | 'private' | 'public';

// `BlockList` treats an IPv4-mapped IPv6 address (::ffff:127.0.0.1) as IPv4.
const ranges: readonly (readonly [Reach, BlockList])[] = [
  ['loopback', blockList(['127.0.0.0/8', '0.0.0.0/8'], ['::1/128', '::/128'])],
  ['link-local', blockList(['169.254.0.0/16'], ['fe80::/10'])],
  [
    'private',
    blockList(
      ['10.0.0.0/8', '100.64.0.0/10', '172.16.0.0/12', '192.0.0.0/24', '192.168.0.0/16', '198.18.0.0/15'],
      ['fc00::/7', 'fec0::/10', '64:ff9b::/96', '64:ff9b:1::/48', '2002::/16'],
    ),
  ],
];

function blockList(v4: readonly string[], v6: readonly string[]): BlockList {
  const list = new BlockList();
  const add = (range: string, family: 'ipv4' | 'ipv6'): void => {
    const [network = '', prefix] = range.split('/');
    list.addSubnet(network, Number(prefix), family);
  };
  for (const range of v4) add(range, 'ipv4');
  for (const range of v6) add(range, 'ipv6');
  return list;
}

export function reachOf(address: string): Reach {
  return ranges.find(([, list]) => list.check(address, familyOf(address)))?.[0] ?? 'public';
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

/** Returns the IP address in a URL; undefined for a host name. */
export function literalAddress({ hostname }: URL): string | undefined {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) === 0 ? undefined : host;
}

/** Returns who can reach the addresses of a URL's host; nobody for an unknown name. */
export async function reachesOf(url: URL): Promise<ReadonlySet<Reach>> {
  const literal = literalAddress(url);
  if (literal !== undefined) return new Set([reachOf(literal)]);
  const found: readonly LookupAddress[] = await lookupAll(url.hostname, { all: true }).catch(() => []);
  return new Set(found.map(({ address }) => reachOf(address)));
}

/** Returns the error for an address from a server of another network. */
function ledAstray(host: string, reach: Reach, namedBy: string): VendorError {
  return new VendorError('ACCESS_DENIED', `${namedBy} names ${host}, which is a ${reach} address`, {
    hint: `Use a repository on that network if ${host} is meant; servers elsewhere may not name such addresses.`,
  });
}

/** Returns a `lookup` for connections that fails for a name with a forbidden address. */
export function guardedLookup(allowed: ReadonlySet<Reach>, namedBy: string): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '', 0);
      const astray = addresses.map(({ address }) => reachOf(address)).find((reach) => !allowed.has(reach));
      if (astray !== undefined) return callback(ledAstray(hostname, astray, namedBy), '', 0);
      if (options.all === true) return callback(null, addresses);
      const [first] = addresses as [LookupAddress];
      callback(null, first.address, first.family);
    });
  };
}

type Environment = NonNullable<VendorOptions['env']>;

/** The certificates of a connection. */
export type TlsFiles = Pick<VendorOptions, 'caFile' | 'certFile' | 'keyFile' | 'insecureSkipTlsVerify'>;

export interface RequestSettings {
  readonly method?: 'GET' | 'POST' | 'HEAD';
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent to the host of the URL only, not to hosts that it redirects to. */
  readonly authorization?: string | undefined;
  readonly body?: string;
  /** The certificates of the repository. */
  readonly tls?: TlsFiles | undefined;
  /**
   * The repository or registry that the user named, which can refer to any public address, and to others of the same class as its own.
   * Undefined if the user named the URL itself.
   */
  readonly namedBy?: string | undefined;
}

/** A response whose body has not been read. */
export interface Answer {
  /** The URL after the last redirect. */
  readonly url: string;
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: AsyncIterable<Uint8Array>;
  /** Returns the connection to the pool and discards the rest of the body. */
  readonly discard: () => void;
}

const maxRedirects = 10;
const defaultTimeout = 60_000;

export class Transport {
  readonly options: VendorOptions;
  readonly env: Environment;
  readonly #agents = new Map<string, Dispatcher>();
  readonly #reaches = new Map<string, Promise<ReadonlySet<Reach>>>();

  constructor(options: VendorOptions) {
    this.options = options;
    this.env = options.env ?? process.env;
  }

  /** Returns the response after all redirects, with any status. Rejects with VendorError. */
  async send(url: string, options: RequestSettings = {}): Promise<Answer> {
    let at = parseUrl(url);
    let current = options;
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      const answer = await this.#once(at, current);
      const location = answer.headers.get('location');
      if (![301, 302, 303, 307, 308].includes(answer.status) || location === undefined) return answer;
      answer.discard();
      const next = parseUrl(location, at);
      current = redirected(current, answer.status, at, next);
      at = next;
    }
    throw new VendorError('ANSWER_INVALID', `${hostOf(url)} redirects more than ${maxRedirects} times`, {
      hint: 'Report it to the administrator of the server.',
    });
  }

  /** Rejects with ACCESS_DENIED if a server refers to a forbidden address (see `Ask.namedBy`). */
  async checkNamed(url: string, namedBy: string): Promise<void> {
    await this.#check(parseUrl(url), namedBy);
  }

  // A proxy resolves names itself: a known address is checked, an unknown one is left to the proxy.
  async #check(url: URL, namedBy: string): Promise<void> {
    const allowed = await this.#allowedBy(namedBy);
    if (isHostOf(url, namedBy)) return;
    const isDirect = proxyFor(url, this.env) === undefined;
    // A direct connection checks the address that it connects to.
    if (isDirect && literalAddress(url) === undefined) return;
    for (const reach of await reachesOf(url)) {
      if (!allowed.has(reach)) throw ledAstray(url.hostname, reach, hostOf(namedBy));
    }
  }

  async #allowedBy(namedBy: string): Promise<ReadonlySet<Reach>> {
    const own = await getOrCreate(this.#reaches, namedBy, () => reachesOf(parseUrl(namedBy)));
    return new Set<Reach>([...own, 'public']);
  }

  async #once(url: URL, options: RequestSettings): Promise<Answer> {
    const { timeout = defaultTimeout, signal } = this.options;
    const { namedBy } = options;
    if (namedBy !== undefined) await this.#check(url, namedBy);
    const guard =
      namedBy === undefined || isHostOf(url, namedBy)
        ? undefined
        : { allowed: await this.#allowedBy(namedBy), namedBy: hostOf(namedBy) };
    const headers: Record<string, string> = { 'user-agent': 'drydock', ...options.headers };
    if (options.authorization !== undefined) headers.authorization = options.authorization;
    try {
      const answer = await this.#agentFor(options.tls ?? this.options, url, guard).request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: options.method ?? 'GET',
        headers,
        body: options.body ?? null,
        headersTimeout: timeout,
        bodyTimeout: timeout,
        signal: signal ?? null,
      });
      return {
        url: url.href,
        status: answer.statusCode,
        headers: new Map(Object.entries(answer.headers).map(([name, value]) => [name, String(value)])),
        body: withFailures(answer.body, url.href),
        discard: () => void answer.body.on('error', () => {}).destroy(),
      };
    } catch (error) {
      throw connectionFailure(error, url.href);
    }
  }

  /** Returns the result of `attempt` with retries of temporary failures. */
  async retry<T>(attempt: (isLast: boolean) => Promise<T>): Promise<T> {
    const { retries = 4, onRetry, signal } = this.options;
    for (let tries = 0; ; tries++) {
      try {
        return await attempt(tries >= retries);
      } catch (error) {
        if (!(error instanceof VendorError) || !error.mayPass || tries >= retries || signal?.aborted === true)
          throw error;
        const wait = Math.min(error.retryAfter ?? 250 * 2 ** tries * (0.75 + Math.random() / 2), 30_000);
        onRetry?.(`${error.message}; trying again`);
        // An aborted run does not wait, and fails with its next request.
        await setTimeout(wait, undefined, signal === undefined ? {} : { signal }).catch(() => {});
      }
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#agents.values()].map((agent) => agent.destroy()));
  }

  #agentFor(tls: TlsFiles, url: URL, guard: Guard | undefined): Dispatcher {
    const proxy = proxyFor(url, this.env);
    const { caFile, certFile, keyFile, insecureSkipTlsVerify } = tls;
    const guarded = guard && proxy === undefined ? [guard.namedBy, ...guard.allowed] : [];
    const key = JSON.stringify([proxy, caFile, certFile, keyFile, insecureSkipTlsVerify, guarded]);
    return getOrCreate(this.#agents, key, () => this.#createAgent(tls, proxy, guard));
  }

  #createAgent(tls: TlsFiles, proxy: string | undefined, guard: Guard | undefined): Dispatcher {
    const { timeout = defaultTimeout } = this.options;
    const connect = {
      ca: authorities(tls.caFile, this.env),
      cert: readPem(tls.certFile),
      key: readPem(tls.keyFile),
      rejectUnauthorized: tls.insecureSkipTlsVerify !== true,
      timeout: Math.min(timeout, 30_000),
    };
    const options = { connect, connections: 8, pipelining: 1 };
    if (proxy === undefined) {
      const lookup = guard && guardedLookup(guard.allowed, guard.namedBy);
      return new Agent(lookup === undefined ? options : { ...options, connect: { ...connect, lookup } });
    }
    return new ProxyAgent({ ...options, uri: proxy, requestTls: connect, proxyTls: connect, proxyTunnel: false });
  }
}

interface Guard {
  readonly allowed: ReadonlySet<Reach>;
  /** The host that provided the address, for messages. */
  readonly namedBy: string;
}

function isHostOf(url: URL, other: string): boolean {
  return url.hostname === parseUrl(other).hostname;
}

// Follows redirects like `fetch`, except that a body is sent to its origin only: the form of a token exchange contains a secret.
function redirected(options: RequestSettings, status: number, from: URL, to: URL): RequestSettings {
  const isCarried = mayCarry(from, to);
  if (options.body !== undefined && status >= 307 && !isCarried) {
    throw new VendorError('ACCESS_DENIED', `${from.host} redirects a request with a token to ${to.host}`, {
      hint: 'Report it to the administrator of the registry: its token service must not redirect to another host.',
    });
  }
  const { body: _, method, headers: { 'content-type': __, ...headers } = {}, ...rest } = options;
  const becomesGet = method === 'POST' && status < 307;
  const next: RequestSettings = becomesGet ? { ...rest, headers } : options;
  return isCarried ? next : { ...next, authorization: undefined };
}

// A credential is sent to its host and port only, and never from TLS to plain HTTP; from http to https of one host is allowed.
function mayCarry(from: URL, to: URL): boolean {
  if (from.origin === to.origin) return true;
  return (
    from.hostname === to.hostname &&
    from.protocol === 'http:' &&
    to.protocol === 'https:' &&
    from.port === '' &&
    to.port === ''
  );
}

async function* withFailures(body: AsyncIterable<Uint8Array>, url: string): AsyncIterable<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw connectionFailure(error, url);
  }
}

const bundles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

// Helm trusts the system's authorities; Node by default has its own list.
function authorities(caFile: string | undefined, env: Environment): string | string[] {
  if (caFile !== undefined) return readPem(caFile) ?? '';
  const file = env.SSL_CERT_FILE || bundles.find((path) => existsSync(path));
  if (file === undefined || !existsSync(file)) return [...rootCertificates];
  return [...rootCertificates, readPem(file) ?? ''];
}

function readPem(file: string | undefined): string | undefined {
  if (file === undefined || file === '') return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new VendorError('FILE_FAILED', `${file} cannot be read: ${messageOf(error)}`, {
      cause: error,
      hint: 'Name a PEM file that can be read.',
    });
  }
}

// Selects the proxy of a request by HTTPS_PROXY, HTTP_PROXY and NO_PROXY.
// Mirrors: golang.org/x/net, http/httpproxy/proxy.go, which Helm uses.

/** Returns the address of the proxy for a URL; undefined for a direct connection. Throws UNREACHABLE for an invalid address. */
export function proxyFor(url: URL, env: Environment): string | undefined {
  const name = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const text = variableOf(env, name);
  if (text === '' || goesStraight(url, variableOf(env, 'NO_PROXY'))) return undefined;
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (/^(?:https?|socks5h?):$/.test(schemeOf(address))) return address;
  throw new VendorError(
    'UNREACHABLE',
    `${name} is ${JSON.stringify(publicUrl(address))}, which is not the address of a proxy`,
    { hint: 'Write it as http://proxy.example.com:3128, or unset it.' },
  );
}

function variableOf(env: Environment, name: string): string {
  return env[name] || env[name.toLowerCase()] || '';
}

function schemeOf(address: string): string {
  try {
    return new URL(address).protocol;
  } catch {
    return '';
  }
}

// Loopback addresses never use a proxy.
function goesStraight(url: URL, noProxy: string): boolean {
  const host = url.hostname.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  if (host === 'localhost' || isWithin(host, '127.0.0.0', 8) || isWithin(host, '::1', 128)) return true;
  const parts = noProxy.split(',').map((part) => part.trim().toLowerCase());
  return parts.some((part) => part === '*' || (part !== '' && matches(part, host, port)));
}

function matches(part: string, host: string, port: string): boolean {
  const [, network = '', length = ''] = /^([^/]+)\/(\d{1,3})$/.exec(part) ?? [];
  if (isIP(network) !== 0) return isWithin(host, network, Number(length));
  const [, bracketed, plain, wanted = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d*))?$/.exec(part) ?? [];
  const name = bracketed ?? plain ?? part;
  if (wanted !== '' && wanted !== port) return false;
  if (isIP(name) !== 0) return isWithin(host, name, isIP(name) === 4 ? 32 : 128);
  const suffix = name.replace(/^\*(?=\.)/, '');
  if (suffix === '') return false;
  // `example.com` matches the host and its subdomains, `.example.com` the subdomains only.
  return suffix.startsWith('.') ? host.endsWith(suffix) : host === suffix || host.endsWith(`.${suffix}`);
}

function isWithin(address: string, network: string, bits: number): boolean {
  const isLong = isIP(network) === 6;
  if (isIP(address) === 0 || bits > (isLong ? 128 : 32)) return false;
  const range = [`${network}/${bits}`];
  return blockList(isLong ? [] : range, isLong ? range : []).check(address, familyOf(address));
}
