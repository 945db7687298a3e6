// HTTPS with a generated certificate, tested with a real client.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { test } from 'node:test';
import { certificateIn, startServer } from '../../../emulator/server.node.ts';
import { makeServerCertificate } from '../../../render/functions/certificates/server-certificate.node.ts';
import { createProject } from '../../support/project.ts';

const { folder } = createProject();

function get(url: string, ca: string | undefined, servername?: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { ca, ...(servername !== undefined && { servername }) }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.end();
  });
}

test('a certificate is created once and is valid for this machine and the given names, only with its authority', async () => {
  const made = await certificateIn(folder, ['emulator']);
  assert.deepEqual(await certificateIn(folder, ['emulator']), made);
  assert.equal((await stat(join(folder, 'key.pem'))).mode & 0o077, 0);
  const { key, cert, caFile } = made;
  const server = await startServer({}, { tls: { key, cert } });
  try {
    assert.match(server.url, /^https:/);
    const ca = await readFile(caFile ?? '', 'utf8');
    const address = `${server.url}/api/v1/version`;
    assert.equal(await get(address, ca), 200);
    assert.equal(await get(address, ca, 'emulator'), 200);
    await assert.rejects(get(address, undefined), /self-signed|unable to verify|issuer/);
  } finally {
    await server.close();
  }
  assert.notEqual((await certificateIn(folder, ['emulator', 'other.example'])).cert, cert);
  // With a different authority the same files are not changed.
  await writeFile(join(folder, 'ca.pem'), (await certificateIn(join(folder, 'another'))).cert);
  const kept = await readFile(join(folder, 'cert.pem'), 'utf8');
  assert.equal((await certificateIn(folder, ['third.example'])).cert, kept);
});

test('a certificate that replaced the one made here is not overwritten', async () => {
  const place = join(folder, 'replaced');
  await certificateIn(place);
  const { key, cert } = makeServerCertificate('another authority', ['app.example'], []);
  await writeFile(join(place, 'key.pem'), key);
  await writeFile(join(place, 'cert.pem'), cert);
  assert.equal((await certificateIn(place, ['127.0.0.1', 'app.local'])).cert, cert);
  assert.equal(await readFile(join(place, 'key.pem'), 'utf8'), key);
});

test('a folder with another certificate is used unchanged, an invalid one is reported', async () => {
  const own = await mkdtemp(join(folder, 'own-'));
  await writeFile(join(own, 'key.pem'), 'k');
  await writeFile(join(own, 'cert.pem'), 'c');
  assert.deepEqual(await certificateIn(own), { key: 'k', cert: 'c', caFile: undefined });
  await rm(join(own, 'cert.pem'));
  await assert.rejects(certificateIn(own), /there is key\.pem without cert\.pem/);
  assert.equal(await readFile(join(own, 'key.pem'), 'utf8'), 'k');
});
