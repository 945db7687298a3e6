// The `format` keyword of JSON Schema. Mirrors: github.com/xeipuuv/gojsonschema, format_checkers.go, v1.2.0.

import { isMailAddress } from '../../go/mail.ts';
import { parseIp } from '../../go/net.ts';
import { compileRegexp } from '../../go/regexp/regexp.ts';
import { parseGoTime } from '../../go/time/time.ts';
import { parseGoUrl, type Url } from '../../go/url.ts';
import { byteLength } from '../../go/utf8.ts';
import type { SchemaNumber } from './model.ts';

/** Reports whether a value has a format. True for an unknown format; false for a number with a known one. */
export function isFormat(format: string, value: string | SchemaNumber): boolean {
  const test = formats.get(format);
  return test === undefined || (typeof value === 'string' && test(value));
}

const date = '2006-01-02';
const time = '15:04:05';
const zonedTime = '15:04:05Z07:00';
const dateTime = '2006-01-02T15:04:05Z07:00';

const formats: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['date', (text) => isTime(text, date)],
  ['time', (text) => isTime(text, zonedTime, time)],
  ['date-time', (text) => isTime(text, time, zonedTime, date, dateTime)],
  ['hostname', (text) => hostname.test(text) && byteLength(text) < 256],
  ['email', isMailAddress],
  ['idn-email', isMailAddress],
  ['ipv4', (text) => parseIp(text) !== undefined && text.includes('.')],
  ['ipv6', (text) => parseIp(text) !== undefined && text.includes(':')],
  ['uri', (text) => (urlOf(text)?.scheme ?? '') !== ''],
  ['uri-reference', (text) => urlOf(text) !== undefined],
  ['iri', (text) => (urlOf(text)?.scheme ?? '') !== ''],
  ['iri-reference', (text) => urlOf(text) !== undefined],
  ['uri-template', isUriTemplate],
  ['uuid', (text) => /^[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}$/.test(text)],
  ['regex', isRegexp],
  ['json-pointer', (text) => /^(?:\/(?:[^~/]|~0|~1)*)*$/.test(text)],
  ['relative-json-pointer', (text) => /^(?:0|[1-9][0-9]*)(?:#|(?:\/(?:[^~/]|~0|~1)*)*)$/.test(text)],
]);

const label = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
const hostname = new RegExp(`^${label}(?:\\.${label})*$`);

function isTime(text: string, ...layouts: readonly string[]): boolean {
  return layouts.some((layout) => succeeds(() => parseGoTime(layout, text)) !== undefined);
}

function isRegexp(text: string): boolean {
  return succeeds(() => compileRegexp(text)) !== undefined;
}

function urlOf(text: string): Url | undefined {
  return text.includes('\\') ? undefined : succeeds(() => parseGoUrl(text));
}

// Braces must be balanced in the path of a URI.
function isUriTemplate(text: string): boolean {
  const url = urlOf(text);
  return url !== undefined && /^[^{]*(?:\{[^}]*\}[^{]*)*$/.test(url.path);
}

function succeeds<T>(attempt: () => T): T | undefined {
  try {
    return attempt();
  } catch {
    return undefined;
  }
}
