// A fault in a form: texts and choices, and their JSON.

import type { ApiAnswer } from './api.ts';

/** The content of the form by fault field. */
export type FaultDraft = Readonly<Record<string, string | boolean>>;

/** Validation errors by field path: `name`, or `faults[0].status`. */
export type Misplaced = ReadonlyMap<string, string>;

const numbers = new Set(['status', 'skip', 'times', 'probability']);

/** Converts a form to a fault as JSON. Invalid text is sent unchanged, so that the server reports it. */
export function faultOf(draft: FaultDraft): Readonly<Record<string, unknown>> {
  const fault: Record<string, unknown> = {};
  for (const [name, written] of Object.entries(draft)) {
    const value = typeof written === 'string' ? written.trim() : written;
    if (value !== '' && value !== false) fault[name] = typeof value === 'string' ? readField(name, value) : value;
  }
  return fault;
}

/** Converts a fault to a form. */
export function toFaultDraft(fault: object): FaultDraft {
  return Object.fromEntries(
    Object.entries(fault).map(([name, value]) => [name, typeof value === 'boolean' ? value : writtenAs(name, value)]),
  );
}

function readField(name: string, text: string): unknown {
  if (name === 'headers') return readHeaders(text);
  if (name === 'body') return parsed(text);
  const range = name === 'latencyMs' ? /^(\d+) *(?:-|to) *(\d+)$/.exec(text) : null;
  if (range) return { min: Number(range[1]), max: Number(range[2]) };
  const number = Number(text);
  return (numbers.has(name) || name === 'latencyMs') && !Number.isNaN(number) ? number : text;
}

// Invalid JSON is treated as text.
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

// A new header starts after a semicolon that is followed by a name and a colon, because values can contain semicolons.
function readHeaders(text: string): unknown {
  const lines = text.split(/;(?=\s*[\w-]+\s*:)/).map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, Math.max(colon, 0)).trim(), line.slice(colon + 1).trim()];
  });
  return lines.some(([name]) => name === '') ? text : Object.fromEntries(lines);
}

function writtenAs(name: string, value: unknown): string {
  if (name === 'body') return JSON.stringify(value);
  if (name === 'latencyMs' && typeof value === 'object' && value !== null && 'min' in value && 'max' in value) {
    return `${value.min}-${value.max}`;
  }
  if (name !== 'headers' || typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([header, text]) => `${header}: ${text}`)
    .join('; ');
}

/** Returns the messages of a 422 response by field; empty for other responses. */
export function misplacedOf(answer: Pick<ApiAnswer, 'status' | 'text'> | undefined): Misplaced {
  const found = new Map<string, string>();
  for (const { path, message, hint } of answer?.status === 422 ? issuesOf(answer.text) : []) {
    const place = placeOf(path);
    const words = hint === undefined ? message : `${message}: ${hint}`;
    found.set(place, [...new Set([found.get(place), words])].filter(Boolean).join('; '));
  }
  return found;
}

function issuesOf(refusal: string): readonly Issue[] {
  try {
    return JSON.parse(refusal).issues ?? [];
  } catch {
    return [];
  }
}

interface Issue {
  readonly path: string;
  readonly message: string;
  readonly hint?: string;
}

// A field of the form includes everything below it: `latencyMs.min`, `headers["a"]`.
function placeOf(path: string): string {
  return /^(?:faults\[\d+\]\.)?[A-Za-z]+/.exec(path)?.[0] ?? path;
}
