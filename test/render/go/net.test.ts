// Addresses of certificates, of which the recorded rows have few.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseIp } from '../../../render/go/net.ts';

const rows: readonly (readonly [text: string, bytes: string | undefined])[] = [
  ['1.2.3.4', '1.2.3.4'],
  ['01.2.3.4', undefined],
  ['1.2.3.256', undefined],
  ['', undefined],
  ['::', '0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0'],
  ['fE80::', '254.128.0.0.0.0.0.0.0.0.0.0.0.0.0.0'],
  ['1:2:3:4:5:6:7::', '0.1.0.2.0.3.0.4.0.5.0.6.0.7.0.0'],
  ['1:2:3:4:5:6:1.2.3.4', '0.1.0.2.0.3.0.4.0.5.0.6.1.2.3.4'],
  ['::ffff:1.2.3.4', '1.2.3.4'],
  ['1:2:3:4::5:6:7:8', undefined],
  ['1::2::3', undefined],
  ['1:2', undefined],
  [':1', undefined],
  ['12345::', undefined],
  ['fe80::1%eth0', undefined],
];

test('addresses', () => {
  for (const [text, bytes] of rows) assert.equal(parseIp(text)?.join('.'), bytes, text);
});
