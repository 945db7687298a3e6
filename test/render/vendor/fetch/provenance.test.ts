// Provenance files: only a valid signature of a known key for exactly this archive is accepted.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { createCleartextMessage, generateKey, sign } from 'openpgp';
import { createVerifier } from '../../../../render/vendor/fetch/provenance.node.ts';
import { createProject } from '../../../support/project.ts';
import { archiveOf, digestOf } from './server.ts';

const data = archiveOf('web', '1.0.0');
const name = 'web-1.0.0.tgz';
const sums = `apiVersion: v2\nname: web\nversion: 1.0.0\n\n...\nfiles:\n  ${name}: ${digestOf(data)}\n`;

async function keyOf(user: string) {
  return generateKey({ type: 'ecc', curve: 'ed25519Legacy', userIDs: [{ name: user }], format: 'object' });
}

test('an archive is verified by its signed digest', async () => {
  const [ada, bob] = await Promise.all([keyOf('Ada'), keyOf('Bob')]);
  const { folder } = createProject({ 'ada.asc': ada.publicKey.armor(), 'bob.gpg': bob.publicKey.write() });
  const [keyring, other] = [join(folder, 'ada.asc'), join(folder, 'bob.gpg')];
  const signed = async (text: string): Promise<Uint8Array> =>
    Buffer.from(await sign({ message: await createCleartextMessage({ text }), signingKeys: ada.privateKey }));
  const provenance = await signed(sums);
  const verify = await createVerifier(keyring);
  assert.match(await verify({ data, name }, provenance), /^Ada, [0-9A-F]{40}$/);
  const refused = async (
    why: RegExp,
    change: { data?: Uint8Array; name?: string; provenance?: Uint8Array; keyring?: string },
  ) => {
    const check = change.keyring === undefined ? verify : await createVerifier(change.keyring);
    const archive = { data: change.data ?? data, name: change.name ?? name };
    await assert.rejects(check(archive, change.provenance ?? provenance), { code: 'NOT_VERIFIED', message: why });
  };
  await refused(/the signed digest is sha256:/, { data: archiveOf('web', '1.0.1') });
  await refused(/contains no sum of other\.tgz/, { name: 'other.tgz' });
  await refused(/signed by a key that is not in .*bob\.gpg/, { keyring: other });
  await refused(/openpgp: /, {
    provenance: Buffer.from(Buffer.from(provenance).toString('utf8').replace('name: web', 'name: wex')),
  });
  await refused(/has no signed message/, { provenance: Buffer.from(sums) });
  await refused(/contains no sums/, { provenance: await signed('name: web\n') });
  await assert.rejects(createVerifier(join(folder, 'none')), { code: 'FILE_FAILED' });
});
