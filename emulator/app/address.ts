// Where a server listens: what is checked of it, and what an address reaches.

import type { Schema } from '../store/compile.ts';

/** The schema of what can be checked of server options by a schema. */
export const serverSchema: Schema = {
  title: 'ServerOptions',
  type: 'object',
  properties: {
    port: { type: 'integer', minimum: 0, maximum: 65535 },
    host: { type: 'string' },
    allowedHosts: { type: 'array', items: { type: 'string' } },
    tls: {
      type: 'object',
      required: ['key', 'cert'],
      properties: { key: { type: 'string' }, cert: { type: 'string' } },
      additionalProperties: false,
    },
    console: { enum: [true, false, 'aside'] },
    onAnswer: {},
  },
  additionalProperties: false,
};

/** Reports whether an address means every network of the machine. */
export function isEverywhere(host: string): boolean {
  return host === '0.0.0.0' || host === '::' || host === '';
}

/** Reports whether an address is reached from this machine alone. */
export function isLoopback(host: string): boolean {
  return /^(?:127\.|::1$|localhost$)/.test(host);
}
