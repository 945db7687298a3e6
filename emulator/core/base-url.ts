// Base URLs as given by callers.

/** Returns a URL or path without trailing slashes. */
export function trimSlashes(url: string): string {
  return url.replace(/(?<!\/)\/+$/, '');
}
