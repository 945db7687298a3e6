import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import { plainValue } from '../../../render/codec/plain.ts';
import { parseYaml } from '../../../render/codec/yaml/parse.ts';
import { RenderError } from '../../../render/core/errors.ts';
import { formatSelector } from '../../../render/order/order.ts';
import { readOrder } from '../../../render/order/read.ts';

test('paths have places, unknown ones that of their parent', () => {
  const text = readOrder('spec:\n  packages:\n    - chart:\n        "odd key": {a: [1, 2]}\n', 'o.yaml');
  const rows: readonly (readonly [string, number, number])[] = [
    ['', 1, 1],
    ['spec', 1, 1],
    ['spec.packages[0]', 3, 7],
    ['spec.packages[0].chart', 3, 7],
    ['spec.packages[0].chart["odd key"].a[1]', 4, 28],
    ['spec.packages[0].chart.releaseName', 3, 7],
    ['spec.packages[7].x', 2, 3],
  ];
  for (const [path, line, column] of rows) assert.deepEqual(text.placeOf(path), { file: 'o.yaml', line, column }, path);
});

test('too deep nesting is refused with a place, in every format', () => {
  const rows: readonly (readonly [string, number, number])[] = [
    [`{"spec":\n${'{"a":'.repeat(50_000)}`, 2, 2496],
    [`${'['.repeat(50_000)}`, 1, 501],
    [`a:\n  ${'- '.repeat(50_000)}x`, 2, 1001],
  ];
  for (const [text, line, column] of rows) {
    assert.throws(
      () => readOrder(text, 'o.json'),
      (error) =>
        error instanceof RenderError &&
        error.code === 'LIMIT_REACHED' &&
        /YAML is nested more than 500 levels deep$/.test(error.message) &&
        error.place?.line === line &&
        error.place.column === column,
      text.slice(0, 20),
    );
  }
  assert.ok(readOrder(`{"a": ${'['.repeat(198)}"[[[["${']'.repeat(198)}}`, 'o.json'));
});

test('a syntax error has its place', () => {
  for (const [text, line] of [
    ['{"a": 1,\n "a": 2}', 2],
    ['a: [1\nb: 2', 2],
    // JSON has no such key; the parser's library would otherwise print a warning to standard error.
    ['a: 1\nb: {{ .Values.tag }}', 2],
    ['a: &k {b: 1}\n*k : 2', 2],
    ['a: &k [{b: 1}, 2]\n<<: *k', 2],
    ['a:\n  ~: 1', 2],
    ['a: 1\nb: [.inf]', 2],
    ['a: 1\nb: &b {c: *b}', 2],
  ] as const) {
    assert.throws(
      () => readOrder(text, 'o.json'),
      (error) => error instanceof RenderError && error.code === 'ORDER_INVALID' && error.place?.line === line,
      text,
    );
  }
});

/** Returns the quoted strings in a template. */
function textsIn(template: string): string[] {
  return [...template.matchAll(/"((?:[^"\\]|\\[nt"\\])*)"|`([^`]*)`/g)].map(
    ([, quoted, raw]) => raw ?? (JSON.parse(`"${quoted?.replaceAll('\t', '\\t').replaceAll('\n', '\\n')}"`) as string),
  );
}

test('text means the same as in a values file of Helm', () => {
  let read = 0;
  for (const name of ['read', 'write-scalars', 'write-structures']) {
    const file = readFileSync(new URL(`../../../fixtures/yaml/${name}.yaml`, import.meta.url), 'utf8');
    const { rows } = parse(file) as { readonly rows: readonly { template: string; want?: string }[] };
    for (const text of rows.flatMap(({ template, want = '' }) => [...textsIn(template), want])) {
      let wanted: unknown;
      try {
        wanted = plainValue(parseYaml(text));
      } catch {
        continue;
      }
      try {
        assert.deepEqual(readOrder(text, 'o.yaml').value, wanted, text);
        read++;
      } catch (error) {
        if (!(error instanceof RenderError)) throw error;
        assert.match(error.message, /occurs a second time|expected a single document/, text);
      }
    }
  }
  assert.ok(read > 2000, `${read} texts`);
});

test('merged keys are not duplicate keys, and prototype names are ordinary keys', () => {
  const { value } = readOrder('a: &a {x: 1}\nb: {<<: *a, x: 2}\nc:\n  <<: *a\n  <<: {z: 2}\n', 'o.yaml');
  assert.deepEqual(value, { a: { x: 1 }, b: { x: 2 }, c: { x: 1, z: 2 } });
  assert.deepEqual(
    readOrder('{"__proto__": 1, "constructor": 2}', 'o.json').value,
    JSON.parse('{"__proto__": 1, "constructor": 2}'),
  );
});

test('selectors are printed as in Kubernetes', () => {
  const selector = {
    matchLabels: new Map([
      ['b', '2'],
      ['a', '1'],
    ]),
    matchExpressions: [
      { key: 'tier', operator: 'In', values: ['y', 'x'] },
      { key: 'old', operator: 'DoesNotExist', values: [] },
      { key: 'new', operator: 'Exists', values: [] },
      { key: 'env', operator: 'NotIn', values: ['test'] },
    ],
  } as const;
  assert.equal(formatSelector(selector), 'a=1,b=2,tier in (x,y),!old,new,env notin (test)');
  assert.equal(formatSelector(undefined), '');
});
