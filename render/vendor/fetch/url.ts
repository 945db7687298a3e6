// Addresses that others have written: read, or refused in one sentence.

import { publicUrl } from '../lock/source.ts';
import { VendorError } from './errors.ts';

const maxLength = 8192;

/** Returns a URL of HTTP; `base` is where a relative one starts. Throws ANSWER_INVALID. */
export function parseUrl(text: string, base?: URL | string): URL {
  let url: URL | undefined;
  try {
    url = text.length > maxLength ? undefined : new URL(text, base);
  } catch {
    // Reported below.
  }
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new VendorError('ANSWER_INVALID', `${JSON.stringify(publicUrl(text).slice(0, 200))} is no address of HTTP`, {
    hint: 'Correct the address, or the index that names it.',
  });
}
