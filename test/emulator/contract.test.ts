// Completeness: every row of the document has a route and a test, and every route a response for each of its rules.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { answersOf } from '../../emulator/app/answers.ts';
import { renderStatuses } from '../../emulator/app/problem.ts';
import { addressOf } from '../../emulator/app/route.ts';
import { controlRoutes, serviceRoutes } from '../../emulator/routes/index.ts';
import { apiRows, documentEndpoints, documentErrors } from '../support/api-rows.ts';

const routes = [...serviceRoutes, ...controlRoutes];

const documented = [
  ...documentEndpoints,
  ...documentErrors.map(([status, method, path]) => [method, path, status] as const),
];
for (const [method, path, status] of documented) {
  test(`${status} ${method} ${path} is declared and tested`, () => {
    const route = serviceRoutes.find((one) => one.method === method && one.path === path.replace(/\/$/, ''));
    assert.ok(route && status in answersOf(route), 'not declared');
    assert.ok(
      apiRows.some((row) => row.row === `${method} ${path}` && row.status === status),
      'no row tests it',
    );
  });
}

test('every public route of the document is public, every admin route requires an admin, all others a token', () => {
  const wanted: Readonly<Record<string, string>> = {
    '/user/login-method': 'public',
    '/user/msgbus/admin_credentials': 'admin',
    '/user/msgbus/user_credentials': 'admin',
    '/user/msgbus/cluster-resource-history': 'admin',
    '/users/{username}/orgs': 'optional',
    '/orgs/{orgname}': 'optional',
  };
  for (const [method, path] of documentEndpoints) {
    const route = serviceRoutes.find((one) => one.method === method && one.path === path.replace(/\/$/, ''));
    assert.equal(route?.access, wanted[path] ?? 'token', `${method} ${path}`);
  }
});

test('names and paths of routes are unique', () => {
  for (const key of [routes.map((route) => route.name), routes.map((route) => `${route.method} ${addressOf(route)}`)]) {
    assert.equal(new Set(key).size, key.length);
  }
});

test('exactly the parameters of a path are described', () => {
  for (const route of routes) {
    const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    assert.deepEqual(inPath, Object.keys(route.params ?? {}), route.name);
  }
});

test('every error of a rendering has a status', () => {
  // Invalid arguments are bugs of the emulator; everything else is caused by the order or the chart.
  const { ARGUMENT_INVALID: ours, ...theirs } = renderStatuses;
  assert.equal(ours, 500);
  assert.ok(Object.values(theirs).every((status) => status === 422));
});

test('a schema title is used once', () => {
  const seen = new Map<string, unknown>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { title } = value as { title?: unknown };
    if (typeof title === 'string') {
      const known = seen.get(title);
      assert.ok(known === undefined || isDeepStrictEqual(known, value), `two schemas are called ${title}`);
      seen.set(title, value);
    }
    for (const child of Object.values(value)) visit(child);
  };
  for (const route of routes) {
    visit(route.body?.schema);
    for (const answer of Object.values(route.answers)) visit(answer.schema);
  }
});
