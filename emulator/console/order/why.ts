// Explains a line of the manifest: the template line that wrote it, the values that it read, and which of them decides it.

import type { ExplainedPart } from '../../../render/index.ts';
import { request } from '../api.ts';
import { preview, previewPath } from './draft.ts';

/** The explanation of a line. Lines that no template wrote have no parts. */
export interface Why {
  readonly package?: number;
  readonly object?: string;
  readonly text?: string;
  readonly parts: readonly ExplainedPart[];
}

/** Explains a line, from 1, of the current manifest. Rejects with an `ApiFailure`, and if it is aborted. */
export async function requestWhy(line: number, signal?: AbortSignal): Promise<Why> {
  const { value } = preview;
  if (value === undefined) return { parts: [] };
  const answer = await request<Why>('POST', previewPath('/line'), { body: { order: value.order, line }, signal });
  const index = answer.package === undefined ? undefined : value.indexes[answer.package];
  return index === undefined ? answer : { ...answer, package: index };
}

/** Where a value is edited: a field of the form, or a member of the package. */
export interface Decider {
  readonly index: number;
  /** As people read it. */
  readonly path: string;
  readonly value: unknown;
  /** The path of the value; without it, it is a member of the package. */
  readonly steps?: readonly string[];
  readonly member?: 'releaseName' | 'namespace' | 'version' | undefined;
}

const ways = ['exact', 'computed', 'decides'];
const members: Readonly<Record<string, Decider['member']>> = {
  '.Release.Name': 'releaseName',
  '.Release.Namespace': 'namespace',
  '.Chart.Version': 'version',
  '.Chart.AppVersion': 'version',
};

/**
 * Returns what decides a line: the part at a column, from 1, else adjacent parts, else the conditions of the line. Undefined if nothing
 * that can be set does.
 */
export function deciderOf({ package: index, text = '', parts }: Why, column = 0): Decider | undefined {
  if (index === undefined) return undefined;
  const here = partAt(parts, text, column);
  const rest = parts.filter((part) => part !== here).flatMap(({ values }) => values);
  const conditions = (here ?? parts[0])?.conditions ?? [];
  // If one action used several values, the one with the hovered words.
  const under = (here?.values ?? []).filter(({ value }) => isUnder(text, column, value));
  const groups = [under, here?.values ?? [], rest, ...[...conditions].reverse().map(({ values }) => values)];
  for (const values of groups) {
    for (const how of ways) {
      const found = values.filter((value) => value.how === how);
      // Values in the form come before members of the package.
      const own = found.find(({ path }) => !path.startsWith('.'));
      if (own) return { index, path: own.path, value: own.value, steps: own.steps.map(String) };
      const named = found.find(({ path }) => members[path] !== undefined);
      if (named) return { index, path: named.path, value: named.value, member: members[named.path] };
    }
  }
  return undefined;
}

function partAt(parts: readonly ExplainedPart[], text: string, column: number): ExplainedPart | undefined {
  let from = 0;
  for (const part of parts) {
    const start = text.indexOf(part.text, from);
    if (start < 0) continue;
    from = start + part.text.length;
    if (column > start && column <= from) return part.values.length > 0 ? part : undefined;
  }
  return undefined;
}

function isUnder(text: string, column: number, value: unknown): boolean {
  if (value === '' || (typeof value !== 'string' && typeof value !== 'number')) return false;
  const start = text.indexOf(String(value));
  return start >= 0 && column > start && column <= start + String(value).length;
}

export function shortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
