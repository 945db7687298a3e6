// Whatever nests, nests through every door: what is deeper than JavaScript's stack is answered, or refused with a sentence.

import { equal, ok, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { RenderError } from '../../../render/errors.ts';
import {
  inspectOrder,
  loadChart,
  readOrder,
  renderOrder,
  seededHost,
  template,
  validateOrder,
} from '../../../render/index.ts';
import { parseSet, parseSetJson, parseSetLiteral } from '../../../render/values/set.ts';
import { chartOfRow, textOfOutput } from '../../support/rows.ts';

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

test('values of an Order nest as deep as an Order may, in every form of it, and are refused beyond', async () => {
  const files = { ...chartOfRow('{{ toJson .Values.top }}', 'top: {}\n') };
  const chart = loadChart(files);
  const head = `{"apiVersion": "releases.x-helm.dev/v1alpha1", "kind": "Order", "metadata": {"name": "deep"}, "spec": {"packages":`;
  const source = `"sourceRef": {"kind": "HelmRepository", "name": "https://charts.example.com"}`;
  const orderOf = (count: number): string => {
    const top = nested('[{"a":', '1', '}]', count / 2);
    return `${head} [{"chart": {"name": "c", ${source}, "releaseName": "c", "values": {"top": ${top}}}}]}}`;
  };
  const { value, placeOf } = readOrder(orderOf(9_990), 'order.json');
  equal(placeOf('spec.packages[0].chart.values').line, 1);
  const rendered = await renderOrder(value, { registry: { resolve: async () => chart }, trace: true });
  await inspectOrder(value, { registry: { resolve: async () => chart } });
  const forms = [rendered.helmScript(), rendered.yamlScript(), rendered.helmScript('windows'), rendered.manifest()];
  forms.push(...rendered.scriptFolder('helm').values(), ...rendered.scriptFolder('yaml').values());
  for (const engine of ['argocd', 'flux', 'helmfile', 'kustomize'] as const) forms.push(rendered.exportTo(engine).text);
  for (const form of forms) ok(form.length < 1_000_000, `${form.length}`);
  ok(rendered.resources({ format: 'json' }).length === 1);
  for (const count of [10_010, 200_000])
    throws(() => readOrder(orderOf(count), 'order.json'), {
      code: 'ORDER_INVALID',
      message: /more than 10000 levels/,
    });
  throws(() => validateOrder(JSON.parse(orderOf(200_000))), {
    code: 'ORDER_INVALID',
    message: /more than 10000 levels/,
  });
});

test('what is wrong deep within an Order has a path that somebody can read', () => {
  const top = nested('[', '"\\ud800"', ']', 9_980);
  const order = `{"spec": {"packages": [{"chart": {"name": "c", "sourceRef": {"kind": "Embed", "name": "c"}, "values": {"a": ${top}}}}]}}`;
  try {
    validateOrder(JSON.parse(order));
    ok(false);
  } catch (error) {
    ok(error instanceof RenderError);
    const fault = error.issues.find(({ message }) => message === 'is not valid Unicode');
    equal(fault?.path, `spec.packages[0].chart.values.a${'[0]'.repeat(199)}`);
  }
});
