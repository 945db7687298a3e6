// Charts downloaded from servers on the loopback: what is written and reported, and what never happens.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { renderOrder } from '../../../../render/index.ts';
import { directoryRegistry } from '../../../../render/vendor/lock/registry.node.ts';
import { VendorError, type VendorOptions, vendoringRegistry, vendorOrders } from '../../../../render/vendor.node.ts';
import {
  archiveOf,
  webArchives as archives,
  digestOf,
  webIndex as index,
  registryOf,
  serve,
  serveWeb,
  type TestServer,
} from './server.ts';

const root = mkdtempSync(join(tmpdir(), 'drydock-vendor-'));
after(() => rmSync(root, { recursive: true, force: true }));

function project(): VendorOptions & { readonly cwd: string } {
  const cwd = mkdtempSync(join(root, 'project-'));
  return { cwd, env: { HOME: cwd }, retries: 1, timeout: 2000 };
}

function orderOf(name: string, version: string, sourceRef: Readonly<Record<string, string>>): unknown {
  return { spec: { packages: [{ chart: { name, version, sourceRef, releaseName: 'r', namespace: 'n' } }] } };
}

async function repository(...change: Parameters<typeof serveWeb>): Promise<TestServer> {
  const server = await serveWeb(...change);
  after(() => server.close());
  return server;
}

async function failure(run: Promise<unknown>): Promise<VendorError> {
  const error = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert(error instanceof VendorError, String(error));
  return error;
}

test('a chart is downloaded, pinned, and rendered without the server', async () => {
  const server = await repository();
  const options = project();
  const order = orderOf('web', '^1.0.0', { name: server.url });
  const { charts, isChanged } = await vendorOrders([order], options);
  assert.deepEqual([charts[0]?.version, charts[0]?.status, isChanged], ['1.2.0', 'fetched', true]);
  const lock = readFileSync(join(options.cwd, 'drydock.lock'), 'utf8');
  assert(lock.includes(digestOf(archives.get('1.2.0') as Buffer)));
  assert(!existsSync(join(options.cwd, 'charts/.incoming')));
  await server.close();
  for (const folder of [options.cwd, join(options.cwd, 'charts')]) {
    const rendered = await renderOrder(order, { registry: directoryRegistry([folder]) });
    assert.match(rendered.manifest(), /web@1\.2\.0/);
  }
  const again = await vendorOrders([order], { ...options, frozen: true });
  assert.deepEqual([again.charts[0]?.status, again.isChanged], ['kept', false]);
});

test('an archive with another digest is refused, and downloaded again', async () => {
  const server = await repository();
  const options = project();
  const order = orderOf('web', '2.0.0', { name: server.url });
  await vendorOrders([order], options);
  const [name = ''] = readdirSync(join(options.cwd, 'charts'));
  const path = join(options.cwd, 'charts', name, 'web-2.0.0.tgz');
  writeFileSync(path, archives.get('1.0.0') as Buffer);
  const render = () => renderOrder(order, { registry: directoryRegistry([options.cwd]) });
  await assert.rejects(render(), { code: 'CHART_INVALID', message: /is not the archive that drydock\.lock pins/ });
  rmSync(path);
  await assert.rejects(render(), { code: 'CHART_INVALID', hint: /drydock vendor ORDER/ });
  await vendorOrders([order], { ...options, frozen: true });
  assert.match((await render()).manifest(), /web@2\.0\.0/);
});

test('a frozen lock is not changed, and an update stays within the requested range', async () => {
  const server = await repository();
  const options = project();
  const ordersOf = (version: string) => [orderOf('web', version, { name: server.url })];
  await vendorOrders(ordersOf('1.0.0'), options);
  assert.equal((await failure(vendorOrders(ordersOf('^1'), { ...options, frozen: true }))).code, 'LOCK_FROZEN');
  // A pinned version in range is used until an update is requested.
  const first = await vendorOrders(ordersOf('^1'), { ...options, prune: true });
  assert.equal(first.charts[0]?.version, '1.0.0');
  const { charts } = await vendorOrders(ordersOf('^1'), { ...options, update: ['web'] });
  assert.deepEqual([charts[0]?.version, charts[0]?.from], ['1.2.0', '1.0.0']);
  const dry = await vendorOrders(ordersOf('^2'), { ...options, dryRun: true });
  assert.deepEqual([dry.charts[0]?.status, dry.charts[0]?.version], ['wanted', '2.0.0']);
  assert(!readFileSync(join(options.cwd, 'drydock.lock'), 'utf8').includes('2.0.0'));
});

test('a registry provides listed versions and those requested by name', async () => {
  const plus = archiveOf('web', '1.5.0+up1');
  const answers = registryOf('charts/web', new Map([...archives, ['1.5.0+up1', plus]]));
  const server = await serve(({ url = '' }, response) => {
    const data = answers(url);
    response.writeHead(data === undefined ? 404 : 200).end(data);
  });
  after(() => server.close());
  const options = { ...project(), plainHttp: true };
  const source = { name: `oci://${server.host}/charts` };
  const { charts } = await vendorOrders([orderOf('web', '^1.0.0', source), orderOf('web', '', source)], options);
  assert.deepEqual(charts.map(({ version }) => version).sort(), ['1.5.0+up1', '2.0.0']);
  assert.match(charts[0]?.manifest ?? '', /^sha256:/);
  const missing = await failure(vendorOrders([orderOf('web', '1.9.0', source)], options));
  assert.deepEqual(
    [missing.code, missing.hint],
    ['VERSION_UNKNOWN', 'The nearest are 2.0.0, 1.5.0+up1, 1.2.0, 1.0.0.'.replace('2.0.0', '3.0.0-rc.1, 2.0.0')],
  );
});

test('dependencies of a chart folder are downloaded, and rendering finds them', async () => {
  const server = await repository();
  const options = project();
  const folder = join(options.cwd, 'app');
  mkdirSync(folder);
  const dependencies = `dependencies:\n- {name: web, version: ^1.0.0, repository: "${server.url}"}\n`;
  writeFileSync(join(folder, 'Chart.yaml'), `apiVersion: v2\nname: app\nversion: 1.0.0\n${dependencies}`);
  const lock = `dependencies:\n- {name: web, version: 1.0.0, repository: "${server.url}"}\ndigest: x\ngenerated: "2024-01-01T00:00:00Z"\n`;
  writeFileSync(join(folder, 'Chart.lock'), lock);
  const order = orderOf('app', '', { kind: 'Local', name: 'app' });
  const { charts } = await vendorOrders([order], options);
  assert.deepEqual(
    charts.map(({ name, version, asked }) => [name, version, asked]),
    [['web', '1.0.0', '1.0.0']],
  );
  const rendered = await renderOrder(order, { registry: directoryRegistry([options.cwd]) });
  assert.match(rendered.manifest(), /app\/charts\/web\/templates\/map\.yaml/);
});

test('each failure is one sentence, and leaves everything unchanged', async () => {
  const cases: readonly (readonly [VendorError['code'], RegExp, Parameters<typeof serveWeb>[0]])[] = [
    ['ACCESS_DENIED', /wants credentials .*\(401\)$/, () => 401],
    ['ACCESS_DENIED', /does not allow .*\(403\)$/, () => 403],
    ['REPOSITORY_UNKNOWN', /has no index\.yaml \(404\)$/, () => 404],
    ['SERVER_FAILED', /failed \(503\)$/, () => 503],
    [
      'DIGEST_DIFFERS',
      /has sha256:.* and must have sha256:/,
      (url, data) => (url.endsWith('.tgz') ? archiveOf('web', '9.0.0') : data),
    ],
    ['ANSWER_INVALID', /index\.yaml is not a repository index/, () => Buffer.from('<html>')],
  ];
  for (const [code, message, change] of cases) {
    const server = await repository(change);
    const options = { ...project(), retries: 0 };
    const error = await failure(vendorOrders([orderOf('web', '1.0.0', { name: server.url })], options));
    assert.equal(error.code, code);
    assert.match(error.message, message);
    assert(!error.message.includes('\n'));
    assert(!existsSync(join(options.cwd, 'drydock.lock')));
  }
  const server = await repository();
  const wrongName = await failure(vendorOrders([orderOf('wep', '', { name: server.url })], project()));
  assert.deepEqual([wrongName.code, wrongName.hint], ['CHART_UNKNOWN', 'Did you mean "web"?']);
  const wrongRange = await failure(vendorOrders([orderOf('web', '~1.1', { name: server.url })], project()));
  assert.deepEqual(
    [wrongRange.code, wrongRange.hint],
    ['VERSION_UNKNOWN', 'The nearest are 3.0.0-rc.1, 2.0.0, 1.2.0, 1.0.0.'],
  );
  const nobody = await failure(vendorOrders([orderOf('web', '', { name: 'unknown' })], project()));
  assert.deepEqual([nobody.code, /--repo unknown=/.test(nobody.hint ?? '')], ['REPOSITORY_UNKNOWN', true]);
});

test('an interrupted download is resumed', async () => {
  const data = archives.get('1.0.0') as Buffer;
  let isCut = false;
  const server = await serve(({ url = '', headers }, response) => {
    if (url === '/index.yaml') return void response.end(index);
    const from = Number(/bytes=(\d+)-/.exec(headers.range ?? '')?.[1] ?? 0);
    const part = data.subarray(from);
    const range = from > 0 ? { 'content-range': `bytes ${from}-${data.length - 1}/${data.length}` } : {};
    response.writeHead(from > 0 ? 206 : 200, { 'content-length': part.length, ...range });
    if (isCut) return void response.end(part);
    isCut = true;
    response.write(part.subarray(0, 100), () => setImmediate(() => response.destroy()));
    return undefined;
  });
  after(() => server.close());
  const { charts } = await vendorOrders([orderOf('web', '1.0.0', { name: server.url })], project());
  assert.equal(charts[0]?.digest, digestOf(data));
  assert.deepEqual(
    server.seen.map(({ range }) => range),
    [undefined, undefined, 'bytes=100-'],
  );
});

test('credentials are sent to their own host only, and never written', async () => {
  const store = await repository();
  const server = await serve(({ url = '', headers }, response) => {
    if (headers.authorization !== `Basic ${Buffer.from('ada:se cret').toString('base64')}`)
      return void response.writeHead(401).end();
    if (url === '/index.yaml') return void response.end(index);
    return void response.writeHead(302, { location: `${store.url}${url}` }).end();
  });
  after(() => server.close());
  const options = project();
  const config = join(options.cwd, 'repositories.yaml');
  writeFileSync(config, `repositories:\n- {name: mine, url: "${server.url}", username: ada, password: se cret}\n`);
  const env = { ...options.env, HELM_REPOSITORY_CONFIG: config };
  await vendorOrders([orderOf('web', '1.0.0', { name: 'mine' })], { ...options, env });
  assert.deepEqual(
    store.seen.map(({ authorization }) => authorization),
    [undefined],
  );
  const lock = readFileSync(join(options.cwd, 'drydock.lock'), 'utf8');
  assert(!/se cret|ada/.test(lock) && lock.includes(`repository: ${server.url}`), lock);
});

test("archives in Helm's cache on this machine are used first", async () => {
  const server = await repository();
  const options = project();
  const config = join(options.cwd, 'repositories.yaml');
  const cache = join(options.cwd, 'cache');
  mkdirSync(cache);
  writeFileSync(config, `repositories:\n- {name: mine, url: "${server.url}"}\n`);
  writeFileSync(join(cache, 'mine-index.yaml'), index);
  writeFileSync(join(cache, 'web-1.2.0.tgz'), archives.get('1.2.0') as Buffer);
  const env = { ...options.env, HELM_REPOSITORY_CONFIG: config, HELM_REPOSITORY_CACHE: cache };
  const { charts } = await vendorOrders([orderOf('web', '^1', { name: server.url })], { ...options, env });
  assert.deepEqual([charts[0]?.status, server.seen.length], ['cached', 0]);
});

test('a chart registry downloads the charts of an Order', async () => {
  const server = await repository();
  const registry = vendoringRegistry(project());
  const rendered = await renderOrder(orderOf('web', '^2', { name: server.url }), { registry });
  assert.match(rendered.manifest(), /web@2\.0\.0/);
  await assert.rejects(vendorOrders([1 as never]), { code: 'ARGUMENT_INVALID' });
});
