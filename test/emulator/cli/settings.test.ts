// Settings on the command line: texts become values, and a wrong one names its flag.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsOf, withSettings } from '../../../emulator/cli/settings.ts';
import { serveSpec } from '../../../emulator/cli/table.ts';
import type { SettingName } from '../../../emulator/index.ts';
import { parseFlags } from '../../../render/cli/flags.ts';

const { flags } = withSettings(serveSpec);

const texts: readonly (readonly [name: SettingName, text: string, value: unknown])[] = [
  ['seed', '7', '7'],
  ['pageSize', '7', 7],
  ['hosted', 'true', true],
  ['cookies', 'a, b', ['a', 'b']],
  ['cookies', '["a"]', ['a']],
  ['emailDomains', '{"allow":[],"block":[]}', { allow: [], block: [] }],
];
for (const [name, text, value] of texts) {
  test(`--set ${name}=${text} sets ${JSON.stringify(value)}`, () =>
    assert.deepEqual(settingsOf(parseFlags(flags, ['--set', `${name}=${text}`])), { [name]: value }));
}

test('a text of the wrong type is refused with its flag', () => {
  assert.throws(() => settingsOf(parseFlags(flags, ['--set', 'pageSize=seven'])), {
    name: 'UsageError',
    message: /^--set pageSize=seven: must be a whole number/,
  });
});
