// Random values and secrets in scripts: reported, created once and kept, and not in the script if they come from the environment.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspectOrder, type RenderedOrder, renderOrder } from '../../../render/api/order.ts';
import { loadChart } from '../../../render/chart/load.ts';
import { memoryRegistry } from '../../../render/chart/registry.ts';
import { realHost, seededHost } from '../../../render/core/host.ts';
import type { ModelOptions } from '../../../render/scripts/script.ts';
import { isMutating, runScript, shells } from '../../support/shells.ts';

const secret = (name: string, lines: string): string =>
  `---\napiVersion: v1\nkind: Secret\nmetadata: {name: ${name}}\n${lines}`;

const files = {
  'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'templates/random.yaml': secret('random', 'data: {password: "{{ randAlphaNum 12 | b64enc }}", user: YQ==}\n'),
  'templates/looked-up.yaml': `{{ $_ := lookup "v1" "Secret" .Release.Namespace "known" }}${secret('known', 'stringData: {token: "{{ uuidv4 }}"}\n')}`,
  'templates/given.yaml': secret(
    'given',
    'stringData: {key: {{ printf "url://%s@%s" .Values.password .Values.host | toJson }}}\n',
  ),
  'templates/hook.yaml':
    'apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: {name: web}\nwebhooks: [{name: a.b.c, clientConfig: {caBundle: "{{ randAlpha 4 | b64enc }}", url: "https://{{ .Values.host }}"}}]\n',
  'templates/job.yaml': 'apiVersion: batch/v1\nkind: Job\nmetadata: {name: "a-{{ randNumeric 4 }}"}\n',
};
const registry = memoryRegistry([loadChart(files)]);
const order = {
  spec: {
    packages: [
      {
        chart: {
          name: 'web',
          releaseName: 'web',
          namespace: 'shop',
          sourceRef: { kind: 'Embed', name: 'web' },
          values: { host: 'db', password: 'p"\\a\tss' },
        },
      },
    ],
  },
};
const rendered = (options: ModelOptions = {}): Promise<RenderedOrder> =>
  renderOrder(order, { registry, host: seededHost(), ...options });

test('random values are reported with their object, members and template', async () => {
  for (const host of [seededHost(), realHost()]) {
    const issues = await inspectOrder(order, { registry, host });
    const random = issues.filter(({ code }) => code === 'RANDOM_VALUE');
    assert.deepEqual(
      random.map(({ severity, message }) => `${severity}: ${message.replace(/a-\d+/, 'a-0')}`),
      [
        'note: Secret shop/known of web/templates/looked-up.yaml has random values (stringData.token), others in every rendering',
        'warning: Secret shop/random of web/templates/random.yaml has random values (data.password), others in every rendering',
        'note: Job shop/a-0 of web/templates/job.yaml has random values (metadata.name), others in every rendering',
        'note: ValidatingWebhookConfiguration web of web/templates/hook.yaml has random values (webhooks[0].clientConfig.caBundle), others in every rendering',
      ],
    );
  }
});

test('a chart without random values is rendered once', async () => {
  const plain = memoryRegistry([loadChart({ 'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n' })]);
  const [item] = (await renderOrder(order, { registry: plain })).packages;
  assert.equal(item?.chance.again, undefined);
});

for (const { name, command } of shells) {
  test(`random Secrets and objects that depend on them are created once and kept (${name})`, async () => {
    const script = (await rendered()).yamlScript();
    assert.match(script, /^# Random: Secret shop\/known stringData\.token \(created once, then kept\)$/m);
    assert.match(script, /^# Random: Job shop\/a-\d+ metadata\.name \(changes with each rendering\)$/m);
    const label = /package: (web\.\w+)/.exec(script)?.[1];
    const existing = `if [ "$1" = get ] && grep -qs 'randAlphaNum\\|name: random' "$FAKE_HOME/$number.in"; then echo 'v1 Secret shop random ${label} <none>'; fi`;
    const run = runScript(script, command, { behavior: existing });
    assert.equal(run.code, 0, run.stderr);
    const applied = run.calls.filter(({ words }) => words[0] === 'apply').map(({ document }) => document);
    assert.ok(applied.some((text) => text.includes('name: known')));
    assert.ok(applied.some((text) => text.includes('name: given')));
    assert.ok(!applied.some((text) => text.includes('name: random\n')));
  });

  test(`secrets come from the environment and are not in the script (${name})`, async () => {
    const env = {
      SECRET_SHOP_GIVEN_KEY: 'a\nb',
      SECRET_SHOP_KNOWN_TOKEN: '$(x)`&\\',
      SECRET_SHOP_RANDOM_PASSWORD: 'ü',
    };
    const script = (await rendered({ secrets: 'env' })).yamlScript();
    assert.match(script, /^# SECRET_SHOP_GIVEN_KEY: stringData.key of Secret shop\/given$/m);
    assert.doesNotMatch(script, /url:\/\/|p"\\/);
    const unset = runScript(script, command, { env });
    assert.notEqual(unset.code, 0, 'a variable is not set');
    assert.match(unset.stderr, /SECRET_SHOP_RANDOM_USER/);
    const run = runScript(script, command, { env: { ...env, SECRET_SHOP_RANDOM_USER: 'me' } });
    assert.equal(run.code, 0, run.stderr);
    const applied = run.calls.map(({ document }) => document).join('\n');
    assert.doesNotMatch(applied, /secret-[0-9a-f]{16}-/);
    for (const text of ['a\nb', '$(x)`&\\', 'ü', 'me']) {
      assert.ok(applied.includes(Buffer.from(text).toString('base64')), text);
    }
  });

  test(`values used only in Secrets come from the environment in a Helm script (${name})`, async () => {
    const script = (await rendered({ secrets: 'env' })).helmScript();
    assert.match(script, /^# SECRET_SHOP_WEB_PASSWORD: the value password of shop\/web$/m);
    assert.match(script, /"host": "db"/);
    const secret = 'p"\\a\tss\n';
    const run = runScript(script, command, { env: { SECRET_SHOP_WEB_PASSWORD: secret } });
    assert.equal(run.code, 0, run.stderr);
    const sent = run.calls.find(({ words }) => words[0] === 'upgrade')?.document ?? '';
    assert.deepEqual(JSON.parse(sent), { host: 'db', password: secret });
    const unset = runScript(script, command);
    assert.notEqual(unset.code, 0);
    assert.match(unset.stderr, /SECRET_SHOP_WEB_PASSWORD/);
    assert.deepEqual(unset.calls.filter(isMutating), []);
  });
}
