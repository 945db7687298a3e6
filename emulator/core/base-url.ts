// Base URLs, as callers write them.

/** Returns a URL or path without slashes at its end. */
export function trimSlashes(url: string): string {
  return url.replace(/(?<!\/)\/+$/, '');
}
