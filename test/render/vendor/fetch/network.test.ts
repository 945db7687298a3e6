// Where servers may direct `vendor`, and who gets credentials: real servers on the loopback, and a proxy for other names.

import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { beforeEach, test } from 'node:test';
import { guardedLookup, reachesOf, reachOf } from '../../../../render/vendor/fetch/transport.node.ts';
import type { VendorError } from '../../../../render/vendor.node.ts';
import { archiveOf, createVendorProject, failureOf, indexOf, orderOf, registryOf, serve } from './server.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const archive = archiveOf('web', '1.0.0');
const index = (url: string): string =>
  JSON.stringify({ apiVersion: 'v1', entries: { web: [{ name: 'web', version: '1.0.0', urls: [url] }] } });

let answer: Handler;
let answerOther: Handler;
// Serves every name beyond the loopback.
let answerProxied: Handler;
const server = await serve((request, response) => answer(request, response));
const other = await serve((request, response) => answerOther(request, response));
const proxy = await serve((request, response) => answerProxied(request, response));

beforeEach(() => {
  for (const { seen } of [server, other, proxy]) seen.length = 0;
  answer = answerOther = answerProxied = (_, response) => response.writeHead(404).end();
});

interface Login {
  readonly host: string;
  /** The entry of the host in Docker's configuration. */
  readonly entry: Readonly<Record<string, string>>;
  readonly tokenHosts?: readonly string[];
}

async function vendor(source: string, login?: Login): Promise<VendorError | undefined> {
  const auths = login === undefined ? {} : { [login.host]: login.entry };
  const { folder, options } = createVendorProject({ '.docker/config.json': JSON.stringify({ auths }) });
  const env = { HOME: folder, HTTP_PROXY: proxy.url };
  const more = { env, plainHttp: true, tokenHosts: login?.tokenHosts ?? [] };
  return failureOf(orderOf('web', '1.0.0', { name: source }), { ...options, ...more });
}

test('an address is classified by who can reach it, in any notation', () => {
  const rows: readonly (readonly [address: string, reach: string])[] = [
    ['127.0.0.1', 'loopback'],
    ['::1', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['169.254.169.254', 'link-local'],
    ['::ffff:169.254.169.254', 'link-local'],
    ['fe80::1', 'link-local'],
    ['10.1.2.3', 'private'],
    ['100.100.100.200', 'private'],
    ['fd00:ec2::254', 'private'],
    ['64:ff9b::a9fe:a9fe', 'private'],
    ['93.184.216.34', 'public'],
    ['172.32.0.1', 'public'],
  ];
  for (const [address, reach] of rows) assert.equal(reachOf(address), reach, address);
});

test('a URL with an address in another base is the same address', async () => {
  for (const host of ['127.1', '0x7f.0.0.1', '2130706433', '[::ffff:7f00:1]'])
    assert.deepEqual([...(await reachesOf(new URL(`http://${host}/`)))], ['loopback'], host);
});

test('a name that resolves to the loopback is not connected to for a remote server', async () => {
  const found = await new Promise<Error | null>((resolve) => {
    guardedLookup(new Set(['public']), 'charts.example.com')('localhost', { all: true }, resolve);
  });
  assert.match(found?.message ?? '', /charts\.example\.com names localhost, which is a loopback address/);
});

test('a remote index may not name a loopback, link-local or private address', async () => {
  const hosts = ['127.0.0.1:1', 'localhost:1', '169.254.169.254', '[::1]:1', '[::ffff:10.0.0.1]', '0x7f.1'];
  for (const host of hosts) {
    answerProxied = ({ url = '' }, response) => {
      response.end(url.endsWith('/index.yaml') ? index(`http://${host}/web-1.0.0.tgz`) : archive);
    };
    const error = await vendor('http://charts.example.com');
    assert.equal(error?.code, 'ACCESS_DENIED', `${host}: ${error?.message}`);
    assert.match(error.message, /charts\.example\.com names .* which is a (?:loopback|link-local|private) address/);
  }
  assert.ok(proxy.seen.every(({ path }) => path.endsWith('/index.yaml')));
});

test('neither may a redirect, nor an address in a registry', async () => {
  answerProxied = ({ url = '' }, response) => {
    if (url.endsWith('/index.yaml')) response.end(index('web-1.0.0.tgz'));
    else response.writeHead(302, { location: `${server.url}/latest/meta-data` }).end();
  };
  assert.equal((await vendor('http://charts.example.com'))?.code, 'ACCESS_DENIED');
  answerProxied = (_, response) => response.end(index(`oci://${server.host}/charts/web:1.0.0`));
  assert.equal((await vendor('http://charts.example.com'))?.code, 'ACCESS_DENIED');
  answer = ({ url = '' }, response) => {
    if (url.endsWith('/index.yaml')) response.end(index('http://169.254.169.254/web-1.0.0.tgz'));
  };
  assert.equal(server.seen.length, 0);
  assert.equal((await vendor(server.url))?.code, 'ACCESS_DENIED');
});

test('a local repository may name another local server, and a remote one a public one', async () => {
  answer = (_, response) => response.end(index(`${other.url}/web-1.0.0.tgz`));
  answerOther = (_, response) => response.end(archive);
  assert.equal(await vendor(server.url), undefined);
  answerProxied = ({ url = '' }, response) => {
    response.end(url.endsWith('/index.yaml') ? index('http://files.example.net/web-1.0.0.tgz') : archive);
  };
  assert.equal(await vendor('http://charts.example.com'), undefined);
  assert.ok(indexOf([{ name: 'web', version: '1.0.0', data: archive }]).includes('web'));
});

const secret = 'identity-secret';
const password = Buffer.from('maya:pass-word').toString('base64');

// Requires a token of `realm`, then responds like a registry.
function registryAsking(realm: string): Handler {
  const read = registryOf('web', new Map([['1.0.0', archive]]));
  return ({ url = '', headers }, response) => {
    if (headers.authorization !== 'Bearer good')
      response.writeHead(401, { 'www-authenticate': `Bearer realm="${realm}",service="s"` }).end();
    else {
      const body = read(url);
      response.writeHead(body === undefined ? 404 : 200).end(body);
    }
  };
}

test('an identity token is not sent to another host that the token endpoint redirects to', async () => {
  const bodies: string[] = [];
  for (const status of [307, 308, 302]) {
    const registry = registryAsking(`${server.url}/token`);
    answer = (request, response) => {
      if (request.url?.startsWith('/token')) response.writeHead(status, { location: `${other.url}/steal` }).end();
      else registry(request, response);
    };
    answerOther = (request, response) => {
      request.on('data', (data: Buffer) => bodies.push(data.toString()));
      request.on('end', () => response.end('{"token":"good"}'));
    };
    const error = await vendor(`oci://${server.host}`, { host: server.host, entry: { identitytoken: secret } });
    if (status >= 307) assert.match(error?.message ?? '', /redirects a request with a token to/, String(status));
  }
  assert.ok(!bodies.join('').includes(secret), bodies.join('\n'));
});

test('an identity token is sent to the token endpoint itself', async () => {
  let body = '';
  const registry = registryAsking(`${other.url}/token`);
  answer = registry;
  answerOther = (request, response) => {
    request.on('data', (data: Buffer) => {
      body += data.toString();
    });
    request.on('end', () => response.end('{"token":"good"}'));
  };
  const login = { host: server.host, entry: { identitytoken: secret } };
  assert.equal(await vendor(`oci://${server.host}`, login), undefined);
  assert.match(body, /refresh_token=identity-secret/);
});

test('a password is not sent to a token service on another host, unless the user allows it, and then only over HTTPS', async () => {
  const login = { host: 'charts.example.com', entry: { auth: password } };
  const registry = registryAsking('http://token.example.net/token');
  answerProxied = (request, response) => {
    const url = request.url ?? '';
    if (url.includes('token.example.net')) response.writeHead(401).end();
    else registry(request, response);
  };
  for (const tokenHosts of [[], ['token.example.net']]) {
    const error = await vendor('oci://charts.example.com', { ...login, tokenHosts });
    assert.equal(error?.code, 'ACCESS_DENIED');
    assert.match(error.message, /asks for tokens of token\.example\.net, which is not its own host/);
  }
  assert.ok(proxy.seen.every(({ authorization }) => authorization === undefined));
  // A server without passwords issues a token without one.
  answerProxied = (request, response) => {
    if ((request.url ?? '').includes('token.example.net')) response.end('{"token":"good"}');
    else {
      const { headers, url = '' } = request;
      registry({ headers, url: url.replace('http://charts.example.com', '') } as IncomingMessage, response);
    }
  };
  assert.equal((await vendor('oci://charts.example.com', login))?.message, undefined);
});
