// The record of a snapshot: the format of its files, and the inputs of each rendering.

import { attempt } from '../core/catch.ts';
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
  if (!isObjectLike(value)) return undefined;
  const { form: written, key, inputs, lines } = value;
  if (typeof written === 'number' && written > form) {
    throw new RenderError('MANIFEST_INVALID', `${name} is written in form ${written}, which a later drydock writes`, {
      hint: 'Take that version of drydock, or record it again with this one: drydock snapshot INPUT --update.',
    });
  }
  if (written !== form || typeof key !== 'string' || !isObjectLike(inputs)) return undefined;
  const shared: unknown[] = Array.isArray(lines) ? lines : [];
  const whole = Object.entries(inputs).flatMap(([own, one]): [string, Inputs][] => {
    const read = isObjectLike(one) ? { ...one, lines: shared[Number(one.lines)] } : one;
    return isInputs(read) ? [[own, read]] : [];
  });
  return { key, inputs: Object.fromEntries(whole) };
}

function isObjectLike(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function parse(text: string): unknown {
  return attempt((): unknown => JSON.parse(text), SyntaxError, undefined);
}

function isInputs(value: unknown): value is Inputs {
  if (!isObjectLike(value)) return false;
  const { charts, release, kubeVersion, helm, marks, lines } = value;
  return (
    isMarks(marks) &&
    isObjectLike(lines) &&
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
