// Invalid indexes, tag lists and tokens from servers: each ends in one sentence with a code of the list.

import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { VendorError } from '../../../../render/vendor.node.ts';
import { createVendorProject, failureOf, orderOf, serve } from './server.ts';

let answer: (request: IncomingMessage, response: ServerResponse) => void = () => {};
const server = await serve((request, response) => answer(request, response));

async function codeOf(source: string): Promise<VendorError['code'] | undefined> {
  const { options } = createVendorProject();
  return (await failureOf(orderOf('web', '^1.0.0', { name: source }), { ...options, plainHttp: true }))?.code;
}

const entries = (web: unknown): string => JSON.stringify({ apiVersion: 'v1', entries: { web } });
const version = (member: Readonly<Record<string, unknown>>): string =>
  entries([{ version: '1.0.0', urls: ['web.tgz'], ...member }]);

const indexes: readonly (readonly [title: string, body: string | Buffer, code: VendorError['code']])[] = [
  ['nothing', '', 'ANSWER_INVALID'],
  ['a page of a login', '<html><body>log in</body></html>', 'ANSWER_INVALID'],
  ['a list', '[]', 'ANSWER_INVALID'],
  ['a text for the versions', entries('x'), 'VERSION_UNKNOWN'],
  ['invalid versions', entries([null, 1, 'a', [], {}, { version: {} }]), 'VERSION_UNKNOWN'],
  ['a version of a million digits', entries([{ version: `1.0.0-${'a'.repeat(1e6)}`, urls: ['a'] }]), 'VERSION_UNKNOWN'],
  ['an address without a host', version({ urls: ['http://'] }), 'ANSWER_INVALID'],
  ['an address of another machine', version({ urls: ['http://[::bad'] }), 'ANSWER_INVALID'],
  ['an address of a file', version({ urls: ['file:///etc/passwd'] }), 'ANSWER_INVALID'],
  ['an address of a million letters', version({ urls: ['a'.repeat(1e6)] }), 'ANSWER_INVALID'],
  ['JSON that is 100,000 lists deep', `{"entries":${'['.repeat(1e5)}${']'.repeat(1e5)}}`, 'ANSWER_INVALID'],
  ['YAML that is 100,000 lists deep', `entries: ${'['.repeat(1e5)}`, 'ANSWER_INVALID'],
  ['an archive that is cut', Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3]), 'ANSWER_INVALID'],
  ['an archive that grows to 300 MB', gzipSync(Buffer.alloc(3e8), { level: 1 }), 'TOO_LARGE'],
];

for (const [title, body, code] of indexes) {
  test(`an index that is ${title} is reported in one sentence`, async () => {
    answer = ({ url }, response) => {
      if (url === '/index.yaml') response.end(body);
      else response.writeHead(404).end();
    };
    assert.equal(await codeOf(server.url), code);
  });
}

test('an invalid port is reported in one sentence', async () => {
  assert.equal(await codeOf('http://127.0.0.1:99999'), 'ANSWER_INVALID');
});

const tags = '{"tags":["0.1.0"]}';
const registries: readonly (readonly [
  title: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  code: VendorError['code'],
])[] = [
  ['tags that are no list', {}, '{"tags":"x"}', 'VERSION_UNKNOWN'],
  ['pages in circles', { link: '</v2/web/tags/list?n=1000>; rel="next"' }, tags, 'VERSION_UNKNOWN'],
  ['a next page that is nowhere', { link: '<http://[>; rel="next"' }, tags, 'ANSWER_INVALID'],
  ['lists without end', {}, '['.repeat(1e5), 'ANSWER_INVALID'],
];

for (const [title, headers, body, code] of registries) {
  test(`a registry that responds with ${title} is reported in one sentence`, async () => {
    let requests = 0;
    answer = (_, response) => {
      requests++;
      response.writeHead(200, headers).end(body);
    };
    assert.equal(await codeOf(`oci://${server.host}`), code);
    assert(requests < 5, `asked ${requests} times`);
  });
}

const challenges: readonly (readonly [challenge: string, token: string, code: VendorError['code']])[] = [
  ['Bearer realm="http://[::"', '{}', 'ANSWER_INVALID'],
  ['Bearer realm="file:///etc/passwd"', '{}', 'ACCESS_DENIED'],
  [`Bearer realm="${server.url}/token"`, '{"token":5}', 'ACCESS_DENIED'],
  [`Bearer realm="${server.url}/token"`, '{"token":"a\\nb: c"}', 'ACCESS_DENIED'],
  [`Bearer realm="${server.url}/token"`, 'x', 'ANSWER_INVALID'],
  ['Bearer', '{}', 'ACCESS_DENIED'],
];

for (const [challenge, token, code] of challenges) {
  test(`a registry with the challenge ${challenge.replace(server.url, '')} and token ${token} is reported in one sentence`, async () => {
    answer = ({ url = '' }, response) => {
      if (url.startsWith('/token')) response.end(token);
      else response.writeHead(401, { 'www-authenticate': challenge }).end();
    };
    assert.equal(await codeOf(`oci://${server.host}`), code);
  });
}
