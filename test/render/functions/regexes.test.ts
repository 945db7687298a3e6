import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRegexFuncs } from '../../../render/functions/regexes.ts';
import { GoError, type GoValue, isNil } from '../../../render/go/value.ts';
import { helmOf } from '../../../render/helm/versions.ts';

function call(name: string, ...args: (string | number)[]): GoValue {
  const entry = createRegexFuncs(helmOf('3.17.3')).get(name);
  assert.ok(entry, name);
  return entry.call(...(args as never[]));
}

test('an invalid pattern: false, a panic, or an error', () => {
  assert.equal(call('regexMatch', '(', 'a'), false);
  assert.throws(
    () => call('regexFind', '(', 'a'),
    new GoError('regexp: Compile(`(`): error parsing regexp: missing closing ): `(`'),
  );
  assert.throws(
    () => call('regexFind', '(`', 'a'),
    new GoError('regexp: Compile("(`"): error parsing regexp: missing closing ): `(``'),
  );
  assert.throws(() => call('mustRegexMatch', '(', 'a'), new GoError('error parsing regexp: missing closing ): `(`'));
  assert.throws(() => call('mustRegexSplit', '(', 'a', -1), /^GoError: error parsing regexp/);
});

test('no match is a nil slice', () => {
  assert.ok(isNil(call('regexFindAll', 'z', 'aaa', -1)));
  assert.ok(isNil(call('regexSplit', 'a', 'aaa', 0)));
  assert.ok(!isNil(call('regexSplit', '', '', -1)));
});

test('every function of the group', () => {
  assert.deepEqual([...(call('mustRegexFindAll', '[2,4]', '1234', -1) as GoValue[])], ['2', '4']);
  assert.equal(call('mustRegexFind', '[a-z]+', '12abc34'), 'abc');
  assert.equal(call('mustRegexReplaceAll', 'a(x*)b', '-axxb-', '${1}W'), '-xxW-');
  assert.equal(call('mustRegexReplaceAllLiteral', 'a(x*)b', '-axxb-', '${1}W'), '-${1}W-');
  assert.equal(call('regexReplaceAll', '\\W+', 'a b!c', '_'), 'a_b_c');
  assert.equal(call('regexReplaceAllLiteral', '\\W+', 'a b!c', '$'), 'a$b$c');
  assert.deepEqual([...(call('mustRegexSplit', 'z+', 'pizza', -1) as GoValue[])], ['pi', 'a']);
  assert.equal(call('mustRegexMatch', '^a', 'ab'), true);
  assert.equal(call('regexQuoteMeta', 'a.b'), 'a\\.b');
});
