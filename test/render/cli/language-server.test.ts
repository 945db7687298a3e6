// `drydock language-server` as used by an editor; `npm run test:e2e -- language-server` asks Neovim for more.

import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { LanguageClient } from '../../support/language-client.ts';
import { createProject } from '../../support/project.ts';

const charts = fileURLToPath(new URL('../../../fixtures/charts', import.meta.url));
const { folder, write } = createProject();
const chart = join(folder, 'web');
const deployment = join(chart, 'templates/deployment.yaml');
const helpers = join(chart, 'templates/_helpers.tpl');
const order = join(folder, 'order.yaml');
const client = new LanguageClient(folder);

before(async () => {
  cpSync(join(charts, 'web'), chart, { recursive: true });
  await client.start();
});

test('a chart is rendered when one of its files is opened', async () => {
  await client.open(deployment);
  await client.open(helpers);
  const shown = await client.diagnostics(helpers, (found) => found.length > 0);
  assert.match(
    shown.join('\n'),
    /^error 37:1-\d+ \w+\/release-name-web and 6 more: .*labels\.cost-center.* \(case production-values\)/m,
  );
  assert.deepEqual((await client.lenses(deployment)).slice(0, 2), [
    '8: reached by 1 of 2 cases',
    '18: reached by 1 of 2 cases',
  ]);
});

test('an incomplete action is marked, and the rest still works', async () => {
  await client.edit(deployment, '.Values.image.pullPolicy ', '.Values.image. ');
  const [shown, ...others] = await client.diagnostics(deployment, (found) => found.length > 0);
  assert.match(shown ?? '', /^error 34:28-48 unexpected <\.> in operand/);
  assert.deepEqual(others, []);
  assert.match(await client.hover(deployment, 'include "web.full'), /release-name-web/);
  await client.edit(deployment, '.Values.image. ', '.Values.image.pullPolicy ');
  await client.diagnostics(deployment, (found) => found.length === 0);
});

test('an Order is checked, and completed from its schema and the values of its charts', async () => {
  write({
    'order.yaml': `apiVersion: releases.x-helm.dev/v1alpha1
kind: Order
metadata: { name: shop }
spec:
  packages:
    - chart:
        name: web
        sourceRef: { kind: Local, name: web }
        version: 1.4.2
        releaseName: shop
        namespace: default
        values:
          imge: {}
`,
  });
  await client.open(order);
  const shown = await client.diagnostics(order, (found) => found.length > 0);
  assert.match(shown.join('\n'), /^warning 13:11-\d+ .*nothing reads .*imge/m);
  const values = await client.completion(order, '          i');
  assert.ok(
    values.some(({ label }) => label === 'image'),
    JSON.stringify(values),
  );
  const members = await client.completion(order, '        v');
  assert.ok(
    members.some(({ label }) => label === 'valuesPatch'),
    JSON.stringify(members),
  );
  assert.match(await client.hover(order, 'releaseN'), /releaseName/);
  await client.edit(order, 'releaseName: shop', 'release: shop');
  const invalid = await client.diagnostics(order, (found) => found.some((one) => one.startsWith('error')));
  assert.match(invalid.join('\n'), /^warning 10:9-\d+ is not a known field/m);
  await client.edit(order, '\nspec:', '\ndata:');
  await client.diagnostics(order, (found) => found.length === 0);
});

test('problems are shown at the address that the editor uses', async () => {
  const odd = join(folder, 'a+b (1)');
  const file = join(odd, 'web/templates/_helpers.tpl');
  cpSync(chart, join(odd, 'web'), { recursive: true });
  const escaped = (path: string) =>
    pathToFileURL(path).href.replace(/[+()]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  const editor = new LanguageClient(odd, undefined, escaped);
  await editor.start();
  await editor.openText('file://server/share/values.yaml', 'a: 1');
  await editor.open(file);
  const [shown] = await editor.diagnostics(file, (found) => found.length > 0);
  assert.match(shown ?? '', /^error 37:1-/);
  const [place] = await editor.places('references', file, 'define "web.');
  assert.equal(place?.uri, escaped(file));
  assert.equal(await editor.stop(), 0);
});

test('the server ends with its session', async () => {
  assert.equal(await client.stop(), 0);
});
