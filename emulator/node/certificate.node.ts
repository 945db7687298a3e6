// The certificate of an HTTPS server: read from a folder, or created there with its own authority.

import { readFile, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { makeFolder } from '../../render/core/make-folder.node.ts';
import { EmulatorError } from '../core/errors.ts';
import { reasonOf } from '../core/reasons.ts';

/** A key and a certificate in PEM, and where the certificate of the authority is. */
export interface CertificateFiles {
  readonly key: string;
  readonly cert: string;
  /** The path of ca.pem; undefined for a certificate from elsewhere. */
  readonly caFile: string | undefined;
}

const fileNames = ['key.pem', 'cert.pem', 'ca.pem'];
// Marks certificates that we created.
const authorityName = 'drydock development authority';
const own = ['localhost', '127.0.0.1', '::1'];

/**
 * Returns the key and certificate of a folder (key.pem, cert.pem), for `startServer({ tls })`. If they are missing or ours have expired,
 * they are created for this machine and the given names and addresses, with ca.pem beside them. Throws an `EmulatorError` (SETTING_INVALID)
 * if the folder cannot be used; foreign files are never overwritten.
 */
export async function certificateIn(folder: string, names: readonly string[] = []): Promise<CertificateFiles> {
  const caFile = join(folder, 'ca.pem');
  try {
    const [key, cert, ca] = await Promise.all([
      readIfThere(join(folder, 'key.pem')),
      readIfThere(join(folder, 'cert.pem')),
      readIfThere(caFile),
    ]);
    const isOurs = ca !== undefined && (await isMadeHere(ca, cert));
    if (key !== undefined && cert !== undefined && (!isOurs || (await isFresh(cert, names)))) {
      return { key, cert, caFile: ca === undefined ? undefined : caFile };
    }
    const foreign = [key, cert, ca].findIndex((pem) => pem !== undefined);
    if (foreign >= 0 && !isOurs) {
      const [has, lacks] = [fileNames[foreign], fileNames.slice(0, 2).filter((_, at) => [key, cert][at] === undefined)];
      throw new Error(`there is ${has} without ${lacks.join(' and ')}, and drydock does not overwrite files`);
    }
    return { ...(await make(folder, names)), caFile };
  } catch (failure) {
    const hint = 'name a folder that can be written, or one with key.pem and cert.pem';
    throw new EmulatorError('SETTING_INVALID', [{ path: folder, message: reasonOf(failure), hint }]);
  }
}

async function make(
  folder: string,
  names: readonly string[],
): Promise<{ readonly key: string; readonly cert: string }> {
  const { makeServerCertificate } = await import('../../render/functions/certificates/server-certificate.node.ts');
  const all = [...new Set([...own, ...names.filter((name) => name !== '*' && name !== '')])];
  const { key, cert, ca } = makeServerCertificate(
    authorityName,
    all.filter((name) => isIP(name) === 0),
    all.filter((name) => isIP(name) !== 0),
  );
  makeFolder(folder);
  await writeFile(join(folder, 'key.pem'), key, { mode: 0o600 });
  await writeFile(join(folder, 'cert.pem'), cert);
  await writeFile(join(folder, 'ca.pem'), ca);
  return { key, cert };
}

// The certificate may have been replaced by one from elsewhere.
async function isMadeHere(ca: string, cert: string | undefined): Promise<boolean> {
  const { X509Certificate } = await import('node:crypto');
  const authority = `CN=${authorityName}`;
  return (
    new X509Certificate(ca).subject === authority &&
    (cert === undefined || new X509Certificate(cert).issuer === authority)
  );
}

async function isFresh(pem: string, names: readonly string[]): Promise<boolean> {
  // Rarely needed and slow to load.
  const { X509Certificate } = await import('node:crypto');
  const certificate = new X509Certificate(pem);
  const isFor = (name: string): boolean =>
    name === '*' || (isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name)) !== undefined;
  return Date.parse(certificate.validTo) > Date.now() && names.every(isFor);
}

function readIfThere(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((failure: NodeJS.ErrnoException) => {
    if (failure.code === 'ENOENT') return undefined;
    throw failure;
  });
}
