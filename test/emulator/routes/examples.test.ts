// The example bodies of the OpenAPI document: the API accepts each of them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { strictEmulator } from '../../support/emulator.ts';

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
}

const document = (await (await strictEmulator().fetch('/api/v1/swagger.v1.json')).json()) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};
const params: Readonly<Record<string, string>> = { username: 'ada', cloud: 'aws' };

for (const [path, operations] of Object.entries(document.paths)) {
  for (const [method, { requestBody }] of Object.entries(operations)) {
    if (!requestBody) continue;
    test(`${method} ${path} accepts its example`, async () => {
      const emulator = strictEmulator();
      const { example } = requestBody.content['application/json'] ?? {};
      assert.notEqual(example, undefined);
      const token = emulator.users().find(({ login }) => login === 'ada')?.token;
      const isBasic = path.endsWith('/tokens');
      const answer = await emulator.fetch(`/api/v1${path.replace(/\{(\w+)\}/g, (_, name) => params[name] ?? name)}`, {
        method: method === 'get' ? 'POST' : method.toUpperCase(),
        headers: {
          Authorization: isBasic ? `Basic ${btoa('ada:ada-password')}` : `token ${token}`,
          'Content-Type': 'application/json',
          ...(method === 'get' && { 'X-HTTP-Method-Override': 'GET' }),
        },
        body: JSON.stringify(example),
      });
      assert.ok(answer.ok, `${answer.status} ${await answer.text()}`);
    });
  }
}
