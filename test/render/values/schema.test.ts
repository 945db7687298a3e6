// values.schema.json with gojsonschema's messages; every expectation is Helm 3.17.3's, whose order of violations may vary.

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

// A schema, values, the violations one per line.
const rows: readonly (readonly [schema: string, values: string, ...faults: string[]])[] = [
  [a('{"type": "string"}'), 'a: 5', 'a: Invalid type. Expected: string, given: integer'],
  [a('{"type": "integer"}'), 'a: 1.5', 'a: Invalid type. Expected: integer, given: number'],
  [a('{"type": "integer"}'), 'a: 1.0e6'],
  [a('{"type": ["string", "null"]}'), 'a: 1', 'a: Invalid type. Expected: [string,null], given: integer'],
  [a('{"type": "string"}'), 'a: null', 'a: Invalid type. Expected: string, given: null'],
  ['{"required": ["a", "b"]}', 'c: 1', '(root): a is required', '(root): b is required'],
  [a('{"enum": ["x", 1, {"k": "<"}]}'), 'a: z', 'a: a must be one of the following: "x", 1, {"k":"\\u003c"}'],
  [a('{"const": 1.0}'), 'a: 1'],
  [a('{"const": {"b": 1, "a": 2}}'), 'a: 1', 'a: a does not match: {"a":2,"b":1}'],
  [a('{"pattern": "^\\\\pL+$"}'), 'a: "1"', "a: Does not match pattern '^\\pL+$'"],
  [a('{"minLength": 2, "maxLength": 3}'), 'a: é', 'a: String length must be greater than or equal to 2'],
  [a('{"minimum": 1000000}'), 'a: 1', 'a: Must be greater than or equal to 1e+06'],
  [a('{"exclusiveMinimum": 3, "exclusiveMaximum": 3}'), 'a: 3', 'a: Must be less than 3', 'a: Must be greater than 3'],
  [a('{"minimum": 1, "exclusiveMinimum": true}'), 'a: 1', 'a: Must be greater than 1'],
  [a('{"multipleOf": 0.1}'), 'a: 0.3'],
  [a('{"multipleOf": 1.5}'), 'a: 4', 'a: Must be a multiple of 1.5'],
  ['{"properties": {"a": {"$ref": "#"}}}', 'a: {a: {a: 1}}'],
  [
    a('{"uniqueItems": true}'),
    'a: [1, {b: 1}, {b: 1}, 1]',
    'a: array items[1,2] must be unique',
    'a: array items[0,3] must be unique',
  ],
  [
    a('{"minItems": 2, "maxItems": 0}'),
    'a: [1]',
    'a: Array must have at least 2 items',
    'a: Array must have at most 0 items',
  ],
  [a('{"items": {"type": "string"}}'), 'a: [x, 1]', 'a.1: Invalid type. Expected: string, given: integer'],
  [
    a('{"items": [{"type": "string"}], "additionalItems": false}'),
    'a: [1, 2]',
    'a.0: Invalid type. Expected: string, given: integer',
    'a: No additional items allowed on array',
  ],
  [a('{"contains": {"const": 5}}'), 'a: [1]', 'a: At least one of the items must match', 'a.0: a.0 does not match: 5'],
  [
    '{"properties": {"a": {}}, "patternProperties": {"^x": {"type": "string"}}, "additionalProperties": false}',
    'a: 1\nxa: 1\nb: 2',
    '(root): Additional property b is not allowed',
    'xa: Invalid type. Expected: string, given: integer',
  ],
  [
    '{"propertyNames": {"pattern": "^a"}}',
    'b: 2',
    '(root): Property name of "b" does not match',
    "(root): Does not match pattern '^a'",
  ],
  [
    '{"dependencies": {"a": ["b"], "c": {"required": ["d"]}}}',
    'a: 1\nc: 1',
    '(root): Has a dependency on b',
    '(root): d is required',
  ],
  [
    a('{"oneOf": [{"type": "string"}, {"type": "boolean"}]}'),
    'a: 1',
    'a: Must validate one and only one schema (oneOf)',
    'a: Invalid type. Expected: string, given: integer',
  ],
  [a('{"oneOf": [{"type": "number"}, {"minimum": 0}]}'), 'a: 1', 'a: Must validate one and only one schema (oneOf)'],
  [
    '{"anyOf": [{"required": ["x"]}, {"required": ["a", "y"]}]}',
    'a: 1',
    '(root): Must validate at least one schema (anyOf)',
    '(root): y is required',
  ],
  [
    a('{"allOf": [{"type": "string"}, {"type": "boolean"}]}'),
    'a: 1',
    'a: Invalid type. Expected: string, given: integer',
    'a: Invalid type. Expected: boolean, given: integer',
    'a: Must validate all the schemas (allOf)',
  ],
  [a('{"not": {"type": "number"}}'), 'a: 1', 'a: Must not validate the schema (not)'],
  [
    a('{"if": {"type": "number"}, "then": {"minimum": 5}}'),
    'a: 1',
    'a: Must validate "then" as "if" was valid',
    'a: Must be greater than or equal to 5',
  ],
  [
    a('{"if": {"type": "string"}, "else": false}'),
    'a: 1',
    'a: Must validate "else" as "if" was not valid',
    'a: False always fails validation',
  ],
  [a('{"format": "ipv4"}'), 'a: 5', "a: Does not match format 'ipv4'"],
  [a('{"format": "unknown"}'), 'a: x'],
  [
    '{"definitions": {"s p": {"type": "string"}}, "properties": {"a": {"$ref": "#/definitions/s%20p", "type": 5}}}',
    'a: 1',
    'a: Invalid type. Expected: string, given: integer',
  ],
  [
    '{"$id": "http://e.org/s.json", "definitions": {"s": {"$id": "#s", "type": "string"}}, "properties": {"a": {"$ref": "s.json#s"}}}',
    'a: 1',
    'a: Invalid type. Expected: string, given: integer',
  ],
  [
    '{"properties": {"a": {"$ref": "#"}}, "additionalProperties": false}',
    'a: {a: {b: 1}}',
    'a.a: Additional property b is not allowed',
  ],
  [
    '{"$schema": "http://json-schema.org/draft-04/schema#", "properties": {"a": {"const": 1, "contains": {}, "if": {}, "then": false}}}',
    'a: 2',
  ],
  ['{"properties": {"a.b": {"type": "string"}}}', 'a.b: 1', 'a.b: Invalid type. Expected: string, given: integer'],
];

for (const [schema, values, ...faults] of rows) {
  test(`${schema.slice(0, 90)} on ${JSON.stringify(values)}`, () => {
    assert.equal(
      faultsOf(schema, values),
      faults.length === 0 ? '' : `c:\n${faults.map((fault) => `- ${fault}\n`).join('')}`,
    );
  });
}

// Schemas that gojsonschema rejects.
const refusals: readonly (readonly [schema: string, refusal: string])[] = [
  ['', 'EOF'],
  ['{', 'unexpected EOF'],
  ['[]', 'schema is invalid'],
  ['{x', "invalid character 'x' looking for beginning of object key string"],
  [
    a('{"type": "strin"}'),
    'has a primitive type that is NOT VALID -- given: /strin/ Expected valid values are:[array boolean integer number null object string]',
  ],
  [a('{"type": ["null", "null"]}'), 'null type is duplicated'],
  [a('5'), 'Expected: valid schema, given: Invalid JSON'],
  [a('{"$ref": "x.json"}'), 'Reference /x.json must be canonical'],
  [a('{"$ref": "#/nope"}'), "Object has no key 'nope'"],
  [a('{"$ref": "%zz"}'), 'parse "%zz": invalid URL escape "%zz"'],
  [a('{"pattern": "("}'), 'pattern must be a valid regex'],
  [a('{"minLength": -1}'), 'minLength must be greater than or equal to 0'],
  [a('{"minLength": 3, "maxLength": 2}'), 'minLength cannot be greater than maxLength'],
  [a('{"exclusiveMinimum": true}'), 'exclusiveMinimum cannot be used without minimum'],
  [a('{"enum": [1, 1.0]}'), 'enum items must be unique'],
  [a('{"required": true}'), 'required must be of an array'],
  [a('{"multipleOf": 0}'), 'multipleOf must be strictly greater than 0'],
  [a('{"items": 5}'), 'Invalid type. Expected: valid schema/array of schemas, given: items'],
  [a('{"allOf": {}}'), 'anyOf must be of an array'],
  ['{"title": 5}', 'Invalid type. Expected: string, given: title'],
  [
    '{"definitions": true}',
    'unable to validate schema: interface conversion: interface {} is bool, not map[string]interface {}',
  ],
];

for (const [schema, refusal] of refusals) {
  test(`the schema ${schema} is refused`, () => assert.equal(faultsOf(schema, 'a: 1'), `c:\n${refusal}`));
}

// Format, valid strings, invalid strings.
const formats: readonly (readonly [format: string, good: readonly string[], bad: readonly string[]])[] = [
  ['date', ['2024-02-29'], ['2023-02-29', '2024-1-2', '']],
  ['time', ['10:11:12', '10:11:12Z', '10:11:12.5+01:00'], ['10:11', '24:00:00']],
  ['date-time', ['2024-01-02T10:11:12Z', '2024-01-02', '10:11:12'], ['2024-01-02 10:11:12Z']],
  ['hostname', ['a-b.c', 'x'], ['-a', 'a_b', 'a.', '']],
  [
    'email',
    ['a@b', 'Bob S. <b@x.org>', '"a b"@c', 'a@[1.2.3.4]', 'g: a@b;'],
    ['a', 'a@', 'a..b@c', 'a@b, c@d', 'a@[x]'],
  ],
  ['ipv4', ['1.2.3.4', '::ffff:1.2.3.4'], ['1.2.3', '01.2.3.4', '::1']],
  ['ipv6', ['::1', 'fe80::'], ['1.2.3.4', 'g::']],
  ['uri', ['http://x', 'urn:x'], ['/x', 'http://x y/', 'http://x\\y']],
  ['uri-reference', ['/x', '', '?q'], ['%zz', ':', 'a\\b']],
  ['uri-template', ['/{a}/b', ''], ['/{a']],
  ['uuid', ['550e8400-e29b-41d4-a716-446655440000'], ['550E8400-e29b-41d4-a716-446655440000']],
  ['regex', ['^a$', ''], ['(', '(?=a)']],
  ['json-pointer', ['', '/a~1b'], ['a', '/~2']],
  ['relative-json-pointer', ['0#', '1/a'], ['01', '']],
];

for (const [format, good, bad] of formats) {
  test(`format ${format}`, () => {
    const verdict = (text: string): boolean =>
      faultsOf(a(JSON.stringify({ format })), `a: ${JSON.stringify(text)}`) === '';
    assert.deepEqual(
      good.filter((text) => !verdict(text)),
      [],
    );
    assert.deepEqual(bad.filter(verdict), []);
  });
}

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

// Helm 3.17.3's message for values that cannot be parsed again: the first error as one text.
const unreadable: readonly (readonly [values: string, fault: string])[] = [
  ['"\\u0085b": 1', "yaml: line 1: did not find expected ',' or '}'"],
  ['{"\\u0085b": 1, "t": "\\x7f"}', 'yaml: control characters are not allowed'],
];
for (const [values, fault] of unreadable) {
  test(`the values ${values} are reported as invalid as a whole`, () => {
    assert.equal(faultsOf('{}', values).trimEnd(), `c:\n${fault}`);
  });
}

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
