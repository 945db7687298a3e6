import { deepEqual, equal, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { LineCounter, parse, parseDocument } from 'yaml';
import { plainValue } from '../../../render/codec/plain.ts';
import { parseYaml } from '../../../render/codec/yaml/parse.ts';
import { mostOdd, placesOfPlainOrder, readPlainOrder } from '../../../render/order/plain-reader.ts';
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

/** Gives the paths to everything in a value, and to what is not there. */
function pathsIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return [path, [...path, 'nowhere'], ...inner.flatMap(([key, one]) => pathsIn(one, [...path, key]))];
}

function checkPlaces(text: string): number {
  const read = readPlainOrder(text);
  const plain = placesOfPlainOrder(text);
  if (plain === undefined || read === undefined || !('value' in read)) return 0;
  const lines = new LineCounter();
  const places = new YamlPlaces(parseWithPositions(text, lines), lines);
  const paths = pathsIn(read.value);
  for (const path of paths)
    deepEqual(plain.find(path), places.find(path), `${path.join('.')} in ${JSON.stringify(text)}`);
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
      // Of what has a tag, one says where the tag stands, the other where the value does.
      if (!/!|^\s*&/.test(text)) placed += checkPlaces(text.replace('\ufeff', ''));
    }
  }
  ok(read > 2000, `${read} texts`);
  ok(placed > 5000, `${placed} places`);
});

test('what is odd is left to the other reader', () => {
  const odd = [
    '%YAML 1.2\n---\na: 1',
    '%TAG !x! tag:yaml.org,2002:\n---\na: !x!str 1',
    'a: !x!str 1',
    'a: &a &b 1',
    'a: &a *b',
    'a: 1\n---\nb: 1',
    '&a : 1',
    '! <<: {a: 1}',
    '[a: 1]',
    'a: "\\q"',
    'a: |\n  x\n  ',
    'a: x\u2028',
    'a: \u0007',
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

test('properties, odd keys and the escapes of JSON mean what the reader with positions takes them for', () => {
  const tags = [
    '!!map',
    '!!seq',
    '!!str',
    '!!int',
    '!!null',
    '!!set',
    '!mine',
    '!',
    '!<tag:yaml.org,2002:int>',
    '!<!x>',
  ];
  const before = [...tags, '&x', ...tags.flatMap((tag) => [`&x ${tag}`, `${tag} &x`])];
  const values = ['{b: 1}', '[1]', '', '1', '"1"', 'x', '~', 'yes', '\n  b: 1', '\n  - 1', '\n- 1', '|\n  1', '>\n  x'];
  const texts = before.flatMap((word) =>
    values.map((value) => `a: ${word} ${value}\nb: ${word.includes('&') ? '*x' : '1'}\n`),
  );
  const keys = [
    '1.0',
    '1.50',
    '0x1',
    '01',
    '1_000',
    '~',
    'null',
    '.inf',
    '-.inf',
    '.nan',
    '-0',
    '+1',
    '1e3',
    '1:30',
    '"1"',
  ];
  keys.push('12345678901234567890', '2001-01-01', 'yes', "'yes'", ...before.map((word) => `${word} k`));
  keys.push('!!str 1', '!!int 1', '!!bool yes', '! yes', '&x !!str 1', '!!null ~');
  texts.push(...keys.flatMap((key) => [`${key}: 1\n`, `a: {${key} : 1, c: 2}\n`, `? ${key}\n: 1\n? d\n`]));
  texts.push(
    '{a, b: 1, "c"}',
    '[!!str , {a: !!int , b: !!null }]',
    '- !!str\n- &x\n- *x\n',
    '- !mine\n- 1',
    '? a\n? b\n: 1',
  );
  texts.push(
    '&r {a: 1}',
    '--- !mine\na: 1',
    '{"a": "\\/\\ud83d\\ude00\\u00e9", "\\/": "\\ud83d"}',
    '<<: []',
    '<<: &x {a: 1}\nb: *x',
  );
  texts.push('a: &a [{b: 1}, {b: 2, c: 3}]\n<<: *a\nd: 1');
  for (const text of texts) {
    const read = readPlainOrder(text);
    deepEqual(read, { value: readWithPositions(text) }, text);
    if (!/^[&!?-]|\[/.test(text)) ok(checkPlaces(text) > 0, text);
  }
  ok(texts.length > 400, `${texts.length} texts`);
});

test('a long Order that few would write is not left to the other reader, which takes ten times as long', () => {
  const long = `k: ${'x'.repeat(mostOdd)}\n`;
  const told = [
    [`${long}a: &a &b 1\n`, 'odd', '', 2, 7],
    [`${long}a: "\\q"\n`, 'syntax', 'found unknown escape character', 2, 5],
    [`${long}a: "x\n`, 'syntax', 'found unexpected end of stream', 3, 1],
    [`${long}a: \u2028\n`, 'odd', '', 2, 4],
    [`${long}a: \u0007\n`, 'syntax', 'control characters are not allowed', 2, 4],
  ] as const;
  for (const [text, fault, name, line, column] of told)
    deepEqual(readPlainOrder(text), { fault, name, line, column }, text.slice(-20));
});

test('what can be no Order is told at once, with its place', () => {
  const told = [
    ['a: *b', 'no-anchor', 'b', 1, 4],
    ['a: {*b : 1}', 'no-anchor', 'b', 1, 5],
    ['a: &a {b: *a}', 'unfolds', 'a', 1, 11],
    ['? [a]\n: 1', 'collection-key', '', 1, 3],
    ['a: 1\nb: {{ .Values.tag }}', 'collection-key', '', 2, 5],
    ['{[a]: 1}', 'collection-key', '', 1, 2],
    ['? : 1', 'collection-key', '', 1, 3],
    ['<<: 1', 'merge', '', 1, 5],
    ['<<:', 'merge', '', 2, 1],
    ['a: &a [1]\n<<: *a', 'merge', '', 2, 5],
    ['<<: [[{a: 1}]]', 'merge', '', 1, 5],
    [`a: ${'['.repeat(10_100)}`, 'deep', '', 1, 10_004],
    ['- '.repeat(10_100), 'deep', '', 1, 20_001],
    // The other reader is not asked: it calls itself for each level.
    [`a: ${'['.repeat(300)}`, 'syntax', 'did not find expected node content', 2, 1],
    [`a: ${'[{b: '.repeat(150)}`, 'syntax', "did not find expected ',' or '}'", 2, 1],
    [`a: ${'['.repeat(300)}%YAML${']'.repeat(300)}`, 'syntax', 'found character that cannot start any token', 1, 304],
    [`a: ${'['.repeat(300)}&a &b c${']'.repeat(300)}`, 'odd-deep', '', 1, 307],
    [
      `${Array.from({ length: 300 }, (_, i) => `${' '.repeat(i)}a:\n`).join('')}${' '.repeat(300)}&a &b c`,
      'odd-deep',
      '',
      301,
      304,
    ],
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
