// State files from before the log, and exported snapshots: the state of one world, read once and then kept as a log.

import { createHash } from 'node:crypto';

/**
 * Gives the snapshot document that a file holds: a state as drydock kept it before it kept a log, or what `--export` wrote.
 * Undefined when it is neither. Throws a plain error for one that is torn.
 */
export function formerDocument(text: string): unknown {
  const [head = '', state = ''] = text.split('\n');
  const { format, sha256 } = membersOf(head) ?? {};
  if (format !== 'drydock-state') {
    const document = membersOf(text);
    return document?.format === 'drydock-snapshot' ? document : undefined;
  }
  const digest = createHash('sha256').update(state).digest('hex');
  if (!text.endsWith('\n') || digest !== sha256) throw new Error('the file is torn: its digest does not fit');
  return JSON.parse(state);
}

function membersOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
