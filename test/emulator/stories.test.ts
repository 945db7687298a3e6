import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createEmulator } from '../../emulator/index.ts';
import { type StoryName, stories, storyFixtures } from '../../emulator/seed.ts';
import { as } from '../support/emulator.ts';

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
      for (const { login } of emulator.users()) {
        for (const { path } of routes) {
          const { status, text } = await as(emulator, login)('GET', path);
          assert.ok(status < 500, `${login}: GET ${path}: ${text}`);
        }
      }
      for (const { owner, id } of emulator.world().db.order.getAll())
        assert.equal((await as(emulator, owner)('GET', `/user/deploy/orders/${id}/render/manifest`)).status, 200);
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
  const counts = [
    db.follow.count({ where: { followee: ada } }) >= 10,
    db.follow.count({ where: { follower: ada } }) >= 9,
    db.credential.count({ where: { owner: ada } }) >= 6,
    db.cluster.count({ where: { owner: ada } }) >= 2,
    db.subscription.count({ where: { user: ada } }) >= 4,
    db.order.count({ where: { owner: ada } }) >= 3,
    db.team.count({ where: { members: { contains: 'ada' } } }) >= 3,
  ];
  assert.ok(counts.every(Boolean), counts.join());
  const times = db.credential.findMany({ where: { owner: ada } }).map(({ creationTimestamp }) => creationTimestamp);
  assert.equal(new Set(times).size, times.length);
});

test('an unknown story or scale is refused', () => {
  const refused = { code: 'ARGUMENT_INVALID' };
  assert.throws(() => Reflect.apply(storyFixtures, undefined, ['sas']), refused);
  for (const scale of [0, 1.5, 51, NaN]) assert.throws(() => storyFixtures('saas', { scale }), refused);
});
