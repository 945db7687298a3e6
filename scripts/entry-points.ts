// Proof: the bundles work under the names that applications import, with the application's own msw. `npm run entry-points`

import { execa } from 'execa';
import { buildAll } from './build.ts';
import { prove } from './tools.ts';

// Runs as an application would: by package name, no TypeScript, no loader.
const application = `
import assert from 'node:assert';
import { setupServer } from 'msw/node';
import { createEmulator, mswHandlers } from 'drydock/emulator';
import { startServer } from 'drydock/emulator/node';
const emulator = createEmulator({ strict: true });
const headers = { Authorization: 'token ' + emulator.users()[0].token };
assert.equal((await emulator.fetch('/api/v1/user', { headers })).status, 200);
const msw = setupServer(...mswHandlers(emulator, { baseUrl: 'https://platform.example.com' }));
msw.listen({ onUnhandledRequest: 'bypass' });
assert.equal((await (await fetch('https://platform.example.com/api/v1/user', { headers })).json()).login, 'ada');
msw.close();
const server = await startServer({ seed: 'other' });
const order = server.emulator.world().store.order.all()[0].id;
const manifest = await fetch(server.url + '/api/v1/user/deploy/orders/' + order + '/render/manifest', { headers });
assert.match(await manifest.text(), /kind: Deployment/);
await server.close();
await assert.rejects(import('drydock/emulator/browser'));
`;

await buildAll();
const { exitCode, stderr } = await execa(process.execPath, ['--input-type=module', '--eval', application], {
  reject: false,
});
if (exitCode !== 0) console.log(stderr);
prove('drydock/emulator and drydock/emulator/node work by name, with msw of the application', exitCode === 0);
