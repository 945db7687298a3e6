import { deepEqual, equal, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { LineCounter, parse, parseDocument } from 'yaml';
import { plainValue } from '../../../render/codec/plain.ts';
import { parseYaml } from '../../../render/codec/yaml/parse.ts';
import { type PlainPlace, placesOfPlainOrder, readPlainOrder } from '../../../render/order/plain-reader.ts';
import { YamlPlaces } from '../../../render/order/yaml-places.ts';

function parseWithPositions(text: string, lineCounter = new LineCounter()) {
  return parseDocument(text, {
    version: '1.1',
    lineCounter,
    uniqueKeys: false,
    customTags: (tags) =>
      tags.filter((tag) => typeof tag === 'string' || !/timestamp|binary|set|omap|pairs/.test(String(tag.tag))),
  });
}

/** Gives what the reader with positions makes of a text; undefined where it refuses it. */
function readWithPositions(text: string): unknown {
  const document = parseWithPositions(text);
  return document.errors.length > 0 ? undefined : (document.toJS({ maxAliasCount: -1 }) as unknown);
}

/** Gives the paths to everything that has a place. */
function pathsIn(place: PlainPlace, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  const inner = [...(place.inner ?? [])].flatMap(([key, one]) => pathsIn(one, [...path, key]));
  return [path, ...inner];
}

function checkPlaces(text: string): number {
  const root = placesOfPlainOrder(text);
  if (root === undefined) return 0;
  const lines = new LineCounter();
  const places = new YamlPlaces(parseWithPositions(text, lines), lines);
  const paths = pathsIn(root);
  for (const path of paths) {
    let place: PlainPlace = root;
    for (const key of path) place = place.inner?.get(key) as PlainPlace;
    const want = places.find(path.map(String));
    deepEqual({ line: place.line + 1, column: place.column + 1 }, want, `${path.join('.')} in ${JSON.stringify(text)}`);
  }
  return paths.length;
}

/** Gives the texts that a template has in quotes. */
function textsIn(template: string): string[] {
  return [...template.matchAll(/"((?:[^"\\]|\\[nt"\\])*)"|`([^`]*)`/g)].map(
    ([, quoted, raw]) => raw ?? (JSON.parse(`"${quoted?.replaceAll('\t', '\\t').replaceAll('\n', '\\n')}"`) as string),
  );
}

test('what is read quickly means the same to the reader with positions', () => {
  let read = 0;
  let placed = 0;
  for (const name of ['read', 'write-scalars', 'write-structures']) {
    const file = readFileSync(new URL(`../../../fixtures/yaml/${name}.yaml`, import.meta.url), 'utf8');
    const { rows } = parse(file) as { readonly rows: readonly { template: string; want?: string }[] };
    for (const text of rows.flatMap(({ template, want = '' }) => [...textsIn(template), want])) {
      const quick = readPlainOrder(text);
      if (quick === undefined || 'fault' in quick) continue;
      const other = readWithPositions(text);
      // Kubernetes reads brackets that close further left; the other reader does not.
      if (other === undefined) continue;
      deepEqual(quick.value, other, JSON.stringify(text));
      read++;
      // Of an item with a tag, one says where the tag stands, the other where the item does.
      if (!text.includes('!')) placed += checkPlaces(text.replace('\ufeff', ''));
    }
  }
  ok(read > 2000, `${read} texts`);
  ok(placed > 5000, `${placed} places`);
});

test('what is odd is left to the other reader', () => {
  const odd = [
    'a: !!map {b: 1}',
    '!!str a: 1',
    '%YAML 1.2\n---\na: 1',
    '<<: 1',
    'a: &a [1]\n<<: *a',
    '<<: [[{a: 1}]]',
    'a: 1\n---\nb: 1',
    '1.0: 2',
    '0x1: 2',
    '01: 2',
    '1_000: 2',
  ];
  for (const text of [...odd, 'a: b: c', '{a: 1', '[a: 1]']) equal(readPlainOrder(text), undefined, text);
});

test('a scalar that few people write means what the reader with positions takes it for', () => {
  const scalars = ['1:30', '1_000', '0x10', '0o17', '017', '0b11', '1e3', '-1.5E-3', '.5', '.inf', '-.INF', '.NaN'];
  scalars.push('12345678901234567890', '+1', '-0', '1_0.5', '190:20:30.15', '<<', '~', '2001-12-14t21:59:43.10-05:00');
  const tags = [
    '!!str',
    '!!int',
    '!!float',
    '!!bool',
    '!!null',
    '!!binary',
    '!!timestamp',
    '!!set',
    '!!nope',
    '!',
    '!mine',
  ];
  const tagged = tags.flatMap((tag) =>
    ['1', '"1"', '1.5', 'yes', '~', 'x', '0x1f', '2001-01-01'].map((it) => `${tag} ${it}`),
  );
  for (const scalar of [...scalars, ...tagged]) {
    for (const text of [
      `a: ${scalar}\nb: [${scalar}, {c: ${scalar}}]\n`,
      `- ${scalar}\n- x\n`,
      `%YAML 1.1\n---\na: ${scalar}`,
    ])
      deepEqual(readPlainOrder(text), { value: readWithPositions(text) }, text);
  }
  for (const text of ['a: &a\nb: *a', 'a:\n  b: &a\nc: [*a]', '- &a\n- *a\n', 'a: 1\nb: x\n  ', 'a:\n- &b\n- 1'])
    deepEqual(readPlainOrder(text), { value: readWithPositions(text) }, text);
  const named = 'a: &k one\n*k : 2\nb: {*k : 3}\n';
  deepEqual(readPlainOrder(named), { value: readWithPositions(named) });
});

test('what can be no Order is told at once, with its place', () => {
  const told = [
    ['a: *b', 'no-anchor', 'b', 1, 4],
    ['a: {*b : 1}', 'no-anchor', 'b', 1, 5],
    ['a: &a {b: *a}', 'unfolds', 'a', 1, 11],
    ['? [a]\n: 1', 'collection-key', '', 1, 3],
    ['a: 1\nb: {{ .Values.tag }}', 'collection-key', '', 2, 5],
    ['{[a]: 1}', 'collection-key', '', 1, 2],
  ] as const;
  for (const [text, fault, name, line, column] of told)
    deepEqual(readPlainOrder(text), { fault, name, line, column }, text);
});

test('a key that stands twice is told with its place', () => {
  deepEqual(readPlainOrder('a: 1\nb:\n  c: 1\n  "d": 2\n  c: 3\n'), { fault: 'twin', name: 'c', line: 5, column: 3 });
  deepEqual(readPlainOrder('{"a": 1,\n  "b": {}, "a": 2}'), { fault: 'twin', name: 'a', line: 2, column: 12 });
  deepEqual(readPlainOrder('x: &x {a: 1}\nb:\n  a: 2\n  <<: *x\n  a: 3\n'), {
    fault: 'twin',
    name: 'a',
    line: 5,
    column: 3,
  });
});

test('aliases name collections, and objects are merged, as the reader with positions has them', () => {
  const texts = [
    'a: &a {b: 1}\nc: *a\nd: [*a, *a]',
    'a: &a\n  b: 1\n  c: &c [1, 2]\nd:\n  <<: *a\n  b: 2\ne: *c',
    'a: &a {x: 1, t: {z: 1}}\nb: &b {x: 2, w: 3}\nc:\n  t: 0\n  <<: [*a, *b, {v: 4}]\n  w: 5',
    '- &a\n  k: v\n- <<: *a\n  <<: {k: w, l: 1}\n- {<<: *a, k: u}\n- *a',
    'a: &a\n- 1\nb: &a {c: 1}\nd: *a',
    '1: a\n20: {0: b}',
    '"<<": {a: 1}\nb: {"<<": 1}',
    'a: &a {__proto__: 1}\nb: {<<: *a}',
  ];
  for (const text of texts) {
    const read = readPlainOrder(text);
    deepEqual(read, { value: readWithPositions(text) }, text);
    // Of an item with a name, one says where the name stands, the other where the item does.
    if (!text.startsWith('-')) ok(checkPlaces(text) > 0, text);
  }
});

test('a key that YAML 1.1 takes for a boolean is one to both readers, as it is to Kubernetes', () => {
  const words = ['y', 'Y', 'n', 'N', 'yes', 'No', 'on', 'OFF', 'true', 'False', 'tRUE', 'nO', '"n"', "'yes'"];
  for (const word of words) {
    for (const text of [`${word}: 1\n`, `a: {${word}: ${word}}\n`, `- ${word}: [${word}]\n`]) {
      const read = readPlainOrder(text);
      ok(read !== undefined && 'value' in read, text);
      deepEqual(read.value, readWithPositions(text), text);
      // This is how the charts' own values are read.
      deepEqual(plainValue(parseYaml(text)), read.value, text);
    }
    ok(checkPlaces(`a: 1\n${word}: {b: 2}\n`) > 2, word);
  }
  deepEqual(readPlainOrder('n: 1\nno: 2\n'), { fault: 'twin', name: 'false', line: 2, column: 1 });
});

test('aliases bring half a million values at most', () => {
  const levels = Array.from({ length: 40 }, (_, i) => `a${i}: &a${i} [${Array(9).fill(i ? `*a${i - 1}` : 'x')}]\n`);
  deepEqual(readPlainOrder(levels.join('')), { fault: 'unfolds', name: 'a4', line: 6, column: 34 });
  ok('value' in (readPlainOrder(`a: &a {b: 1}\n${'- *a\n'.repeat(0)}c: [${Array(200_000).fill('*a')}]`) ?? {}));
});

test('scalars may have names, and no name is that of a prototype', () => {
  deepEqual(readPlainOrder('a: &x text\nb: [*x, *x]\n'), { value: { a: 'text', b: ['text', 'text'] } });
  deepEqual(readPlainOrder('{"__proto__": 1, "constructor": 2}'), {
    value: JSON.parse('{"__proto__": 1, "constructor": 2}') as unknown,
  });
});
