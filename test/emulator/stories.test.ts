import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createEmulator } from '../../emulator/index.ts';
import { type StoryName, stories, storyFixtures } from '../../emulator/seed.ts';

const now = '2026-03-02T09:30:00Z';
const names = Object.keys(stories) as readonly StoryName[];

for (const name of names) {
  describe(`the story ${name}`, () => {
    test('has times before the present, except for expiring tokens', () => {
      const times = [...JSON.stringify(storyFixtures(name)).matchAll(/"(\w+)":"(now[^"]*|\d{4}-\d\d-\d\dT[^"]*)"/g)];
      assert.ok(times.length > 20);
      for (const [, field, time = ''] of times)
        assert.match(time, field === 'expires' ? /^now[+-]/ : /^now(?:-|$)/, field);
    });

    test('returns valid responses for every user', async () => {
      const emulator = createEmulator({ fixtures: storyFixtures(name), now, strict: true });
      const routes = emulator.routes.filter(
        ({ method, path, space = 'api' }) => method === 'GET' && space === 'api' && !path.includes('{'),
      );
      for (const { token, login } of emulator.users()) {
        for (const { path } of routes) {
          const answer = await emulator.fetch(`/api/v1${path}`, { headers: { Authorization: `token ${token}` } });
          assert.ok(answer.status < 500, `${login}: GET ${path}: ${await answer.text()}`);
        }
      }
      for (const { owner, id } of emulator.world().db.order.getAll()) {
        const token = emulator.users().find((person) => person.login === owner)?.token;
        const answer = await emulator.fetch(`/api/v1/user/deploy/orders/${id}/render/manifest`, {
          headers: { Authorization: `token ${token}` },
        });
        assert.equal(answer.status, 200);
      }
    });

    test('has more data with a scale', () => {
      const [one, ten] = [1, 10].map((scale) => storyFixtures(name, { scale }));
      assert.ok((ten?.users?.length ?? 0) > 8 * (one?.users?.length ?? 0));
      createEmulator({ fixtures: ten ?? {} });
    });
  });
}

test('the main user of a demo has data in every list', () => {
  const { db } = createEmulator({ fixtures: storyFixtures('saas'), now }).world();
  const ada = { equals: 'ada' };
  const counts = {
    followers: db.follow.count({ where: { followee: ada } }),
    following: db.follow.count({ where: { follower: ada } }),
    clusters: db.cluster.count({ where: { owner: ada } }),
    credentials: db.credential.count({ where: { owner: ada } }),
    subscriptions: db.subscription.count({ where: { user: ada } }),
    orders: db.order.count({ where: { owner: ada } }),
    teams: db.team.count({ where: { members: { contains: 'ada' } } }),
  };
  assert.ok(counts.followers >= 10 && counts.following >= 9 && counts.credentials >= 6, JSON.stringify(counts));
  assert.ok(
    counts.clusters >= 2 && counts.subscriptions >= 4 && counts.orders >= 3 && counts.teams >= 3,
    JSON.stringify(counts),
  );
  const times = db.credential.findMany({ where: { owner: ada } }).map(({ creationTimestamp }) => creationTimestamp);
  assert.equal(new Set(times).size, times.length);
});
