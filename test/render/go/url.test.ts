import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatUrl, formatUserInfo, hostName, parseGoUrl, type Url } from '../../../render/go/url.ts';
import { GoError } from '../../../render/go/value.ts';

const nothing: Url = { scheme: '', opaque: '', host: '', path: '', query: '', fragment: '' };
const urls: [text: string, want: Partial<Url>][] = [
  ['', {}],
  ['*', { path: '*' }],
  ['HTTP://h/p?q#f', { scheme: 'http', host: 'h', path: '/p', query: 'q', fragment: 'f' }],
  ['http://u:p%40@[::1]:80/x', { scheme: 'http', user: { name: 'u', password: 'p@' }, host: '[::1]:80', path: '/x' }],
  ['http://u@h', { scheme: 'http', user: { name: 'u' }, host: 'h' }],
  ['mailto:a@b.c', { scheme: 'mailto', opaque: 'a@b.c' }],
  ['/a b/c%20d?x=1&y=%zz', { path: '/a b/c d', query: 'x=1&y=%zz' }],
  ['//h/p', { host: 'h', path: '/p' }],
  ['///p', { path: '///p' }],
  ['file:///p', { scheme: 'file', path: '/p' }],
  ['/%C3%A9%ff', { path: '/é\udcff' }],
  ['http://[fe80::1%25en%20]/', { scheme: 'http', host: '[fe80::1%en ]', path: '/' }],
  ['a?b?c#d#e', { path: 'a', query: 'b?c', fragment: 'd#e' }],
];
for (const [text, want] of urls) {
  test(`url ${text}`, () => assert.deepEqual(parseGoUrl(text), { ...nothing, ...want }));
}

const errors: [text: string, want: string][] = [
  [':bad', 'parse ":bad": missing protocol scheme'],
  ['1a:b/', 'parse "1a:b/": first path segment in URL cannot contain colon'],
  ['http://a b/', 'parse "http://a b/": invalid character " " in host name'],
  ['http://a/%zz', 'parse "http://a/%zz": invalid URL escape "%zz"'],
  ['http://a/%é', 'parse "http://a/%é": invalid URL escape "%é"'],
  ['http://%41/', 'parse "http://%41/": invalid URL escape "%41"'],
  ['http://a:b/', 'parse "http://a:b/": invalid port ":b" after host'],
  ['http://[::1', 'parse "http://[::1": missing \']\' in host'],
  ['http://a b@h/', 'parse "http://a b@h/": net/url: invalid userinfo'],
  ['a\nb', 'parse "a\\nb": net/url: invalid control character in URL'],
  ['a#%', 'parse "a#%": invalid URL escape "%"'],
];
for (const [text, want] of errors) {
  test(`invalid URL: ${JSON.stringify(text)}`, () => assert.throws(() => parseGoUrl(text), new GoError(want)));
}

const formatted: [url: Partial<Url>, want: string][] = [
  [{}, ''],
  [
    { scheme: 'http', host: 'h:80', path: '/path', query: 'query', fragment: 'fragment' },
    'http://h:80/path?query#fragment',
  ],
  [
    { scheme: 'https', host: 'h', path: 'p q/é', user: { name: 'u', password: 'p@ss' } },
    'https://u:p%40ss@h/p%20q/%C3%A9',
  ],
  [{ scheme: 'a', opaque: 'b' }, 'a:b'],
  [{ path: 'a:b/c' }, './a:b/c'],
  [{ path: '*' }, '*'],
  [{ scheme: 'file', path: '/p' }, 'file:///p'],
  [{ host: 'h é', fragment: "a b'" }, '//h%20%C3%A9#a%20b%27'],
];
for (const [url, want] of formatted) {
  test(`format ${want}`, () => assert.equal(formatUrl({ ...nothing, ...url }), want));
}

test('host and user', () => {
  assert.equal(hostName('[::1]:80'), '::1');
  assert.equal(hostName('h:80'), 'h');
  assert.equal(hostName('h'), 'h');
  assert.equal(formatUserInfo({ name: 'a/b' }), 'a%2Fb');
});
