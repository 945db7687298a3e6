import assert from 'node:assert/strict';
import { test } from 'node:test';
import { as, strictEmulator } from '../../support/emulator.ts';

const path = '/user/msgbus';

// The file contains a JWT and a key between lines of dashes.
function fileOf(credentials: unknown): string {
  return Buffer.from(String(credentials), 'base64').toString();
}

test('everyone has separate credentials, the same on each call', async () => {
  const emulator = strictEmulator();
  const files = [];
  for (const login of ['ada', 'bob', 'ada']) {
    const answer = await as(emulator, login)('GET', `${path}/credentials`);
    assert.equal(answer.status, 200);
    files.push(fileOf(answer.at('credentials')));
  }
  const [ada, bob, again] = files;
  assert.match(ada ?? '', /BEGIN NATS USER JWT[\s\S]*BEGIN USER NKEY SEED/);
  assert.equal(again, ada);
  assert.notEqual(bob, ada);
});

test('an admin gets the credentials of the admin and of any user', async () => {
  const emulator = strictEmulator();
  const admin = as(emulator, 'ada');
  const own = await as(emulator, 'bob')('GET', `${path}/credentials`);
  assert.notEqual(fileOf((await admin('GET', `${path}/admin_credentials`)).at('credentials')), '');
  const of = await admin('GET', `${path}/user_credentials?user=BOB`);
  assert.equal(of.at('credentials'), own.at('credentials'));
  assert.equal((await admin('GET', `${path}/user_credentials?user=nobody`)).status, 404);
});
