// Parses IP addresses.
// Mirrors: Go 1.26, net/netip/netip.go, `ParseAddr`; net/ip.go, `ParseIP` and `IP.To4`.

import { orUndefined } from '../core/catch.ts';
import { quote } from './number.ts';
import { GoError } from './value.ts';

/** An IP address: 4 or 16 bytes. The zone is empty for none. */
interface Address {
  readonly bytes: readonly number[];
  readonly zone: string;
}

/** Returns an address as 4 bytes, or 16 for IPv6 (an IPv4-mapped address is 4 too); undefined for invalid texts. */
export function parseIp(text: string): Uint8Array | undefined {
  const address = orUndefined(() => parseAddress(text));
  if (address === undefined || address.zone !== '') return undefined;
  const { bytes } = address;
  const isMapped = bytes.length === 16 && bytes.every((byte, i) => i >= 12 || byte === (i < 10 ? 0 : 0xff));
  return Uint8Array.from(isMapped ? bytes.slice(12) : bytes);
}

/** Parses an IP address. Throws GoError with Go's message for an invalid one. */
export function parseAddress(text: string): Address {
  const first = /[.:%]/.exec(text)?.[0];
  if (first === '.') return { bytes: parseIpv4(text, text), zone: '' };
  if (first === ':') return parseIpv6(text);
  throw addressError(text, first === '%' ? 'missing IPv6 address' : 'unable to parse IP');
}

function addressError(text: string, message: string, at = ''): GoError {
  return new GoError(`ParseAddr(${quote(text)}): ${message}${at === '' ? '' : ` (at ${quote(at)})`}`);
}

// Parses the IPv4 address at the end of a text, or the whole text.
function parseIpv4(text: string, fields: string): number[] {
  const bytes: number[] = [];
  let field = '';
  for (const [i, char] of Array.from(fields).entries()) {
    if (/[0-9]/.test(char)) {
      if (field === '0') throw addressError(text, 'IPv4 field has octet with leading zero');
      field += char;
      if (Number(field) > 255) throw addressError(text, 'IPv4 field has value >255');
      continue;
    }
    const rest = fields.slice(i);
    if (char !== '.') throw addressError(text, 'unexpected character', rest);
    if (field === '' || rest === '.') throw addressError(text, 'IPv4 field must have at least one digit', rest);
    if (bytes.length === 3) throw addressError(text, 'IPv4 address too long');
    bytes.push(Number(field));
    field = '';
  }
  if (bytes.length < 3) throw addressError(text, 'IPv4 address too short');
  return [...bytes, Number(field)];
}

function parseIpv6(text: string): Address {
  const percent = text.indexOf('%');
  const zone = percent < 0 ? '' : text.slice(percent + 1);
  if (percent >= 0 && zone === '') throw addressError(text, 'zone must be a non-empty string');
  const address = percent < 0 ? text : text.slice(0, percent);
  const isShort = address.startsWith('::');
  return { bytes: parseGroups(text, isShort ? address.slice(2) : address, isShort ? 0 : -1), zone };
}

// Parses groups. `::` stands for zeros: `ellipsis` is the number of bytes before it, or -1.
function parseGroups(text: string, groups: string, ellipsis: number): number[] {
  const bytes: number[] = [];
  let [start, rest] = [ellipsis, groups];
  while (bytes.length < 16 && rest !== '') {
    const digits = readGroup(text, rest);
    if (rest[digits.length] === '.') {
      if (start < 0 && bytes.length !== 12) {
        throw addressError(text, 'embedded IPv4 address must replace the final 2 fields of the address', rest);
      }
      if (bytes.length > 12) {
        throw addressError(text, 'too many hex fields to fit an embedded IPv4 at the end of the address', rest);
      }
      bytes.push(...parseIpv4(text, rest));
      rest = '';
      break;
    }
    const group = Number.parseInt(digits, 16);
    bytes.push(group >> 8, group & 255);
    rest = rest.slice(digits.length);
    if (rest === '') break;
    if (!rest.startsWith(':')) throw addressError(text, 'unexpected character, want colon', rest);
    if (rest === ':') throw addressError(text, 'colon must be followed by more characters', rest);
    rest = rest.slice(1);
    if (!rest.startsWith(':')) continue;
    if (start >= 0) throw addressError(text, 'multiple :: in address', rest);
    start = bytes.length;
    rest = rest.slice(1);
  }
  if (rest !== '') throw addressError(text, 'trailing garbage after address', rest);
  if (bytes.length < 16 && start < 0) throw addressError(text, 'address string too short');
  if (bytes.length === 16 && start >= 0) throw addressError(text, 'the :: must expand to at least one field of zeros');
  return start < 0 ? bytes : bytes.toSpliced(start, 0, ...Array<number>(16 - bytes.length).fill(0));
}

function readGroup(text: string, rest: string): string {
  const digits = /^[0-9a-fA-F]*/.exec(rest)?.[0] ?? '';
  if (digits.length > 4) throw addressError(text, 'each group must have 4 or less digits', rest);
  if (digits === '') throw addressError(text, 'each colon-separated field must have at least one digit', rest);
  return digits;
}
