// Base URLs as given by callers.

export function trimSlashes(url: string): string {
  return url.replace(/(?<!\/)\/+$/, '');
}
