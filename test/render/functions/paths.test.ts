import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathFuncs } from '../../../render/functions/paths.ts';
import { GoError, type GoValue, int } from '../../../render/go/value.ts';

function call(name: string, arg: GoValue): GoValue {
  const fn = pathFuncs.get(name);
  assert.ok(fn, name);
  return fn.call(...([arg] as never[]));
}
const parts = (entries: Record<string, GoValue>): GoValue => new Map(Object.entries(entries));

test('slash-separated and system paths', () => {
  for (const prefix of ['', 'os']) {
    const name = (word: string): string => (prefix === '' ? word : prefix + word[0]?.toUpperCase() + word.slice(1));
    assert.equal(call(name('base'), '/a/b.txt'), 'b.txt');
    assert.equal(call(name('dir'), '/a/b.txt'), '/a');
    assert.equal(call(name('clean'), '/a/../b//c/.'), '/b/c');
    assert.equal(call(name('ext'), 'a/b.tar.gz'), '.gz');
    assert.equal(call(name('isAbs'), '/a'), true);
  }
});

test('urlParse returns a dict', () => {
  assert.deepEqual(
    call('urlParse', 'http://admin:secret@server.com:8080/api?list=false#anchor'),
    parts({
      scheme: 'http',
      host: 'server.com:8080',
      hostname: 'server.com',
      path: '/api',
      query: 'list=false',
      opaque: '',
      fragment: 'anchor',
      userinfo: 'admin:secret',
    }),
  );
  assert.throws(
    () => call('urlParse', ':bad'),
    new GoError('unable to parse url: parse ":bad": missing protocol scheme'),
  );
});

test('urlJoin takes a dict', () => {
  const url = { scheme: 'https', userinfo: 'u:p@ss', host: 'h', path: 'p q/é' };
  assert.equal(call('urlJoin', parts(url)), 'https://u:p%40ss@h/p%20q/%C3%A9');
  assert.equal(call('urlJoin', parts({})), '');
  assert.equal(call('urlJoin', null), '');
  assert.throws(
    () => call('urlJoin', parts({ host: int(5) })),
    new GoError('unable to parse host key, must be of type string, but int found'),
  );
  assert.throws(
    () => call('urlJoin', parts({ userinfo: 'a b' })),
    new GoError('unable to parse userinfo in dict: parse "proto://a b@host": net/url: invalid userinfo'),
  );
});
