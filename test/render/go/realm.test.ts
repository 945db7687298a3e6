import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { attempt } from '../../../render/core/catch.ts';
import { isBytes, isError } from '../../../render/go/realm.ts';
import { loadChart, template } from '../../../render/index.ts';

const other = createContext({});
const make = (source: string): unknown => runInContext(source, other);

test('values of another realm are recognized', () => {
  assert.ok(!(make('new Uint8Array(2)') instanceof Uint8Array));
  for (const bytes of [new Uint8Array(2), Buffer.from('a'), make('new Uint8Array(2)')]) assert.ok(isBytes(bytes));
  for (const none of ['a', null, [1], new Uint16Array(1), new DataView(new ArrayBuffer(1)), make('new Int8Array(1)')]) {
    assert.ok(!isBytes(none));
  }
  for (const error of [new TypeError('a'), make('new RangeError("a")')]) assert.ok(isError(error));
  for (const none of ['a', null, { message: 'a' }, make('({})')]) assert.ok(!isError(none));
});

test('an error of another realm is caught where any error is', () => {
  const fail = (): unknown => make('throw new Error("a")');
  assert.equal(attempt(fail, Error, 'caught'), 'caught');
  assert.throws(() => attempt(fail, SyntaxError, 'caught'), { message: 'a' });
  assert.throws(() => attempt(() => make('throw "a"'), Error, 'caught'));
});

test('a chart with bytes of another realm renders, including its files', () => {
  const bytesOf = (text: string): Uint8Array => make(`Uint8Array.of(${new TextEncoder().encode(text)})`) as Uint8Array;
  const chart = loadChart({
    'Chart.yaml': bytesOf('apiVersion: v2\nname: tiny\nversion: 1.0.0\n'),
    'note.txt': bytesOf('hello'),
    'templates/a.yaml': bytesOf('a: {{ .Files.Get "note.txt" | b64enc }}\nb: {{ .Files.GetBytes "note.txt" | len }}\n'),
  });
  assert.equal(template(chart), '---\n# Source: tiny/templates/a.yaml\na: aGVsbG8=\nb: 5\n');
});
