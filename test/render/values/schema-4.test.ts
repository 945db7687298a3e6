// Schemas in Helm 4: rows of a schema, values, and Helm 4.2.3's standard error.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseYamlMap } from '../../../render/codec/yaml/parse.ts';
import { RenderError } from '../../../render/core/errors.ts';
import { helmOf } from '../../../render/helm/versions.ts';
import { composeValues } from '../../../render/values/compose.ts';
import { readRecorded } from '../../support/recorded.ts';
import { chartOf } from './support.ts';

for (const [schema, values, want] of readRecorded<[string, string, string]>('schema-4')) {
  test(`${schema} of ${values}`, () => assert.equal(errorOf(schema, values), withoutOrder(want)));
}

function errorOf(schema: string, values: string): string {
  const lines: string[] = [];
  try {
    composeValues(chartOf({ 'values.schema.json': schema }), parseYamlMap(values), {
      helm: helmOf('4.2.3'),
      onWarning: (line) => lines.push(`${line}\n`),
    });
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    lines.push(`Error: ${error.message}\n`);
  }
  return withoutOrder(lines.join(''));
}

// Go iterates over maps in random order: among several additional properties any may come first.
function withoutOrder(text: string): string {
  return text.replace(/additional properties (.*) not allowed/g, (_, names: string) => names.split(', ').sort().join());
}

test('issues have the dotted paths of values', () => {
  const chart = chartOf({
    'values.schema.json': '{"properties":{"a":{"anyOf":[{"type":"string"},{"required":["b"]}]}}}',
  });
  assert.throws(
    () => composeValues(chart, parseYamlMap('a: {c: 1}'), { helm: helmOf('4.2.3') }),
    (error: unknown) => {
      assert.ok(error instanceof RenderError);
      assert.deepEqual(
        error.issues.map(({ path, message }) => `${path}: ${message}`),
        ['a: got object, want string', "a: missing property 'b'"],
      );
      return true;
    },
  );
});
