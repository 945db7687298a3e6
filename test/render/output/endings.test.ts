// Documents that end in every kind of scalar: each form of an Order has the values of the manifest, as parsed by another library.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { renderRelease } from '../../../render/api/chart.ts';
import { type RenderedOrder, renderOrder } from '../../../render/api/order.ts';
import { loadChart } from '../../../render/chart/load.ts';
import { memoryRegistry } from '../../../render/chart/registry.ts';
import type { HelmSelector } from '../../../render/core/helm-version.ts';
import { fc } from '../../support/fast-check.ts';
import { chartYaml } from '../../support/project.ts';
import { runScript } from '../../support/shells.ts';

interface Parsed {
  readonly metadata: { readonly name: string };
  readonly last: unknown;
}

/** Returns the last member of each object in a text, by the object's name. */
function lastOf(text: string): Record<string, unknown> {
  const values = parseAllDocuments(text, { version: '1.1' }).map((document) => document.toJS() as Parsed | null);
  return Object.fromEntries(values.flatMap((value) => (value?.metadata ? [[value.metadata.name, value.last]] : [])));
}

const line = fc.constantFrom(
  ...['text', '  deeper', '', '', '# no comment', 'a: b', '---', '--- x', '- x', '"q"', '\ttab', 'ü', 'trailing  '],
  '{{ "t" }}',
);
const block = fc
  .tuple(
    fc.constantFrom('|', '>', '|-', '>-', '|+', '>+', '|2', '>2-', '|2+'),
    fc.array(line, { minLength: 1, maxLength: 5 }),
  )
  .filter(([, lines]) => !/^\s/.test(lines.find((one) => one !== '') ?? '') && lines.some((one) => one !== ''))
  .map(([style, lines]) => `${style}\n${lines.map((one) => (one === '' ? '' : `    ${one}`)).join('\n')}`)
  .map((text) => text.replace(/^([|>])2/, '$14'));
const flow = fc
  .tuple(fc.constantFrom('"', "'", ''), fc.array(fc.constantFrom('a', 'b c', 'ü'), { minLength: 1, maxLength: 3 }))
  .map(([quote, words]) => `${quote}${words.join('\n\n    ')}${quote}`);
const scalar = fc
  .oneof(
    { weight: 2, arbitrary: block },
    flow,
    fc.constantFrom(
      ...['', '12', '""', '"double\\n"', '"\\n\\n"', '!!str 1', '&a b', '[]', '[a, b]', '{a: b}', '{inner: "x\\n"}'],
      ...['plain\n  on two lines', '\n  - a\n  - |\n    b', '| # comment\n  text'],
    ),
  )
  .map((text) => `last: ${text}`);
const end = fc.constantFrom('', '\n', '\n\n\n', '\n  \n', '\n# the end\n', '\n\n# the end');
const separator = fc.constantFrom('\n---\n', '\n--- # next\n', '\n---   \n', '\n\n---\n# head\n');

const config = (name: string, last: string, kind = 'ConfigMap'): string =>
  `apiVersion: v1\nkind: ${kind}\nmetadata:\n  name: ${name}\n${last}`;

// A chart with objects that end in two scalars: between documents, at the end of a file, as a hook and as a CRD.
const chart = fc.tuple(scalar, end, scalar, end, separator).map(([one, oneEnd, two, twoEnd, between]) =>
  loadChart({
    'Chart.yaml': chartYaml('web'),
    'templates/a.yaml': `${config('first', one)}${between}${config('second', `${two}${twoEnd}`)}`,
    'templates/b.yaml': config('alone', `${one}${oneEnd}`),
    'templates/hook.yaml': config('hooked', `${two}${twoEnd}`).replace(
      'metadata:\n',
      'metadata:\n  annotations: {"helm.sh/hook": pre-install}\n',
    ),
    'crds/a.yaml': `${config('crd-first', one, 'Other')}${between}${config('crd-last', `${two}${twoEnd}`, 'Other')}`,
  }),
);

function render(charts: Parameters<typeof memoryRegistry>[0], helm?: HelmSelector): Promise<RenderedOrder> {
  const selection = { name: 'web', releaseName: 'r', namespace: 'n', sourceRef: { kind: 'Embed', name: 'web' } };
  return renderOrder({ spec: { packages: [{ chart: selection }] } }, { registry: memoryRegistry(charts), helm });
}

for (const helm of ['3.22', '4.1', '4.3'] as const) {
  test(`documents that end in any kind of scalar mean the same everywhere, with Helm ${helm}`, async () => {
    const property = fc.asyncProperty(chart, async (chart) => {
      const rendered = await render([chart], helm);
      const manifest = lastOf(rendered.manifest());
      assert.equal(Object.keys(manifest).length, 6);
      for (const format of ['yaml', 'json'] as const) {
        const [list] = rendered.resources({ format });
        const texts = [...(list?.crds ?? []), ...(list?.resources ?? [])].map(({ data }) => data);
        assert.deepEqual(Object.assign({}, ...texts.map(lastOf)), manifest, format);
      }
      const release = renderRelease(chart, { releaseName: 'r', helm });
      const objects = [...release.objects, ...release.hooks].map(({ object }) => object as unknown as Parsed);
      for (const { metadata, last } of objects) assert.deepEqual(last ?? null, manifest[metadata.name] ?? null);
    });
    await fc.assert(property, { numRuns: 80 });
  });
}

test('the kubectl script applies what the manifest contains', async () => {
  const property = fc.asyncProperty(chart, async (chart) => {
    const rendered = await render([chart]);
    const { calls, code, stderr } = runScript(rendered.yamlScript());
    assert.equal(code, 0, stderr);
    const applied: Record<string, unknown> = {};
    for (const { document } of calls) Object.assign(applied, lastOf(document));
    const manifest = lastOf(rendered.manifest());
    assert.deepEqual(Object.fromEntries(Object.keys(manifest).map((name) => [name, applied[name]])), manifest);
  });
  await fc.assert(property, { numRuns: 12 });
});

test('a release of Helm 4 keeps the line breaks of its templates, and one more', () => {
  const files = { 'Chart.yaml': chartYaml('web'), 'templates/a.yaml': config('a', 'last: |+\n  text\n\n') };
  const last = (helm: HelmSelector): unknown => {
    const { objects } = renderRelease(loadChart(files), { helm });
    return objects.map(({ object }) => (object as unknown as Parsed).last);
  };
  // Recorded from a real API server after `helm install`.
  assert.deepEqual([last('3.17'), last('4.2.3')], [['text\n'], ['text\n\n\n']]);
});
