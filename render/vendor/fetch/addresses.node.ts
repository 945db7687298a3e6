// Classifies network addresses: loopback, private or public. A server must not redirect `vendor` to places that only this machine can
// reach.

import { type LookupAddress, lookup } from 'node:dns';
import { lookup as lookupAll } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { VendorError } from './errors.ts';

/** Who can reach an address: this machine, its link, its private network, everyone. */
export type Reach = 'loopback' | 'link-local' | 'private' | 'public';

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

/** Returns who can reach an IP address. */
export function reachOf(address: string): Reach {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  return ranges.find(([, list]) => list.check(address, family))?.[0] ?? 'public';
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
export function ledAstray(host: string, reach: Reach, namedBy: string): VendorError {
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
