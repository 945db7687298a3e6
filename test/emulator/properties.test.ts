// Random requests: no route fails internally, and every response matches its schema.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answersOf } from '../../emulator/app/answers.ts';
import { addressOf, type Route } from '../../emulator/app/route.ts';
import { strictEmulator } from '../support/emulator.ts';
import { fc } from '../support/fast-check.ts';

const emulator = strictEmulator({ hosted: true });
const tokens = emulator.users().map(({ token }) => token);
// Waiting for a request takes time by design.
const routes = emulator.routes.filter((route) => route.name !== 'waitForRequest');

const word = fc.oneof(
  fc.constantFrom(
    'ada',
    'harbor',
    'prod-eu',
    'aws-main',
    'aws',
    'default',
    '__proto__',
    'constructor',
    'true',
    '1',
    '',
  ),
  fc.string({ maxLength: 12 }),
);
const names = [
  'emails',
  'name',
  'type',
  'spec',
  'metadata',
  'packages',
  'chart',
  'credential',
  'cluster_uid',
  '__proto__',
];
const key = fc.constantFrom(...names);
const json = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, fc.constant(null), fc.boolean(), fc.integer(), word, tie('list'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 3 }),
  object: fc.dictionary(key, tie('value'), { maxKeys: 4 }),
})).value;

const call = fc.record({
  route: fc.constantFrom(...routes),
  words: fc.array(word, { minLength: 8, maxLength: 8 }),
  query: fc.dictionary(
    fc.oneof(key, fc.constantFrom('page', 'limit', 'all', 'format', 'orgname', 'username', 'sudo', 'user')),
    word,
    { maxKeys: 3 },
  ),
  body: fc.option(
    fc.oneof(
      json.map((value) => JSON.stringify(value)),
      fc.string(),
    ),
    { nil: undefined },
  ),
  token: fc.option(fc.constantFrom(...tokens), { nil: undefined }),
});

function addressFor(route: Route, words: readonly string[]): string {
  let at = 0;
  return addressOf(route).replace(/\{\w+\}/g, () => encodeURIComponent(words[at++] || 'x'));
}

test('any call of any route gets a response that the route declares', async () => {
  await fc.assert(
    fc.asyncProperty(call, async ({ route, words, query, body, token }) => {
      const url = new URL(addressFor(route, words), 'http://localhost');
      for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value);
      const headers = {
        'Content-Type': 'application/json',
        'X-Drydock-World': 'any',
        ...(token && { Authorization: `token ${token}` }),
      };
      const answer = await emulator.fetch(url, { method: route.method, headers, ...(body !== undefined && { body }) });
      const text = await answer.text();
      const declared = answersOf(route)[answer.status] !== undefined;
      // An empty or dotted word can turn one path into another.
      const elsewhere = answer.status === 404 || answer.status === 405;
      assert.ok(
        declared || elsewhere,
        `${route.method} ${url.pathname}${url.search}: ${answer.status} ${text.slice(0, 200)}`,
      );
      if (text !== '' && answer.headers.get('content-type')?.startsWith('application/json')) JSON.parse(text);
    }),
    { numRuns: 1500 },
  );
  assert.equal(({} as { polluted?: unknown }).polluted, undefined);
});
