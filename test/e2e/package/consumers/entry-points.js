// Uses every entry point of the installed package from JavaScript.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { chainRegistries, loadArchive, loadChart, RenderError, renderOrder, seededHost, template } from 'drydock';
import { defineConfig } from 'drydock/config';
import { createEmulator } from 'drydock/emulator';
import { mswHandlers } from 'drydock/emulator/msw';
import { startServer } from 'drydock/emulator/node';
import { seed, storyFixtures } from 'drydock/emulator/seed';
import { openWorld } from 'drydock/emulator/testing';
import { directoryRegistry, loadChartPath } from 'drydock/node';
import { compareSnapshots } from 'drydock/snapshot';
import { setupServer } from 'msw/node';

const fixtures = 'node_modules/drydock/fixtures';

// Entry points share one copy of the library, so values of one work in another.
const web = await loadChartPath(`${fixtures}/charts/web`);
assert.match(template(web, { releaseName: 'demo', set: ['replicaCount=7'] }), /replicas: 7/);
await assert.rejects(
  loadChartPath('missing'),
  (error) => error instanceof RenderError && error.code === 'CHART_NOT_FOUND',
);
assert.throws(() => loadChart(new Map()), RenderError);
assert.throws(() => loadArchive(new Uint8Array()), RenderError);

const chart = { name: 'web', sourceRef: { kind: 'Embed', name: 'web' }, releaseName: 'r', namespace: 'n' };
const registry = chainRegistries([directoryRegistry([`${fixtures}/charts`])]);
const order = await renderOrder({ spec: { packages: [{ chart }] } }, { registry, host: seededHost() });
assert.match(order.manifest(), /kind: Deployment/);
assert.match(order.helmScript(), /^#!/);
const snapshots = `recorded-${process.version}`;
const compare = (update) => compareSnapshots([`${fixtures}/charts/web`], { snapshots, update });
assert.deepEqual([(await compare(true)).counts.bad, (await compare(false)).counts.bad], [0, 0]);

assert.deepEqual(defineConfig({ charts: ['charts'] }), { charts: ['charts'] });

assert.ok(
  createEmulator({ fixtures: { ...seed, follows: [] } })
    .world()
    .db.person.count() > 0,
);
assert.ok(createEmulator({ fixtures: storyFixtures('saas') }).users().length > 0);

// RSA keys are only quick to generate with Node's own primes.
const keys = new Map(
  Object.entries({
    'Chart.yaml': 'apiVersion: v2\nname: keys\nversion: 1.0.0\n',
    'templates/a.yaml': 'a: {{ genPrivateKey "rsa" | quote }}\n',
  }).map(([path, text]) => [path, new TextEncoder().encode(text)]),
);
assert.match(template(loadChart(keys)), /BEGIN RSA PRIVATE KEY/);

const emulator = createEmulator({ strict: true });
const headers = { Authorization: `token ${emulator.users()[0].token}` };
assert.equal((await emulator.fetch('/api/v1/user', { headers })).status, 200);
const msw = setupServer(...mswHandlers(emulator, { baseUrl: 'https://platform.example.com' }));
msw.listen({ onUnhandledRequest: 'bypass' });
assert.equal((await (await fetch('https://platform.example.com/api/v1/user', { headers })).json()).login, 'ada');
msw.close();

const server = await startServer({ seed: 'other' });
const id = server.emulator.world().db.order.getAll()[0].id;
const manifest = await fetch(`${server.url}/api/v1/user/deploy/orders/${id}/render/manifest`, { headers });
assert.match(await manifest.text(), /kind: Deployment/);
await server.close();

const world = await openWorld();
assert.equal((await world.fetch('/api/v1/user', { as: 'ada' })).status, 200);
await world.close();

const { startWorker } = await import('drydock/emulator/browser');
await assert.rejects(startWorker(), /^EmulatorError: drydock\/emulator\/browser was started outside a page/);
const require = createRequire(import.meta.url);
assert.equal(require('drydock/package.json').name, 'drydock');
// `require` and `import` return the same classes, so that `instanceof` works for both.
assert.equal(require('drydock').RenderError, RenderError);
assert.equal(require('drydock/order').RenderError, RenderError);
assert.equal(require('drydock/emulator').createEmulator, createEmulator);
