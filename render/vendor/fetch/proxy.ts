// Selects the proxy of a request by HTTPS_PROXY, HTTP_PROXY and NO_PROXY.
// Mirrors: golang.org/x/net, http/httpproxy/proxy.go, which Helm uses.

import { parseIp } from '../../go/net.ts';
import { publicUrl } from '../lock/source.ts';
import { VendorError } from './errors.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the address of the proxy for a URL; undefined for a direct connection. Throws UNREACHABLE for an invalid address. */
export function proxyFor(url: URL, env: Environment): string | undefined {
  const name = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const text = variableOf(env, name);
  if (text === '' || goesStraight(url, variableOf(env, 'NO_PROXY'))) return undefined;
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (/^(?:https?|socks5h?):$/.test(schemeOf(address))) return address;
  throw new VendorError('UNREACHABLE', `${name} is ${JSON.stringify(publicUrl(address))}, and no proxy's address`, {
    hint: 'Write it as http://proxy.example.com:3128, or unset it.',
  });
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
  const ip = parseIp(host);
  if (host === 'localhost' || (ip !== undefined && isLoopback(ip))) return true;
  return noProxy
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .some((part) => part === '*' || (part !== '' && matches(part, { host, port, ip })));
}

interface Target {
  readonly host: string;
  readonly port: string;
  readonly ip: Uint8Array | undefined;
}

function matches(part: string, { host, port, ip }: Target): boolean {
  const [, network = '', length = ''] = /^([^/]+)\/(\d{1,3})$/.exec(part) ?? [];
  const base = parseIp(network);
  if (base !== undefined) return ip !== undefined && isWithin(ip, base, Number(length));
  const [, bracketed, plain, wanted = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d*))?$/.exec(part) ?? [];
  const name = bracketed ?? plain ?? part;
  if (wanted !== '' && wanted !== port) return false;
  const own = parseIp(name);
  if (own !== undefined) return ip !== undefined && isWithin(ip, own, own.length * 8);
  const suffix = name.replace(/^\*(?=\.)/, '');
  if (suffix === '') return false;
  // `example.com` matches the host and its subdomains, `.example.com` the subdomains only.
  return suffix.startsWith('.') ? host.endsWith(suffix) : host === suffix || host.endsWith(`.${suffix}`);
}

function isLoopback(ip: Uint8Array): boolean {
  if (ip.length === 4) return ip[0] === 127;
  return ip.every((byte, index) => byte === (index === 15 ? 1 : 0));
}

function isWithin(ip: Uint8Array, base: Uint8Array, bits: number): boolean {
  if (ip.length !== base.length || bits > base.length * 8) return false;
  return base.every((byte, index) => {
    const counted = Math.max(0, Math.min(8, bits - index * 8));
    const mask = (0xff << (8 - counted)) & 0xff;
    return (byte & mask) === ((ip[index] ?? 0) & mask);
  });
}
