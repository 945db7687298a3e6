// Hashes, password hashes and AES, all synchronous; salts and vectors come from the host.
// Mirrors: Masterminds/sprig, crypto.go, v3.3.0.

import { cbc } from '@noble/ciphers/aes.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha1 } from '@noble/hashes/legacy.js';
import { scrypt } from '@noble/hashes/scrypt.js';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js';
import { encodeBase64 as encodeBcryptBase64, hashSync } from 'bcryptjs';
import type { Host } from '../core/host.ts';
import { meter } from '../core/limits.ts';
import { decodeBase64, encodeBase64 } from '../go/base64.ts';
import { byteLength, decodeUtf8, encodeUtf8 } from '../go/utf8.ts';
import { type FuncMap, func, GoError } from '../go/value.ts';

/** Returns the functions that hash and encrypt. */
export function createHashFuncs(host: Host): FuncMap {
  return new Map([
    ['sha1sum', func(['string'], (text) => bytesToHex(sha1(encodeUtf8(text))))],
    ['sha256sum', func(['string'], (text) => bytesToHex(sha256(encodeUtf8(text))))],
    ['sha512sum', func(['string'], (text) => bytesToHex(sha512(encodeUtf8(text))))],
    ['adler32sum', func(['string'], (text) => String(adler32(encodeUtf8(text))))],
    ['bcrypt', func(['string'], (password) => bcrypt(host, password))],
    ['htpasswd', func(['string', 'string'], (user, password) => htpasswd(host, user, password))],
    ['derivePassword', func(['uint32', 'string', 'string', 'string', 'string'], derivePassword)],
    ['encryptAES', func(['string', 'string'], (password, text) => encryptAes(host, password, text))],
    ['decryptAES', func(['string', 'string'], decryptAes)],
  ]);
}

function adler32(bytes: Uint8Array): number {
  let low = 1;
  let high = 0;
  for (const byte of bytes) {
    low = (low + byte) % 65521;
    high = (high + low) % 65521;
  }
  return high * 65536 + low;
}

// Returns the message of an error instead of the hash, like sprig. Go writes version `2a` with cost 10.
function bcrypt(host: Host, password: string): string {
  meter.slow();
  if (byteLength(password) > 72) {
    return 'failed to encrypt string with bcrypt: bcrypt: password length exceeds 72 bytes';
  }
  return hashSync(password, `$2a$10$${encodeBcryptBase64([...host.randomBytes(16)], 16)}`);
}

function htpasswd(host: Host, user: string, password: string): string {
  return user.includes(':') ? `invalid username: ${user}` : `${user}:${bcrypt(host, password)}`;
}

// The Master Password algorithm: each template letter stands for a set of characters.
const passwordTemplates: ReadonlyMap<string, readonly string[]> = new Map([
  ['maximum', ['anoxxxxxxxxxxxxxxxxx', 'axxxxxxxxxxxxxxxxxno']],
  [
    'long',
    (
      'CvcvnoCvcvCvcv CvcvCvcvnoCvcv CvcvCvcvCvcvno CvccnoCvcvCvcv CvccCvcvnoCvcv CvccCvcvCvcvno CvcvnoCvccCvcv ' +
      'CvcvCvccnoCvcv CvcvCvccCvcvno CvcvnoCvcvCvcc CvcvCvcvnoCvcc CvcvCvcvCvccno CvccnoCvccCvcv CvccCvccnoCvcv ' +
      'CvccCvccCvcvno CvcvnoCvccCvcc CvcvCvccnoCvcc CvcvCvccCvccno CvccnoCvcvCvcc CvccCvcvnoCvcc CvccCvcvCvccno'
    ).split(' '),
  ],
  ['medium', ['CvcnoCvc', 'CvcCvcno']],
  ['short', ['Cvcn']],
  ['basic', ['aaanaaan', 'aannaaan', 'aaannaaa']],
  ['pin', ['nnnn']],
]);

const consonants = 'bcdfghjklmnpqrstvwxyz';
const allLetters = `AEIOUaeiou${consonants.toUpperCase()}${consonants}`;
const passwordCharacters: Readonly<Record<string, string>> = {
  V: 'AEIOU',
  C: consonants.toUpperCase(),
  v: 'aeiou',
  c: consonants,
  A: `AEIOU${consonants.toUpperCase()}`,
  a: allLetters,
  n: '0123456789',
  o: "@&%?,=[]_:-+*$#!'^~;()/.",
  x: `${allLetters}0123456789!@#$%^&*()`,
};

const passwordSeed = 'com.lyndir.masterpassword';

function derivePassword(counter: number, type: string, password: string, user: string, site: string): string {
  const templates = passwordTemplates.get(type);
  if (templates === undefined) return `cannot find password template ${type}`;
  const salt = concatBytes(encodeUtf8(passwordSeed), uint32(byteLength(user)), encodeUtf8(user));
  meter.slow();
  const key = scrypt(encodeUtf8(password), salt, { N: 32768, r: 8, p: 2, dkLen: 64 });
  const message = concatBytes(encodeUtf8(passwordSeed), uint32(byteLength(site)), encodeUtf8(site), uint32(counter));
  const [first = 0, ...rest] = hmac(sha256, key, message);
  const template = templates[first % templates.length] ?? '';
  return Array.from(template, (letter, i) => {
    const characters = passwordCharacters[letter] ?? '';
    return characters.charAt((rest[i] ?? 0) % characters.length);
  }).join('');
}

function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value >>> 0);
  return bytes;
}

// AES-256 in CBC mode: the key is the password padded with zeros, the random vector comes first.
function encryptAes(host: Host, password: string, text: string): string {
  if (text === '') return '';
  const vector = host.randomBytes(16);
  return encodeBase64(concatBytes(vector, cbc(aesKey(password), vector).encrypt(encodeUtf8(text))));
}

function aesKey(password: string): Uint8Array {
  const key = new Uint8Array(32);
  key.set(encodeUtf8(password).subarray(0, 32));
  return key;
}

// Go does not check the padding: wrong lengths and an invalid last byte are panics.
function decryptAes(password: string, text: string): string {
  if (text === '') return '';
  const bytes = decodeBase64(text);
  const capacity = Math.floor(byteLength(text) / 4) * 3;
  if (capacity < 16) throw outOfRange(`[:16] with capacity ${capacity}`);
  if (bytes.length < 16) throw outOfRange(`[16:${bytes.length}]`);
  if (bytes.length % 16 !== 0) throw new GoError('crypto/cipher: input not full blocks');
  if (bytes.length === 16) throw new GoError('runtime error: index out of range [-1]');
  const cipher = cbc(aesKey(password), bytes.subarray(0, 16), { disablePadding: true });
  const decrypted = cipher.decrypt(bytes.subarray(16));
  const end = decrypted.length - (decrypted.at(-1) ?? 0);
  if (end < 0) throw outOfRange(`[:${end}]`);
  return decodeUtf8(decrypted.subarray(0, end));
}

function outOfRange(bounds: string): GoError {
  return new GoError(`runtime error: slice bounds out of range ${bounds}`);
}
