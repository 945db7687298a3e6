// values.schema.json, apart from what fixtures/vectors/schema.json and schema-4.json record.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseYamlMap } from '../../../render/codec/yaml/parse.ts';
import { RenderError } from '../../../render/core/errors.ts';
import { helmOf } from '../../../render/helm/versions.ts';
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

test('issues have the dotted paths of values in Helm 4', () => {
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
