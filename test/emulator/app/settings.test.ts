// The settings: every default is valid, and invalid settings are refused with their place and a hint.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultSettings, readSettings, settingIssues } from '../../../emulator/app/settings.ts';
import { EmulatorError } from '../../../emulator/core/errors.ts';
import { createEmulator } from '../../../emulator/index.ts';

test('every default is valid', () => {
  assert.deepEqual(settingIssues(defaultSettings), []);
  assert.deepEqual(readSettings({}), defaultSettings);
});

const wrong: readonly (readonly [object, RegExp])[] = [
  [{ pageSize: 0 }, /^pageSize: must be at least 1/],
  [{ pageSize: 60 }, /^pageSize: is 60, more than maxPageSize, which is 50: raise maxPageSize/],
  [{ emailDomains: {} }, /^emailDomains: is missing "allow": give both lists/],
  [{ reservedNames: ['Admin'] }, /^reservedNames\[0\]: .*: write it in lower case/],
  [{ redirect: '/→' }, /^redirect: .*%XX/],
  [{ cookies: ['a b'] }, /^cookies\[0\]: .*name of a cookie/],
  [{ origins: ['https://a.example/'] }, /^origins\[0\]: .*without a path/],
  [{ basePath: 'platform/' }, /^basePath: .*such as \/platform/],
  [{ limits: { milliseconds: 0 } }, /^limits\.milliseconds: must be at least 1: give integers/],
  [{ limits: { seconds: 1 } }, /^limits: has an unknown field "seconds"/],
  [{ hostd: true }, /^there is no option "hostd"; did you mean "hosted"\?/],
  [{ pageSize: 0, logLimit: -1 }, /^pageSize: .*; logLimit: /],
];
for (const [options, message] of wrong) {
  test(`${JSON.stringify(options)} is refused`, () => {
    assert.throws(
      () => createEmulator(options),
      (failure) =>
        failure instanceof EmulatorError && failure.code === 'SETTING_INVALID' && message.test(failure.message),
    );
  });
}
