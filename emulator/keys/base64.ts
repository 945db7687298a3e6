// Base64 of bytes and texts, with and without the URL alphabet, on what browsers and Node share.

/** Encodes bytes as base64 with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** Encodes bytes, or the UTF-8 of a text, for JWTs: the URL alphabet without padding. */
export function encodeBase64Url(data: Uint8Array | string): string {
  const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
  return encodeBase64(bytes)
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/={1,2}$/, '');
}

/** Decodes base64 to its bytes. Throws a DOMException for what is none. */
export function decodeBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}

/** Decodes base64 to the text whose UTF-8 it holds; undefined when it is not base64 of UTF-8. */
export function decodeBase64Text(text: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(decodeBase64(text));
  } catch {
    return undefined;
  }
}
