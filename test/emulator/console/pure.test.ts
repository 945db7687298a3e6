// Pure functions of the console: outline, links, addresses, command search.

import './page.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { curlOf, maskedText } from '../../../emulator/console/api.ts';
import { packText, unpackText } from '../../../emulator/console/order/files.ts';
import { compareManifests, outlineManifest } from '../../../emulator/console/order/manifest.ts';
import { hrefOf, readPlace } from '../../../emulator/console/place.ts';
import { cellOf, userPages } from '../../../emulator/console/view/users/pages.ts';

const manifest = `---
# Source: shop - web@1.0.0
---
# Source: web/templates/a.yaml
apiVersion: v1
kind: ConfigMap
metadata: # of the first
  labels:
    name: not-this

  name: "first"
  namespace: shop
data:
  name: nor-this
---
kind: List # of nothing
metadata: {}
---
# nothing
--- # Source: x
kind: Deployment
metadata:
    name: 'second'
---
kind: Secret
metadata: {labels: {name: not-this}, name: "third", namespace: shop}
`;

test('a manifest is outlined by its lines', () => {
  assert.deepEqual(
    outlineManifest(manifest).map(({ kind, name, namespace, source, line }) => [kind, name, namespace, source, line]),
    [
      ['ConfigMap', 'first', 'shop', 'web/templates/a.yaml', 4],
      ['List', '', '', '', 16],
      ['Deployment', 'second', '', '', 21],
      ['Secret', 'third', 'shop', '', 25],
    ],
  );
  assert.deepEqual(outlineManifest(''), []);
  const two = outlineManifest(`${manifest}---\n# Source: db - redis@2.0.0\n---\nkind: Service\n`);
  assert.deepEqual(
    two.map((object) => object.package),
    [0, 0, 0, 0, 1],
  );
});

test('a manifest is compared with an earlier one, object by object', () => {
  const after = `${manifest.replace('nor-this', 'else').replace('third', 'fourth')}---\nkind: Service\n`;
  const names = (objects: Iterable<{ readonly kind: string }>): readonly string[] =>
    [...objects].map(({ kind }) => kind);
  const { added, changed, removed } = compareManifests(outlineManifest(manifest), outlineManifest(after));
  assert.deepEqual(
    [names(added), names(changed.keys()), names(removed)],
    [['Secret', 'Service'], ['ConfigMap'], ['Secret']],
  );
  const none = compareManifests(outlineManifest(manifest), outlineManifest(manifest));
  assert.deepEqual([none.added.size, none.changed.size, none.removed.length], [0, 0, 0]);
});

test('a link can hold any Order; one that is truncated or decompresses without end is refused', async () => {
  for (const text of ['', 'a: b\n', '🚢 é\n'.repeat(2000)]) assert.equal(await unpackText(await packText(text)), text);
  assert.match(await packText('a: b\n'.repeat(500)), /^[\w-]{1,60}$/);
  const packed = await packText('a: b\n'.repeat(50));
  for (const bad of [packed.slice(0, 8), '%%%', 'AAAA']) await assert.rejects(unpackText(bad), /copy it again/);
  await assert.rejects(unpackText(await packText('a'.repeat(5_000_000))), /more than 4 MiB/);
});

test('addresses are parsed as written, and invalid ones cause no error', () => {
  const place = readPlace(hrefOf('charts', ['a/b', '1.0.0+x'], { order: 'x y&z' }));
  assert.deepEqual([place.screen, place.about, place.query.get('order')], ['charts', ['a/b', '1.0.0+x'], 'x y&z']);
  assert.equal(readPlace('').screen, 'orders');
  assert.equal(readPlace('#/charts/%').about[0], '%');
});

test('user pages show the call of each part, and the response in words', () => {
  const pageOf = (wanted: string) => userPages.find(({ name }) => name === wanted);
  assert.equal(pageOf('tokens')?.path('a/b', 1), 'users/a%2Fb/tokens');
  const cluster = { displayName: 'Lab', status: { phase: 'Active' }, nodeCount: 0, provider: ['x'], age: null };
  assert.deepEqual(
    Object.values(pageOf('clusters')?.columns ?? {}).map((path) => cellOf(cluster, path)),
    ['Lab', 'Active', '', '0', '', '["x"]'],
  );
  assert.equal(cellOf({ verified: true }, 'verified'), 'yes');
});

test('objects belong to their package, also if the name of a source has spaces', () => {
  const one = (source: string): string => `---\n# Source: ${source} - web@1.0.0\n---\nkind: Secret\n`;
  const packages = outlineManifest(one('samples') + one('my ch@rts')).map((object) => object.package);
  assert.deepEqual(packages, [0, 1]);
});

test('names are found in objects with Windows line ends', () => {
  const [object] = outlineManifest(
    '---\n# Source: web/templates/a.yaml\nkind: ConfigMap\r\nmetadata:\r\n  name: first\r\n  namespace: shop\r\n',
  );
  assert.deepEqual([object?.name, object?.namespace], ['first', 'shop']);
});

test('a password may have any letters', () => {
  const copied = curlOf({ method: 'GET', path: 'api/v1/user', password: { login: 'ada', word: 'пароль' } });
  const [, sent = ''] = /Basic ([^']+)/.exec(copied) ?? [];
  assert.equal(Buffer.from(sent, 'base64').toString(), 'ada:пароль');
});

test('secrets in responses are masked by the names of their fields', () => {
  const secrets = { private_key: 'x', credentials: 'x', accountKey: 'x', api_key: 'x', seed: 'x', passphrase: 'x' };
  assert.doesNotMatch(maskedText({ googleCloud: secrets }), /"x"/);
  assert.match(maskedText({ key: 'a', keepDays: 'b', visibility: 'private' }), /"a".*"b".*"private"/s);
});
