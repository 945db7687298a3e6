import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareSync } from 'bcryptjs';
import { seededHost } from '../../../render/core/host.ts';
import { createHashFuncs } from '../../../render/functions/hashes.ts';
import { stringFuncs } from '../../../render/functions/strings.ts';
import { evaluate, testRows } from '../../support/evaluate.ts';

const funcs = new Map([...createHashFuncs(seededHost()), ...stringFuncs]);

testRows('digests', funcs, [
  ['{{ sha1sum "a" }}', '86f7e437faa5a7fce15d1ddcb9eaeaea377667b8'],
  ['{{ sha256sum "é\\xff" }}', 'e6c36aed9f5fabb910f32716a3a202453f387faea316fa8502f205a3e1bb71bd'],
  ['{{ sha512sum "a" | trunc 20 }}', '1f40fc92da2416947509'],
  ['{{ adler32sum "hello" }} {{ adler32sum "" }}', '103547413 1'],
  ['{{ sha256sum nil }}', 'ERR cannot assign nil to string'],
]);

testRows('derived passwords', funcs, [
  ['{{ derivePassword 1 "long" "password" "user" "example.com" }}', 'ZedaFaxcZaso9*'],
  ['{{ derivePassword 1 "maximum" "password" "user" "example.com" }}', 'pf4zS1LjCg&LjhsZ7T2~'],
  ['{{ derivePassword 2 "basic" "pässword" "üser" "exämple" }}', 'MU95tNH0'],
  ['{{ derivePassword 1 "zzz" "a" "b" "c" }}', 'cannot find password template zzz'],
  ['{{ derivePassword -1 "pin" "a" "b" "c" }}', 'ERR expected unsigned integer; found -1'],
]);

testRows('AES', funcs, [
  [
    '{{ encryptAES "k" "plain é" | decryptAES "k" }} {{ encryptAES "k" "" | quote }}{{ decryptAES "k" "" }}',
    'plain é ""',
  ],
  ['{{ decryptAES "k" "k6kjtwUNUGsUYYwGgjdUdrWAl9Xfo2J1sr2OksMbLqc=" }}', 'plain'],
  [
    '{{ decryptAES "x" "k6kjtwUNUGsUYYwGgjdUdrWAl9Xfo2J1sr2OksMbLqc=" }}',
    'ERR error calling decryptAES: runtime error: slice bounds out of range [:-53]',
  ],
  ['{{ decryptAES "k" "!!" }}', 'ERR error calling decryptAES: illegal base64 data at input byte 0'],
  [
    '{{ decryptAES "k" "YQ==" }}',
    'ERR error calling decryptAES: runtime error: slice bounds out of range [:16] with capacity 3',
  ],
  [
    '{{ decryptAES "k" "AAAAAAAAAAAAAAAAAAA=\\n\\n\\n\\n" }}',
    'ERR error calling decryptAES: runtime error: slice bounds out of range [16:14]',
  ],
  [
    '{{ decryptAES "k" "AAAAAAAAAAAAAAAAAAAAAA==" }}',
    'ERR error calling decryptAES: runtime error: index out of range [-1]',
  ],
  [
    '{{ decryptAES "k" "AAAAAAAAAAAAAAAAAAAAAAAAAAA=" }}',
    'ERR error calling decryptAES: crypto/cipher: input not full blocks',
  ],
]);

testRows('passwords that are refused', funcs, [
  ['{{ htpasswd "u:x" "p" }}', 'invalid username: u:x'],
  ['{{ bcrypt (repeat 73 "a") }}', 'failed to encrypt string with bcrypt: bcrypt: password length exceeds 72 bytes'],
  ['{{ htpasswd "u" "p" "sha" }}', 'ERR wrong number of args for htpasswd: want 2 got 3'],
]);

test('bcrypt writes version 2a at cost 10, and the hash matches the password', () => {
  const line = evaluate('{{ htpasswd "user" "pässword" }}', funcs);
  assert.match(line, /^user:\$2a\$10\$[./A-Za-z0-9]{53}$/);
  assert.ok(compareSync('pässword', line.slice('user:'.length)));
});
