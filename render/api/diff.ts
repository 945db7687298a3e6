// Semantic comparison of two manifests, with validated arguments.

import {
  anything,
  checkArguments,
  either,
  flag,
  isMembers,
  kind,
  listOf,
  membersOf,
  oneOf,
  optionsOf,
  text,
} from '../core/arguments.ts';
import { messageOf, RenderError } from '../core/errors.ts';
import {
  type DiffCause,
  type DiffEntry,
  type Difference,
  type DiffOptions,
  type DiffPlace,
  type DiffSummary,
  diffObjects,
  type ObjectChange,
  type ObjectName,
  type ObjectStatus,
  type VersionChange,
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
const names = ['apiVersion', 'kind', 'namespace', 'name'] as const;
const version = membersOf<VersionChange>({ chart: text, field: text, from: text, to: text }, ['from', 'to']);
const cause = membersOf<DiffCause>({ kind: text, text, file: text, line: count, version }, ['kind', 'text']);
const place = membersOf<DiffPlace>({ file: text, line: count }, ['file', 'line']);
const steps = listOf(kind('a name or an index', (value) => typeof value === 'string' || typeof value === 'number'));
const entry = membersOf<DiffEntry>(
  {
    op: oneOf(['add', 'remove', 'change', 'move'] satisfies readonly DiffEntry['op'][]),
    path: text,
    steps: membersOf<DiffEntry['steps']>({ before: steps, after: steps }, []),
    before: anything,
    after: anything,
    inside: membersOf<NonNullable<DiffEntry['inside']>>({ format: text, path: text }, ['format', 'path']),
    lines: text,
    isImmutable: flag,
    risks: listOf(text),
    place,
    causes: listOf(cause),
  },
  ['op', 'path', 'risks'],
);
const objectChange = membersOf<ObjectChange>(
  {
    ...name,
    status: oneOf(['added', 'removed', 'changed', 'replaced', 'renamed'] satisfies readonly ObjectStatus[]),
    from: membersOf<ObjectName>(name, names),
    source: text,
    documents: anything,
    entries: listOf(entry),
    place,
    causes: listOf(cause),
    risks: listOf(text),
  },
  [...names, 'status', 'source', 'entries', 'risks'],
);
const differenceShape = membersOf<Difference>(
  {
    summary: membersOf<DiffSummary>(
      {
        added: count,
        removed: count,
        changed: count,
        replaced: count,
        renamed: count,
        same: count,
        risks: counts,
        restarts: listOf(membersOf<ObjectName>(name, names)),
      },
      ['added', 'removed', 'changed', 'replaced', 'renamed', 'same', 'risks', 'restarts'],
    ),
    objects: listOf(objectChange),
    ignored: listOf(membersOf<Ignored>({ reason: text, count }, ['reason', 'count'])),
    unusedRules: anything,
  },
  ['summary', 'objects', 'ignored'],
);

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
export function formatDifference(difference: Difference): string {
  checkArguments('formatDifference', ['difference', difference, differenceShape]);
  return format(difference);
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
