// Parses URLs from untrusted sources, with an error message for invalid ones.

import { publicUrl } from '../lock/source.ts';
import { VendorError } from './errors.ts';

const maxLength = 8192;

/** Returns an HTTP URL; `base` is for relative ones. Throws ANSWER_INVALID. */
export function parseUrl(text: string, base?: URL | string): URL {
  let url: URL | undefined;
  try {
    url = text.length > maxLength ? undefined : new URL(text, base);
  } catch {
    // Reported below.
  }
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new VendorError('ANSWER_INVALID', `${JSON.stringify(publicUrl(text).slice(0, 200))} is not an HTTP address`, {
    hint: 'Correct the address, or the index that names it.',
  });
}
