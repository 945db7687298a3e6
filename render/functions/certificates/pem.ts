// PEM blocks.
// Mirrors: Go 1.23, encoding/pem, pem.go, `Encode` and `Decode`.

import { escapePattern } from '../../core/escape-pattern.ts';
import { decodeBase64, encodeBase64 } from '../../go/base64.ts';

/** The content of a block. */
export interface PemBlock {
  /** The label after `BEGIN`, such as `CERTIFICATE`. */
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** Returns the text of a block in lines of 64 characters, with a final line break. */
export function encodePem(type: string, bytes: Uint8Array): string {
  const lines = encodeBase64(bytes).match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${type}-----`, ...lines, `-----END ${type}-----`, ''].join('\n');
}

const begin = /^-----BEGIN (.*)-----[ \t]*\r?$/gm;

/** Returns the first well-formed block of a text, or undefined. Surrounding text and headers are skipped. */
export function decodePem(text: string): PemBlock | undefined {
  for (const match of text.matchAll(begin)) {
    const type = match[1]!;
    const body = text.slice(match.index + match[0].length);
    const end = new RegExp(`^-----END ${escapePattern(type)}-----[ \\t]*\\r?$`, 'm').exec(body);
    const bytes = end === null ? undefined : decodeBody(body.slice(0, end.index));
    if (bytes !== undefined) return { type, bytes };
  }
  return undefined;
}

function decodeBody(body: string): Uint8Array | undefined {
  const lines = body.split('\n').filter((line) => !line.includes(':'));
  try {
    return decodeBase64(lines.join('').replace(/[ \t\r]/g, ''));
  } catch {
    return undefined;
  }
}
