// Allowed redirects: the site itself, and pages of allowed origins, to prevent open redirects.

import { violation } from './problem.ts';
import type { Call } from './route.ts';
import { isAllowedOrigin } from './security.ts';

const longest = 2000;
// Stands for the origin by which the browser knows the site.
const self = 'http://self.invalid';

/** Returns a redirect target: a path, or the URL of an allowed origin (`*` does not count here). Throws a 422 `Problem`. */
export function readTarget(parameter: string, sent: string, { settings, siteUrl }: Call): string {
  const target = sent.length > longest ? undefined : sent.startsWith('/') ? pathOf(sent) : addressOf(sent);
  if (typeof target === 'string') return target;
  const origins = settings.origins.filter((origin) => origin !== '*');
  if (target && isAllowedOrigin(target.origin, origins, parse(siteUrl)?.origin ?? '')) return target.href;
  const shown = JSON.stringify(sent.length > 100 ? `${sent.slice(0, 100)}…` : sent);
  throw violation(
    `${parameter}: ${shown} is not a valid redirect target: use a path of this site, or a URL of an allowed origin`,
  );
}

function pathOf(sent: string): string | undefined {
  const url = parse(sent, self);
  // `//host` is another site in any spelling; so is a path that starts like one after its dot segments are removed.
  if (url?.origin !== self || url.pathname.startsWith('//')) return undefined;
  return url.pathname + url.search + url.hash;
}

function addressOf(sent: string): URL | undefined {
  const url = parse(sent);
  const isPlain = url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  return isPlain ? url : undefined;
}

function parse(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
