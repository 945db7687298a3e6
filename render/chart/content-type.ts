// Detects the media type of a file from its first bytes.
// Mirrors: Go 1.23, net/http, sniff.go, `DetectContentType`, its common rows.

import { decodeUtf8 } from '../go/utf8.ts';

const signatures: readonly (readonly [RegExp, string])[] = [
  [
    /^[\t\n\f\r ]*<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|!--)[ >]/i,
    'text/html; charset=utf-8',
  ],
  [/^[\t\n\f\r ]*<\?xml/, 'text/xml; charset=utf-8'],
  [/^%PDF-/, 'application/pdf'],
  [/^%!PS-Adobe-/, 'application/postscript'],
  [/^\udcfe\udcff/, 'text/plain; charset=utf-16be'],
  [/^\udcff\udcfe/, 'text/plain; charset=utf-16le'],
  [/^\ufeff/, 'text/plain; charset=utf-8'],
  [/^\0\0[\x01\x02]\0/, 'image/x-icon'],
  [/^BM/, 'image/bmp'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF.{4}WEBPVP/s, 'image/webp'],
  [/^\udc89PNG\r\n\x1a\n/, 'image/png'],
  [/^\udcff\udcd8\udcff/, 'image/jpeg'],
  [/^ID3/, 'audio/mpeg'],
  [/^OggS\0/, 'application/ogg'],
  [/^RIFF.{4}WAVE/s, 'audio/wave'],
  [/^\x1f\udc8b\x08/, 'application/x-gzip'],
  [/^PK\x03\x04/, 'application/zip'],
  [/^Rar!\x1a\x07(?:\0|\x01\0)/, 'application/x-rar-compressed'],
  [/^\0asm/, 'application/wasm'],
];

/** Returns the media type of data from its first 512 bytes; shorter data is padded with zeros, as in Helm. */
export function detectContentType(data: Uint8Array): string {
  const head = new Uint8Array(512);
  head.set(data.subarray(0, 512));
  const text = decodeUtf8(head);
  const found = signatures.find(([pattern]) => pattern.test(text));
  if (found !== undefined) return found[1];
  const isBinary = head.some(
    (byte) => byte <= 0x08 || byte === 0x0b || (byte >= 0x0e && byte <= 0x1a) || (byte >= 0x1c && byte <= 0x1f),
  );
  return isBinary ? 'application/octet-stream' : 'text/plain; charset=utf-8';
}
