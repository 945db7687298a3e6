// Completeness: every row of the document has a route (adapters.test.ts runs the rows), and every route a response for each of its rules.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { answersOf } from '../../emulator/app/answers.ts';
import { renderStatuses } from '../../emulator/app/problem.ts';
import { addressOf, type Route } from '../../emulator/app/route.ts';
import { controlRoutes, serviceRoutes } from '../../emulator/routes/index.ts';
import { documentRows } from '../support/api-rows.ts';

const routes = [...serviceRoutes, ...controlRoutes];

function routeOf(row: string): Route | undefined {
  const [method, path = ''] = row.split(' ');
  return serviceRoutes.find((one) => one.method === method && one.path === path.replace(/\/$/, ''));
}

test('every row of the document is declared', () => {
  for (const { row, status } of documentRows) {
    const route = routeOf(row);
    assert.ok(route && status in answersOf(route), `${status} ${row}`);
  }
});

test('every public route of the document is public, every admin route requires an admin, all others a token', () => {
  const wanted: Readonly<Record<string, string>> = {
    '/user/login-method': 'public',
    '/user/msgbus/admin_credentials': 'admin',
    '/user/msgbus/user_credentials': 'admin',
    '/user/msgbus/cluster-resource-history': 'admin',
    '/users/{username}/orgs': 'optional',
    '/orgs/{orgname}': 'optional',
  };
  for (const { row } of documentRows) {
    assert.equal(routeOf(row)?.access, wanted[row.split(' ')[1]!] ?? 'token', row);
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
