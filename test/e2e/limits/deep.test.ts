// Deep nesting in every format, and in the values of templates: beyond the documented depth it is rejected with LIMIT_REACHED and its place.

import { equal, match, ok, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { maxDepth } from '../../../render/core/arguments.ts';
import { RenderError } from '../../../render/core/errors.ts';
import {
  inspectOrder,
  loadChart,
  readOrder,
  renderOrder,
  seededHost,
  template,
  validateOrder,
} from '../../../render/index.ts';
import { chartOfRow, textOfOutput } from '../../support/rows.ts';

/** Returns nested opening and closing brackets. */
function nested(open: string, inner: string, close: string, count: number): string {
  return open.repeat(count) + inner + close.repeat(count);
}

type Files = Readonly<Record<string, string>>;

/** Renders a chart with the given files. */
function renderFiles(files: Files, options: object = {}): string {
  const chart = loadChart({ ...chartOfRow('x', ''), 'templates/out.yaml': 'out: 1\n', ...files });
  return template(chart, { releaseName: 'r', host: seededHost(), ...options });
}

/** Renders a template, with the given values of the chart. */
function render(text: string, values = ''): string {
  return textOfOutput(renderFiles(chartOfRow(text, values)));
}

/** Returns the LIMIT_REACHED error of a call, which must take less than ten seconds of processor time. */
function limitError(run: () => unknown): RenderError {
  const start = process.cpuUsage();
  try {
    run();
  } catch (error) {
    ok(error instanceof RenderError, `${(error as Error).stack?.slice(0, 500)}`);
    equal(error.code, 'LIMIT_REACHED', error.message.slice(0, 500));
    const { user, system } = process.cpuUsage(start);
    ok(user + system < 10_000_000);
    return error;
  }
  throw new Error('expected LIMIT_REACHED');
}

const kinds: Readonly<Record<string, (levels: number) => string>> = {
  'flow lists': (levels) => nested('[', '', ']', levels),
  'flow maps': (levels) => nested('{a: ', '1', '}', levels),
  'pairs in flow lists': (levels) => nested('[a: ', '1', ']', levels / 2),
  'block lists': (levels) => `\n${'- '.repeat(levels)}a`,
  'block maps': (levels) => Array.from({ length: levels }, (_, i) => `\n${' '.repeat(i + 1)}a:`).join(''),
};

for (const [kind, text] of Object.entries(kinds)) {
  test(`${kind} may nest ${maxDepth} levels deep in every YAML file; deeper ones are rejected with the file`, () => {
    // Block maps of a hundred thousand levels would be gigabytes of spaces.
    const many = kind === 'block maps' ? 3000 : 100_000;
    const filesOf = (levels: number): readonly Files[] => [
      { 'templates/out.yaml': `kind: A\na: ${text(levels)}\n` },
      { 'values.yaml': `a: ${text(levels)}\n` },
      {
        'Chart.yaml': `apiVersion: v2\nname: c\nversion: 0.1.0\nannotations:\n  a: ${levels >= maxDepth ? text(levels).replaceAll('\n', '\n  ') : 'b'}\n`,
      },
    ];
    for (const files of filesOf(maxDepth - 2)) ok(renderFiles(files).length > 0);
    for (const levels of [maxDepth, many]) {
      for (const files of filesOf(levels)) {
        const [name = ''] = Object.keys(files);
        const { message, place } = limitError(() => renderFiles(files));
        ok(place?.file.endsWith(name), `${name}: ${message.slice(0, 300)}`);
        ok(message.endsWith(`YAML is nested more than ${maxDepth} levels deep`), message.slice(0, 300));
      }
      const own = limitError(() =>
        renderFiles({ 'templates/out.yaml': `{{ fromYaml ${JSON.stringify(`a: ${text(levels)}`)} }}` }),
      );
      equal(own.place?.file, 'c/templates/out.yaml');
      equal(own.place?.line, 1);
    }
  });
}

test('nested complex keys are rejected as keys or as nested too deep', () => {
  throws(() => renderFiles({ 'values.yaml': `a:\n  ${'? '.repeat(100)}a` }), {
    code: 'CHART_INVALID',
    message: /invalid map key/,
  });
  limitError(() => renderFiles({ 'values.yaml': `a:\n  ${'? '.repeat(100_000)}a` }));
});

test('schemas may nest up to the documented limit', () => {
  const depth = 150;
  const values = `a: ${nested('{a: ', '1', '}', depth)}\n`;
  const schemas: readonly ((levels: number) => string)[] = [
    (levels) => nested('{"properties":{"a":', '{}', '}}', levels),
    (levels) => nested('{"allOf":[', '{}', ']}', levels),
    (levels) => nested('{"definitions":{"a":', '{}', '}}', levels),
  ];
  const loop = `{"$ref":"#/definitions/a","definitions":{"a":{"additionalProperties":{"$ref":"#/definitions/a"},"type":["object","integer"]}}}`;
  for (const helm of ['3.17', '3.22', '4'] as const) {
    for (const schema of [...schemas.map((of) => of(depth)), loop]) {
      const text = renderFiles({ 'values.schema.json': schema, 'values.yaml': values }, { helm });
      equal(text, '---\n# Source: c/templates/out.yaml\nout: 1\n');
    }
    for (const schema of schemas) {
      const { message, place } = limitError(() => renderFiles({ 'values.schema.json': schema(50_000) }, { helm }));
      equal(place?.file, 'c/values.schema.json');
      ok(message.endsWith(`JSON is nested more than ${maxDepth} levels deep`), message);
    }
    // A chain of references.
    const names = Array.from({ length: 50_000 }, (_, i) => `"a${i}":{"$ref":"#/definitions/a${i + 1}"}`);
    const chain = `{"$ref":"#/definitions/a0","definitions":{${names.join()},"a50000":{}}}`;
    const { message, place } = limitError(() => renderFiles({ 'values.schema.json': chain }, { helm }));
    equal(place?.file, 'c/values.schema.json');
    ok(message.endsWith('calls or values are nested too deep'), message);
  }
});

test('TOML keys and tables may nest up to the limit', () => {
  const read = (text: string): string => render(`{{ fromToml ${text} | toJson | len }}`);
  equal(read('(print (repeat 400 "a.") "a = 1")'), `${401 * 6 + 1}`);
  for (const text of [
    '(print (repeat 3000 "a.") "a = 1")',
    '(print "a = " (repeat 30000 "{a = ") "1" (repeat 30000 "}"))',
  ])
    limitError(() => read(text));
});

test('the values of --set flags may nest up to the limit', () => {
  for (const flag of ['set', 'setLiteral'] as const) {
    ok(renderFiles({}, { [flag]: [`a${'[0]'.repeat(400)}=1`] }).length > 0);
  }
  ok(renderFiles({}, { setJson: [`a=${nested('[', '', ']', maxDepth - 2)}`] }).length > 0);
  for (const levels of [maxDepth + 1, 100_000]) {
    for (const [flag, text] of [
      ['set', `a${'[0]'.repeat(levels)}=1`],
      ['setLiteral', `a${'[0]'.repeat(levels)}=1`],
      ['setJson', `a=${nested('[', '', ']', levels)}`],
    ] as const) {
      const { place } = limitError(() => renderFiles({}, { [flag]: [text] }));
      equal(place?.file, `--${flag.replace(/(?=[A-Z])/, '-').toLowerCase()}`);
    }
  }
});

test('values of an Order may nest up to the limit in every output; deeper ones are rejected', async () => {
  const files = { ...chartOfRow('{{ toJson .Values.top }}', 'top: {}\n') };
  const chart = loadChart(files);
  const head = `{"apiVersion": "releases.x-helm.dev/v1alpha1", "kind": "Order", "metadata": {"name": "deep"}, "spec": {"packages":`;
  const source = `"sourceRef": {"kind": "HelmRepository", "name": "https://charts.example.com"}`;
  const orderOf = (count: number): string => {
    const top = nested('[{"a":', '1', '}]', count / 2);
    return `${head} [{"chart": {"name": "c", ${source}, "releaseName": "c", "values": {"top": ${top}}}}]}}`;
  };
  const { value, placeOf } = readOrder(orderOf(maxDepth - 10), 'order.json');
  equal(placeOf('spec.packages[0].chart.values').line, 1);
  const rendered = await renderOrder(value, { registry: { resolve: async () => chart }, trace: true });
  await inspectOrder(value, { registry: { resolve: async () => chart } });
  const forms = [rendered.helmScript(), rendered.yamlScript(), rendered.helmScript('windows'), rendered.manifest()];
  forms.push(...rendered.scriptFolder('helm').values(), ...rendered.scriptFolder('yaml').values());
  for (const engine of ['argocd', 'flux', 'helmfile', 'kustomize'] as const) forms.push(rendered.exportTo(engine).text);
  for (const form of forms) ok(form.length < 1_000_000, `${form.length}`);
  ok(rendered.resources({ format: 'json' }).length === 1);
  for (const count of [maxDepth + 10, 200_000]) {
    const text = limitError(() => readOrder(orderOf(count), 'order.json'));
    equal(text.message, `order.json:1:${text.place?.column}: YAML is nested more than ${maxDepth} levels deep`);
    const value = limitError(() => validateOrder(JSON.parse(orderOf(count))));
    equal(value.message, `spec.packages[0].chart.values.top[0].a is nested more than ${maxDepth} levels deep`);
    const values = JSON.parse(nested('{"a":', '1', '}', count)) as object;
    equal(
      limitError(() => renderFiles({}, { values })).message,
      `options.values.a.a.a.a.a.a.a.a is nested more than ${maxDepth} levels deep`,
    );
  }
});

test('deep values are written, read, copied, compared and merged, or rejected with the place', () => {
  const map = (name: string, leaf: string, levels: number): string =>
    `{{ ${name} := ${leaf} }}{{ range until ${levels} }}{{ ${name} = dict "a" ${name} }}{{ end }}`;
  const both = (levels: number): string => map('$d', 'dict "x" 1', levels) + map('$e', 'dict "y" 1', levels);
  const uses: Readonly<Record<string, string>> = {
    'toJson $d | fromJson | toYaml | fromYaml | toJson | len': `${6 * maxDepth - 5}`,
    'deepEqual $d (deepCopy $d)': 'true',
    'merge $d $e | toJson | len': `${6 * maxDepth + 1}`,
    'print $d | len': `${7 * maxDepth - 6}`,
    'toToml $d | fromToml | toJson | len': `${6 * maxDepth - 5}`,
    'toPrettyJson $d | fromJson | len': '1',
  };
  for (const [use, want] of Object.entries(uses)) {
    equal(render(`${both(maxDepth - 2)}{{ ${use} }}`), want, use);
    const { message, place } = limitError(() => render(`${both(50_000)}{{ ${use} }}`));
    match(message, /^template: c\/templates\/_row\.tpl:1:\d+: executing .* nested (?:too|more than 500 levels) deep$/);
    equal(place?.file, 'c/templates/_row.tpl');
  }
});

test("a cyclic value is rejected, with Go's message if it has one", () => {
  const cyclic = '{{ $d := dict }}{{ $_ := set $d "a" $d }}';
  equal(render(`${cyclic}{{ $e := dict }}{{ $_ := set $e "a" $e }}{{ deepEqual $d $e }}`), 'true');
  throws(() => render(`${cyclic}{{ mustToJson $d }}`), {
    code: 'TEMPLATE_EXEC',
    message: /json: unsupported value: encountered a cycle via map\[string\]interface \{\}$/,
  });
  // Go crashes on these with a stack overflow.
  const both = `${cyclic}{{ $e := dict }}{{ $_ := set $e "a" (dict "a" $e) }}`;
  for (const use of ['print $d', 'deepCopy $d', 'toToml $d', 'merge $d $e']) {
    const { message } = limitError(() => render(`${both}{{ ${use} }}`));
    ok(message.endsWith('calls or values are nested too deep'), message.slice(-200));
  }
});
