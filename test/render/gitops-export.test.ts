// Orders for other engines: exports match their schemas, and are imported as the same Order.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { parseAllDocuments } from 'yaml';
import { renderOrder } from '../../render/api/order.ts';
import { loadChart } from '../../render/chart/load.ts';
import type { Registry } from '../../render/chart/registry.ts';
import type { Engine } from '../../render/gitops/export.ts';
import { type ImportedOrder, importOrder } from '../../render/gitops/import/import.ts';
import type { ChartInput } from '../../render/order/document.ts';
import type { JsonObject } from '../../render/order/order.ts';
import { fc } from '../support/fast-check.ts';
import { valueTree } from '../support/value-trees.ts';

const registry: Registry = {
  resolve: async ({ name }) =>
    loadChart({
      'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`,
      'values.yaml': 'kept: 1\n',
      'values-more.yaml': 'more: true\n',
    }),
};

/** The relevant notes and the reasons of an import, one per line. */
const output = ({ releases, notes }: ImportedOrder): string[] => [
  ...notes.map(({ path, message }) => `${path}: ${message}`),
  ...releases.flatMap(({ name, reason, notes: own }) => [
    ...own.filter(({ severity }) => severity === 'note').map(({ path, message }) => `${name}: ${path}: ${message}`),
    ...(reason === undefined ? [] : [`${name}: skipped: ${reason}`]),
  ]),
];

const schemaOf = (name: string): object =>
  JSON.parse(
    readFileSync(fileURLToPath(new URL(`../../fixtures/schemas/${name}.json`, import.meta.url)), 'utf8'),
  ) as object;
const ajv = new Ajv({ strict: false, validateFormats: false });
// The server refuses fields that are not in a schema, unless the schema allows them.
const closed = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, closed(part)]));
  const isOpen = 'additionalProperties' in parts || parts['x-kubernetes-preserve-unknown-fields'] === true;
  return parts.type === 'object' && 'properties' in parts && !isOpen
    ? { ...parts, additionalProperties: false }
    : parts;
};
const kinds: Readonly<Record<string, ReturnType<typeof ajv.compile>>> = Object.fromEntries(
  Object.entries({
    Application: 'argocd-application',
    HelmRelease: 'flux-helmrelease',
    HelmRepository: 'flux-helmrepository',
    GitRepository: 'flux-gitrepository',
  }).map(([kind, name]) => {
    const schema = closed(schemaOf(name)) as { properties: Record<string, unknown> };
    return [kind, ajv.compile({ ...schema, properties: { ...schema.properties, metadata: { type: 'object' } } })];
  }),
);

const source = fc.constantFrom(
  { kind: 'HelmRepository' as const, name: 'https://charts.example.com/stable' },
  { kind: 'HelmRepository' as const, name: 'http://localhost:8080' },
  { kind: 'OCIRepository' as const, name: 'oci://registry.example.com:5000/team/charts' },
);
const path = (name: string) => ({ kind: 'Local' as const, name: `charts/${name}` });
const word = fc.stringMatching(/^[a-z][a-z0-9]{0,5}(-[a-z0-9]{1,4})?$/);
const chart = fc
  .record({
    name: word,
    from: source,
    isPath: fc.boolean(),
    version: fc.constantFrom('', '1.2.3', '^1.0.0', '>=1 <2'),
    releaseName: word,
    namespace: word,
    values: fc.option(fc.dictionary(word, valueTree, { minKeys: 1, maxKeys: 3 }), { nil: undefined }),
  })
  .map(({ from, isPath, version, values, ...rest }): ChartInput => {
    const sourceRef = isPath ? path(rest.name) : from;
    return {
      ...rest,
      sourceRef,
      // The version of a path is that of the chart there.
      ...(version === '' || isPath ? {} : { version }),
      ...(values === undefined ? {} : { values: values as JsonObject }),
    };
  });
const charts = fc.uniqueArray(chart, {
  minLength: 1,
  maxLength: 4,
  selector: ({ namespace, releaseName }) => `${namespace}/${releaseName}`,
});

const engines: readonly Engine[] = ['argocd', 'flux', 'helmfile', 'kustomize'];

for (const engine of engines) {
  test(`${engine}: an exported Order is imported unchanged, and matches the engine's schema`, async () => {
    const property = fc.asyncProperty(charts, async (list) => {
      const rendered = await renderOrder({ spec: { packages: list.map((item) => ({ chart: item })) } }, { registry });
      const { text } = rendered.exportTo(engine, { repoUrl: 'https://git.example.com/charts.git' });
      for (const document of parseAllDocuments(text)) {
        const value = document.toJS() as { kind?: string };
        const fits = kinds[value.kind ?? ''];
        if (fits !== undefined) assert.ok(fits(value), JSON.stringify(fits.errors));
      }
      const { order } = importOrder([{ name: 'there-and-back.yaml', text }]);
      const back = order.spec.packages?.map((item) => item.chart);
      assert.deepEqual(JSON.parse(JSON.stringify(back)), JSON.parse(JSON.stringify(list)));
    });
    await fc.assert(property, { numRuns: 100 });
  });
}

const one = (more: Partial<ChartInput>) => ({
  spec: {
    packages: [{ chart: { name: 'web', sourceRef: path('web'), releaseName: 'web', namespace: 'shop', ...more } }],
  },
});

test('values files and patches are exported as their result', async () => {
  const filed = await renderOrder(one({ valuesFile: 'values-more.yaml' }), { registry });
  const { text, left, summary } = filed.exportTo('helmfile');
  assert.equal(summary, '1 package: 0 exported, 1 exported with notes');
  assert.match(text, /more: true/);
  assert.deepEqual(left, ['spec.packages[0]: the content of valuesFile is part of the values']);
  const patched = await renderOrder(one({ valuesPatch: [{ op: 'replace', path: '/kept', value: 2 }] }), { registry });
  const repository = { repoUrl: 'https://git.example.com/charts.git' };
  assert.match(patched.exportTo('argocd', repository).text, /"kept": 2/);
});

test('each package has its own object, even if a release is named like a namespace and a release', async () => {
  const source = { kind: 'HelmRepository' as const, name: 'https://charts.example.com' };
  const packages = [
    ['a', 'web'],
    ['b', 'web'],
    ['c', 'a-web'],
  ].map(([namespace, releaseName]) => ({ chart: { name: 'web', sourceRef: source, namespace, releaseName } }));
  const rendered = await renderOrder({ spec: { packages } }, { registry });
  assert.deepEqual(rendered.exportTo('argocd').text.match(/^ {2}name: .*$/gm), [
    '  name: a-web',
    '  name: b-web',
    '  name: a-web-2',
  ]);
});

test('charts that an engine cannot reach are reported with the hint', async () => {
  const local = await renderOrder(one({}), { registry });
  assert.throws(() => local.exportTo('argocd'), {
    code: 'ORDER_INVALID',
    hint: 'Give the Git repository that contains the path (--repo-url URL).',
  });
  const repository = { repoUrl: 'https://git.example.com/charts.git' };
  for (const place of ['/srv/charts/web', '../charts/web']) {
    const elsewhere = await renderOrder(one({ sourceRef: { kind: 'Local', name: place } }), { registry });
    const message = /which is not in the Git repository of the Order/;
    for (const engine of ['argocd', 'flux'] as const)
      assert.throws(() => elsewhere.exportTo(engine, repository), { code: 'ORDER_INVALID', message });
  }
  const named = await renderOrder(one({ sourceRef: { kind: 'HelmRepository', name: 'stable' } }), { registry });
  assert.throws(() => named.exportTo('argocd'), { code: 'ORDER_INVALID' });
  assert.match(named.exportTo('flux').text, /kind: HelmRepository\n\s+name: stable/);
  assert.match(named.exportTo('helmfile').text, /chart: stable\/web/);
  const own = await renderOrder(one({ sourceRef: { kind: 'Embed', name: 'web' } }), { registry });
  for (const engine of engines) assert.throws(() => own.exportTo(engine), { code: 'ORDER_INVALID' }, engine);
});

test('a helmfile is imported: the order from needs, the values from files and sets', () => {
  const helmfile = `repositories: [{name: stable, url: https://charts.example.com}]
releases:
  - {name: front, namespace: shop, chart: stable/web, needs: [data/db], set: [{name: a.b, value: 1}, {name: c, values: [x, z]}]}
  - {name: db, namespace: data, chart: stable/db, version: 1.0.0, values: [{size: 1}, {size: 2}, other.yaml]}
  - {name: old, chart: stable/old, installed: false}
`;
  const imported = importOrder([{ name: 'helmfile.yaml', text: helmfile }]);
  const { order } = imported;
  const sourceRef = { kind: 'HelmRepository', name: 'https://charts.example.com' };
  assert.deepEqual(JSON.parse(JSON.stringify(order.spec.packages)), [
    { chart: { name: 'db', sourceRef, version: '1.0.0', releaseName: 'db', namespace: 'data', values: { size: 2 } } },
    {
      chart: {
        name: 'web',
        sourceRef,
        releaseName: 'front',
        namespace: 'shop',
        values: { a: { b: 1 }, c: ['x', 'z'] },
      },
    },
  ]);
  assert.deepEqual(output(imported), [
    'db: releases[1].values[2]: other.yaml is not in the repository: it is left out',
    'old: skipped: installed is false',
  ]);
  assert.equal(imported.summary, '3 releases: 1 imported, 1 imported with notes, 1 skipped');
});

interface Shape {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly enum?: readonly unknown[];
}

const something = ({ type, enum: choices }: Shape): unknown => {
  if (choices !== undefined) return choices.at(-1);
  const byType = { object: { a: 'b' }, array: [{ a: 'b' }], integer: 3, number: 3, boolean: true };
  return byType[type as keyof typeof byType] ?? 'x';
};

// Members that an Order expresses, and members that do not affect what is installed.
const carried = {
  flux: /^(?:chart|chartRef|dependsOn|releaseName|targetNamespace|storageNamespace|values|(?:install|upgrade)(?:\.(?:createNamespace|crds))?)$/,
  argocd:
    /^(?:project|source|sources|destination|syncPolicy(?:\.syncOptions)?|source\.(?:chart|path|repoURL|targetRevision|ref|helm|directory|name|helm\.(?:parameters|values|valuesObject|releaseName|namespace|valueFiles|ignoreMissingValueFiles)))$/,
};

for (const [engine, file, holders] of [
  ['flux', 'flux-helmrelease', ['', 'install', 'upgrade']],
  ['argocd', 'argocd-application', ['', 'syncPolicy', 'source', 'source.helm']],
] as const) {
  test(`every member in the schema of ${engine} is imported or reported`, () => {
    const { spec } = (schemaOf(file) as { properties: Record<string, Shape> }).properties;
    const at = (shape: Shape | undefined, path: string): Shape | undefined =>
      path === '' ? shape : path.split('.').reduce<Shape | undefined>((one, name) => one?.properties?.[name], shape);
    let count = 0;
    for (const holder of holders) {
      for (const [name, shape] of Object.entries(at(spec, holder)?.properties ?? {})) {
        const path = holder === '' ? name : `${holder}.${name}`;
        if (carried[engine].test(path)) continue;
        const { releases } = importOrder([
          { name: 'f.yaml', text: JSON.stringify(saying(engine, path, something(shape))) },
        ]);
        const paths = releases.flatMap(({ notes }) => notes.map((note) => note.path));
        assert.ok(
          paths.some((noted) => noted.startsWith(`spec.${path}`)),
          `${path}: ${paths.join()}`,
        );
        count++;
      }
    }
    assert.ok(count > 15, `${count} members were tried`);
  });
}

/** A document that installs a chart, with an additional member in its specification. */
function saying(engine: 'flux' | 'argocd', path: string, value: unknown): object {
  const sourceRef = { kind: 'HelmRepository', name: 'stable' };
  const spec: Record<string, unknown> =
    engine === 'flux'
      ? { chart: { spec: { chart: 'web', sourceRef } } }
      : { source: { repoURL: 'https://charts.example.com', chart: 'web', helm: {} } };
  const names = path.split('.');
  let holder = spec;
  for (const name of names.slice(0, -1)) {
    holder[name] ??= {};
    holder = holder[name] as Record<string, unknown>;
  }
  holder[names.at(-1) ?? ''] = value;
  const [apiVersion, kind] =
    engine === 'flux' ? ['helm.toolkit.fluxcd.io/v2', 'HelmRelease'] : ['argoproj.io/v1alpha1', 'Application'];
  return { apiVersion, kind, metadata: { name: 'web', namespace: 'shop' }, spec };
}

test('incomplete input is reported: a chart or values of another source, and changes to rendered objects', () => {
  const release = (name: string): string => `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: ${name}, namespace: shop}
spec: {chartRef: {kind: OCIRepository, name: ${name}}, postRenderers: [{kustomize: {}}]}
---
`;
  assert.throws(() => importOrder([{ name: 'f.yaml', text: release('web') }]), {
    code: 'ORDER_INVALID',
    message: /web: it names OCIRepository web, which is not among the files/,
    hint: /^Pass the files that define what is missing, too, or their folder;/,
  });
  const source =
    'apiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository\nmetadata: {name: web}\nspec: {url: "oci://registry.example.com/web"}\n';
  const both = importOrder([{ name: 'f.yaml', text: release('web') + release('db') + source }]);
  assert.deepEqual(
    both.order.spec.packages?.map(({ chart }) => chart.name),
    ['web'],
  );
  assert.deepEqual(output(both), [
    'web: spec.postRenderers: is not part of an Order',
    'db: spec.postRenderers: is not part of an Order',
    'db: skipped: it names OCIRepository db, which is not among the files',
  ]);
  const application = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: front}
spec:
  sources:
    - {repoURL: https://charts.example.com, chart: web, helm: {valueFiles: [values-prod.yaml, $values/web.yaml, ../prod.yaml]}}
    - {repoURL: https://git.example.com/values.git, ref: values}
`;
  const imported = importOrder([{ name: 'a.yaml', text: application }]);
  assert.equal(imported.order.spec.packages?.[0]?.chart.valuesFile, 'values-prod.yaml');
  assert.deepEqual(output(imported), [
    'front: spec.sources[0].helm.valueFiles[1]: $values/web.yaml is not in this repository: it is left out',
    'front: spec.sources[0].helm.valueFiles[2]: ../prod.yaml is not in this repository: it is left out',
  ]);
});
