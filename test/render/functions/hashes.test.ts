import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareSync } from 'bcryptjs';
import { seededHost } from '../../../render/core/host.ts';
import { createHashFuncs } from '../../../render/functions/hashes.ts';
import { evaluate } from '../../support/evaluate.ts';

const funcs = createHashFuncs(seededHost());

test('bcrypt writes version 2a at cost 10, and the hash matches the password', () => {
  const line = evaluate('{{ htpasswd "user" "pässword" }}', funcs);
  assert.match(line, /^user:\$2a\$10\$[./A-Za-z0-9]{53}$/);
  assert.ok(compareSync('pässword', line.slice('user:'.length)));
});
