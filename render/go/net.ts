// Parses IP addresses.
// Mirrors: Go 1.23, net/ip.go, `ParseIP` and `IP.To4`; Go 1.26, net/netip/netip.go, `ParseAddr`.

import { quote } from './number.ts';
import { GoError } from './value.ts';

/** Returns an address as 4 bytes, or 16 for IPv6 (an IPv4-mapped address is 4 too); undefined for invalid texts. */
export function parseIp(text: string): Uint8Array | undefined {
  const bytes = text.includes(':') ? parseIpv6(text) : parseIpv4(text);
  if (bytes === undefined) return undefined;
  const isMapped = bytes.length === 16 && bytes.every((byte, i) => i >= 12 || byte === (i < 10 ? 0 : 0xff));
  return Uint8Array.from(isMapped ? bytes.slice(12) : bytes);
}

function parseIpv4(text: string): number[] | undefined {
  const fields = text.split('.');
  const isValid =
    fields.length === 4 && fields.every((field) => /^(0|[1-9][0-9]{0,2})$/.test(field) && Number(field) < 256);
  return isValid ? fields.map(Number) : undefined;
}

// `::` replaces one or more groups of zeros once; the last 32 bits can be written as IPv4.
function parseIpv6(text: string): number[] | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map((half, i) => parseGroups(half, i === halves.length - 1));
  if (head === undefined || (halves.length === 2 && tail === undefined)) return undefined;
  const zeros = 16 - head.length - (tail?.length ?? 0);
  if (tail === undefined) return zeros === 0 ? head : undefined;
  return zeros >= 2 ? [...head, ...Array<number>(zeros).fill(0), ...tail] : undefined;
}

function parseGroups(text: string, isLast: boolean): number[] | undefined {
  if (text === '') return [];
  const bytes: number[] = [];
  const groups = text.split(':');
  for (const [i, group] of groups.entries()) {
    const embedded = isLast && i === groups.length - 1 && group.includes('.') ? parseIpv4(group) : undefined;
    if (embedded !== undefined) bytes.push(...embedded);
    else if (/^[0-9a-fA-F]{1,4}$/.test(group))
      bytes.push(Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255);
    else return undefined;
  }
  return bytes;
}

/** Returns the zone of an IP address, empty for none. Throws GoError with Go's message for an invalid address. */
export function zoneOfAddress(text: string): string {
  const first = /[.:%]/.exec(text)?.[0];
  if (first === '.') checkIpv4(text, text);
  else if (first === ':') return checkIpv6(text);
  else throw addressError(text, first === '%' ? 'missing IPv6 address' : 'unable to parse IP');
  return '';
}

function addressError(text: string, message: string, at = ''): GoError {
  return new GoError(`ParseAddr(${quote(text)}): ${message}${at === '' ? '' : ` (at ${quote(at)})`}`);
}

// Checks the IPv4 address at the end of a text, or the whole text.
function checkIpv4(text: string, fields: string): void {
  let count = 0;
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
    if (count === 3) throw addressError(text, 'IPv4 address too long');
    count++;
    field = '';
  }
  if (count < 3) throw addressError(text, 'IPv4 address too short');
}

function checkIpv6(text: string): string {
  const percent = text.indexOf('%');
  const zone = percent < 0 ? '' : text.slice(percent + 1);
  if (percent >= 0 && zone === '') throw addressError(text, 'zone must be a non-empty string');
  const address = percent < 0 ? text : text.slice(0, percent);
  if (address === '::') return zone;
  const hasStart = address.startsWith('::');
  checkGroups(text, hasStart ? address.slice(2) : address, hasStart);
  return zone;
}

function checkGroups(text: string, groups: string, hasStart: boolean): void {
  let hasEllipsis = hasStart;
  let bytes = 0;
  let rest = groups;
  while (bytes < 16) {
    const digits = checkGroup(text, rest);
    if (rest[digits.length] === '.') {
      if (!hasEllipsis && bytes !== 12) {
        throw addressError(text, 'embedded IPv4 address must replace the final 2 fields of the address', rest);
      }
      if (bytes > 12) {
        throw addressError(text, 'too many hex fields to fit an embedded IPv4 at the end of the address', rest);
      }
      checkIpv4(text, rest);
      [rest, bytes] = ['', bytes + 4];
      break;
    }
    bytes += 2;
    rest = rest.slice(digits.length);
    if (rest === '') break;
    if (!rest.startsWith(':')) throw addressError(text, 'unexpected character, want colon', rest);
    if (rest === ':') throw addressError(text, 'colon must be followed by more characters', rest);
    rest = rest.slice(1);
    if (!rest.startsWith(':')) continue;
    if (hasEllipsis) throw addressError(text, 'multiple :: in address', rest);
    hasEllipsis = true;
    rest = rest.slice(1);
    if (rest === '') break;
  }
  if (rest !== '') throw addressError(text, 'trailing garbage after address', rest);
  if (bytes < 16 && !hasEllipsis) throw addressError(text, 'address string too short');
  if (bytes === 16 && hasEllipsis) throw addressError(text, 'the :: must expand to at least one field of zeros');
}

function checkGroup(text: string, rest: string): string {
  const digits = /^[0-9a-fA-F]*/.exec(rest)?.[0] ?? '';
  if (digits.length > 4) throw addressError(text, 'each group must have 4 or less digits', rest);
  if (digits === '') throw addressError(text, 'each colon-separated field must have at least one digit', rest);
  return digits;
}
