// Charts downloaded from servers on the loopback: what is written and reported, and what never happens.

import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { renderOrder } from '../../../../render/index.ts';
import { directoryRegistry } from '../../../../render/vendor/lock/registry.node.ts';
import { type VendorError, vendoringRegistry, vendorOrders } from '../../../../render/vendor.node.ts';
import {
  archiveOf,
  webArchives as archives,
  createVendorProject,
  digestOf,
  failureOf,
  webIndex as index,
  indexOf,
  orderOf,
  registryOf,
  serve,
  serveWeb,
} from './server.ts';

test('a chart is downloaded, pinned, and rendered without the server', async () => {
  const server = await serveWeb();
  const { folder, options, read } = createVendorProject();
  const order = orderOf('web', '^1.0.0', { name: server.url });
  const { charts, isChanged } = await vendorOrders([order], options);
  assert.deepEqual([charts[0]?.version, charts[0]?.status, isChanged], ['1.2.0', 'fetched', true]);
  const lock = read('drydock.lock');
  assert(lock.includes(digestOf(archives.get('1.2.0') as Buffer)));
  assert(!existsSync(join(folder, 'charts/.incoming')));
  await server.close();
  for (const place of [folder, join(folder, 'charts')]) {
    const rendered = await renderOrder(order, { registry: directoryRegistry([place]) });
    assert.match(rendered.manifest(), /web@1\.2\.0/);
  }
  const again = await vendorOrders([order], { ...options, frozen: true });
  assert.deepEqual([again.charts[0]?.status, again.isChanged], ['kept', false]);
});

test('two runs at once write the same', async () => {
  let delay = 0;
  const server = await serve(({ url = '' }, response) => {
    const data = url === '/index.yaml' ? Buffer.from(index) : archives.get(/web-(.*)\.tgz$/.exec(url)?.[1] ?? '');
    // The second run has one archive, and waits for the other, when the first one ends.
    if (url.includes('2.0.0')) delay += 100;
    setTimeout(() => response.end(data), url.includes('2.0.0') ? delay : 0);
  });
  const { options } = createVendorProject();
  const orders = ['1.0.0', '2.0.0'].map((version) => orderOf('web', version, { name: server.url }));
  const reports = await Promise.all([vendorOrders(orders, options), vendorOrders(orders, options)]);
  assert.deepEqual(
    reports.map(({ charts }) => charts.length),
    [2, 2],
  );
});

test('one archive of two repositories is written for both', async () => {
  const [server, mirror] = [await serveWeb(), await serveWeb()];
  const { folder, options } = createVendorProject();
  const orders = [server, mirror].map(({ url }) => orderOf('web', '1.0.0', { name: url }));
  const { charts } = await vendorOrders(orders, options);
  assert.equal(new Set(charts.map(({ digest }) => digest)).size, 1);
  assert.deepEqual(
    charts.map(({ archive }) => existsSync(join(folder, 'charts', archive))),
    [true, true],
  );
  assert(!existsSync(join(folder, 'charts/.incoming')));
});

test('a frozen lock is not changed, and an update stays within the requested range', async () => {
  const server = await serveWeb();
  const { options, read } = createVendorProject();
  const ordersOf = (version: string) => [orderOf('web', version, { name: server.url })];
  await vendorOrders(ordersOf('1.0.0'), options);
  assert.equal((await failureOf(ordersOf('^1')[0], { ...options, frozen: true }))?.code, 'LOCK_FROZEN');
  const pruned = await failureOf(ordersOf('1.0.0')[0], { ...options, frozen: true, prune: true });
  assert.equal(pruned, undefined);
  const lock = read('drydock.lock');
  await vendorOrders(ordersOf('2.0.0'), options);
  const refused = await failureOf(ordersOf('1.0.0')[0], { ...options, frozen: true, prune: true });
  assert.match(refused?.message ?? '', /drydock\.lock has web 2\.0\.0 of .*, which nothing needs$/);
  assert.equal((await vendorOrders(ordersOf('1.0.0'), { ...options, prune: true })).removed.length, 1);
  assert.equal(read('drydock.lock'), lock);
  // A pinned version in range is used until an update is requested.
  const first = await vendorOrders(ordersOf('^1'), { ...options, prune: true });
  assert.equal(first.charts[0]?.version, '1.0.0');
  const { charts } = await vendorOrders(ordersOf('^1'), { ...options, update: ['web'] });
  assert.deepEqual([charts[0]?.version, charts[0]?.from], ['1.2.0', '1.0.0']);
  const dry = await vendorOrders(ordersOf('^2'), { ...options, dryRun: true });
  assert.deepEqual([dry.charts[0]?.status, dry.charts[0]?.version], ['wanted', '2.0.0']);
  assert(!read('drydock.lock').includes('2.0.0'));
});

test('a registry provides listed versions and those requested by name', async () => {
  const plus = archiveOf('web', '1.5.0+up1');
  const answers = registryOf('charts/web', new Map([...archives, ['1.5.0+up1', plus]]));
  const server = await serve(({ url = '' }, response) => {
    const data = answers(url);
    response.writeHead(data === undefined ? 404 : 200).end(data);
  });
  const options = { ...createVendorProject().options, plainHttp: true };
  const source = { name: `oci://${server.host}/charts` };
  const { charts } = await vendorOrders([orderOf('web', '^1.0.0', source), orderOf('web', '', source)], options);
  assert.deepEqual(charts.map(({ version }) => version).sort(), ['1.5.0+up1', '2.0.0']);
  assert.match(charts[0]?.manifest ?? '', /^sha256:/);
  const missing = await failureOf(orderOf('web', '1.9.0', source), options);
  assert.deepEqual(
    [missing?.code, missing?.hint],
    ['VERSION_UNKNOWN', 'The nearest are 3.0.0-rc.1, 2.0.0, 1.5.0+up1, 1.2.0, 1.0.0.'],
  );
});

test('an index may be JSON, with escapes that YAML does not have', async () => {
  const entry = { version: '1.0.0', urls: ['web-1.0.0.tgz'], description: 'an anchor \u{1f6a2}' };
  const json = JSON.stringify({ apiVersion: 'v1', entries: { web: [entry] } });
  const escaped = json.replace(/[\ud800-\udfff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);
  const server = await serveWeb((path, data) => (path === '/index.yaml' ? Buffer.from(escaped) : data));
  const { charts } = await vendorOrders([orderOf('web', '', { name: server.url })], createVendorProject().options);
  assert.deepEqual(
    charts.map(({ version }) => version),
    ['1.0.0'],
  );
});

test('an archive may have a URL with a space', async () => {
  const server = await serveWeb((path, data) =>
    path === '/index.yaml' ? Buffer.from(index.replaceAll('charts/', `${server.url}/my charts/`)) : data,
  );
  const { options } = createVendorProject();
  const order = orderOf('web', '1.0.0', { name: server.url });
  await vendorOrders([order], options);
  assert.equal((await vendorOrders([order], options)).charts[0]?.url, `${server.url}/my%20charts/web-1.0.0.tgz`);
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
  const { charts } = await vendorOrders([orderOf('web', '1.0.0', { name: server.url })], {
    ...createVendorProject().options,
    retries: 1,
  });
  assert.equal(charts[0]?.digest, digestOf(data));
  assert.deepEqual(
    server.seen.map(({ range }) => range),
    [undefined, undefined, 'bytes=100-'],
  );
});

test('credentials are sent to their own host only, and never written', async () => {
  const store = await serveWeb();
  const server = await serve(({ url = '', headers }, response) => {
    if (headers.authorization !== `Basic ${Buffer.from('ada:se cret').toString('base64')}`)
      return void response.writeHead(401).end();
    if (url === '/index.yaml') return void response.end(index);
    return void response.writeHead(302, { location: `${store.url}${url}` }).end();
  });
  const known = `repositories:\n- {name: mine, url: "${server.url}", username: ada, password: se cret}\n`;
  const { folder, options, read } = createVendorProject({ 'repositories.yaml': known });
  const env = { ...options.env, HELM_REPOSITORY_CONFIG: join(folder, 'repositories.yaml') };
  await vendorOrders([orderOf('web', '1.0.0', { name: 'mine' })], { ...options, env });
  assert.deepEqual(
    store.seen.map(({ authorization }) => authorization),
    [undefined],
  );
  const lock = read('drydock.lock');
  assert(!/se cret|ada/.test(lock) && lock.includes(`repository: ${server.url}`), lock);
});

test('a percent sign in the password of a repository stands for itself', async () => {
  const server = await serveWeb();
  const { options, remove } = createVendorProject();
  const repositories = { mine: server.url.replace('//', '//ada:50%off@') };
  await vendorOrders([orderOf('web', '1.0.0', { name: 'mine' })], { ...options, repositories });
  // Also for a pinned archive.
  remove('charts');
  await vendorOrders([orderOf('web', '1.0.0', { name: 'mine' })], { ...options, repositories });
  const authorization = `Basic ${Buffer.from('ada:50%off').toString('base64')}`;
  assert.deepEqual(
    server.seen.map((seen) => seen.authorization),
    [authorization, authorization, authorization],
  );
});

test('an archive with another digest is refused, and downloaded again', async () => {
  const server = await serveWeb();
  const { folder, options, remove, write } = createVendorProject();
  const order = orderOf('web', '2.0.0', { name: server.url });
  await vendorOrders([order], options);
  const path = `charts/${readdirSync(join(folder, 'charts'))[0]}/web-2.0.0.tgz`;
  write({ [path]: archives.get('1.0.0')! });
  const render = () => renderOrder(order, { registry: directoryRegistry([folder]) });
  await assert.rejects(render(), { code: 'CHART_INVALID', message: /is not the archive that drydock\.lock pins/ });
  remove(path);
  await assert.rejects(render(), { code: 'CHART_INVALID', hint: /drydock vendor ORDER/ });
  await vendorOrders([order], { ...options, frozen: true });
  assert.match((await render()).manifest(), /web@2\.0\.0/);
});

test('a pinned archive is downloaded to the place in the lock', async () => {
  let current = index;
  let data = archives.get('1.0.0');
  const server = await serve(({ url = '' }, response) => response.end(url === '/index.yaml' ? current : data));
  const { folder, options, read, remove } = createVendorProject();
  const order = orderOf('web', '1.0.0', { name: server.url });
  await vendorOrders([order], options);
  // The version is published again, with another content.
  data = archiveOf('web', '1.0.0', 'description: changed\n');
  current = indexOf([{ name: 'web', version: '1.0.0', data }]);
  await vendorOrders([order], { ...options, update: true });
  const lock = read('drydock.lock');
  remove('charts');
  const { isChanged } = await vendorOrders([order], { ...options, frozen: true });
  assert.deepEqual([isChanged, read('drydock.lock')], [false, lock]);
  await renderOrder(order, { registry: directoryRegistry([folder]) });
});

test('each failure is one sentence, and leaves everything unchanged', async () => {
  const cases: readonly (readonly [VendorError['code'], RegExp, Parameters<typeof serveWeb>[0]])[] = [
    ['ACCESS_DENIED', /requires valid credentials .*\(401\)$/, () => 401],
    ['ACCESS_DENIED', /denies access to .*\(403\)$/, () => 403],
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
    const server = await serveWeb(change);
    const { folder, options } = createVendorProject();
    const error = await failureOf(orderOf('web', '1.0.0', { name: server.url }), options);
    assert.equal(error?.code, code);
    assert.match(error.message, message);
    assert(!existsSync(join(folder, 'drydock.lock')));
  }
  const { url } = await serveWeb();
  for (const [order, code, hint] of [
    [orderOf('wep', '', { name: url }), 'CHART_UNKNOWN', /^Did you mean "web"\?$/],
    [
      orderOf('web', '~1.1', { name: url }),
      'VERSION_UNKNOWN',
      /^The nearest are 3\.0\.0-rc\.1, 2\.0\.0, 1\.2\.0, 1\.0\.0\.$/,
    ],
    [orderOf('web', '', { name: 'unknown' }), 'REPOSITORY_UNKNOWN', /--repo unknown=/],
  ] as const) {
    const error = await failureOf(order, createVendorProject().options);
    assert.equal(error?.code, code);
    assert.match(error.hint ?? '', hint);
  }
});

test('a registry downloads the charts of an Order that is rendered', async () => {
  const server = await serveWeb();
  const registry = vendoringRegistry(createVendorProject().options);
  const rendered = await renderOrder(orderOf('web', '^2', { name: server.url }), { registry });
  assert.match(rendered.manifest(), /web@2\.0\.0/);
});
