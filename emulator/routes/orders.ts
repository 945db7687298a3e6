// Deployment orders: create one; render its manifest, its resources and its install scripts.

import { ORDER_API_VERSION } from '../../render/order/order.ts';
import { jsonType, ok, plain, type Reply } from '../http/message.ts';
import { missing, Problem } from '../http/problem.ts';
import { type Call, defineRoute, type Parameter, type Route } from '../http/route.ts';
import type { OrderWorld, ScriptSystem } from '../rendering/renderer.ts';
import { isObject, type Json, type JsonObject } from '../store/json.ts';
import type { OrderRow } from '../store/rows.ts';
import { orderAnswer, orderBody } from './order-shapes.ts';
import { anyObject, listSchema, objectSchema, problemAnswer, text } from './shapes.ts';

const section = 'Deployment orders';
const systems: readonly ScriptSystem[] = ['linux', 'darwin', 'windows'];

const file = objectSchema('ResourceFile', { filename: text, key: text, data: text });
const resourceListSchema = objectSchema('ResourceList', {
  name: text,
  version: text,
  sourceRef: anyObject,
  releaseName: text,
  namespace: text,
  crds: listSchema(file),
  resources: listSchema(file),
});
const scriptSchema = objectSchema('Script', {
  os: { type: 'string', enum: systems },
  url: { type: 'string', format: 'uri', description: 'Serves the script alone, without a token' },
  command: { type: 'string', description: 'A line that runs it' },
  script: text,
});

const params = { id: 'UID of the order' };
const refusals = {
  404: problemAnswer("There is no such order, or it is another person's"),
  422: problemAnswer('The order does not render; says package, chart, template, line, column and cause'),
};
const goBooleans = ['1', 't', 'T', 'TRUE', 'true', 'True', '0', 'f', 'F', 'FALSE', 'false', 'False'];
const scriptQuery: Readonly<Record<string, Parameter>> = {
  format: {
    description: '`raw` answers the bare script for linux',
    schema: { type: 'string', enum: ['json', 'raw'] },
  },
};
const shellType = 'text/x-shellscript; charset=utf-8';
const scripts = { description: 'One entry per system', schema: listSchema(scriptSchema), type: shellType };

/** The routes of orders. */
export const orderRoutes: readonly Route[] = [
  defineRoute({
    name: 'createOrder',
    method: 'POST',
    path: '/user/deploy/orders',
    section,
    summary: 'Store a deployment order',
    emulation:
      'Checked in full (the real service only looks for packages); unknown keys are kept and told in Warning headers',
    access: 'token',
    body: orderBody,
    run: createOrder,
    answers: {
      200: orderAnswer,
      400: problemAnswer('spec.packages is empty'),
      422: problemAnswer('The order is at fault; `issues` lists every fault with its JSON path'),
    },
  }),
  defineRoute({
    name: 'renderOrderManifest',
    method: 'GET',
    path: '/user/deploy/orders/{id}/render/manifest',
    section,
    summary: 'Render the order to one manifest',
    emulation: 'What Helm would render, CRDs and hooks included; offline, from the charts the emulator has',
    access: 'token',
    params,
    answers: { 200: { description: 'The manifest', type: 'text/plain; charset=utf-8' }, ...refusals },
    run: async (call) =>
      plain('text/plain; charset=utf-8', await call.services.render({ task: 'manifest', ...jobOf(call) })),
  }),
  defineRoute({
    name: 'renderOrderResources',
    method: 'GET',
    path: '/user/deploy/orders/{id}/render/resources',
    section,
    summary: 'Render the order to lists of resources',
    emulation: 'One entry per package; an unknown format is 422 (the ancestor ignored it)',
    access: 'token',
    params,
    query: {
      skipCRDs: {
        description: 'true leaves out the custom resource definitions of the charts',
        schema: { type: 'boolean' },
        check: { type: 'string', enum: goBooleans },
      },
      format: { description: 'How resources are written', schema: { type: 'string', enum: ['yaml', 'json'] } },
    },
    answers: { 200: { description: 'The lists', schema: listSchema(resourceListSchema) }, ...refusals },
    run: async (call) => {
      const skipCRDs = /^(?:1|t|true)$/i.test(call.query('skipCRDs') ?? '');
      const format = call.query('format') === 'json' ? 'json' : 'yaml';
      return ok(await call.services.render({ task: 'resources', ...jobOf(call), skipCRDs, format }));
    },
  }),
  defineRoute({
    name: 'getOrderPkgmgr3Script',
    method: 'GET',
    path: '/user/deploy/orders/{id}/pkgmgr3',
    section,
    summary: 'Get the install script for package manager 3',
    emulation: 'A script that calls `helm`',
    access: 'token',
    params,
    query: scriptQuery,
    answers: { 200: scripts, ...refusals },
    run: (call) => scriptReply(call, 'pkgmgr3'),
  }),
  defineRoute({
    name: 'getOrderYamlScript',
    method: 'GET',
    path: '/user/deploy/orders/{id}/yaml',
    section,
    summary: 'Get the install script for the orchestrator CLI',
    emulation: 'A script that calls `kubectl` with the rendered YAML',
    access: 'token',
    params,
    query: scriptQuery,
    answers: { 200: scripts, ...refusals },
    run: (call) => scriptReply(call, 'yaml'),
  }),
  defineRoute({
    name: 'getOrderScriptText',
    method: 'GET',
    path: '/scripts/{id}/{os}/{file}',
    space: 'root',
    section,
    summary: 'Get one script alone',
    emulation: 'Needs no token, so that a line in a terminal can fetch it: who knows the uid may read it',
    access: 'public',
    params: { ...params, os: 'System', file: '`pkgmgr3` or `yaml` with `.sh`, for windows `.ps1`' },
    answers: { 200: { description: 'The script', type: shellType }, ...refusals },
    run: scriptText,
  }),
];

async function createOrder(call: Call, body: JsonObject): Promise<Reply> {
  const { spec = {} } = body;
  const list = isObject(spec) ? (spec.packages ?? spec.items ?? []) : undefined;
  if (Array.isArray(list) && list.length === 0) throw new Problem(400, 'spec.packages must not be empty');
  const { name, warnings } = await call.services.render({ task: 'check', order: body });
  const { world, caller } = call;
  const uid = world.nextUuid();
  const sent = isObject(body.metadata) ? body.metadata : {};
  const metadata = { ...sent, name, uid, creationTimestamp: world.clock.iso() };
  const row = world.store.order.add({
    id: uid,
    owner: caller.id,
    order: [{ ...body, apiVersion: ORDER_API_VERSION, kind: 'Order', metadata, spec }],
  });
  const told = warnings.map(({ path, message }) => `299 - ${JSON.stringify(`${path}: ${message}`)}`);
  return ok(row.order[0], told.length > 0 ? { Warning: told.map(asciiOnly) } : {});
}

// Header values travel as bytes of Latin-1.
function asciiOnly(line: string): string {
  return line.replace(/[^\x20-\x7e]/g, '?');
}

function orderOf(call: Call): OrderRow {
  const { id = '' } = call.params;
  const row = call.store.order.get(id);
  if (row && (row.owner === call.caller.id || call.caller.is_admin)) return row;
  throw missing(`There is no order ${JSON.stringify(id)}.`);
}

/** Gives what every rendering of a stored order is made from. */
function jobOf(call: Call, row: OrderRow = orderOf(call)): { readonly order: JsonObject; readonly world: OrderWorld } {
  const [order] = row.order;
  const created = isObject(order.metadata) ? Date.parse(String(order.metadata.creationTimestamp)) : Number.NaN;
  return { order, world: { seed: call.world.seed, now: Number.isNaN(created) ? 0 : created } };
}

async function scriptReply(call: Call, kind: 'pkgmgr3' | 'yaml'): Promise<Reply> {
  const row = orderOf(call);
  const isRaw = call.query('format') === 'raw' || /\btext\/x-shellscript\b/.test(call.header('accept') ?? '');
  const wanted = isRaw ? systems.slice(0, 1) : systems;
  const scripts = await call.services.render({ task: 'scripts', ...jobOf(call, row), tool: kind, systems: wanted });
  if (isRaw) return plain(shellType, scripts[0] ?? '');
  const entries: Json = systems.map((os, index) => {
    const url = `${call.site}/scripts/${row.id}/${os}/${kind}.${extensionOf(os)}`;
    return { os, url, command: commandOf(os, url), script: scripts[index] ?? '' };
  });
  return { status: 200, json: entries, headers: { 'Content-Type': jsonType, Vary: 'Accept' } };
}

async function scriptText(call: Call): Promise<Reply> {
  const { id = '', os = '', file = '' } = call.params;
  const [, kind, extension] = /^(pkgmgr3|yaml)\.(sh|ps1)$/.exec(file) ?? [];
  const row = call.store.order.get(id);
  const system = systems.find((name) => name === os && extensionOf(name) === extension);
  if (!row || !system) throw missing('There is no such script.');
  const tool = kind as 'pkgmgr3' | 'yaml';
  const [script = ''] = await call.services.render({ task: 'scripts', ...jobOf(call, row), tool, systems: [system] });
  return plain(system === 'windows' ? 'text/plain; charset=utf-8' : shellType, script);
}

function extensionOf(os: ScriptSystem): string {
  return os === 'windows' ? 'ps1' : 'sh';
}

function commandOf(os: ScriptSystem, url: string): string {
  return os === 'windows' ? `irm '${url}' | iex` : `curl -fsSL '${url}' | sh`;
}
