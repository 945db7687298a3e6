// Verifies provenance files.
// Mirrors: helm.sh/helm/v3, pkg/provenance, sign.go, v3.17.3. The only file that uses `openpgp`.

import { readFileSync } from 'node:fs';
import type { PublicKey } from 'openpgp';
import { digestBytes } from '../../chart/digest.ts';
import { parseYamlMap } from '../../codec/yaml/parse.ts';
import { messageOf } from '../../core/errors.ts';
import { asLimit } from '../../core/limits.ts';
import { decodeUtf8 } from '../../go/utf8.ts';
import { GoError, type GoValue } from '../../go/value.ts';
import { VendorError } from './errors.ts';

/** Verifies archives with their provenance files. */
type Verifier = (
  archive: { readonly data: Uint8Array; readonly name: string },
  provenance: Uint8Array,
) => Promise<string>;

/** Returns a verifier for a keyring, binary or armored. Rejects with FILE_FAILED. */
export async function createVerifier(keyring: string): Promise<Verifier> {
  const openpgp = await import('openpgp');
  const keys = await readKeyring(keyring, openpgp);
  return async ({ data, name }, provenance) => {
    const fail = (why: string, cause?: unknown): VendorError =>
      new VendorError('NOT_VERIFIED', `${name} is not verified: ${why}`, {
        cause,
        hint: 'Do not trust it before the maintainers of the chart have explained why.',
      });
    const message = await openpgp
      .readCleartextMessage({ cleartextMessage: decodeUtf8(provenance) })
      .catch((error: unknown) => {
        throw fail('its provenance file has no signed message', error);
      });
    // Charts are signed for years: Helm also accepts old keys with old hashes.
    const config = {
      rejectHashAlgorithms: new Set([openpgp.enums.hash.md5]),
      rejectMessageHashAlgorithms: new Set([openpgp.enums.hash.md5]),
      minRSABits: 1024,
    };
    const { signatures } = await openpgp.verify({ message, verificationKeys: keys, config });
    const [signature] = signatures;
    if (signature === undefined) throw fail('its provenance file has no signature');
    await signature.verified.catch((error: unknown) => {
      throw fail(`openpgp: ${reasonOf(error, keyring)}`, error);
    });
    checkSum(message.getText(), { data, name }, fail);
    return signerOf(keys, signature.keyID.toHex());
  };
}

function reasonOf(error: unknown, keyring: string): string {
  const { message } = error as Error;
  // The library has no code for this error.
  return /could not find signing key/i.test(message) ? `signed by a key that is not in ${keyring}` : message;
}

async function readKeyring(file: string, openpgp: typeof import('openpgp')): Promise<PublicKey[]> {
  try {
    const data = readFileSync(file);
    const isArmoured = data.subarray(0, 64).toString('latin1').startsWith('-----BEGIN');
    return isArmoured
      ? await openpgp.readKeys({ armoredKeys: data.toString('utf8') })
      : await openpgp.readKeys({ binaryKeys: data });
  } catch (error) {
    throw new VendorError('FILE_FAILED', `${file} cannot be read as a keyring: ${messageOf(error)}`, {
      cause: error,
      hint: 'Name one (--keyring FILE); GnuPG writes it: gpg --export > pubring.gpg.',
    });
  }
}

// The signed message contains the Chart.yaml, a line of three dots, and the digests of files by name.
function checkSum(
  text: string,
  { data, name }: { readonly data: Uint8Array; readonly name: string },
  fail: (why: string) => VendorError,
): void {
  const [, sums] = text.split('\n...\n');
  if (sums === undefined) throw fail('its provenance file contains no sums');
  const signedDigest = sumOf(sums, name);
  if (signedDigest === undefined) throw fail(`its provenance file contains no sum of ${name}`);
  const digest = digestBytes(data);
  if (signedDigest !== digest) throw fail(`the archive has digest ${digest}, and the signed digest is ${signedDigest}`);
}

function sumOf(text: string, name: string): string | undefined {
  let files: GoValue | undefined;
  try {
    files = parseYamlMap(text).get('files');
  } catch (error) {
    if (!(error instanceof GoError) && asLimit(error) === undefined) throw error;
  }
  const sum = files instanceof Map ? files.get(name) : undefined;
  return typeof sum === 'string' ? sum : undefined;
}

function signerOf(keys: readonly PublicKey[], id: string): string {
  const key = keys.find((candidate) => candidate.getKeys().some((part) => part.getKeyID().toHex() === id));
  const user = key?.getUserIDs()[0] ?? '';
  return `${user}${user === '' ? '' : ', '}${(key?.getFingerprint() ?? id).toUpperCase()}`;
}
