// Edits of manifests with the expected entries and marks: the rows of fixtures/diff.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { parse } from 'yaml';
import { diffObjects } from '../../../render/diff/difference.ts';
import { differenceText } from '../../../render/diff/text.ts';

interface Row {
  readonly name: string;
  /** The manifests of both sides, by name. */
  readonly base: string | readonly string[];
  /** Replacements on both sides, applied first. */
  readonly before?: readonly (readonly [string, string])[];
  /** Replacements on the later side. */
  readonly edits?: readonly (readonly [string, string])[];
  /** A manifest added on the later side. */
  readonly with?: string;
  /** A manifest removed on the later side. */
  readonly without?: string;
  readonly reversed?: boolean;
  /** Number of ignored entries. */
  readonly leftOut?: number;
  /** The expected lines below the summary; nothing differs if it is missing. */
  readonly want?: string;
}

const read = <T>(file: string): T => parse(readFileSync(`fixtures/diff/${file}.yaml`, 'utf8')) as T;
const bases = read<Record<string, string>>('bases');

function edited(text: string, edits: Row['edits'] = []): string {
  return edits.reduce((changed, [from, to]) => {
    assert.ok(changed.includes(from), `the text has no ${JSON.stringify(from)}`);
    return changed.replace(from, () => to);
  }, text);
}

function sidesOf(row: Row): readonly [string, string] {
  const names = [row.base].flat();
  const textOf = (chosen: readonly string[]): string => chosen.map((name) => bases[name]).join('---\n');
  const before = edited(textOf(names), row.before);
  const kept = names.filter((name) => name !== row.without);
  const after = row.without === undefined ? edited(before, row.edits) : textOf(kept);
  const documents = row.reversed === true ? after.split('---\n').reverse() : [after];
  return [before, [...documents, ...(row.with === undefined ? [] : [bases[row.with] as string])].join('\n---\n')];
}

const side = (documents: string) => ({ documents, name: '' });

for (const file of ['unchanged', 'fields', 'embedded', 'objects']) {
  suite(`edits: ${file}`, () => {
    for (const row of read<Row[]>(file)) {
      test(row.name, () => {
        const [before, after] = sidesOf(row);
        const difference = diffObjects(side(before), side(after));
        const [, ...reported] = differenceText(difference).split('\n\n');
        assert.equal(reported.join('\n\n'), row.want ?? '');
        assert.equal(difference.objects.length === 0, row.want === undefined);
        assert.equal(
          difference.ignored.reduce((sum, { count }) => sum + count, 0),
          row.leftOut ?? 0,
        );
      });
      test(`${row.name}: does not differ from itself`, () => {
        const [, after] = sidesOf(row);
        assert.deepEqual(diffObjects(side(after), side(`# again\n${after}`)).objects, []);
      });
    }
  });
}
