// Semantic comparison of two manifests, with validated arguments.

import {
  checkArguments,
  either,
  flag,
  having,
  isMembers,
  kind,
  listOf,
  membersOf,
  optionsOf,
  text,
} from '../core/arguments.ts';
import { messageOf, RenderError } from '../core/errors.ts';
import {
  type DiffEntry,
  type Difference,
  type DiffOptions,
  type DiffSummary,
  diffObjects,
  type ObjectChange,
  type ObjectName,
} from '../diff/difference.ts';
import type { Ignored, IgnoreRule } from '../diff/noise.ts';
import type { DiffDocument, DiffSide } from '../diff/objects.ts';
import { differenceText as format } from '../diff/text.ts';

const documents = either(
  Array.isArray,
  listOf(
    membersOf<DiffDocument>({ path: text, content: text, namespace: text, isFromCrds: flag }, ['path', 'content']),
  ),
  text,
);
const side = either(isMembers, membersOf<DiffSide>({ documents, name: text, namespace: text }, ['documents']), text);
const rule = membersOf<IgnoreRule>(
  { kind: text, name: text, namespace: text, path: text, pattern: text, reason: text },
  ['reason'],
);
const diffOptions = optionsOf<DiffOptions>({ ignore: listOf(rule), all: flag, showSecrets: flag, secretKey: text });

const count = kind('a number', (value) => typeof value === 'number');
const counts = kind('numbers by name', (value) => isMembers(value) && Object.values(value).every(Number.isFinite));
const name = { apiVersion: text, kind: text, namespace: text, name: text };
const difference = having<Difference>('a difference, as returned by diffManifests', {
  summary: having<DiffSummary>('a summary', {
    added: count,
    removed: count,
    changed: count,
    replaced: count,
    renamed: count,
    same: count,
    risks: counts,
    restarts: listOf(having<ObjectName>('the name of an object', name)),
  }),
  objects: listOf(
    having<ObjectChange>('a changed object', {
      ...name,
      status: text,
      source: text,
      entries: listOf(having<DiffEntry>('an entry', { op: text, path: text, risks: listOf(text) })),
      risks: listOf(text),
    }),
  ),
  ignored: listOf(having<Ignored>('what a rule ignored', { reason: text, count })),
});

/**
 * Returns the semantic changes between two manifests: added, removed and changed objects and members, with risky changes marked. A side is
 * the text of a manifest, or its documents with the namespace of those without one. Throws MANIFEST_INVALID if a document is not YAML,
 * ARGUMENT_INVALID.
 * @example
 * const { objects } = diffManifests(template(chart), template(chart, { set: ['replicaCount=0'] }));
 * const risky = objects.filter(({ risks }) => risks.length > 0);
 */
export function diffManifests(
  before: string | DiffSide,
  after: string | DiffSide,
  options: DiffOptions = {},
): Difference {
  checkArguments('diffManifests', ['before', before, side], ['after', after, side], ['options', options, diffOptions]);
  for (const { pattern } of options.ignore ?? []) checkPattern(pattern);
  const sideOf = (given: string | DiffSide): DiffSide => (typeof given === 'string' ? { documents: given } : given);
  return diffObjects(sideOf(before), sideOf(after), options);
}

/**
 * Formats a difference for people, as `drydock diff` prints it: a summary, then each object with its changes. Throws ARGUMENT_INVALID.
 * @example
 * console.log(formatDifference(diffManifests(before, after)));
 */
export function formatDifference(found: Difference): string {
  checkArguments('formatDifference', ['difference', found, difference]);
  return format(found);
}

function checkPattern(pattern: string | undefined): void {
  try {
    if (pattern !== undefined) new RegExp(pattern);
  } catch (error) {
    throw new RenderError('ARGUMENT_INVALID', `options.ignore: ${messageOf(error)}`, {
      hint: 'Give a regular expression as JavaScript has them.',
    });
  }
}
