// Regular expressions: scripts/dev/check-expressions.ts finds slow ones, and user input is parsed in linear time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepDigits } from '../../emulator/app/exact.ts';
import { maskBody } from '../../emulator/world/secrets.ts';
import { diffManifests } from '../../render/api/diff.ts';
import { checkForm } from '../../render/cli/flags.ts';
import { expandEnv } from '../../render/go/env.ts';
import { parseFloat64 } from '../../render/go/number.ts';
import { compileRegexp } from '../../render/go/regexp/regexp.ts';
import { parseGenericVersion } from '../../render/helm/kubernetes.ts';
import { splitSuiteDocuments } from '../../render/unittest/yaml.ts';
import { sourceKey } from '../../render/vendor/lock/lock.ts';
import { slowness } from '../../scripts/dev/check-expressions.ts';

test('reports expressions that take more than linear time', async () => {
  assert.match((await slowness('^(?:\\s*#.*)*\\s*$', '')) ?? '', /exponential/);
  assert.match((await slowness('\\/+$', '')) ?? '', /2nd degree polynomial/);
  assert.equal(await slowness('(?<!\\/)\\/+$', ''), undefined);
});

const throwing = (read: () => unknown) => () => assert.throws(read);

// The time for an attack string of a given size, for functions that once took quadratic time or more.
const attacks: Readonly<Record<string, (size: number) => () => unknown>> = {
  'a host name of dashes': (size) => throwing(() => checkForm('hostName', `${'0'.repeat(size)}-`)),
  'a float of underscores': (size) => throwing(() => parseFloat64(`${'_'.repeat(size)}E`)),
  'a version of dots': (size) => throwing(() => parseGenericVersion(`1${'.0'.repeat(size / 2)}\n`)),
  'an expression with unclosed brackets': (size) =>
    throwing(() => compileRegexp(`(?P<a>x)(?P<a>y)${'[?'.repeat(size / 2)}`)),
  'variables with unclosed braces': (size) => () => expandEnv('${'.repeat(size / 2), () => ''),
  'blank lines between documents': (size) => () => splitSuiteDocuments(`a${'\n'.repeat(size)}b`),
  'slashes in a URL': (size) => () => sourceKey(`https://a/${'/'.repeat(size)}b`),
  'a body with unclosed quotes': (size) => () => maskBody(`{${'"\\'.repeat(size / 2)}`, false),
  'a form without names': (size) => () => maskBody(`a=b ${'x'.repeat(size)}`, false),
  'an unterminated string': (size) => () => keepDigits(`"${'\\"'.repeat(size / 2)}`, ''),
  'a label of dashes and numbers': (size) => () =>
    diffManifests(labelled(`${'-0.0.0.'.repeat(size / 7)} `), labelled(`${'-0.0.0.'.repeat(size / 7)}!`)),
};

function labelled(value: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, labels: {helm.sh/chart: "${value}"}}\n`;
}

for (const [name, attack] of Object.entries(attacks)) {
  test(`reads ${name} in linear time`, () => {
    // The minimum of three runs, because the machine may be busy.
    const timeOf = (size: number): number => {
      const run = attack(size);
      const times = [1, 2, 3].map(() => {
        const start = performance.now();
        run();
        return performance.now() - start;
      });
      return Math.min(...times);
    };
    // Eight times the input takes eight times as long; quadratic time would be 64 times as long.
    assert.ok(timeOf(224_000) < 32 * Math.max(timeOf(28_000), 10));
  });
}
