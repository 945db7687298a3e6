// Mail addresses and URLs as `helm lint` checks them.
// Mirrors: github.com/asaskevich/govalidator, validator.go and patterns.go, a9d515a09cc2.

import { compileRegexp } from '../go/regexp/regexp.ts';
import { parseGoUrl, parseRequestUri, type Url } from '../go/url.ts';
import { byteLength, runeCount } from '../go/utf8.ts';
import { GoError } from '../go/value.ts';

const wide = String.raw`\x{00A0}-\x{D7FF}\x{F900}-\x{FDCF}\x{FDF0}-\x{FFEF}`;
const atom = `([a-zA-Z]|\\d|[!#\\$%&'\\*\\+\\-\\/=\\?\\^_\`{\\|}~]|[${wide}])+`;
const folding = String.raw`((\x20|\x09)*(\x0d\x0a))?(\x20|\x09)+`;
const quotedText = String.raw`[\x01-\x08\x0b\x0c\x0e-\x1f\x7f]|\x21|[\x23-\x5b]|[\x5d-\x7e]|[${wide}]`;
const quotedPair = String.raw`\([\x01-\x09\x0b\x0c\x0d-\x7f]|[${wide}]`;
const quotedName = String.raw`(\x22)(((${folding})?((${quotedText})|(${quotedPair})))*(${folding})?(\x22))`;
const label = `(([a-zA-Z]|\\d|[${wide}])|(([a-zA-Z]|\\d|[${wide}])([a-zA-Z]|\\d|-|\\.|_|~|[${wide}])*([a-zA-Z]|\\d|[${wide}])))`;
const topLabel = `(([a-zA-Z]|[${wide}])|(([a-zA-Z]|[${wide}])([a-zA-Z]|\\d|-|_|~|[${wide}])*([a-zA-Z]|[${wide}])))`;
const mailPattern = `^((${atom}(\\.${atom})*)|(${quotedName}))@(${label}\\.)+${topLabel}\\.?$`;

const hex = '[0-9a-fA-F]{1,4}';
const byte = '(25[0-5]|(2[0-4]|1{0,1}[0-9]){0,1}[0-9])';
const ipv6 = [
  `(${hex}:){7,7}${hex}`,
  `(${hex}:){1,7}:`,
  `(${hex}:){1,6}:${hex}`,
  ...[2, 3, 4, 5].map((count) => `(${hex}:){1,${7 - count}}(:${hex}){1,${count}}`),
  `${hex}:((:${hex}){1,6})`,
  `:((:${hex}){1,7}|:)`,
  'fe80:(:[0-9a-fA-F]{0,4}){0,4}%[0-9a-zA-Z]{1,}',
  `::(ffff(:0{1,4}){0,1}:){0,1}(${byte}\\.){3,3}${byte}`,
  `(${hex}:){1,4}:(${byte}\\.){3,3}${byte}`,
].join('|');
const ipv4 = String.raw`([1-9]\d?|1\d\d|2[01]\d|22[0-3]|24\d|25[0-5])(\.(\d{1,2}|1\d\d|2[0-4]\d|25[0-5])){2}(?:\.([0-9]\d?|1\d\d|2[0-4]\d|25[0-5]))`;
const subdomain = String.raw`((www\.)|([a-zA-Z0-9]+([-_\.]?[a-zA-Z0-9])*[a-zA-Z0-9]\.[a-zA-Z0-9]+))`;
const letters = String.raw`a-zA-Z\x{00a1}-\x{ffff}`;
const hostNames = String.raw`([a-zA-Z0-9]([a-zA-Z0-9-_]+)?[a-zA-Z0-9]([-\.][a-zA-Z0-9]+)*)`;
const host = `(${ipv4}|(\\[(${ipv6})\\])|((${hostNames}|(${subdomain}?))?(([${letters}0-9]+-?-?)*[${letters}0-9]+)(?:\\.([${letters}]{1,}))?))`;
const urlPattern = String.raw`^((ftp|tcp|udp|wss?|https?):\/\/)?(\S+(:\S*)?@)?${host}\.?(:(\d{1,5}))?((\/|\?|#)[^\s]*)?$`;

/** Reports whether a text is a mail address. Mirrors: `IsEmail`. */
export function isEmail(text: string): boolean {
  return compileRegexp(mailPattern).matchString(text);
}

/** Reports whether a text is a URL, with or without its scheme. Mirrors: `IsURL`. */
export function isUrl(text: string): boolean {
  if (runeCount(text) >= 2083 || byteLength(text) <= 3 || text.startsWith('.')) return false;
  const url = orUndefined(() => parseGoUrl(text.includes(':') && !text.includes('://') ? `http://${text}` : text));
  if (url === undefined || url.host.startsWith('.')) return false;
  if (url.host === '' && url.path !== '' && !url.path.includes('.')) return false;
  return compileRegexp(urlPattern).matchString(text);
}

/** Reports whether a text is a URL with a scheme. Mirrors: `IsRequestURL`. */
export function isRequestUrl(text: string): boolean {
  return (orUndefined(() => parseRequestUri(text))?.scheme ?? '') !== '';
}

function orUndefined(parse: () => Url): Url | undefined {
  try {
    return parse();
  } catch (error) {
    if (error instanceof GoError) return undefined;
    throw error;
  }
}
