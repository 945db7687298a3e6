// What HTTP can carry: a status, and headers by name and value.

import type { Outgoing } from './message.ts';

const nameRule = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const valueRule = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Tells whether a header can be sent. */
export function isSendable(name: string, value: string): boolean {
  return nameRule.test(name) && valueRule.test(value);
}

/** Says what of an answer cannot be sent; undefined when all of it can. */
export function unsendable({ status, headers }: Outgoing): string | undefined {
  if (!Number.isInteger(status) || status < 200 || status > 599) return `the status ${status}`;
  for (const name in headers) {
    const value = headers[name] as string | readonly string[];
    const fits = typeof value === 'string' ? isSendable(name, value) : value.every((one) => isSendable(name, one));
    if (!fits) return `the header ${JSON.stringify(name)} with ${JSON.stringify(value)}`;
  }
  return undefined;
}
