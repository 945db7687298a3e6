// The public functions of render/, called from plain JavaScript with any arguments: a result, or a typed error with what, where and how to
// fix it. Never an internal failure.

import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { RenderError } from '../../render/core/errors.ts';
import * as disk from '../../render/disk.node.ts';
import * as drydock from '../../render/index.ts';
import * as snapshot from '../../render/snapshot.node.ts';
import * as testing from '../../render/testing/expect.node.ts';
import { fc } from '../support/fast-check.ts';
import { chartYaml, createProject } from '../support/project.ts';
import { failureOf } from '../support/render-error.ts';

const { folder } = createProject();

const files = {
  'Chart.yaml': chartYaml('web'),
  'values.yaml': 'replicas: 1\n',
  'templates/a.yaml': 'kind: ConfigMap\nmetadata: {name: a}\ndata: {count: {{ .Values.replicas | quote }}}\n',
  'templates/hook.yaml': 'kind: Job\nmetadata: {name: h, annotations: {helm.sh/hook: pre-install}}\n',
  'templates/NOTES.txt': 'Hello from {{ .Release.Name }}.',
};
const chart = drydock.loadChart(files);
const registry = drydock.memoryRegistry([chart]);
const order = {
  spec: { packages: [{ chart: { name: 'web', sourceRef: { name: 'x' }, releaseName: 'r', namespace: 'n' } }] },
};
const rendered = await drydock.renderOrder(order, { registry });
const ref = { name: 'web', version: '', sourceRef: { name: 'x' } };

// Of runs over files: nothing is printed, and everything is in a folder of its own.
const run = { cwd: folder, env: {}, stdin: async () => '', stderr: () => {}, settings: { namespace: 'n' } };
const openedOrder = {
  text: drydock.readOrder(JSON.stringify(order), 'order.json'),
  options: { registry },
  source: JSON.stringify(order),
  folders: [folder],
  pathOf: () => undefined,
};
const readOrder = drydock.readOrder('spec: {}', 'order.yaml');
const orderFile = join(folder, 'order.yaml');
writeFileSync(
  orderFile,
  'spec: {packages: [{chart: {name: web, sourceRef: {kind: Embed, name: web}, releaseName: r, namespace: shop}}]}\n',
);
const input = await disk.readOrderFile(orderFile);
const printer = { stdout: () => {}, stderr: () => {}, quiet: false };
const report = { version: '1.0.0', time: new Date(0), files: [{ file: 'a.yaml', issues: [] }] };
const covered = { coverage: drydock.coverChart(chart), folder: 'charts/web/' };

type AnyFunction = (...args: unknown[]) => unknown;

// Every function with valid arguments: each argument, and each of its options, is replaced by other values.
const entries: Readonly<Record<string, readonly [door: unknown, ...right: unknown[]]>> = {
  template: [drydock.template, chart, { values: { replicas: 2 }, set: ['a=b'], valuesFiles: ['a: 1'] }],
  renderRelease: [drydock.renderRelease, chart, { releaseName: 'r', host: drydock.seededHost() }],
  explain: [drydock.explain, drydock.renderRelease(chart, { trace: true }), { object: 'ConfigMap/a', path: 'data' }],
  impact: [drydock.impact, drydock.renderRelease(chart, { trace: true }), 'replicas'],
  explanationPage: [
    drydock.explanationPage,
    drydock.renderRelease(chart, { trace: true }),
    { title: 'a', files: [{ name: 'a.yaml', text: 'a: 1' }] },
  ],
  formatExplanation: [
    drydock.formatExplanation,
    drydock.explain(drydock.renderRelease(chart, { trace: true }), { object: 'ConfigMap/a', path: 'data' }),
  ],
  formatImpact: [drydock.formatImpact, drydock.impact(drydock.renderRelease(chart, { trace: true }), 'replicas')],
  coverChart: [drydock.coverChart, chart, { cases: [{ name: 'a', set: ['a=b'] }], subcharts: true }],
  formatCoverage: [drydock.formatCoverage, drydock.coverChart(chart), { format: 'lcov', folder: 'charts/a/' }],
  checkUpgrade: [drydock.checkUpgrade, chart, chart, { values: { replicas: 2 } }],
  valuesSchema: [drydock.valuesSchema, chart, { cases: [{ name: 'a' }], strict: true, maxRenderings: 5 }],
  formatValuesTable: [drydock.formatValuesTable, chart],
  generateCases: [drydock.generateCases, chart, { cases: [{ name: 'a' }], subcharts: true, maxRenderings: 5 }],
  formatCase: [drydock.formatCase, { values: {}, reaches: [] }],
  listChartImages: [drydock.listChartImages, chart, { cases: [{ name: 'a' }], maxRenderings: 5 }],
  listImages: [drydock.listImages, [{ kind: 'Pod', spec: { image: 'a' } }]],
  listValues: [drydock.listValues, drydock.renderRelease(chart, { trace: true })],
  listOrderValues: [drydock.listOrderValues, await drydock.renderOrder(order, { registry, trace: true })],
  checkOrderUpgrade: [drydock.checkOrderUpgrade, order, order, { registry, releases: ['n/r'] }],
  patchOrder: [drydock.patchOrder, 'spec: {}', await drydock.checkOrderUpgrade(order, order, { registry })],
  diffManifests: [
    drydock.diffManifests,
    'kind: A',
    { documents: [{ path: 'a', content: 'kind: B', namespace: 'n' }], name: 'b', namespace: 'n' },
    { ignore: [{ kind: 'A', pattern: 'a', reason: 'r' }], all: true, showSecrets: true, secretKey: 'k' },
  ],
  formatDifference: [drydock.formatDifference, drydock.diffManifests('kind: A', 'kind: B')],
  'renderRelease().text': [drydock.renderRelease(chart).text, { noHooks: true, showOnly: ['templates/a.yaml'] }],
  renderChart: [testing.renderChart, chart, { releaseName: 'r', values: { replicas: 2 } }],
  expectOrder: [testing.expectOrder, drydock.renderRelease(chart), { test: { name: 't' } }],
  loadChart: [drydock.loadChart, files, { onWarning: () => {} }],
  loadArchive: [drydock.loadArchive, new Uint8Array([31, 139, 8, 0])],
  openBundle: [drydock.openBundle, new Uint8Array([31, 139, 8, 0])],
  memoryRegistry: [drydock.memoryRegistry, [chart]],
  chainRegistries: [drydock.chainRegistries, [registry]],
  pickCandidate: [drydock.pickCandidate, [{ version: '1.0.0' }], '^1'],
  notFound: [drydock.notFound, ref, { places: ['here'], versions: ['1.0.0'] }],
  realHost: [drydock.realHost, 'UTC'],
  seededHost: [drydock.seededHost, { seed: 'a', now: 0 }],
  readOrder: [drydock.readOrder, 'spec: {}', 'order.yaml'],
  'readOrder().placeOf': [drydock.readOrder('spec: {}', 'a').placeOf, 'spec'],
  formatIssue: [drydock.formatIssue, { path: 'a', message: 'is odd', severity: 'error' }, { file: 'a' }],
  validateOrder: [drydock.validateOrder, order],
  orderSchema: [drydock.orderSchema, undefined],
  renderOrder: [drydock.renderOrder, order, { registry, host: drydock.seededHost(), kubeVersion: '1.31' }],
  inspectOrder: [drydock.inspectOrder, order, { registry }],
  validateObjects: [drydock.validateObjects, 'kind: A', { kubeVersion: '1.31', validate: 'warn' }],
  formatObjectIssue: [
    drydock.formatObjectIssue,
    {
      object: 'Pod/a',
      source: 'web/templates/a.yaml',
      line: 1,
      writtenAt: { file: 'web/templates/b.tpl', line: 2 },
      message: 'unknown field "spec.a"',
      kubeVersion: '1.31',
    },
  ],
  'rendered.manifest': [rendered.manifest, { skipCRDs: true }],
  'rendered.resources': [rendered.resources, { format: 'json' }],
  formatValues: [drydock.formatValues, { replicas: 2 }],
  formatDocument: [drydock.formatDocument, order],
  'rendered.helmScript': [rendered.helmScript, 'linux', { action: 'install', context: 'c' }],
  'rendered.yamlScript': [rendered.yamlScript, 'windows', {}],
  importOrder: [drydock.importOrder, [{ name: 'helmfile.yaml', text: 'releases: [{name: a, chart: ./b}]' }]],
  importRepository: [
    drydock.importRepository,
    { read: () => 'releases: [{name: a, chart: ./b}]', list: () => undefined },
    ['helmfile.yaml'],
    { environment: 'dev' },
  ],
  importReport: [
    drydock.importReport,
    drydock.importOrder([{ name: 'helmfile.yaml', text: 'releases: [{name: a, chart: ./b}]' }]),
    { all: true },
  ],
  'rendered.exportTo': [rendered.exportTo, 'kustomize', { repoUrl: 'https://git.example.com/a.git' }],
  'rendered.scriptFolder': [rendered.scriptFolder, 'helm', { chartPath: () => undefined }],
  'memoryRegistry().resolve': [registry.resolve, ref],
  'chainRegistries().resolve': [drydock.chainRegistries([registry]).resolve, ref],
  diskTree: [disk.diskTree, 'fixtures/charts'],
  loadChartPath: [disk.loadChartPath, 'fixtures/charts/web'],
  lintChart: [disk.lintChart, 'fixtures/charts/web', { set: ['a=b'] }],
  formatLint: [disk.formatLint, [{ path: 'a', messages: [], failure: undefined }], { strict: true }],
  showChart: [disk.showChart, chart, 'values', { helm: 4 }],
  listDependencies: [disk.listDependencies, 'fixtures/charts/umbrella', { maxColumnWidth: 20 }],
  compileScriptTemplate: [disk.compileScriptTemplate, 'run {{word}}', 't.hbs', 'windows'],
  traceInput: [disk.traceInput, 'none.yaml', run],
  'explain(traceInput())': [
    drydock.explain,
    await disk.traceInput('fixtures/charts/web', { ...run, cwd: '.' }),
    { object: 'Service/release-name-web' },
  ],
  listInputValues: [disk.listInputValues, 'none.yaml', { ...run, unread: true }],
  listInputImages: [disk.listInputImages, 'none.yaml', { ...run, maxSeconds: 1 }],
  explainOrderFailures: [disk.explainOrderFailures, openedOrder],
  inspectOrderFile: [disk.inspectOrderFile, openedOrder, run],
  coverChartPath: [disk.coverChartPath, 'none', { ...run, subcharts: true, upgrade: true }],
  checkUpgradePaths: [disk.checkUpgradePaths, 'none', 'nothing', run],
  directoryRegistry: [disk.directoryRegistry, ['fixtures/charts']],
  'directoryRegistry().resolve': [disk.directoryRegistry(['fixtures/charts']).resolve, ref],
  compareSnapshots: [snapshot.compareSnapshots, ['none'], { ...run, filters: ['a'], against: 'none', bail: true }],
  watchSnapshots: [snapshot.watchSnapshots, [], { ...run, onEnd: () => {} }],
  mergeReports: [snapshot.mergeReports, ['none.json'], { cwd: folder }],
  printOutcomes: [snapshot.printOutcomes, [], { verbose: true, against: 'main' }, printer],
  diffInputs: [
    snapshot.diffInputs,
    'none',
    'nothing',
    { ...run, comparesNamespace: true, later: (own: unknown) => own },
  ],
  formatReport: [snapshot.formatReport, report, 'junit'],
  countIssues: [snapshot.countIssues, report, 'error'],
  formatCoverageReport: [snapshot.formatCoverageReport, [covered], 'text', { isShort: true }],
  formatCoverageTotals: [snapshot.formatCoverageTotals, [covered]],
  listShortfalls: [snapshot.listShortfalls, covered, { actions: 50, branches: 50 }],
  listKubeVersions: [snapshot.listKubeVersions, { kubeVersions: ['1.31'] }],
  percentOf: [drydock.percentOf, { covered: 1, total: 2 }],
  'renderRelease().documents': [drydock.renderRelease(chart).documents, { noHooks: true, includeCrds: true }],
  formatPartial: [drydock.formatPartial, { partial: 'a: 1\n', hooks: [] }, { helm: '4', noHooks: true }],
  describeCommandLine: [drydock.describeCommandLine, '3.22'],
  compareHelms: [
    drydock.compareHelms,
    ['3.22.0', '4.3.1'],
    [{ text: 'kind: A' }, { text: 'kind: B' }],
    async (helm: string) => ({ text: drydock.template(chart, { helm }) }),
  ],
  lintCharts: [disk.lintCharts, ['fixtures/charts/web'], { ...run, subcharts: true }],
  renderChartPath: [
    disk.renderChartPath,
    'fixtures/charts/web',
    { ...run, nameTemplate: 'a', explain: true, enableDns: false, host: drydock.seededHost(), onLoad: () => {} },
  ],
  checkKubeSettings: [disk.checkKubeSettings, { kubeVersions: ['1.31'], helm: ['4'] }],
  createPostRenderer: [disk.createPostRenderer, process.execPath, { args: ['--version'], cwd: folder }],
  readJson: [disk.readJson, 'a.json', '{}'],
  readCaseOptions: [
    disk.readCaseOptions,
    'fixtures/charts/web',
    { kubeVersions: ['1.31'] },
    { cwd: folder, stderr: () => {} },
  ],
  readOrderFile: [disk.readOrderFile, 'none.yaml', { kubeVersions: ['1.31'] }, { cwd: folder, stderr: () => {} }],
  formatError: [disk.formatError, new drydock.RenderError('CHART_INVALID', 'a'), readOrder, 'web'],
  formatOrderIssues: [disk.formatOrderIssues, [{ path: 'spec', message: 'is odd', severity: 'error' }], readOrder],
  isChartInput: [disk.isChartInput, 'web.tgz', folder],
  locateChart: [disk.locateChart, 'fixtures/charts/web', '.'],
  importPaths: [disk.importPaths, ['none.yaml'], { cwd: folder, environment: 'dev', stateValuesSet: ['a=b'] }],
  pinOrder: [disk.pinOrder, input, await drydock.renderOrder(input.text.value, input.options)],
  bundleOrder: [disk.bundleOrder, input, await drydock.renderOrder(input.text.value, input.options)],
  testCharts: [disk.testCharts, ['none'], { ...run, strict: true, color: true, stdout: () => {} }],
  formatOutcome: [drydock.formatOutcome, { path: 'a', line: 1, column: 1, kind: 'if', text: 'if .a', outcome: 'then' }],
};

const isMade = (name: string): boolean => /^[A-Z]/.test(name);

test('every public function of render/ is called here', () => {
  const all = Object.entries({ ...drydock, ...disk, ...snapshot, ...testing }).filter(
    ([, value]) => typeof value === 'function',
  );
  assert.deepEqual(
    all.map(([name]) => name).filter((name) => !isMade(name) && !(name in entries)),
    [],
  );
});

const codes: readonly string[] = [
  'ORDER_INVALID',
  'CHART_NOT_FOUND',
  'CHART_INVALID',
  'VALUES_INVALID',
  'TEMPLATE_PARSE',
  'TEMPLATE_EXEC',
  'MANIFEST_INVALID',
  'ARGUMENT_INVALID',
  'ERR_ASSERTION',
];

async function callFunction(entry: unknown, args: readonly unknown[]): Promise<void> {
  try {
    await (entry as AnyFunction)(...args);
  } catch (error) {
    const { code, name, message, stack } = error as RenderError;
    const isTyped = ['RenderError', 'AssertionError'].includes(name) && codes.includes(code);
    assert.ok(isTyped || error instanceof snapshot.UsageError, stack);
    assert.ok(message.length > 0);
    if (code === 'ARGUMENT_INVALID') assert.ok((error as RenderError).hint, message);
  }
}

const anything = fc
  .oneof(
    fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
      withSparseArray: true,
      withNullPrototype: true,
      withBoxedValues: true,
      maxDepth: 2,
    }),
    fc.constantFrom<unknown>(
      () => {},
      Symbol('s'),
      Promise.resolve(chart),
      null,
      undefined,
      '',
      {},
      [],
      Number.NaN,
      /x/,
    ),
    fc.constantFrom<unknown>({ metadata: {} }, { metadata: { name: 'x' }, files: [] }, { ...chart, values: null }),
    fc.constantFrom<unknown>(chart, registry, order, files, rendered, [chart], { registry }, drydock.seededHost()),
    // An existing folder would be read completely.
  )
  .filter((value) => typeof value !== 'string' || value === '' || !existsSync(value));

for (const [name, [entry, ...right]] of Object.entries(entries)) {
  test(`${name} accepts any argument without a crash`, async () => {
    await callFunction(entry, right);
    const change = fc.nat({ max: right.length - 1 }).chain((at) => {
      const given = right[at];
      const isOptions =
        typeof given === 'object' && given !== null && Object.getPrototypeOf(given) === Object.prototype;
      const member =
        isOptions && Object.keys(given).length > 0 ? fc.constantFrom(...Object.keys(given)) : fc.constant('x');
      const inner = fc.tuple(member, anything).map(([key, value]) => ({ ...(given as object), [key]: value }));
      return fc.tuple(fc.constant(at), isOptions ? fc.oneof(anything, inner) : anything);
    });
    await fc.assert(
      fc.asyncProperty(change, ([at, value]) => callFunction(entry, right.with(at, value))),
      { numRuns: 150 },
    );
  });
}

const refusals: readonly (readonly [call: () => unknown, message: string, hint: RegExp])[] = [
  [
    () => drydock.template(chart, { nameSpace: 'shop' } as object),
    'template: options.nameSpace is not a known option',
    /^Did you mean "namespace"\?$/,
  ],
  [
    () => drydock.template(Promise.resolve(chart) as never),
    'template: chart must be a chart, as returned by loadChart or loadArchive, not a Promise',
    /await/,
  ],
  [
    () => drydock.template(chart, { values: { a: [new Date(0) as never] } }),
    'template: options.values.a[0] is a Date, which JSON lacks',
    /JSON/,
  ],
  [() => drydock.loadChart([] as never), 'loadChart: files must be the files of a chart, not a list', /Chart\.yaml/],
  [
    () => rendered.helmScript('macos' as never),
    'helmScript: os must be one of "linux", "darwin", "windows", not "macos"',
    /linux/,
  ],
];

for (const [call, message, hint] of refusals) {
  test(`refused: ${message}`, () => {
    assert.throws(call, { name: 'RenderError', code: 'ARGUMENT_INVALID', message, hint });
  });
}

test('all errors in the arguments of a call are reported at once', () => {
  const { issues } = failureOf(() => {
    drydock.template(chart, { set: [1], isUpgrade: 'no', releasename: 'x' } as never);
  });
  assert.deepEqual(
    issues.map(({ path }) => path),
    ['options.set[0]', 'options.isUpgrade', 'options.releasename'],
  );
});

test('a release is data: objects, hooks, notes and values, and its text equals that of template', () => {
  const release = drydock.renderRelease(chart, { releaseName: 'r', values: { replicas: 5 } });
  assert.deepEqual(
    release.objects.map(({ path, kind, name, object }) => ({ path, kind, name, object })),
    [
      {
        path: 'web/templates/a.yaml',
        kind: 'ConfigMap',
        name: 'a',
        object: { kind: 'ConfigMap', metadata: { name: 'a' }, data: { count: '5' } },
      },
    ],
  );
  assert.deepEqual(
    release.hooks.map(({ name, events, object }) => [name, events, object.kind]),
    [['h', ['pre-install'], 'Job']],
  );
  assert.equal(release.notes, 'Hello from r.');
  assert.equal(release.text(), drydock.template(chart, { releaseName: 'r', values: { replicas: 5 } }));
  assert.deepEqual(JSON.parse(JSON.stringify(release.values)), { replicas: 5 });
});

test('a registry that returns no chart is reported', async () => {
  const odd = { resolve: async () => 'charts/web' as never };
  await assert.rejects(drydock.renderOrder(order, { registry: odd }), {
    code: 'ARGUMENT_INVALID',
    message: /registry\.resolve: its result must be a chart/,
  });
});
