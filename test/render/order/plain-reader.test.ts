import { deepEqual, equal, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse, parseDocument } from 'yaml';
import { readPlainOrder } from '../../../render/order/plain-reader.ts';

/** Gives what the reader with positions makes of a text; undefined where it refuses it. */
function readWithPositions(text: string): unknown {
  const document = parseDocument(text, {
    version: '1.1',
    customTags: (tags) =>
      tags.filter((tag) => typeof tag === 'string' || !/timestamp|binary|set|omap|pairs/.test(String(tag.tag))),
  });
  return document.errors.length > 0 ? undefined : (document.toJS() as unknown);
}

/** Gives the texts that a template has in quotes. */
function textsIn(template: string): string[] {
  return [...template.matchAll(/"((?:[^"\\]|\\[nt"\\])*)"|`([^`]*)`/g)].map(
    ([, quoted, raw]) => raw ?? (JSON.parse(`"${quoted?.replaceAll('\t', '\\t').replaceAll('\n', '\\n')}"`) as string),
  );
}

test('what is read quickly means the same to the reader with positions', () => {
  let read = 0;
  for (const name of ['read', 'write-scalars', 'write-structures']) {
    const file = readFileSync(new URL(`../../../fixtures/yaml/${name}.yaml`, import.meta.url), 'utf8');
    const { rows } = parse(file) as { readonly rows: readonly { template: string; want?: string }[] };
    for (const text of rows.flatMap(({ template, want = '' }) => [...textsIn(template), want])) {
      const quick = readPlainOrder(text);
      if (quick === undefined || 'twin' in quick) continue;
      const other = readWithPositions(text);
      // Kubernetes reads brackets that close further left; the other reader does not.
      if (other === undefined) continue;
      deepEqual(quick.value, other, JSON.stringify(text));
      read++;
    }
  }
  ok(read > 2000, `${read} texts`);
});

test('what is odd is left to the other reader', () => {
  const odd = ['a: !!str 1', '<<: {a: 1}', 'a: &a {b: 1}\nc: *a', '? [a]\n: 1', 'a: 1\n---\nb: 1', '1: 2', 'a: 1:30'];
  for (const text of [...odd, 'a: 1_000', 'a: 0x10', 'a: b: c', '{a: 1', '[a: 1]', 'a: *b', '%YAML 1.1\n---\na: 1'])
    equal(readPlainOrder(text), undefined, text);
});

test('a key that stands twice is told with its place', () => {
  deepEqual(readPlainOrder('a: 1\nb:\n  c: 1\n  "d": 2\n  c: 3\n'), { twin: 'c', line: 5, column: 3 });
  deepEqual(readPlainOrder('{"a": 1,\n  "b": {}, "a": 2}'), { twin: 'a', line: 2, column: 12 });
});

test('scalars may have names, and no name is that of a prototype', () => {
  deepEqual(readPlainOrder('a: &x text\nb: [*x, *x]\n'), { value: { a: 'text', b: ['text', 'text'] } });
  deepEqual(readPlainOrder('{"__proto__": 1, "constructor": 2}'), {
    value: JSON.parse('{"__proto__": 1, "constructor": 2}') as unknown,
  });
});
