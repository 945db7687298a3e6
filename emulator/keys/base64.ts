// Base64 of bytes and strings, standard and URL-safe, with the functions that browsers and Node share.

export function encodeBase64(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** Encodes bytes, or a string as UTF-8, for JWTs: URL-safe without padding. */
export function encodeBase64Url(data: Uint8Array | string): string {
  const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
  return encodeBase64(bytes)
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/={1,2}$/, '');
}

export function decodeBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}

/** Decodes base64 to a string; undefined if it is not base64 of UTF-8. */
export function decodeBase64Text(text: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(decodeBase64(text));
  } catch {
    return undefined;
  }
}
