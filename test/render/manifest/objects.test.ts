// The last scalar of a document means the same in every form of an Order, for each kind of scalar.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { renderRelease } from '../../../render/api/chart.ts';
import { renderOrder } from '../../../render/api/order.ts';
import { loadChart } from '../../../render/chart/load.ts';
import { memoryRegistry } from '../../../render/chart/registry.ts';
import type { HelmSelector } from '../../../render/core/helm-version.ts';
import { fc } from '../../support/fast-check.ts';
import { runScript } from '../../support/shells.ts';

interface Parsed {
  readonly metadata: { readonly name: string };
  readonly last: unknown;
}

/** The result of another YAML parser for a text: the last member of each object, by its name. */
function lastOf(text: string): Record<string, unknown> {
  const values = parseAllDocuments(text, { version: '1.1' }).map((document) => document.toJS() as Parsed | null);
  return Object.fromEntries(values.flatMap((value) => (value?.metadata ? [[value.metadata.name, value.last]] : [])));
}

const line = fc.constantFrom('text', '  deeper', '', '', '# no comment', 'a: b', '---', '- x', '"q"');
const block = fc
  .tuple(fc.constantFrom('|', '>', '|-', '>-', '|+', '>+', '|2', '>2-'), fc.array(line, { minLength: 1, maxLength: 5 }))
  .filter(([, lines]) => !/^ /.test(lines.find((one) => one !== '') ?? '') && lines.some((one) => one !== ''))
  .map(([style, lines]) => `last: ${style}\n${lines.map((one) => (one === '' ? '' : `    ${one}`)).join('\n')}`)
  .map((text) => text.replace(/^last: ([|>])2(.*)$/m, 'last: $14$2'));
const scalar = fc.oneof(
  block,
  fc.constantFrom(
    'last: plain',
    'last: plain\n  on two lines',
    "last: 'single'",
    'last: "double\\n"',
    'last:',
    'last: 12',
    'last: [a, b]',
    'last: {a: b}',
    'last:\n  - a\n  - |\n    b',
    'last: | # comment\n  text',
  ),
);
const end = fc.constantFrom('', '\n', '\n\n\n', '\n  \n', '\n# the end\n', '\n\n# the end');

const config = (name: string, last: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${last}`;

for (const helm of ['3.22', '4.1', '4.3'] as const)
  test(`documents that end in any kind of scalar mean the same everywhere, with Helm ${helm}`, () => checkLast(helm));

async function checkLast(helm: HelmSelector): Promise<void> {
  const property = fc.asyncProperty(scalar, end, scalar, end, async (one, oneEnd, two, twoEnd) => {
    const crd = (name: string, last: string): string => config(name, last).replace('ConfigMap', 'Other');
    const hooked = config('hooked', `${two}${twoEnd}`).replace(
      'metadata:\n',
      'metadata:\n  annotations: {"helm.sh/hook": pre-install}\n',
    );
    const chart = loadChart({
      'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
      'templates/a.yaml': `${config('first', one)}\n---\n${config('second', `${two}${twoEnd}`)}`,
      'templates/b.yaml': `${config('alone', `${one}${oneEnd}`)}`,
      'templates/hook.yaml': hooked,
      'crds/a.yaml': `${crd('crd-first', one)}\n---\n${crd('crd-last', `${two}${twoEnd}`)}`,
    });
    const rendered = await renderOrder(
      {
        spec: {
          packages: [
            { chart: { name: 'web', releaseName: 'r', namespace: 'n', sourceRef: { kind: 'Embed', name: 'web' } } },
          ],
        },
      },
      { registry: memoryRegistry([chart]), helm },
    );
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
  await fc.assert(property, { numRuns: 200 });
}

test('the kubectl script applies the last line break of a block scalar', async () => {
  const chart = loadChart({
    'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'templates/a.yaml': config('a', 'last: |\n  text\n'),
    'templates/b.yaml': config('b', 'last: |-\n  text\n'),
    'templates/c.yaml': config('c', 'last: |+\n  text\n\n'),
  });
  const rendered = await renderOrder(
    {
      spec: {
        packages: [
          { chart: { name: 'web', releaseName: 'r', namespace: 'n', sourceRef: { kind: 'Embed', name: 'web' } } },
        ],
      },
    },
    { registry: memoryRegistry([chart]) },
  );
  const { calls } = runScript(rendered.yamlScript());
  const applied: Record<string, unknown> = {};
  for (const { document } of calls) Object.assign(applied, lastOf(document));
  assert.deepEqual([applied.a, applied.b, applied.c], ['text\n', 'text', 'text\n']);
});

test('a release of Helm 4 keeps the line breaks of its templates, and one more', async () => {
  const files = {
    'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'templates/a.yaml': config('a', 'last: |+\n  text\n\n'),
  };
  const last = (helm: HelmSelector): unknown => {
    const { objects } = renderRelease(loadChart(files), { helm });
    return objects.map(({ object }) => (object as unknown as Parsed).last);
  };
  // Recorded from a real API server after `helm install`.
  assert.deepEqual([last('3.17'), last('4.2.3')], [['text\n'], ['text\n\n\n']]);
});
