import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { readFolder } from '../../emulator/fixture-folder.node.ts';
import { createEmulator, defineModel, defineRoute, type Emulator, type Route } from '../../emulator/index.ts';
import { as } from '../support/emulator.ts';
import { createProject } from '../support/project.ts';

const project = defineModel({
  name: 'project',
  schema: {
    type: 'object',
    required: ['title'],
    properties: {
      title: { type: 'string', minLength: 1 },
      state: { type: 'string', enum: ['open', 'closed'] },
      owner: { type: 'string' },
    },
    additionalProperties: false,
  },
  unique: ['title'],
  defaults: { state: 'open' },
});

const titled = {
  type: 'object',
  required: ['title'],
  properties: { title: { type: 'string', minLength: 1 } },
} as const;

const routes: readonly Route[] = [
  defineRoute({
    name: 'listProjects',
    method: 'GET',
    path: '/projects',
    query: { state: { description: 'Only these', schema: { type: 'string', enum: ['open', 'closed'] } } },
    run: ({ db, query }) => {
      const state = query('state');
      const found = db.model(project).findMany(state ? { where: { state: { equals: state } } } : {});
      return { status: 200, json: found.map(({ id, title }) => ({ id, title })) };
    },
  }),
  defineRoute({
    name: 'createProject',
    method: 'POST',
    path: '/projects',
    body: { description: 'The project', schema: titled },
    answers: { 201: { description: 'Made', schema: titled } },
    run: ({ db, caller }, { title }) => {
      const { id } = db.model(project).create({ title, owner: caller.login });
      return { status: 201, json: { id, title } };
    },
  }),
  defineRoute({
    name: 'renameProject',
    method: 'PATCH',
    path: '/projects/{id}',
    access: 'admin',
    body: { description: 'The new title', schema: titled },
    run: ({ db, params, clock }, { title }) => {
      const row = db.model(project).update({ where: { id: { equals: Number(params.id) } }, data: { title } });
      return row
        ? { status: 200, json: { title: row.title, at: clock.now() } }
        : { status: 404, json: { message: 'No such project' } };
    },
  }),
  defineRoute({
    name: 'getWeather',
    method: 'GET',
    path: '/weather/{city}',
    space: 'root',
    access: 'public',
    run: ({ params }) => ({ status: 200, json: { city: params.city } }),
  }),
  defineRoute({ name: 'breakDown', method: 'GET', path: '/break', run: () => undefined as never }),
];

const now = '2025-01-01T00:00:00Z';

function start(): Emulator {
  return createEmulator({ routes, now, strict: true, onBug: () => {} });
}

async function send(
  emulator: Emulator,
  [method, path]: readonly [string, string],
  body?: unknown,
): Promise<readonly [number, unknown]> {
  const { status, json } = await as(emulator, 'ada')(method, `/${path}`, body);
  return [status, json()];
}

describe('routes of an application', () => {
  test('read and write their own rows, which a reset restores', async () => {
    const emulator = start();
    const made = await send(emulator, ['POST', '/api/v1/projects'], { title: 'Harbour' });
    assert.deepEqual(made, [201, { id: 1, title: 'Harbour' }]);
    const open = await send(emulator, ['GET', '/api/v1/projects?state=open']);
    assert.deepEqual(open, [200, [{ id: 1, title: 'Harbour' }]]);
    assert.deepEqual(await send(emulator, ['GET', '/api/v1/projects?state=closed']), [200, []]);
    const renamed = await send(emulator, ['PATCH', '/api/v1/projects/1'], { title: 'Port' });
    assert.deepEqual(renamed, [200, { title: 'Port', at: Date.parse(now) }]);
    const { db } = emulator.world();
    assert.throws(() => db.model(project).create({ title: 'Port' }), /create: title: "Port" is taken/);
    assert.deepEqual(db.model(project).getAll(), [{ id: 1, title: 'Port', state: 'open', owner: 'ada' }]);
    emulator.world().saveSnapshot('one');
    emulator.reset();
    assert.equal(db.model(project).count(), 0);
    emulator.world().restoreSnapshot('one');
    assert.equal(db.model(project).deleteMany({ where: { owner: { equals: 'ada' } } }).length, 1);
  });

  test('are validated', async () => {
    const emulator = start();
    const [status, reported] = await send(emulator, ['POST', '/api/v1/projects'], { title: '' });
    assert.equal(status, 422);
    assert.match((reported as { message: string }).message, /title: must not be empty/);
    assert.equal((await send(emulator, ['GET', '/api/v1/projects?state=lost']))[0], 422);
    assert.equal((await emulator.fetch('/api/v1/projects')).status, 401);
    assert.equal((await emulator.fetch('/weather/Oslo')).status, 200);
    assert.deepEqual(await send(emulator, ['PATCH', '/api/v1/projects/9'], { title: 'x' }), [
      500,
      { message: 'answer: the route declares no 404', url: 'http://localhost/api/swagger' },
    ]);
    assert.equal((await send(emulator, ['GET', '/api/v1/break']))[0], 500);
  });

  test('are in the document, the log, faults and preflights', async () => {
    const emulator = start();
    const { paths } = (await (await emulator.fetch('/swagger.v1.json')).json()) as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>;
    };
    assert.equal(paths['/projects']?.post?.operationId, 'createProject');
    assert.deepEqual(paths['/weather/{city}']?.get?.servers, [{ url: 'http://localhost' }]);
    emulator.fault({ route: 'listProjects', status: 503, times: 1 });
    emulator.fault({ route: 'getWeather', status: 418 });
    assert.equal((await send(emulator, ['GET', '/api/v1/projects']))[0], 503);
    assert.equal((await send(emulator, ['GET', '/weather/Oslo']))[0], 418);
    assert.equal(emulator.countRequests({ route: 'listProjects' }), 1);
    const headers = { Origin: 'http://localhost:3000' };
    const preflight = await emulator.fetch('/api/v1/projects/1', { method: 'OPTIONS', headers });
    assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /PATCH/);
  });
});

test('the document describes schemas with the same title, or a title of words, each as it is', async () => {
  const schemas = [
    { title: 'Thing', type: 'string' },
    { title: 'Thing', type: 'number' },
    { title: 'Thing', type: 'string' },
    { title: 'A thing', type: 'object', examples: [{ title: 'Harbour' }] },
  ];
  const routes = schemas.map((schema, at) =>
    defineRoute({
      ...{ name: `getThing${at}`, method: 'GET', path: `/things/${at}`, answers: { 200: { description: '', schema } } },
      run: () => ({ status: 200, json: null }),
    }),
  );
  const { paths } = (await (await createEmulator({ routes }).fetch('/swagger.v1.json')).json()) as {
    readonly paths: Readonly<Record<string, unknown>>;
  };
  const described = schemas.map((_, at) => {
    const found = JSON.stringify(paths[`/things/${at}`]);
    return /"200":.*?"schema":(\{.*?\})\}\}\}/.exec(found)?.[1];
  });
  const shared = '{"$ref":"#/components/schemas/Thing"}';
  assert.deepEqual(described, [shared, JSON.stringify(schemas[1]), shared, JSON.stringify(schemas[3])]);
});

test('unique fields can be absent in several rows', () => {
  const properties = { slug: { type: 'string' } } as const;
  const page = defineModel({ name: 'page', schema: { type: 'object', properties }, unique: ['slug'] });
  const pages = createEmulator().world().db.model(page);
  for (const values of [{}, {}, { slug: 'start' }]) pages.create(values);
  assert.throws(() => pages.create({ slug: 'start' }), /slug: "start" is taken/);
});

test('the path of a route can have escapes', async () => {
  const route = defineRoute({
    ...{ name: 'getPage', method: 'GET', path: '/my%20page', access: 'public' },
    run: () => ({ status: 204 }),
  });
  assert.equal((await createEmulator({ routes: [route] }).fetch('/api/v1/my%20page')).status, 204);
});

const get = { name: 'getThing', method: 'GET', path: '/thing', run: () => ({ status: 204 }) } as const;
const wrong: readonly (readonly [make: () => unknown, message: RegExp])[] = [
  [() => defineRoute({ ...get, path: 'thing' }), /route\.path: must be a path such as \/projects\/\{id\}/],
  [() => defineRoute({ ...get, pth: '/a' } as never), /route\.pth/],
  [() => defineRoute({ ...get, method: 'SEND' } as never), /route\.method: must be one of "GET"/],
  [
    () => defineRoute({ ...get, answers: { 200: { description: 'x', schema: { type: 'strin' } } } }),
    /^defineRoute: getThing: schema is invalid/,
  ],
  [
    () => createEmulator({ routes: [defineRoute({ ...get, name: 'listEmails' })] }),
    /^routes\[0\]: the name listEmails is already in use/,
  ],
  [
    () => createEmulator({ routes: [defineRoute({ ...get, path: '/orgs/{name}' })] }),
    /^routes\[0\]: GET \/api\/v1\/orgs\/\{name\} is already in use by getOrganization/,
  ],
  [() => createEmulator({ routes: [get as never] }), /^routes\[0\]: must be a route created by defineRoute/],
  [() => start().world().db.model(project).create({}), /^db\.model\(project\)\.create: is missing "title"/],
];
for (const [make, message] of wrong) {
  test(`reported: ${message.source}`, () =>
    assert.throws(make, (error: Error & { code?: string }) => message.test(error.message) && error.code !== undefined));
}

test('names are typed: those of the API, and those that options add', () => {
  const listThings = defineRoute({ name: 'listThings', method: 'GET', path: '/things', run: () => ({ status: 204 }) });
  const emulator = createEmulator({ routes: [listThings], scenarios: { broken: { description: 'x', faults: [] } } });
  assert.equal(emulator.countRequests({ route: 'listThings' }) + emulator.countRequests({ route: 'listEmails' }), 0);
  emulator.scenario('broken')();
  emulator.scenario('slow')();
  emulator.fault({ route: 'GET /things', status: 503 })();
  // @ts-expect-error there is no such route
  assert.throws(() => emulator.countRequests({ route: 'listThing' }), { code: 'FILTER_INVALID' });
  // @ts-expect-error there is no such route
  assert.throws(() => emulator.fault({ route: 'listEmials', status: 503 }), { code: 'FAULT_INVALID' });
  // @ts-expect-error there is no such scenario
  assert.throws(() => emulator.scenario('brokn'), { code: 'SCENARIO_UNKNOWN' });
  // If the added names are not known to the type, any name is accepted.
  const any: Emulator = emulator;
  assert.throws(() => any.countRequests({ route: 'listThing' }), { code: 'FILTER_INVALID' });
});

test('a body that a status does not allow is left out, as over HTTP', async () => {
  const noThing = defineRoute({ ...get, access: 'public', run: () => ({ status: 204, json: { ok: true } }) });
  const response = await createEmulator({ routes: [noThing] }).fetch('/api/v1/thing');
  assert.deepEqual([response.status, await response.text()], [204, '']);
});

test('the command loads them from a module', async () => {
  const { readRoutes } = await import('../../emulator/cli/routes.node.ts');
  const faults = [{ route: 'getThing', status: 503 }];
  const { folder } = createProject({
    'routes.ts': `import { defineRoute } from 'drydock/emulator';
export default [defineRoute({ name: 'getThing', method: 'GET', path: '/thing', run: (): { status: number } => ({ status: 204 }) })];`,
    'none.ts': 'export default 5;',
    'broken.ts': 'export default [;',
    'fixtures/scenarios.json': JSON.stringify({ broken: { description: 'x', faults } }),
  });
  const [route] = await readRoutes(['routes.ts'], folder);
  assert.equal(route?.name, 'getThing');
  const fixtures = join(folder, 'fixtures');
  assert.deepEqual(Object.keys((await readFolder(fixtures, route ? [route] : [])).scenarios), ['broken']);
  await assert.rejects(readFolder(fixtures), /scenarios\.json: .*there is no route "getThing"/);
  for (const [file, message] of [
    ['none.ts', /--routes none\.ts: its default export must be a list of routes/],
    ['broken.ts', /--routes broken\.ts: /],
    ['route.ts', /--routes route\.ts: there is no such file; did you mean "?routes\.ts/],
  ] as const) {
    await assert.rejects(readRoutes([file], folder), message);
  }
});
