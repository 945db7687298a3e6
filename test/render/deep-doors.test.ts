// Whatever nests, nests through every door: what is deeper than JavaScript's stack is answered, or refused with a sentence.

import { equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { RenderError } from '../../render/errors.ts';
import { loadChart, renderOrder, seededHost, template } from '../../render/index.ts';
import { parseSet, parseSetJson, parseSetLiteral } from '../../render/values/set.ts';
import { chartOfRow, textOfOutput } from '../support/rows.ts';

const levels = 20_000;

/** Gives an opening and a closing as often, one within the other. */
function nested(open: string, inner: string, close: string, count = levels): string {
  return open.repeat(count) + inner + close.repeat(count);
}

type Files = Readonly<Record<string, string>>;

/** Gives what a chart of these files renders, or the message of the error that refuses it. Anything else that is thrown fails. */
function answer(files: Files, options: object = {}): string {
  const encoder = new TextEncoder();
  const all = { ...chartOfRow('x', ''), 'templates/out.yaml': 'out: 1\n', ...files };
  try {
    const chart = loadChart(new Map(Object.entries(all).map(([name, text]) => [name, encoder.encode(text)] as const)));
    return template(chart, { releaseName: 'r', host: seededHost(), ...options });
  } catch (error) {
    ok(error instanceof RenderError, `${(error as Error).stack?.slice(0, 500)}`);
    return error.message;
  }
}

/** Gives what a template prints. */
function row(text: string): string {
  return textOfOutput(answer({ ...chartOfRow(text, '') }));
}

const kinds: Readonly<Record<string, string>> = {
  'flow lists': nested('[', '', ']'),
  'flow maps': nested('{a: ', '1', '}'),
  'block lists': `${'- '.repeat(levels)}a`,
  'question marks': `${'? '.repeat(levels)}a`,
};

for (const [kind, text] of Object.entries(kinds)) {
  test(`${kind} nest in every file that is YAML`, () => {
    const files: readonly Files[] = [
      { 'values.yaml': `a: ${text}\n` },
      { 'values.yaml': `${text}\n` },
      { 'Chart.yaml': `apiVersion: v2\nname: c\nversion: 0.1.0\nannotations: ${text}\n` },
      { 'templates/out.yaml': `kind: A\na: ${text}\n` },
      { 'templates/out.yaml': `{{ fromYaml ${JSON.stringify(`a: ${text}`)} | toYaml }}` },
      { 'crds/a.yaml': `kind: CustomResourceDefinition\na: ${text}\n` },
      { 'requirements.yaml': `dependencies: ${text}\n` },
    ];
    for (const each of files) ok(answer(each).length > 0, Object.keys(each)[0]);
  });
}

test('schemas nest as deep as JSON does', () => {
  const depth = 4000;
  const values = `a: ${nested('{a: ', '1', '}', depth)}\n`;
  for (const schema of [
    nested('{"properties":{"a":', '{}', '}}', depth),
    nested('{"additionalProperties":', '{}', '}', depth),
    nested('{"allOf":[', '{}', ']}', depth),
    nested('{"anyOf":[', '{}', ']}', depth),
    nested('{"not":{"not":', '{}', '}}', depth),
    nested('{"definitions":{"a":', '{}', '}}', 4000),
    `{"$ref":"#/definitions/a","definitions":{"a":{"additionalProperties":{"$ref":"#/definitions/a"},"type":["object","integer"]}}}`,
  ]) {
    equal(
      answer({ 'values.schema.json': schema, 'values.yaml': values }),
      '---\n# Source: c/templates/out.yaml\nout: 1\n',
    );
  }
  const wrong = answer({
    'values.schema.json': nested('{"properties":{"a":', '{"type":"string"}', '}}', depth),
    'values.yaml': values,
  });
  ok(wrong.includes('Invalid type. Expected: string'), wrong.slice(-200));
  ok(answer({ 'values.schema.json': nested('{"not":', '{}', '}') }).length > 0);
});

test('TOML is read and written as deep as it is', () => {
  equal(row(`{{ fromToml ${JSON.stringify(`a = ${nested('[', '', ']')}`)} | toToml | len }}`), `${2 * levels + 5}`);
  equal(
    row(`{{ $l := list 1 }}{{ range until 9000 }}{{ $l = list $l }}{{ end }}{{ dict "a" $l | toToml | len }}`),
    '18008',
  );
  equal(row('{{ (fromToml (print (repeat 3000 "a.") "a = 1")) | toJson | len }}'), `${3001 * 6 + 1}`);
  equal(
    row(`{{ fromToml ${JSON.stringify(`a = ${nested('{a = ', '1', '}', 1000)}`)} | toJson | len }}`),
    `${1001 * 6 + 1}`,
  );
});

test('the languages of --set nest', () => {
  const read = (parse: (text: string, into: Map<string, never>) => void, text: string): Map<string, never> => {
    const into = new Map<string, never>();
    parse(text, into);
    return into;
  };
  equal(read(parseSet, `a${'[0]'.repeat(levels)}=1`).size, 1);
  equal(read(parseSet, `a${'[0].a'.repeat(levels)}=1`).size, 1);
  equal(read(parseSetLiteral, `a${'[0]'.repeat(levels)}=1`).size, 1);
  equal(read(parseSetJson, `a=${nested('[', '', ']', 9000)}`).size, 1);
});

test('values of an Order nest as deep as an Order may, and are refused beyond', async () => {
  const encoder = new TextEncoder();
  const files = Object.entries(chartOfRow('x', 'top: {a: {a: 1}}\n'));
  const chart = loadChart(new Map(files.map(([name, text]) => [name, encoder.encode(text)] as const)));
  for (const depth of [150, levels]) {
    let values: unknown = 1;
    for (let level = 0; level < depth; level++) values = level % 2 === 0 ? { a: values } : { a: [values] };
    const order = {
      apiVersion: 'releases.x-helm.dev/v1alpha1',
      kind: 'Order',
      metadata: { name: 'deep' },
      spec: { packages: [{ chart: { name: 'c', sourceRef: { kind: 'Embed', name: 'c' }, values: { top: values } } }] },
    };
    const rendered = await renderOrder(order as never, { registry: { resolve: async () => chart } } as never).then(
      () => 'rendered',
      (error: unknown) => {
        ok(error instanceof RenderError, `${(error as Error).stack?.slice(0, 500)}`);
        return error.code;
      },
    );
    ok(['rendered', 'ORDER_INVALID'].includes(rendered), rendered);
  }
});
