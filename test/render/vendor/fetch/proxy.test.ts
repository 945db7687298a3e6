// Which requests go through a proxy: each row as in golang.org/x/net/http/httpproxy.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VendorError } from '../../../../render/vendor/fetch/errors.ts';
import { proxyFor } from '../../../../render/vendor/fetch/transport.node.ts';

const proxy = 'http://proxy.example.com:3128';
const both = { HTTPS_PROXY: proxy, HTTP_PROXY: proxy };

const rows: readonly (readonly [url: string, noProxy: string, isProxied: boolean])[] = [
  ['https://charts.example.com/', '', true],
  ['https://charts.example.com/', 'other.example.com, *', false],
  ['https://charts.example.com/', 'example.com', false],
  ['https://example.com/', '.example.com', true],
  ['https://charts.example.com/', '*.example.com', false],
  ['https://example.com/', 'example.com:443', false],
  ['https://example.com:8443/', 'example.com:443', true],
  ['https://10.1.2.3/', '10.0.0.0/8', false],
  ['https://10.1.2.3/', '10.1.2.2/31', false],
  ['https://10.1.2.3:5000/', '10.1.2.3:5000', false],
  ['https://10.1.2.3:5001/', '10.1.2.3:5000', true],
  ['https://[fd00::1]/', 'fd00::/8', false],
  ['https://[fd00::1]/', 'fd00::1', false],
  ['https://charts.example.com/', '10.0.0.0/8, ,:80', true],
  ['http://localhost:5000/', '', false],
  ['http://[::1]:5000/', '', false],
];

for (const [url, noProxy, isProxied] of rows) {
  test(`${url} with NO_PROXY=${noProxy} ${isProxied ? 'uses the proxy' : 'connects directly'}`, () => {
    assert.equal(proxyFor(new URL(url), { ...both, NO_PROXY: noProxy }), isProxied ? proxy : undefined);
  });
}

test('each scheme has its own variable, upper case first', () => {
  const secure = new URL('https://charts.example.com');
  const plain = new URL('http://charts.example.com');
  assert.equal(proxyFor(secure, { HTTP_PROXY: proxy }), undefined);
  assert.equal(proxyFor(plain, { HTTPS_PROXY: proxy }), undefined);
  assert.equal(proxyFor(plain, { HTTP_PROXY: proxy, http_proxy: 'http://other' }), proxy);
  assert.equal(proxyFor(secure, { https_proxy: 'proxy.example.com:3128' }), proxy);
});

test('an invalid proxy address is reported without its password', () => {
  const failureOf = (value: string): VendorError => {
    try {
      proxyFor(new URL('https://charts.example.com'), { HTTPS_PROXY: value });
    } catch (error) {
      if (error instanceof VendorError) return error;
    }
    assert.fail(`${value} is taken`);
  };
  for (const value of ['ftp://ada:secret@proxy', 'http://ada:secret@', 'a b']) {
    const { code, message } = failureOf(value);
    assert.equal(code, 'UNREACHABLE');
    assert(message.startsWith('HTTPS_PROXY is ') && !message.includes('secret'), message);
  }
});
