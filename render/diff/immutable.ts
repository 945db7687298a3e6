// Changes of immutable members, which require recreating the object.

import type { GoMap, GoValue } from '../go/value.ts';
import { member } from '../manifest/objects.ts';
import type { RawEntry } from './compare.ts';
import { isServerDefault } from './live.ts';
import { fitsSteps } from './steps.ts';
import { type RefusedChanges, refusedChanges } from './updates.generated.ts';
import { quantityOf } from './value.ts';

/** Reports whether the API server refuses the change of a member of a built-in kind. */
export function isImmutable(kind: string, before: GoMap, entry: RawEntry): boolean {
  // Helm recreates a hook each time.
  if (isHook(before)) return false;
  const refused = refusedChanges.find((row) => row.kind === kind && holds(row, before))?.refused ?? [];
  if (!refused.some((pattern) => isRefused(pattern, entry))) return false;
  // Adding or removing a default value changes nothing.
  const { op, steps } = entry;
  const value = op === 'add' ? entry.after : op === 'remove' ? entry.before : undefined;
  return value === undefined || !isServerDefault(kind, steps, value);
}

function holds({ when }: RefusedChanges, object: GoMap): boolean {
  return when.every(([path, value]) => {
    const found = path.split('.').reduce<GoValue>((at, name) => member(at, name), object);
    return found === value;
  });
}

function isRefused(pattern: string, entry: RawEntry): boolean {
  const [first = '', ...rest] = pattern.split(' ');
  if (!/^[-+~<>]+$/.test(first)) return fitsSteps(entry.steps, [first, ...rest, '**']);
  return fitsSteps(entry.steps, rest) && operationsOf(entry).some((operation) => first.includes(operation));
}

function operationsOf({ op, before, after }: RawEntry): string[] {
  if (op === 'add') return ['+'];
  if (op === 'remove') return ['-'];
  const [was, is] = [quantityOf(before ?? null), quantityOf(after ?? null)];
  return was === undefined || is === undefined ? ['~'] : ['~', is > was ? '>' : '<'];
}

function isHook(object: GoMap): boolean {
  const annotations = member(member(object, 'metadata'), 'annotations');
  return annotations instanceof Map && annotations.has('helm.sh/hook');
}
