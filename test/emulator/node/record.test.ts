import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { verify } from '../../../emulator/cli/verify/verify.ts';
import { createEmulator, type Emulator } from '../../../emulator/index.ts';
import { recordFixtures } from '../../../emulator/node/record-fixtures.ts';
import { type EmulatorServer, readFixtures, startServer } from '../../../emulator/server.node.ts';
import { listen } from '../../support/loopback.ts';
import { createProject } from '../../support/project.ts';

// The recorded deployment is an emulator with another seed.
let real: EmulatorServer;
const { folder } = createProject();
before(async () => {
  real = await startServer();
});
after(() => real.close());

const paths = [
  ...['/user', '/user/emails', '/user/followers', '/user/following', '/user/orgs', '/user/teams', '/user/clusters'],
  ...['/user/clusters?all=true', '/user/credentials', '/user/inbox/subscriptions', '/version'],
];

async function read(emulator: Pick<Emulator, 'fetch'>, token: string, path: string): Promise<unknown> {
  const answer = await emulator.fetch(`/api/v1${path}`, { headers: { Authorization: `token ${token}` } });
  assert.equal(answer.status, 200, path);
  return answer.json();
}

const without = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (name, member: unknown) =>
      /^(?:id|ownerID|subscriberID|orgID|clusterOwnerID|avatar_url)$/.test(name) ? undefined : member,
    ),
  );

test('responses are recorded as fixtures, which serve the same data without secrets', async () => {
  const tokens = ['ada', 'cleo'].map(
    (login) => real.emulator.users().find((person) => person.login === login)?.token ?? '',
  );
  const proxy = await startServer({}, { proxy: real.url, record: folder });
  const seen = await Promise.all(
    tokens.map((token) => Promise.all(paths.map((path) => read(proxy.emulator, token, path)))),
  );
  assert.equal((await proxy.emulator.fetch('/api/v1/user/emails')).status, 401);
  assert.equal((await proxy.emulator.fetch('/__drydock/status')).status, 200);
  await proxy.close();

  const files = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')));
  for (const secret of [...tokens, 'example-access-key', 'example-client'])
    assert.ok(!files.join().includes(secret), secret);
  const served = createEmulator({ fixtures: await readFixtures(folder), strict: true });
  for (const [at, login] of ['ada', 'cleo'].entries()) {
    const token = served.users().find((person) => person.login === login)?.token ?? '';
    for (const [index, path] of paths.entries()) {
      // Credentials are served with other secrets.
      const same = (value: unknown): unknown =>
        Array.isArray(value)
          ? value.map((one) => JSON.stringify(path === '/user/credentials' ? Object.keys(one) : one)).sort()
          : value;
      const [was, is] = [seen[at]?.[index], await read(served, token, path)].map((value) => same(without(value)));
      assert.deepEqual(is, was, `${login}: ${path}`);
    }
  }
  const again = await startServer(served);
  const result = await verify({ against: again.url, token: served.users()[0]?.token ?? '', write: false });
  await again.close();
  assert.ok(result.steps.every(({ differences }) => differences.length === 0));
});

test('a caller is recorded although the server failed when it was asked for the caller first', async () => {
  const place = join(folder, 'failing');
  let failures = 1;
  const failing = await listen(
    createServer((request, response) => {
      if (request.url !== '/api/v1/user') response.end('[]');
      else response.writeHead(failures-- > 0 ? 503 : 200).end('{"login":"zoe"}');
    }),
  );
  const proxy = await startServer({}, { proxy: `http://${failing.host}`, record: place });
  for (const path of ['/user/emails', '/user/emails']) await read(proxy.emulator, 'zoe-token', path);
  await proxy.close();
  await failing.stop();
  assert.deepEqual((await readFixtures(place)).users, [{ login: 'zoe' }]);
});

test('rows with unknown references are left out, and other responses pass through', () => {
  const recorder = recordFixtures();
  recorder.add('zoe', 'GET', '/user/inbox/subscriptions', [
    { id: 1, scope: 'org', orgName: 'unseen' },
    { id: 2, scope: 'cluster', clusterUID: 'unseen' },
  ]);
  recorder.add('zoe', 'GET', '/user/clusters?all=true', [
    { uid: 'u', name: 'c', ownerName: 'harbor', provider: 'Aws', status: { phase: 'Active', reason: '', message: '' } },
  ]);
  for (const json of [null, 5, 'text', [[]], {}, [{ login: 7 }]]) {
    for (const path of paths) recorder.add('zoe', 'GET', path, json);
  }
  const fixtures = recorder.fixtures();
  assert.deepEqual(fixtures.subscriptions, []);
  const { db } = createEmulator({ fixtures }).world();
  assert.deepEqual(
    [db.person.count(), db.organization.getAll()[0]?.username, db.cluster.getAll()[0]?.owner],
    [1, 'harbor', 'harbor'],
  );
});
