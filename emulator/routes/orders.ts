// Deployment orders: create one; render its manifest, its resources and its install scripts.

import { defaultHelm, findHelmVersion, type HelmVersion, helmSelectors } from '../../render/core/helm-version.ts';
import { ORDER_API_VERSION } from '../../render/order/order.ts';
import { orderSchema } from '../../render/order/validate.ts';
import { jsonType, plain, type Reply } from '../app/message.ts';
import { missing, Problem, violation } from '../app/problem.ts';
import {
  type AnswerRule,
  type BodyRule,
  type Call,
  type CallWith,
  type Parameter,
  type Route,
  routeBuilder,
} from '../app/route.ts';
import type { OrderScript, OrderSource, ScriptPlace, ScriptSystem } from '../rendering/renderer.ts';
import type { Schema } from '../store/compile.ts';
import type { OrderRow } from '../store/rows.ts';
import { anyObject, listSchema, objectSchema, problemAnswer, textSchema, timeSchema } from './shapes.ts';

const order: Schema = orderSchema();
const members = order.properties as Readonly<Record<string, Schema>>;
const metadata = members.metadata!;
const [example] = order.examples as readonly [Schema];

const given = { uid: { type: 'string', format: 'uuid' }, creationTimestamp: timeSchema } as const;
const required = ['name', 'uid', 'creationTimestamp'];

// The members of an Order that the emulator sets.
const set = {
  apiVersion: { type: 'string', enum: [ORDER_API_VERSION] },
  kind: { type: 'string', enum: ['Order'] },
} as const;

const storedOrder: Schema = {
  ...order,
  description: 'An Order as sent, with the members added by the service',
  required: ['apiVersion', 'kind', 'metadata', 'spec'],
  properties: {
    ...members,
    ...set,
    metadata: {
      ...metadata,
      title: 'StoredOrderMetadata',
      type: 'object',
      required,
      properties: { ...(metadata.properties as Schema), name: textSchema, ...given },
    },
  },
  examples: [
    {
      ...example,
      metadata: {
        ...(example.metadata as Schema),
        uid: '00000000-0000-4000-8000-000000000000',
        creationTimestamp: '2025-01-01T00:00:00Z',
      },
    },
  ],
};

/** The body of an Order. The engine validates it and reports all issues at once. */
export const orderBody = {
  description: 'The Order; unknown keys are kept',
  schema: { ...order, title: 'CreateOrderOption' },
  example: {
    apiVersion: 'releases.x-helm.dev/v1alpha1',
    kind: 'Order',
    metadata: { name: 'my-shop' },
    spec: {
      packages: [
        {
          chart: {
            name: 'web',
            sourceRef: { kind: 'Embed', name: 'web' },
            version: '1.4.2',
            releaseName: 'web',
            namespace: 'shop',
            values: { replicaCount: 2 },
          },
        },
      ],
    },
  },
  unread: true,
} as const satisfies BodyRule;

/** A stored Order. The engine has validated the request; this covers what the emulator adds. */
export const orderAnswer: AnswerRule = {
  description: 'The stored Order',
  schema: storedOrder,
  check: {
    type: 'object',
    required: ['apiVersion', 'kind', 'metadata', 'spec'],
    properties: {
      ...set,
      metadata: { type: 'object', required, properties: { name: textSchema, ...given } },
      spec: anyObject,
    },
  },
  headers: ['Warning'],
};

const route = routeBuilder({ section: 'Deployment orders', access: 'token' });
export const systems = ['linux', 'darwin', 'windows'] as const satisfies readonly ScriptSystem[];

const file = objectSchema('ResourceFile', { filename: textSchema, key: textSchema, data: textSchema });
const resourceListSchema = objectSchema('ResourceList', {
  name: textSchema,
  version: textSchema,
  sourceRef: anyObject,
  releaseName: textSchema,
  namespace: textSchema,
  crds: listSchema(file),
  resources: listSchema(file),
});
const scriptSchema = objectSchema('Script', {
  os: { type: 'string', enum: systems },
  url: { type: 'string', format: 'uri', description: 'Serves the script alone, without a token' },
  command: { type: 'string', description: 'A command that runs it' },
  script: textSchema,
});

const params = { id: 'UID of the order' };
const busy = problemAnswer('Too many orders wait to be checked or rendered');
const refusals = {
  404: problemAnswer("There is no such order, or it is another person's"),
  422: problemAnswer('The order does not render; says package, chart, template, line, column and cause'),
  503: busy,
};
const goBooleans = ['1', 't', 'T', 'TRUE', 'true', 'True', '0', 'f', 'F', 'FALSE', 'false', 'False'];
/** The parameter of every route that renders. */
export const helmQuery = {
  helm: {
    description: 'Version of Helm to reproduce (default: the setting `helm`)',
    schema: { type: 'string', enum: helmSelectors },
  },
} as const;
const scriptQuery: Readonly<Record<string, Parameter>> = {
  os: {
    description: 'Only the script for this system (default: one entry for each system)',
    schema: { type: 'string', enum: systems },
  },
  format: {
    description: '`raw` returns the plain script, for linux unless `os` names another system',
    schema: { type: 'string', enum: ['json', 'raw'] },
  },
  ...helmQuery,
};
const shellType = 'text/x-shellscript; charset=utf-8';
const powerShellType = 'text/plain; charset=utf-8';
const scripts = {
  description: 'One entry for each system, or only for `os`',
  schema: listSchema(scriptSchema),
  type: shellType,
};

export const orderRoutes: readonly Route[] = [
  route('createOrder', 'POST /user/deploy/orders', {
    summary: 'Store a deployment order',
    emulation:
      'Checked in full (the real service only looks for packages); unknown keys are kept and reported in Warning headers',
    body: orderBody,
    run: createOrder,
    answers: {
      200: orderAnswer,
      400: problemAnswer('spec.packages is empty'),
      422: problemAnswer('The order is invalid; `issues` lists every problem with its JSON path, at most 500'),
      503: busy,
    },
  }),
  route('renderOrderManifest', 'GET /user/deploy/orders/{id}/render/manifest', {
    summary: 'Render the order to one manifest',
    emulation: "Equals Helm's output, with CRDs and hooks; rendered offline from the emulator's charts",
    params,
    query: helmQuery,
    answers: { 200: { description: 'The manifest', type: 'text/plain; charset=utf-8' }, ...refusals },
    run: async (call) =>
      plain('text/plain; charset=utf-8', await call.services.render({ task: 'manifest', ...textOf(call) })),
  }),
  route('renderOrderResources', 'GET /user/deploy/orders/{id}/render/resources', {
    summary: 'Render the order to lists of resources',
    emulation: 'One entry per package; an unknown format is 422 (the original service ignored it)',
    params,
    query: {
      skipCRDs: {
        description: 'true leaves out the custom resource definitions of the charts',
        schema: { type: 'boolean' },
        check: { type: 'string', enum: goBooleans },
      },
      format: { description: 'Format of the resources', schema: { type: 'string', enum: ['yaml', 'json'] } },
      ...helmQuery,
    },
    answers: { 200: { description: 'The lists', schema: listSchema(resourceListSchema) }, ...refusals },
    run: async (call) => {
      const skipCRDs = /^(?:1|t|true)$/i.test(call.query('skipCRDs') ?? '');
      const format = call.query('format') === 'json' ? 'json' : 'yaml';
      return plain(jsonType, await call.services.render({ task: 'resources', ...textOf(call), skipCRDs, format }));
    },
  }),
  route('getOrderPkgmgr3Script', 'GET /user/deploy/orders/{id}/pkgmgr3', {
    summary: 'Get the install script for package manager 3',
    emulation: 'A script that calls `helm`',
    params,
    query: scriptQuery,
    answers: { 200: scripts, ...refusals },
    run: (call) => scriptReply(call, 'helm'),
  }),
  route('getOrderYamlScript', 'GET /user/deploy/orders/{id}/yaml', {
    summary: 'Get the install script for the orchestrator CLI',
    emulation: 'A script that calls `kubectl` with the rendered YAML',
    params,
    query: scriptQuery,
    answers: { 200: scripts, ...refusals },
    run: (call) => scriptReply(call, 'kubectl'),
  }),
  route('getOrderScriptText', 'GET /scripts/{id}/{os}/{file}', {
    space: 'root',
    summary: 'Get one script alone',
    emulation: 'Needs no token, so that a terminal command can fetch it: anyone who knows the uid may read it',
    access: 'public',
    params: { ...params, os: 'System', file: '`pkgmgr3` or `yaml` with `.sh`, for windows `.ps1`' },
    query: helmQuery,
    answers: { 200: { description: 'The script', type: shellType }, ...refusals },
    run: scriptFile,
  }),
];

async function createOrder(call: Call): Promise<Reply> {
  const { bytes = new Uint8Array(), world, caller } = call;
  const read = await call.services.render({ task: 'check', body: bytes });
  if ('refused' in read) {
    if (read.refused === 'packages') throw new Problem(400, `spec.packages ${read.message}`);
    throw violation(`body: ${read.message}`);
  }
  const uid = world.nextUuid();
  const [before, after] = read.parts;
  const given = `"uid":${JSON.stringify(uid)},"creationTimestamp":${JSON.stringify(world.clock.iso())}`;
  const { order } = world.store.order.add({ id: uid, owner: caller.id, order: before + given + after });
  const warnings = read.warnings.map(({ path, message }) => `299 - ${JSON.stringify(`${path}: ${message}`)}`);
  return plain(jsonType, `${order}\n`, warnings.length > 0 ? { Warning: warnings.map(headerText) } : {});
}

// Header values are Latin-1 bytes, and clients limit their length.
function headerText(line: string): string {
  const text = line.replace(/[^\x20-\x7e]/g, '?');
  return text.length > 300 ? `${text.slice(0, 300)}..."` : text;
}

function orderOf(call: CallWith<'id'>): OrderRow {
  const { id } = call.params;
  const row = call.store.order.get(id);
  if (row && (row.owner === call.caller.id || call.caller.is_admin)) return row;
  throw missing(`There is no order ${JSON.stringify(id)}.`);
}

function textOf(call: CallWith<'id'>, { order }: OrderRow = orderOf(call)): OrderSource {
  return { order, seed: call.world.seed, helm: helmParam(call) ?? findHelmVersion(call.settings.helm) ?? defaultHelm };
}

function helmParam(call: CallWith<'id'>): HelmVersion | undefined {
  return findHelmVersion(call.query('helm'));
}

async function scriptReply(call: CallWith<'id'>, tool: OrderScript): Promise<Reply> {
  const row = orderOf(call);
  const isRaw = call.query('format') === 'raw' || /\btext\/x-shellscript\b/.test(call.header('accept') ?? '');
  const text = textOf(call, row);
  const chosen = systems.filter((os) => os === call.query('os'));
  if (isRaw) return scriptText(call, text, tool, chosen[0] ?? 'linux');
  const helm = helmParam(call);
  const query = helm === undefined ? '' : `?helm=${helm}`;
  const places = (chosen.length > 0 ? chosen : systems).map((os): ScriptPlace => {
    const url = `${call.siteUrl}/scripts/${row.id}/${os}/${toolNames[tool]}.${extensionOf(os)}${query}`;
    return { os, url, command: commandOf(os, url) };
  });
  const list = await call.services.render({ task: 'scripts', ...text, tool, places });
  return plain(jsonType, list, { Vary: 'Accept' });
}

async function scriptFile(call: CallWith<'id' | 'os' | 'file'>): Promise<Reply> {
  const { id, os, file } = call.params;
  const [word = '', extension] = file.split(/\.(?=sh$|ps1$)/);
  const tool = toolOf(word);
  const row = call.store.order.get(id);
  const system = systems.find((name) => name === os && extensionOf(name) === extension);
  if (!row || !system || tool === undefined) throw missing('There is no such script.');
  return scriptText(call, textOf(call, row), tool, system);
}

async function scriptText(call: Call, text: OrderSource, tool: OrderScript, os: ScriptSystem): Promise<Reply> {
  const type = os === 'windows' ? powerShellType : shellType;
  return plain(type, await call.services.render({ task: 'script', ...text, tool, os }));
}

function extensionOf(os: ScriptSystem): string {
  return os === 'windows' ? 'ps1' : 'sh';
}

function commandOf(os: ScriptSystem, url: string): string {
  // The file is executed: piped into a shell session, its exit codes would end that session.
  return os === 'windows'
    ? `irm '${url}' -OutFile install.ps1; powershell -ExecutionPolicy Bypass -File install.ps1`
    : `curl -fsSL '${url}' | sh`;
}

// The schemas of an Order in requests and responses: the full one for the API document, and a loose one for validation.

const toolNames = { helm: 'pkgmgr3', kubectl: 'yaml' } as const;

/** Returns the tool for a URL segment, or undefined. */
export function toolOf(word: string): OrderScript | undefined {
  return (['helm', 'kubectl'] as const).find((tool) => toolNames[tool] === word);
}
