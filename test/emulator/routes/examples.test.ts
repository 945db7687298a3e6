// The example bodies of the OpenAPI document: the API accepts each of them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { as, strictEmulator } from '../../support/emulator.ts';

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
      const { example } = requestBody.content['application/json'] ?? {};
      assert.notEqual(example, undefined);
      const filled = path.replace(/\{(\w+)\}/g, (_, name) => params[name] ?? name);
      const isGet = method === 'get';
      const { status, text } = await as(strictEmulator(), 'ada')(
        isGet ? 'POST' : method.toUpperCase(),
        filled,
        example,
        {
          ...(path.endsWith('/tokens') && { Authorization: `Basic ${btoa('ada:ada-password')}` }),
          ...(isGet && { 'X-HTTP-Method-Override': 'GET' }),
        },
      );
      assert.ok(status < 300, `${status} ${text}`);
    });
  }
}
