// Control routes for available charts and for Orders being edited, without storing anything.

import { defaultHelm, findHelmVersion, helmSelectors } from '../../../render/core/helm-version.ts';
import type { ChartRef } from '../../../render/index.ts';
import { jsonType, plain, type Reply } from '../../app/message.ts';
import { missing } from '../../app/problem.ts';
import { type CallWith, type Route, routeBuilder } from '../../app/route.ts';
import type { DraftTask, DraftText, RenderJob } from '../../rendering/renderer.ts';
import { toolOf } from '../orders.ts';
import {
  anyObject,
  booleanSchema,
  exactSchema,
  integerSchema,
  listSchema,
  objectSchema,
  problemAnswer,
  textSchema,
} from '../shapes.ts';

const route = routeBuilder({
  space: 'control',
  section: 'Control: drafts',
  access: 'public',
  emulation: 'Only in the emulator; stores nothing',
});

const listedChart = {
  ...objectSchema('ListedChart', {
    name: textSchema,
    version: textSchema,
    appVersion: textSchema,
    description: textSchema,
    type: textSchema,
    deprecated: booleanSchema,
    kubeVersion: textSchema,
    home: textSchema,
    keywords: listSchema(textSchema),
    icon: { type: 'string', description: 'The icon, if the chart contains it, as a `data:` URL' },
    hasSchema: booleanSchema,
    sourceRef: { ...anyObject, description: 'How an Order refers to it' },
    dropped: { type: 'boolean', description: 'Whether it was added by `POST /__drydock/files`' },
    fault: { type: 'string', description: 'Why it cannot be read; then only name and source are set' },
  }),
  required: ['name', 'version', 'sourceRef'],
};
const shownChart = objectSchema(
  'ShownChart',
  {
    name: textSchema,
    version: textSchema,
    values: { type: 'string', description: 'Its values.yaml, comments included' },
    schema: { description: 'Its values.schema.json; null without one' },
    readme: textSchema,
    dependencies: listSchema(anyObject),
    templates: { ...listSchema(anyObject), description: 'Name and text of each, if asked for' },
  },
  ['templates'],
);
const issue = objectSchema(
  'DraftIssue',
  {
    path: textSchema,
    message: textSchema,
    severity: { type: 'string', enum: ['error', 'warning', 'note'] },
    hint: textSchema,
    code: textSchema,
    line: { type: 'integer', description: 'In the text of the draft, from 1' },
    column: { type: 'integer' },
    place: anyObject,
  },
  ['hint', 'code', 'line', 'column', 'place'],
);
const preview = objectSchema('Preview', {
  kubeVersion: textSchema,
  packages: listSchema(anyObject),
  manifest: textSchema,
  notes: textSchema,
  warnings: listSchema(issue),
});

const image = objectSchema(
  'DraftImage',
  {
    package: { type: 'string', description: 'The release that uses it' },
    reference: textSchema,
    repository: textSchema,
    tag: textSchema,
    digest: textSchema,
    uses: listSchema(objectSchema('ImageUse', { kind: textSchema, name: textSchema, field: textSchema })),
  },
  ['tag', 'digest'],
);
const packageValues = objectSchema('PackageValues', {
  package: { type: 'string', description: 'The release' },
  values: listSchema(
    objectSchema('ComputedValue', {
      path: textSchema,
      steps: { ...listSchema(anyObject), items: {}, description: 'The names and indexes of the path' },
      value: { description: 'Any JSON' },
      isGiven: { type: 'boolean', description: 'Whether the Order sets it, rather than a chart' },
      isChanged: { type: 'boolean', description: 'Whether it differs from the default' },
      setBy: { ...listSchema(anyObject), description: 'Each place that sets it, highest precedence first' },
    }),
  ),
});
const upgrade = objectSchema(
  'UpgradeReport',
  {
    values: {
      ...listSchema(anyObject),
      description:
        'Path, value and kind (`moved`, `retyped`, `unread`, `unused`); `to` is the new path, `expected` the default of another type',
    },
    defaults: { ...listSchema(anyObject), description: 'Path, before and after' },
    failureBefore: { type: 'string', description: 'Why the current version does not render with the values' },
    failureAfter: { type: 'string', description: 'Why the other version does not render with the moved values' },
  },
  ['failureBefore', 'failureAfter'],
);
const coverage = objectSchema('ChartCoverage', {
  cases: { ...listSchema(textSchema), description: 'Its own cases: the files `ci/*values.yaml`, or its defaults' },
  before: { type: 'integer', description: 'Number of branch outcomes that they reach' },
  after: { type: 'integer', description: 'Number including the generated values' },
  total: integerSchema,
  reachable: { type: 'integer', description: 'Number of outcomes that values can reach' },
  isCut: { type: 'boolean', description: 'Whether the search reached its time limit' },
  generated: { ...listSchema(anyObject), description: 'Text and number of outcomes of each values file' },
  unreached: {
    ...listSchema(anyObject),
    description: 'Path, line, text, outcome and explanation of the others, at most 500',
  },
  unreachedCount: integerSchema,
  failures: { ...listSchema(anyObject), description: 'Values that the chart accepts but fails to render' },
  rejections: {
    ...listSchema(anyObject),
    description: 'Values for which a cluster rejects an object, the reason, and the path and line of the field',
  },
  failedCases: { ...listSchema(anyObject), description: 'Its own cases that do not render' },
});
const order = { type: 'string' } as const;
const draftBody = {
  description: 'The text of an Order, as YAML or JSON',
  schema: exactSchema('Draft', { order }),
};

const helmQuery = {
  helm: {
    description: 'Version of Helm to reproduce (default: the setting `helm`)',
    schema: { type: 'string', enum: helmSelectors },
  },
} as const;
const refusals = {
  422: problemAnswer('The draft does not render; `issues` have their places in its text'),
  503: problemAnswer('Too many Orders wait to be checked or rendered'),
};
const systems = ['linux', 'darwin', 'windows'] as const;
const formatQuery = {
  description: 'Format of the resources',
  schema: { type: 'string', enum: ['yaml', 'json'] },
} as const;

// Draft as JSON in, JSON out.
function draftRoute(name: string, path: `/${string}`, rest: Pick<Route, 'summary' | 'answers'> & { task: DraftTask }) {
  const { task, summary, answers } = rest;
  return route(name, `POST ${path}`, {
    summary,
    query: helmQuery,
    body: draftBody,
    answers: { ...answers, ...refusals },
    run: (call, { order }) => rendered(call, { task, ...draftOf(call, order) }),
  });
}

const chartParams = { name: 'Name of the chart' };
const chartQuery = {
  version: { description: 'A version or a constraint (default: the newest)', schema: textSchema },
  kind: { description: 'Kind of its source', schema: textSchema },
  source: { description: 'Name of its source', schema: textSchema },
  namespace: { description: 'Namespace of its source', schema: textSchema },
} as const;

function refOf({ params, query }: CallWith<'name'>): ChartRef {
  const [kind = '', namespace = ''] = [query('kind'), query('namespace')];
  const sourceRef = { name: query('source') ?? '', ...(kind && { kind }), ...(namespace && { namespace }) };
  return { name: params.name, version: query('version') ?? '', sourceRef };
}

/** The routes of charts and drafts. */
export const previewRoutes: readonly Route[] = [
  route('listCharts', 'GET /charts', {
    summary: 'List the available charts: those in the chart folders, and the built-in ones',
    answers: { 200: { description: 'The charts, by name', schema: listSchema(listedChart) }, ...refusals },
    run: (call) => rendered(call, { task: 'charts' }),
  }),
  route('showChart', 'GET /charts/{name}', {
    summary: 'Get the values of a chart, their schema, its README and its dependencies',
    params: chartParams,
    query: {
      ...chartQuery,
      templates: { description: '`true` includes the text of its templates', schema: booleanSchema },
    },
    answers: { 200: { description: 'The chart', schema: shownChart }, ...refusals },
    run: (call) => rendered(call, { task: 'chart', ref: refOf(call), templates: call.query('templates') === 'true' }),
  }),
  route('chartCoverage', 'GET /charts/{name}/coverage', {
    summary: 'Get the branches of a chart that run, and values that reach the others',
    emulation: 'Only in the emulator; searches for up to five seconds',
    params: chartParams,
    query: chartQuery,
    answers: {
      200: { description: 'The reached outcomes, values files that reach more, and the rest', schema: coverage },
      ...refusals,
    },
    run: (call) => rendered(call, { task: 'chart-coverage', ref: refOf(call) }),
  }),
  route('chartSchema', 'GET /charts/{name}/schema', {
    summary: 'Derive a schema for the values of a chart from its defaults, comments and templates',
    emulation: 'Only in the emulator; searches for up to five seconds',
    params: chartParams,
    query: chartQuery,
    answers: {
      200: {
        description: 'The schema, and the values as a table in Markdown',
        schema: objectSchema('DerivedSchema', { schema: anyObject, table: textSchema }),
      },
      ...refusals,
    },
    run: (call) => rendered(call, { task: 'chart-schema', ref: refOf(call) }),
  }),
  draftRoute('previewOrder', '/preview', {
    task: 'preview',
    summary: 'Render a draft of an Order: manifest, notes, warnings',
    answers: { 200: { description: 'The rendering', schema: preview } },
  }),
  draftRoute('previewChecks', '/preview/checks', {
    task: 'preview-checks',
    summary: 'Check a draft of an Order completely, including unread values',
    answers: { 200: { description: 'All errors, warnings and notes', schema: listSchema(issue) } },
  }),
  route('previewLine', 'POST /preview/line', {
    summary: "Explain a line of a draft's manifest: its template, the values it read, and where they are set",
    query: helmQuery,
    body: {
      description: 'The text of an Order, as YAML or JSON, and a line of its manifest, from 1',
      schema: exactSchema('DraftLine', { order, line: { type: 'integer', minimum: 1 } }),
    },
    answers: { 200: { description: 'The explanation', schema: anyObject }, ...refusals },
    run: (call, { order, line }) => rendered(call, { task: 'preview-line', line, ...draftOf(call, order) }),
  }),
  route('previewDiff', 'POST /preview/diff', {
    summary: 'Compare a draft of an Order with another one by meaning',
    query: {
      all: {
        description: '`true` also compares version labels and checksums',
        schema: { type: 'string', enum: ['true', 'false'] },
      },
      ...helmQuery,
    },
    body: {
      description: 'The text of an Order, and the other side: another Order, or the same with another Helm',
      schema: exactSchema('DraftComparison', {
        order,
        base: {
          type: 'object',
          required: ['order'],
          properties: { order, helm: { enum: [...helmSelectors, 3, 4] } },
          additionalProperties: false,
        },
      }),
    },
    answers: { 200: { description: 'The difference', schema: anyObject }, ...refusals },
    run: (call, { order, base }) => {
      const draft = draftOf(call, order);
      const before = { draft: base.order, helm: findHelmVersion(base.helm) ?? draft.helm };
      return rendered(call, { task: 'preview-diff', base: before, all: call.query('all') === 'true', ...draft });
    },
  }),
  route('previewResources', 'POST /preview/resources', {
    summary: 'Render a draft of an Order to lists of resources',
    body: draftBody,
    query: {
      skipCRDs: {
        description: 'true leaves out custom resource definitions',
        schema: { type: 'string', enum: ['true', 'false'] },
      },
      format: formatQuery,
      ...helmQuery,
    },
    answers: {
      200: { description: 'The lists, in the format of the API', schema: listSchema(anyObject) },
      ...refusals,
    },
    run: (call, { order }) => {
      const format = call.query('format') === 'json' ? 'json' : 'yaml';
      const job = { task: 'preview-resources', skipCRDs: call.query('skipCRDs') === 'true', format } as const;
      return rendered(call, { ...job, ...draftOf(call, order) });
    },
  }),
  draftRoute('previewImages', '/preview/images', {
    task: 'preview-images',
    summary: 'List the container images that a draft of an Order uses',
    answers: {
      200: { description: 'The images of each package, with the fields that name them', schema: listSchema(image) },
    },
  }),
  draftRoute('previewValues', '/preview/values', {
    task: 'preview-values',
    summary: 'List the computed values of a draft of an Order, and where each was set',
    answers: {
      200: { description: 'The values of each package, defaults included', schema: listSchema(packageValues) },
    },
  }),
  route('previewUpgrade', 'POST /preview/upgrade', {
    summary: 'Get the effect of another chart version on the values of a package in a draft',
    query: helmQuery,
    body: {
      description: 'The text of an Order, the same with another version of a chart, and the package, from 0',
      schema: exactSchema('DraftUpgrade', {
        order,
        upgraded: { type: 'string' },
        package: { type: 'integer', minimum: 0 },
      }),
    },
    answers: {
      200: {
        description: 'Values that moved or are no longer read, and changed defaults',
        schema: upgrade,
      },
      ...refusals,
    },
    run: (call, { order, upgraded, package: index }) =>
      rendered(call, { task: 'preview-upgrade', index, upgraded, ...draftOf(call, order) }),
  }),
  route('previewScript', 'POST /preview/scripts/{tool}', {
    summary: 'Get an install script of a draft of an Order',
    params: { tool: '`pkgmgr3` or `yaml`' },
    query: {
      os: { description: 'Operating system (default linux)', schema: { type: 'string', enum: systems } },
      ...helmQuery,
    },
    body: draftBody,
    answers: {
      200: { description: 'The script', type: 'text/plain; charset=utf-8' },
      404: problemAnswer('There is no such tool'),
      ...refusals,
    },
    run: (call, { order }) => scriptReply(call, order),
  }),
];

async function rendered(
  { services }: CallWith<never>,
  job: Exclude<RenderJob, { readonly task: 'check' | 'unpack' }>,
): Promise<Reply> {
  return plain(jsonType, await services.render(job));
}

async function scriptReply(call: CallWith<'tool'>, order: string): Promise<Reply> {
  const { params, query, services } = call;
  const tool = toolOf(params.tool);
  if (tool === undefined) throw missing('There is no such script.');
  const os = systems.find((name) => name === query('os')) ?? 'linux';
  const job = { task: 'preview-script', tool, os, ...draftOf(call, order) } as const;
  return plain('text/plain; charset=utf-8', await services.render(job));
}

function draftOf({ world, query, settings }: CallWith<never>, draft: string): DraftText {
  const helm = findHelmVersion(query('helm')) ?? findHelmVersion(settings.helm) ?? defaultHelm;
  return { draft, seed: world.seed, now: world.clock.now(), helm };
}
