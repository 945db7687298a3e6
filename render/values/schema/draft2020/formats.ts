// The `format` keyword as in Helm 4, with messages for invalid texts.
// Mirrors: github.com/santhosh-tekuri/jsonschema/v6, format.go, v6.0.2.

import { catchGoError } from '../../../core/catch.ts';
import { parseAddress } from '../../../go/net.ts';
import { parseInt64, quoteRune } from '../../../go/number.ts';
import { compileRegexp } from '../../../go/regexp/regexp.ts';
import { parseGoTime } from '../../../go/time/time.ts';
import { runeOf } from '../../../go/unicode.ts';
import { hostName, parseGoUrl, pathUnescape } from '../../../go/url.ts';
import { byteLength, encodeUtf8, joinBytes } from '../../../go/utf8.ts';

/** Returns why a text does not have a format; undefined if it does or the format is unknown. */
export function formatFault(format: string, text: string): string | undefined {
  return formats.get(format)?.(text);
}

/** What is wrong with a text. */
type Format = (text: string) => string | undefined;

const formats: ReadonlyMap<string, Format> = new Map<string, Format>([
  ['regex', (text) => failure(() => compileRegexp(text, 'loose'))],
  ['json-pointer', jsonPointer],
  ['relative-json-pointer', relativePointer],
  ['uuid', uuid],
  ['duration', duration],
  ['period', period],
  ['ipv4', ipv4],
  ['ipv6', ipv6],
  ['hostname', hostname],
  ['email', email],
  ['date', date],
  ['time', (text) => timeFault(asBytes(text))],
  ['date-time', dateTime],
  ['uri', uri],
  ['iri', uri],
  ['uri-reference', uriReference],
  ['iri-reference', uriReference],
  ['uri-template', uriTemplate],
  ['semver', semver],
]);

function failure(attempt: () => unknown): string | undefined {
  return catchGoError(
    () => void attempt(),
    ({ message }) => message,
  );
}

function quoted(char: string): string {
  return quoteRune(runeOf(char), false);
}

// The first character that is not in a set.
function stranger(text: string, allowed: RegExp): string | undefined {
  for (const char of text) if (!allowed.test(char)) return char;
  return undefined;
}

function jsonPointer(text: string): string | undefined {
  if (text === '') return undefined;
  if (!text.startsWith('/')) return 'not starting with /';
  return /~(?![01])/.test(text) ? '~ must be followed by 0 or 1' : undefined;
}

function relativePointer(text: string): string | undefined {
  const digits = /^[0-9]*/.exec(text)?.[0] ?? '';
  if (digits === '') return 'must start with non-negative integer';
  if (digits.length > 1 && digits.startsWith('0')) return 'starts with zero';
  const rest = text.slice(digits.length);
  return rest === '#' ? undefined : jsonPointer(rest);
}

const uuidLengths = [8, 4, 4, 4, 12];

function uuid(text: string): string | undefined {
  const groups = text.split('-');
  if (groups.length !== uuidLengths.length) return `must have ${uuidLengths.length} elements`;
  for (const [i, group] of groups.entries()) {
    if (byteLength(group) !== uuidLengths[i]) return `element ${i + 1} must be ${uuidLengths[i]} characters long`;
    const char = stranger(group, /[0-9a-fA-F]/);
    if (char !== undefined) return `non-hex character ${quoted(char)}`;
  }
  return undefined;
}

function duration(text: string): string | undefined {
  if (!text.startsWith('P')) return 'must start with P';
  const parts = text.slice(1);
  if (parts === '') return 'nothing after P';
  if (parts.endsWith('W')) {
    if (parts === 'W') return 'no number in week';
    return /^[0-9]+W$/.test(parts) ? undefined : 'invalid week';
  }
  for (const [i, part] of parts.split('T').entries()) {
    if (i > 0 && part === '') return 'no time elements';
    const units = ['YMD', 'HMS'][i];
    if (units === undefined) return 'more than one T';
    const fault = durationPart(part, units);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function durationPart(text: string, units: string): string | undefined {
  let left = units;
  let rest = text;
  while (rest !== '') {
    const digits = /^[0-9]*/.exec(rest)?.[0] ?? '';
    if (digits === '') return 'missing number';
    rest = rest.slice(digits.length);
    if (rest === '') return 'missing unit';
    const unit = rest.charAt(0);
    const at = left.indexOf(unit);
    if (at < 0) return units.includes(unit) ? `unit ${quoted(unit)} out of order` : `invalid unit ${quotedByte(rest)}`;
    left = left.slice(at + 1);
    rest = rest.slice(1);
  }
  return undefined;
}

// Go checks the first byte of a character.
function quotedByte(text: string): string {
  return quoteRune(new TextEncoder().encode(text.slice(0, 2))[0]!, false);
}

function ipv4(text: string): string | undefined {
  const groups = text.split('.');
  if (groups.length !== 4) return 'expected four decimals';
  for (const group of groups) {
    if (group.length > 1 && group.startsWith('0')) return 'leading zeros';
    const number = catchGoError(
      () => parseInt64(group, 10, 'Atoi'),
      ({ message }) => message,
    );
    if (typeof number === 'string') return number;
    if (number < 0n || number > 255n) return 'decimal must be between 0 and 255';
  }
  return undefined;
}

function ipv6(text: string): string | undefined {
  if (!text.includes(':')) return 'missing colon';
  return catchGoError(
    () => (parseAddress(text).zone === '' ? undefined : 'zone id is not a part of ipv6 address'),
    ({ message }) => message,
  );
}

function hostname(text: string): string | undefined {
  const name = text.replace(/\.$/, '');
  if (byteLength(name) > 253) return 'more than 253 characters long';
  for (const label of name.split('.')) {
    const length = byteLength(label);
    if (length < 1 || length > 63) return 'label must be 1 to 63 characters long';
    if (label.startsWith('-')) return 'label starts with hyphen';
    if (label.endsWith('-')) return 'label ends with hyphen';
    const char = stranger(label, /[a-zA-Z0-9-]/);
    if (char !== undefined) return `invalid character ${quoted(char)}`;
  }
  return undefined;
}

function email(text: string): string | undefined {
  if (byteLength(text) > 254) return 'more than 255 characters long';
  const at = text.lastIndexOf('@');
  if (at < 0) return 'missing @';
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  if (byteLength(local) > 64) return 'local part more than 64 characters long';
  return localPart(local) ?? domainPart(domain);
}

function localPart(local: string): string | undefined {
  if (local.length > 1 && local.startsWith('"')) {
    const isBroken = /[\\"]/.test(local.slice(1, -1));
    return isBroken ? 'backslash and quote are not allowed within quoted local part' : undefined;
  }
  if (local.startsWith('.')) return 'starts with dot';
  if (local.endsWith('.')) return 'ends with dot';
  if (local.includes('..')) return 'consecutive dots';
  const char = stranger(local, /[a-zA-Z0-9.!#$%&'*+\-/=?^_`{|}~]/);
  return char === undefined ? undefined : `invalid character ${quoted(char)}`;
}

function domainPart(domain: string): string | undefined {
  if (!domain.startsWith('[') || !domain.endsWith(']')) return within('invalid domain', hostname(domain));
  const address = domain.slice(1, -1);
  if (address.startsWith('IPv6:')) return within('invalid ipv6 address', ipv6(address.slice('IPv6:'.length)));
  return within('invalid ipv4 address', ipv4(address));
}

function within(context: string, fault: string | undefined): string | undefined {
  return fault === undefined ? undefined : `${context}: ${fault}`;
}

function date(text: string): string | undefined {
  return failure(() => parseGoTime('2006-01-02', text));
}

function timeFault(text: string): string | undefined {
  if (text.length < 9) return 'less than 9 characters long';
  if (text[2] !== ':' || text[5] !== ':') return 'missing colon in correct place';
  const numbers = text.slice(0, 8).split(':').map(signedNumber);
  if (numbers.some((number) => number === undefined)) return 'invalid hour/min/sec';
  const [hour, minute, second] = numbers as [number, number, number];
  if (Math.min(hour, minute, second) < 0) return 'non-positive hour/min/sec';
  if (hour > 23 || minute > 59 || second > 60) return 'hour/min/sec out of range';
  const fraction = /^\.([0-9]*)/.exec(text.slice(8));
  if (fraction?.[1] === '') return 'no digits in second fraction';
  const zone = text.slice(8 + (fraction?.[0].length ?? 0));
  const offset = zone === 'z' || zone === 'Z' ? 0 : offsetOf(zone);
  if (typeof offset === 'string') return offset;
  const minutes = hour * 60 + minute + offset;
  const isLast = (minutes < 0 ? minutes + 24 * 60 : minutes) === 23 * 60 + 59;
  return second >= 60 && !isLast ? 'invalid leap second' : undefined;
}

// Returns the offset from UTC in minutes, or what is wrong.
function offsetOf(zone: string): number | string {
  if (zone.length !== 6) return 'offset must be 6 characters long';
  if (zone[0] !== '+' && zone[0] !== '-') return 'offset must begin with plus/minus';
  if (zone[3] !== ':') return 'missing colon in offset in correct place';
  const [hour, minute] = [signedNumber(zone.slice(1, 3)), signedNumber(zone.slice(4))];
  if (hour === undefined || (hour >= 0 && minute === undefined)) return 'invalid hour/min in offset';
  if (hour < 0 || minute === undefined || minute < 0) return 'non-positive hour/min in offset';
  if (hour > 23 || minute > 59) return 'hour/min in offset out of range';
  return (zone[0] === '+' ? -1 : 1) * (hour * 60 + minute);
}

function signedNumber(text: string): number | undefined {
  return /^[+-]?[0-9]+$/.test(text) ? Number(text) : undefined;
}

function dateTime(text: string): string | undefined {
  const bytes = asBytes(text);
  if (bytes.length < 20) return 'less than 20 characters long';
  if (bytes[10] !== 't' && bytes[10] !== 'T') return '11th character must be t or T';
  return (
    within('invalid date element', date(joinBytes([bytes.slice(0, 10)]))) ??
    within('invalid time element', timeFault(bytes.slice(11)))
  );
}

// Go counts bytes: one character for each.
function asBytes(text: string): string {
  return Array.from(encodeUtf8(text), (byte) => String.fromCharCode(byte < 0x80 ? byte : 0xdc00 + byte)).join('');
}

function urlFault(text: string): string | undefined {
  const url = catchGoError(
    () => parseGoUrl(text),
    ({ message }) => message,
  );
  if (typeof url === 'string') return url;
  const name = hostName(url.host);
  if (!name.includes(':')) return undefined;
  if (!url.host.includes('[') || !url.host.includes(']')) return 'ipv6 address not enclosed in brackets';
  return within('invalid ipv6 address', ipv6(name));
}

function uri(text: string): string | undefined {
  return urlFault(text) ?? (parseGoUrl(text).scheme === '' ? 'relative url' : undefined);
}

function uriReference(text: string): string | undefined {
  return text.includes('\\') ? 'contains \\' : urlFault(text);
}

// Go checks a path only if it would format it the same way.
function uriTemplate(text: string): string | undefined {
  const fault = urlFault(text);
  if (fault !== undefined) return fault;
  for (const step of rawPath(text).split('/')) {
    const braces = pathUnescape(step).replace(/[^{}]/g, '');
    if (/\{\{|\}\}|^\}/.test(braces)) return 'nested curly braces';
    if (braces.endsWith('{')) return 'no matching closing brace';
  }
  return undefined;
}

function rawPath(text: string): string {
  if (/^[a-zA-Z][a-zA-Z0-9+.-]*:(?!\/)/.test(text)) return '';
  const path = text.replace(/^[a-zA-Z][a-zA-Z0-9+.-]*:/, '').replace(/^\/\/[^/?#]*/, '');
  return path.replace(/[?#].*$/s, '');
}

function period(text: string): string | undefined {
  const slash = text.indexOf('/');
  if (slash < 0) return 'missing slash';
  const [start, end] = [text.slice(0, slash), text.slice(slash + 1)];
  if (start.startsWith('P')) {
    return within('invalid start duration', duration(start)) ?? within('invalid end date-time', dateTime(end));
  }
  const first = within('invalid start date-time', dateTime(start));
  if (first !== undefined) return first;
  return end.startsWith('P')
    ? within('invalid end duration', duration(end))
    : within('invalid end date-time', dateTime(end));
}

function semver(text: string): string | undefined {
  const [, core = '', preRelease, build] = /^([^-+]*)(?:-([^+]*))?(?:\+(.*))?$/s.exec(text) ?? [];
  if (build === '') return 'build is empty';
  return identifierFault('build', build) ?? identifierFault('pre-release', preRelease) ?? coreFault(core);
}

function identifierFault(part: 'build' | 'pre-release', text: string | undefined): string | undefined {
  for (const identifier of text?.split('.') ?? []) {
    if (identifier === '') return `${part} identifier is empty`;
    const char = stranger(identifier, /[0-9a-zA-Z-]/);
    if (char !== undefined) return `invalid character ${quoted(char)} in ${part} identifier`;
    const hasZero = part === 'pre-release' && /^0[0-9]+$/.test(identifier);
    if (hasZero) return 'pre-release numeric identifier starts with zero';
  }
  return undefined;
}

function coreFault(core: string): string | undefined {
  const versions = core.split('.');
  if (versions.length !== 3) return 'versionCore must have 3 numbers separated by dot';
  for (const [i, version] of versions.entries()) {
    const name = ['major', 'minor', 'patch'][i];
    if (version === '') return `${name} is empty`;
    if (version.length > 1 && version.startsWith('0')) return `${name} starts with zero`;
    if (!/^[0-9]+$/.test(version)) return `${name} contains non-digit`;
  }
  return undefined;
}
