import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultHelm } from '../../../render/core/helm-version.ts';
import { type Chart, loadChart, memoryRegistry } from '../../../render/index.ts';
import { as, strictEmulator } from '../../support/emulator.ts';
import { loadOrder } from '../../support/orders.ts';

const sourceRef = { kind: 'Embed', name: 'fixtures' };
const chart = { name: 'web', sourceRef, version: '1.4.2', releaseName: 'shop', namespace: 'shop' };

test('an order gets a uid, a time and the name of its first release; everything else is kept', async () => {
  const call = as(strictEmulator({ now: '2025-05-02T00:00:00Z' }), 'hana');
  const sent = {
    metadata: { labels: { a: 'b' }, uid: 'mine' },
    spec: { packages: [{ chart: { ...chart, note: 'kept' } }] },
    more: [1],
  };
  const { json, at, status, headers } = await call('POST', '/user/deploy/orders', sent);
  assert.equal(status, 200);
  assert.match(String(at('metadata.uid')), /^[0-9a-f-]{36}$/);
  assert.deepEqual(json(), {
    ...sent,
    apiVersion: 'releases.x-helm.dev/v1alpha1',
    kind: 'Order',
    metadata: { labels: { a: 'b' }, name: 'shop', uid: at('metadata.uid'), creationTimestamp: '2025-05-02T00:00:00Z' },
  });
  assert.match(headers.get('warning') ?? '', /note/);
});

test('a sent name is kept, and the list uses the name from creation', async () => {
  const call = as(strictEmulator(), 'hana');
  const { at } = await call('POST', '/user/deploy/orders', {
    metadata: { name: 'mine' },
    spec: { items: [{ chart }] },
  });
  assert.equal(at('metadata.name'), 'mine');
  assert.equal(at('spec.packages'), undefined);
  assert.equal(at('spec.items.0.chart.name'), 'web');
  const manifest = await call('GET', `/user/deploy/orders/${at('metadata.uid')}/render/manifest`);
  assert.equal(manifest.status, 200);
});

const refused: readonly (readonly [string, unknown, number, RegExp])[] = [
  ['an empty list', { spec: { packages: [] } }, 400, /spec\.packages must not be empty/],
  ['both lists', { spec: { packages: [{ chart }], items: [{ chart }] } }, 422, /spec/],
  ['no spec', {}, 400, /spec\.packages must not be empty/],
  ['a spec that is not an object', { spec: [] }, 422, /spec must be an object, not a list/],
  ['a list in its place', [], 422, /must be an object/],
];
for (const [name, body, status, message] of refused) {
  test(`an order with ${name}: ${status}`, async () => {
    const answer = await as(strictEmulator(), 'hana')('POST', '/user/deploy/orders', body);
    assert.equal(answer.status, status);
    assert.match(answer.text, message);
  });
}

test('the seeded orders render to every output; manifests and resources are reproducible', async () => {
  const emulator = strictEmulator();
  for (const row of emulator.world().store.order.all()) {
    const login = emulator.world().store.user.get(row.owner)?.login;
    const call = as(emulator, login);
    for (const form of ['render/manifest', 'render/resources', 'pkgmgr3', 'yaml']) {
      const first = await call('GET', `/user/deploy/orders/${row.id}/${form}`);
      assert.equal(first.status, 200, first.text.slice(0, 300));
      // Scripts have new passwords each time.
      if (form.startsWith('render/'))
        assert.equal((await call('GET', `/user/deploy/orders/${row.id}/${form}`)).text, first.text);
      assert.equal(
        first.headers.get('content-type'),
        form === 'render/manifest' ? 'text/plain; charset=utf-8' : 'application/json;charset=utf-8',
      );
    }
  }
});

test('an order is visible to its owner and to admins', async () => {
  const emulator = strictEmulator();
  const of = (owner: string) => emulator.world().db.order.findFirst({ where: { owner: { equals: owner } } })?.id;
  const status = async (login: string, id: unknown): Promise<number> =>
    (await as(emulator, login)('GET', `/user/deploy/orders/${id}/render/manifest`)).status;
  assert.deepEqual([await status('bob', of('ada')), await status('ada', of('bob'))], [404, 200]);
});

test('resources come as YAML or JSON, with or without CRDs', async () => {
  const emulator = strictEmulator();
  const chart = {
    ...{ name: 'crds-and-hooks', sourceRef: { kind: 'Embed', name: 'crds-and-hooks' }, version: '0.3.0' },
    ...{ releaseName: 'backups', namespace: 'storage' },
  };
  const uid = '6d95c26f-6809-4411-a79f-ffecc6d09099';
  const order = emulator.world().db.order.create({
    owner: 'bob',
    order: { metadata: { uid }, spec: { packages: [{ chart }] } },
  });
  const get = (query: string) =>
    as(emulator, 'bob')('GET', `/user/deploy/orders/${order?.id}/render/resources${query}`);
  const yaml = await get('');
  assert.match(String(yaml.at('0.crds.0.data')), /^apiVersion: /);
  const json = await get('?format=json&skipCRDs=false');
  assert.equal((JSON.parse(String(json.at('0.crds.0.data'))) as { kind: string }).kind, 'CustomResourceDefinition');
  for (const yes of ['1', 'TRUE']) assert.deepEqual((await get(`?skipCRDs=${yes}`)).at('0.crds'), []);
  assert.equal((await get('?skipCRDs=yes')).status, 422);
  assert.equal((await get('?format=xml')).status, 422);
});

test('scripts come per system, with an address for each script, in the same world', async () => {
  const emulator = strictEmulator();
  const [order] = emulator.world('blue').store.order.all();
  const call = as(emulator, 'ada');
  for (const kind of ['pkgmgr3', 'yaml']) {
    const path = `//@blue/api/v1/user/deploy/orders/${order?.id}/${kind}`;
    const scripts = (await call('GET', path)).json() as { os: string; url: string; command: string; script: string }[];
    assert.deepEqual(
      scripts.map(({ os }) => os),
      ['linux', 'darwin', 'windows'],
    );
    for (const { url, command, script } of scripts) {
      assert.ok(url.startsWith('http://localhost/@blue/scripts/') && command.includes(url));
      assert.equal(await (await emulator.fetch(url)).text(), script);
    }
    const raw = await call('GET', path, undefined, { Accept: 'text/x-shellscript' });
    assert.match(raw.headers.get('content-type') ?? '', /^text\/x-shellscript/);
    assert.equal(raw.text, scripts[0]?.script);
    const windows = await call('GET', `${path}?os=windows&format=raw`);
    assert.match(windows.headers.get('content-type') ?? '', /^text\/plain/);
    assert.equal(windows.text, scripts[2]?.script);
  }
  assert.equal((await call('GET', `//scripts/${order?.id}/linux/pkgmgr3.ps1`)).status, 404);
  assert.equal((await call('GET', '//scripts/nope/linux/pkgmgr3.sh')).status, 404);
});

test('the scripts of the sample Order for one system are less than 25 KB', async () => {
  const { metadata, spec } = loadOrder('shop.yaml') as { metadata: object; spec: object };
  const call = as(strictEmulator(), 'ada');
  const created = await call('POST', '/user/deploy/orders', { metadata, spec });
  for (const kind of ['pkgmgr3', 'yaml']) {
    for (const os of ['linux', 'darwin', 'windows']) {
      const { text, json } = await call('GET', `/user/deploy/orders/${created.at('metadata.uid')}/${kind}?os=${os}`);
      const scripts = (json() as object[]).map((script) => Object.keys(script));
      assert.deepEqual(scripts, [['os', 'url', 'command', 'script']]);
      assert.ok(text.length < 25_000, `${kind} for ${os}: ${text.length} bytes`);
    }
  }
});

function chartOf(name: string, template: string): Chart {
  return loadChart({ 'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`, 'templates/cm.yaml': template });
}

const orderFor = (name: string): object => ({ spec: { packages: [{ chart: { ...chart, name, version: '1.0.0' } }] } });

test('defect 4: random values of a script come from the operating system, those of previews from the seed', async () => {
  const secret =
    'apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {password: "<{{ randAlphaNum 40 }}>"}\n';
  const passwords = new Set<string>();
  const previews = new Set<string>();
  const passwordIn = (text: string): string => /<(\w{40})>/.exec(text)?.[1] ?? '';
  for (let start = 0; start < 2; start++) {
    const call = as(strictEmulator({ registry: memoryRegistry([chartOf('random', secret)]) }), 'hana');
    for (let stored = 0; stored < 2; stored++) {
      const { at } = await call('POST', '/user/deploy/orders', orderFor('random'));
      const path = `/user/deploy/orders/${at('metadata.uid')}`;
      for (const os of ['linux', 'windows']) {
        const { text } = await call('GET', `${path}/yaml?os=${os}`);
        passwords.add(passwordIn(text));
        assert.doesNotMatch(text, /PREVIEW ONLY/);
      }
      previews.add(passwordIn((await call('GET', `${path}/render/manifest`)).text));
    }
    const draft = { order: JSON.stringify(orderFor('random')) };
    const preview = await call('POST', '//__drydock/preview/scripts/yaml', draft);
    assert.match(preview.text, /^# PREVIEW ONLY: /m);
    previews.add(passwordIn(preview.text));
  }
  assert.equal(passwords.size, 8);
  assert.ok([...previews].every((password) => !passwords.has(password)));
  assert.equal(previews.size, 1);
  assert.ok(![...passwords, ...previews].includes(''));
});

test('a failed rendering is reported with package, chart, template, line, column and cause', async () => {
  const broken = chartOf('broken', 'a: 1\nb: {{ required "a color is needed" .Values.color }}\n');
  const emulator = strictEmulator({ registry: memoryRegistry([broken]) });
  const call = as(emulator, 'hana');
  const { at } = await call('POST', '/user/deploy/orders', orderFor('broken'));
  for (const form of ['render/manifest', 'render/resources', 'pkgmgr3', 'yaml']) {
    const answer = await call('GET', `/user/deploy/orders/${at('metadata.uid')}/${form}`);
    assert.equal(answer.status, 422, answer.text);
    assert.deepEqual(['code', 'package', 'chart', 'template', 'line', 'column'].map(answer.at), [
      'TEMPLATE_EXEC',
      'shop/shop',
      'broken',
      'broken/templates/cm.yaml',
      2,
      7,
    ]);
    assert.match(String(answer.at('cause')), /a color is needed/);
  }
});

test('a rendering uses the configured or requested version of Helm', async () => {
  const helm4 = as(strictEmulator({ helm: 4 }), 'hana');
  const helm3 = as(strictEmulator(), 'hana');
  const texts: unknown[] = [];
  for (const call of [helm3, helm4]) {
    const { at } = await call('POST', '/user/deploy/orders', { spec: { packages: [{ chart }] } });
    for (const query of ['', `?helm=${defaultHelm}`, '?helm=4']) {
      const path = `/user/deploy/orders/${at('metadata.uid')}/render/manifest${query}`;
      texts.push((await call('GET', path)).text);
    }
    const list = await call('GET', `/user/deploy/orders/${at('metadata.uid')}/yaml?helm=4`);
    assert.match(String(list.at('0.url')), /\.sh\?helm=4\.\d\.\d$/);
    assert.equal((await call('GET', `/user/deploy/orders/${at('metadata.uid')}/render/manifest?helm=5`)).status, 422);
  }
  const [three, asked3, asked4, four, back3, back4] = texts;
  assert.notEqual(three, asked4);
  assert.deepEqual([asked3, back3], [three, three]);
  assert.deepEqual([four, back4], [asked4, asked4]);
});
