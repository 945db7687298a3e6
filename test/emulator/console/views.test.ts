// Pure functions of the console's screens.

import './page.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';

const { newestFirst } = await import('../../../emulator/console/view/charts.tsx');
const { isAbsolute } = await import('../../../emulator/console/view/markdown.tsx');
const { pathBelowRoot } = await import('../../../emulator/console/view/emulator/requests.tsx');

test('a release is newer than its pre-releases', () => {
  const versions = ['1.0.0-rc.2', '1.0.0', '1.10.0', '1.0.0-rc.10', '1.9.0+build'];
  const sorted = versions.map((version) => ({ version })).sort(newestFirst);
  assert.deepEqual(
    sorted.map(({ version }) => version),
    ['1.10.0', '1.9.0+build', '1.0.0', '1.0.0-rc.10', '1.0.0-rc.2'],
  );
});

test('links of a README that lead nowhere are recognized', () => {
  for (const href of ['http://localhost:PORT', 'docs/a.md', '#usage', '']) assert.equal(isAbsolute(href), false, href);
  assert.ok(isAbsolute('https://example.com/a'));
});

test('a logged request is sent again to the same route', () => {
  assert.equal(pathBelowRoot('/api/v1/users/api/orgs'), 'api/v1/users/api/orgs');
  assert.equal(pathBelowRoot('/platform/@w/api/v1/user'), 'api/v1/user');
});
