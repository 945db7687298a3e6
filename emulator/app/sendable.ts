// Validates statuses and headers for HTTP.

import { jsonType } from './message.ts';

const nameRule = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const valueRule = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Reports whether a header can be sent. */
export function isSendable(name: string, value: string): boolean {
  return nameRule.test(name) && valueRule.test(value);
}

/** Reports whether a number can be the status of an answer. */
export function isStatus(status: number): boolean {
  return Number.isInteger(status) && status >= 200 && status <= 599;
}

/** The first invalid header of a response, or undefined. */
export function unsendable(name: string, value: string | readonly string[]): string | undefined {
  // Every response has it.
  if (name === 'Content-Type' && value === jsonType) return undefined;
  const fits = typeof value === 'string' ? isSendable(name, value) : value.every((one) => isSendable(name, one));
  return fits ? undefined : `the header ${JSON.stringify(name)} with ${JSON.stringify(value)}`;
}
