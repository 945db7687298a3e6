import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSemverFuncs } from '../../../render/functions/semvers.ts';
import { GoError, GoObject, type GoValue } from '../../../render/go/value.ts';
import { helmOf } from '../../../render/helm/versions.ts';

const semverFuncs = createSemverFuncs(helmOf('3.17.3'));

function call(name: string, ...args: string[]): GoValue {
  return semverFuncs.get(name)?.call(...(args as never[])) ?? null;
}

test('semver returns a version', () => {
  const version = call('semver', 'v1.2');
  assert.ok(version instanceof GoObject);
  assert.equal(version.string(), '1.2.0');
  assert.throws(() => call('semver', 'abc'), new GoError('Invalid Semantic Version'));
});

test('semverCompare parses the constraint first', () => {
  assert.equal(call('semverCompare', '>=1.19-0', 'v1.32.0'), true);
  assert.equal(call('semverCompare', '^1.2', '2.0.0'), false);
  assert.throws(() => call('semverCompare', 'a', 'b'), new GoError('improper constraint: a'));
  assert.throws(() => call('semverCompare', '1', 'b'), new GoError('Invalid Semantic Version'));
});
