// Control routes for available charts and for Orders being edited, without storing anything.

import { defaultHelm, findHelmVersion, helmSelectors } from '../../../render/core/helm-version.ts';
import type { ChartRef } from '../../../render/index.ts';
import { jsonType, plain, type Reply } from '../../app/message.ts';
import { missing } from '../../app/problem.ts';
import { type CallWith, type Route, routeBuilder } from '../../app/route.ts';
import type { DraftTask, DraftText, RenderJob } from '../../rendering/renderer.ts';
import type { Schema } from '../../store/compile.ts';
import { helmQuery, systems, toolOf } from '../orders.ts';
import { anyObject, booleanSchema, exactSchema, listSchema, problemAnswer, textSchema } from '../shapes.ts';

const route = routeBuilder({
  space: 'control',
  section: 'Control: drafts',
  access: 'public',
  emulation: 'Only in the emulator; stores nothing',
});

const order = { type: 'string' } as const;
const draftBody = {
  description: 'The text of an Order, as YAML or JSON',
  schema: exactSchema('Draft', { order }),
};

const refusals = {
  422: problemAnswer('The draft does not render; `issues` have their places in its text'),
  503: problemAnswer('Too many Orders wait to be checked or rendered'),
};
const formatQuery = {
  description: 'Format of the resources',
  schema: { type: 'string', enum: ['yaml', 'json'] },
} as const;

function answer(description: string, schema: Schema = anyObject): Route['answers'] {
  return { 200: { description, schema }, ...refusals };
}

// Draft as JSON in, JSON out.
function draftRoute(
  name: string,
  path: `/${string}`,
  { task, ...rest }: Pick<Route, 'summary' | 'answers'> & { readonly task: DraftTask },
): Route {
  return route(name, `POST ${path}`, {
    ...rest,
    query: helmQuery,
    body: draftBody,
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

export const previewRoutes: readonly Route[] = [
  route('listCharts', 'GET /charts', {
    summary: 'List the available charts: those in the chart folders, and the built-in ones',
    answers: answer('The charts, by name', listSchema(anyObject)),
    run: (call) => rendered(call, { task: 'charts' }),
  }),
  route('showChart', 'GET /charts/{name}', {
    summary: 'Get the values of a chart, their schema, its README and its dependencies',
    params: chartParams,
    query: {
      ...chartQuery,
      templates: { description: '`true` includes the text of its templates', schema: booleanSchema },
    },
    answers: answer('The chart'),
    run: (call) => rendered(call, { task: 'chart', ref: refOf(call), templates: call.query('templates') === 'true' }),
  }),
  route('chartCoverage', 'GET /charts/{name}/coverage', {
    summary: 'Get the branches of a chart that run, and values that reach the others',
    emulation: 'Only in the emulator; searches for up to five seconds',
    params: chartParams,
    query: chartQuery,
    answers: answer('The reached outcomes, values files that reach more, and the rest'),
    run: (call) => rendered(call, { task: 'chart-coverage', ref: refOf(call) }),
  }),
  route('chartSchema', 'GET /charts/{name}/schema', {
    summary: 'Derive a schema for the values of a chart from its defaults, comments and templates',
    emulation: 'Only in the emulator; searches for up to five seconds',
    params: chartParams,
    query: chartQuery,
    answers: answer('The schema'),
    run: (call) => rendered(call, { task: 'chart-schema', ref: refOf(call) }),
  }),
  draftRoute('previewOrder', '/preview', {
    task: 'preview',
    summary: 'Render a draft of an Order: manifest, notes, warnings',
    answers: answer('The rendering'),
  }),
  draftRoute('previewChecks', '/preview/checks', {
    task: 'preview-checks',
    summary: 'Check a draft of an Order completely, including unread values',
    answers: answer('All errors, warnings and notes', listSchema(anyObject)),
  }),
  route('previewLine', 'POST /preview/line', {
    summary: "Explain a line of a draft's manifest: its template, the values it read, and where they are set",
    query: helmQuery,
    body: {
      description: 'The text of an Order, as YAML or JSON, and a line of its manifest, from 1',
      schema: exactSchema('DraftLine', { order, line: { type: 'integer', minimum: 1 } }),
    },
    answers: answer('The explanation'),
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
    answers: answer('The difference'),
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
    answers: answer('The lists, in the format of the API', listSchema(anyObject)),
    run: (call, { order }) => {
      const format = call.query('format') === 'json' ? 'json' : 'yaml';
      const job = { task: 'preview-resources', skipCRDs: call.query('skipCRDs') === 'true', format } as const;
      return rendered(call, { ...job, ...draftOf(call, order) });
    },
  }),
  draftRoute('previewImages', '/preview/images', {
    task: 'preview-images',
    summary: 'List the container images that a draft of an Order uses',
    answers: answer('The images of each package, with the fields that name them', listSchema(anyObject)),
  }),
  draftRoute('previewValues', '/preview/values', {
    task: 'preview-values',
    summary: 'List the computed values of a draft of an Order, and where each was set',
    answers: answer('The values of each package, defaults included', listSchema(anyObject)),
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
    answers: answer('Values that moved or are no longer read, and changed defaults'),
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
