// values.schema.json with gojsonschema's messages, apart from what fixtures/vectors/schema.json records.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseYamlMap } from '../../../render/codec/yaml/parse.ts';
import { RenderError } from '../../../render/core/errors.ts';
import { composeValues } from '../../../render/values/compose.ts';
import { chartOf, helm } from './support.ts';

const header = "values don't meet the specifications of the schema(s) in the following chart(s):\n";

function faultsOf(schema: string, values: string): string {
  try {
    composeValues(chartOf({ 'values.schema.json': schema }), parseYamlMap(values), { helm });
    return '';
  } catch (error) {
    assert.ok(error instanceof RenderError, String(error));
    assert.equal(error.code, 'VALUES_INVALID');
    assert.ok(error.message.startsWith(header));
    return error.message.slice(header.length);
  }
}

const a = (schema: string): string => `{"properties": {"a": ${schema}}}`;

test("root and sub-charts are validated in turn; issues have paths within the parent's values", () => {
  const chart = chartOf({
    'values.schema.json': a('{"type": "string"}'),
    'charts/s/values.schema.json': '{"additionalProperties": false}',
  });
  assert.throws(
    () => composeValues(chart, parseYamlMap('a: 1'), { helm }),
    (error: RenderError) => {
      assert.equal(
        error.message,
        `${header}c:\n- a: Invalid type. Expected: string, given: integer\ns:\n- (root): Additional property global is not allowed\n`,
      );
      assert.deepEqual(
        error.issues.map(({ path }) => path),
        ['a', 's'],
      );
      return true;
    },
  );
  assert.doesNotThrow(() => composeValues(chart, parseYamlMap('a: 1'), { helm, skipSchemaValidation: true }));
});

for (const [schema, place] of [
  ['{"$ref": "#"}', '(root)'],
  [a('{"allOf": [{"$ref": "#/properties/a"}]}'), 'a'],
  [a('{"not": {"$ref": "#/properties/a"}}'), 'a'],
] as const) {
  test(`a cyclic schema is refused: ${schema}`, () => {
    const reason = `the schema refers back to itself for the value at ${place}, which never ends`;
    assert.equal(faultsOf(schema, 'a: 1'), `c:\n${reason}`);
  });
}
