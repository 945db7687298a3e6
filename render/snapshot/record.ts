// The record of a snapshot: the format of its files, and the inputs of each rendering.

import { RenderError } from '../core/errors.ts';
import { fingerprint } from '../diff/fingerprint.ts';
import type { Inputs } from '../provenance/impact/inputs.ts';

// The format version. 1, of drydock 0.1.0, contained random values and secrets and had no record; 2 was never released.
const form = 3;

/** The name of the file. Stores of snapshots ignore it because it starts with a dot. */
export const recordName = '.record.json';

export interface SnapshotRecord {
  /** The fingerprint of a known text, so that a comparison with another key is reported. */
  readonly key: string;
  /** The inputs of each case, or of each release of an Order by `NAMESPACE/NAME`. */
  readonly inputs: Readonly<Record<string, Inputs>>;
}

export function keyMark(secretKey = 'drydock'): string {
  return String(fingerprint('drydock', secretKey));
}

/** Formats a record, one line for each case. The lines of a chart are the same in all its cases and are written once. */
export function formatSnapshotRecord({ key, inputs }: SnapshotRecord): string {
  const shared: string[] = [];
  const lines = Object.keys(inputs)
    .sort()
    .map((name) => `  ${JSON.stringify(name)}: ${JSON.stringify(withShared(inputs[name]!, shared))}`);
  const files = shared.length === 0 ? '' : `, "lines": [\n  ${shared.join(',\n  ')}\n]`;
  return `{"form": ${form}, "key": ${JSON.stringify(key)}, "inputs": {\n${lines.join(',\n')}\n}${files}}\n`;
}

function withShared({ lines, ...rest }: Inputs, shared: string[]): unknown {
  const text = JSON.stringify(lines);
  const known = shared.indexOf(text);
  return { ...rest, lines: known < 0 ? shared.push(text) - 1 : known };
}

/** Reads the key's fingerprint from the first bytes of a record; undefined for another format version. */
export function readRecordMark(start: string): string | undefined {
  const [, written, key] = /^\{"form": (\d+), "key": ("[^"]*"),/.exec(start) ?? [];
  return Number(written) === form && key !== undefined ? String(parse(key)) : undefined;
}

/** Parses a record; undefined for an invalid text, such as one with merge conflicts. Throws MANIFEST_INVALID for a later format. */
export function readRecord(text: string, name: string): SnapshotRecord | undefined {
  const value = parse(text);
  if (typeof value !== 'object' || value === null) return undefined;
  const { form: written, key, inputs, lines } = value as Readonly<Record<string, unknown>>;
  if (typeof written === 'number' && written > form) {
    throw new RenderError('MANIFEST_INVALID', `${name} is written in form ${written}, which a later drydock writes`, {
      hint: 'Take that version of drydock, or record it again with this one: drydock snapshot INPUT --update.',
    });
  }
  if (written !== form || typeof key !== 'string' || typeof inputs !== 'object' || inputs === null) return undefined;
  const shared: unknown[] = Array.isArray(lines) ? lines : [];
  const whole = Object.entries(inputs as Record<string, unknown>).map(
    ([own, one]) => [own, withLines(one, shared)] as const,
  );
  const sound = whole.filter(([, one]) => isInputs(one));
  return { key, inputs: Object.fromEntries(sound) as Record<string, Inputs> };
}

function withLines(inputs: unknown, shared: readonly unknown[]): unknown {
  if (typeof inputs !== 'object' || inputs === null || !('lines' in inputs)) return inputs;
  return { ...inputs, lines: shared[Number(inputs.lines)] ?? null };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isInputs(value: unknown): value is Inputs {
  if (typeof value !== 'object' || value === null) return false;
  const { charts, release, kubeVersion, helm, marks, lines } = value as Partial<Inputs>;
  return (
    isMarks(marks) &&
    typeof lines === 'object' &&
    lines !== null &&
    Object.values(lines).every(isMarks) &&
    typeof charts === 'object' &&
    typeof release === 'object' &&
    kubeVersion !== undefined &&
    helm !== undefined
  );
}

function isMarks(value: unknown): boolean {
  return typeof value === 'string' && /^[A-Za-z0-9+/]*={0,2}$/.test(value) && value.length % 4 === 0;
}
