// The address of a server: validation, and reachability.

import type { Schema } from '../store/compile.ts';

/** The schema of server options. */
export const serverSchema: Schema = {
  title: 'ServerOptions',
  type: 'object',
  properties: {
    port: { type: 'integer', minimum: 0, maximum: 65535 },
    host: { type: 'string' },
    allowedHosts: { type: 'array', items: { type: 'string' } },
    tls: {
      type: ['object', 'string'],
      required: ['key', 'cert'],
      properties: { key: { type: 'string' }, cert: { type: 'string' } },
      additionalProperties: false,
    },
    fixturesFolder: { type: 'string' },
    watch: { type: 'boolean' },
    chartFolders: { type: 'array', items: { type: 'string' } },
    persist: { type: 'string' },
    proxy: { type: 'string' },
    record: { type: 'string' },
    console: { enum: [true, false, 'aside'] },
    onAnswer: {},
    onNotice: {},
  },
  additionalProperties: false,
};

/** Reports whether an address means all network interfaces. */
export function isEverywhere(host: string): boolean {
  return host === '0.0.0.0' || host === '::' || host === '';
}

/** Reports whether an address is reachable only from this machine. */
export function isLoopback(host: string): boolean {
  return /^(?:127\.|::1$|localhost$)/.test(host);
}
