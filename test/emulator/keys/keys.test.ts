import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { test } from 'node:test';
import { fromPublic, fromSeed } from '@nats-io/nkeys';
import { decodeBase64Text, encodeBase64, encodeBase64Url } from '../../../emulator/keys/base64.ts';
import { cloudmsgKeys, cloudmsgToken } from '../../../emulator/keys/cloudmsg.ts';
import { deriveToken, deriveUuid } from '../../../emulator/keys/derive.ts';
import { natsServerConfig, personCredentials } from '../../../emulator/keys/nats.ts';

const encoder = new TextEncoder();
const ada = { login: 'ada', id: 1, organizations: [3] };

function claims(jwt: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString());
}

// A token is valid if the key of its issuer signed it.
function isSigned(jwt: string): boolean {
  const [head, body, signature = ''] = jwt.split('.');
  const key = fromPublic(String(claims(jwt).iss));
  return key.verify(encoder.encode(`${head}.${body}`), Buffer.from(signature, 'base64url'));
}

test('the same seed and label give the same bytes, others give others', () => {
  assert.equal(deriveToken('a', 'x'), deriveToken('a', 'x'));
  assert.notEqual(deriveToken('a', 'x'), deriveToken('a', 'y'));
  assert.notEqual(deriveToken('a', 'x'), deriveToken('b', 'x'));
  assert.match(deriveToken('a', 'x'), /^[0-9a-f]{40}$/);
  assert.match(deriveUuid('a', 'x'), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('base64 is encoded and decoded', () => {
  assert.equal(encodeBase64(encoder.encode('ä€')), Buffer.from('ä€').toString('base64'));
  assert.equal(encodeBase64Url('ä€?>'), Buffer.from('ä€?>').toString('base64url'));
  assert.equal(decodeBase64Text(Buffer.from('ada:p:ä').toString('base64')), 'ada:p:ä');
  for (const bad of ['***', '/w==']) assert.equal(decodeBase64Text(bad), undefined);
});

test('a credentials file contains a token signed by the account and the seed of its key', () => {
  const file = personCredentials('drydock', ada);
  const jwt = /BEGIN NATS USER JWT-----\n(.+)\n------END NATS USER JWT/.exec(file)?.[1] ?? '';
  const seed = /BEGIN USER NKEY SEED-----\n(.+)\n------END USER NKEY SEED/.exec(file)?.[1] ?? '';
  const { sub, name } = claims(jwt);
  assert.deepEqual([name, fromSeed(encoder.encode(seed)).getPublicKey()], ['ada', sub]);
  assert.ok(isSigned(jwt));
  assert.equal(personCredentials('drydock', ada), file);
  assert.notEqual(personCredentials('other', ada), file);
});

test('the server configuration contains the accounts, each signed by the operator', () => {
  const options = { listen: '127.0.0.1:4222', websocket: '127.0.0.1:9222', store: 'store' };
  const config = natsServerConfig('drydock', [ada], options);
  const operator = /operator: (\S+)/.exec(config)?.[1] ?? '';
  assert.ok(isSigned(operator));
  const accounts = [...config.matchAll(/^ {2}(A\S+): (\S+)$/gm)];
  assert.equal(accounts.length, 3);
  for (const [, key, jwt = ''] of accounts) {
    assert.deepEqual([claims(jwt).sub, claims(jwt).iss], [key, claims(operator).sub]);
    assert.ok(isSigned(jwt));
  }
  const user = claims(/\n(ey\S+)\n/.exec(personCredentials('drydock', ada))?.[1] ?? '');
  assert.ok(accounts.some(([, key]) => key === user.iss));
});

test('the push-messaging token verifies only with the published key', () => {
  const now = Date.UTC(2025, 0, 1);
  const token = cloudmsgToken('drydock', 'ada', now);
  const [head, body, signature = ''] = token.split('.');
  const check = (seed: string): boolean => {
    const [key] = cloudmsgKeys(seed).keys;
    const publicKey = createPublicKey({ key: { ...key }, format: 'jwk' });
    return verify('sha256', Buffer.from(`${head}.${body}`), publicKey, Buffer.from(signature, 'base64url'));
  };
  assert.ok(check('drydock'));
  assert.ok(!check('other'));
  const { uid, iat, exp } = claims(token);
  assert.deepEqual([uid, iat, exp], ['ada', now / 1000, now / 1000 + 3600]);
  assert.equal(cloudmsgToken('drydock', 'ada', now), token);
});
