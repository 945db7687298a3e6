// X.509 certificates: creates those of sprig's functions, and reads the issuer's.
// Mirrors: Go 1.23, crypto/x509, x509.go, `CreateCertificate`, and parser.go, `ParseCertificate`.

import { sha1 } from '@noble/hashes/legacy.js';
import { quote } from '../../go/number.ts';
import { encodeUtf8, isAscii } from '../../go/utf8.ts';
import { GoError } from '../../go/value.ts';
import {
  bitString,
  DerReader,
  derInteger,
  derText,
  derTime,
  element,
  objectIdentifier,
  octetString,
  sequence,
  tagged,
  tags,
} from './der.ts';
import type { PrivateKey, Signer } from './keys.ts';

/** The content of a certificate. */
export interface CertificateTemplate {
  readonly serialNumber: bigint;
  readonly commonName: string;
  readonly ips: readonly Uint8Array[];
  readonly dnsNames: readonly string[];
  /** In milliseconds since 1970. */
  readonly notBefore: number;
  readonly notAfter: number;
  readonly isCa: boolean;
}

/** The certificate of an issuer. */
export interface Issuer {
  /** The name of its subject in DER. */
  readonly name: Uint8Array;
  /** Empty if it has none. */
  readonly keyId: Uint8Array;
  /** Its SubjectPublicKeyInfo in DER. */
  readonly publicKeyInfo: Uint8Array;
}

const extensionIds = {
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyId: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
} as const;

const commonNameId = '2.5.4.3';
const serverAuthId = '1.3.6.1.5.5.7.3.1';
const clientAuthId = '1.3.6.1.5.5.7.3.2';

/**
 * Returns a certificate for `key` in DER, signed by `signingKey` in the name of `issuer`, by default self-signed. Throws `GoError` for keys
 * that cannot sign or do not belong to the issuer.
 */
export function createCertificate(
  template: CertificateTemplate,
  key: PrivateKey,
  by: { readonly key: PrivateKey; readonly issuer?: Issuer },
): Uint8Array {
  const signing = by.key.signer;
  if (signing === undefined) throw new GoError('x509: certificate private key does not implement crypto.Signer');
  const own = key.signer;
  if (own === undefined) throw new GoError(`x509: unsupported public key type: ${key.publicType}`);
  const subject = subjectName(template.commonName);
  const issuer = by.issuer ?? { name: subject, keyId: new Uint8Array(), publicKeyInfo: publicKeyInfo(signing) };
  if (!sameBytes(publicKeyInfo(signing), issuer.publicKeyInfo)) {
    throw new GoError("x509: provided PrivateKey doesn't match parent's PublicKey");
  }
  // A self-signed certificate has no authority key identifier.
  const authorityKeyId = sameBytes(issuer.name, subject) ? new Uint8Array() : issuer.keyId;
  const body = sequence(
    tagged(0, derInteger(2n)),
    derInteger(template.serialNumber),
    signing.signatureAlgorithm,
    issuer.name,
    sequence(derTime(template.notBefore), derTime(template.notAfter)),
    subject,
    publicKeyInfo(own),
    tagged(3, sequence(...extensions(template, own.publicKey, authorityKeyId))),
  );
  return sequence(body, signing.signatureAlgorithm, bitString(signing.sign(body)));
}

function subjectName(commonName: string): Uint8Array {
  if (commonName === '') return sequence();
  return sequence(element(tags.set, sequence(objectIdentifier(commonNameId), derText(commonName))));
}

function publicKeyInfo(signer: Signer): Uint8Array {
  return sequence(signer.publicAlgorithm, bitString(signer.publicKey));
}

function extensions(template: CertificateTemplate, publicKey: Uint8Array, authorityKeyId: Uint8Array): Uint8Array[] {
  const { isCa, dnsNames, ips } = template;
  // Digital signature, key encipherment and, for an authority, certificate signing.
  const usage = isCa ? bitString(Uint8Array.of(0b10100100), 2) : bitString(Uint8Array.of(0b10100000), 5);
  const list = [
    extension(extensionIds.keyUsage, true, usage),
    extension(extensionIds.extendedKeyUsage, false, sequence(...[serverAuthId, clientAuthId].map(objectIdentifier))),
    extension(
      extensionIds.basicConstraints,
      true,
      isCa ? sequence(element(tags.boolean, Uint8Array.of(0xff))) : sequence(),
    ),
  ];
  if (isCa) list.push(extension(extensionIds.subjectKeyId, false, octetString(sha1(publicKey))));
  if (authorityKeyId.length > 0) {
    list.push(extension(extensionIds.authorityKeyId, false, sequence(tagged(0, authorityKeyId, false))));
  }
  if (dnsNames.length + ips.length > 0) {
    const names = [...dnsNames.map((name) => tagged(2, ia5(name), false)), ...ips.map((ip) => tagged(7, ip, false))];
    // Without a subject, the alternative names are critical.
    list.push(extension(extensionIds.subjectAltName, template.commonName === '', sequence(...names)));
  }
  return list;
}

function extension(id: string, critical: boolean, value: Uint8Array): Uint8Array {
  const flag = critical ? [element(tags.boolean, Uint8Array.of(0xff))] : [];
  return sequence(objectIdentifier(id), ...flag, octetString(value));
}

function ia5(name: string): Uint8Array {
  if (!isAscii(name)) throw new GoError(`x509: ${quote(name)} cannot be encoded as an IA5String`);
  return encodeUtf8(name);
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** Reads the subject of a certificate. Throws `GoError` with Go's message for an invalid certificate. */
export function parseCertificate(der: Uint8Array): Issuer {
  const outer = new DerReader(der);
  const certificate = outer.inside(tags.sequence, 'x509: malformed certificate');
  if (outer.left) throw new GoError('x509: trailing data');
  const body = certificate.inside(tags.sequence, 'x509: malformed tbs certificate');
  if (body.has(0xa0) && body.inside(0xa0, 'x509: malformed version').integer('x509: malformed version') > 2n) {
    throw new GoError('x509: invalid version');
  }
  body.integer('x509: malformed serial number');
  const inner = body.element(tags.sequence, 'x509: malformed signature algorithm identifier').raw;
  const algorithm = certificate.element(tags.sequence, 'x509: malformed algorithm identifier').raw;
  if (!sameBytes(inner, algorithm)) {
    throw new GoError("x509: inner and outer signature algorithm identifiers don't match");
  }
  body.element(tags.sequence, 'x509: malformed issuer');
  body.element(tags.sequence, 'x509: malformed validity');
  const name = body.element(tags.sequence, 'x509: malformed issuer').raw;
  const publicKeyInfo = body.element(tags.sequence, 'x509: malformed spki').raw;
  const keyId = readSubjectKeyId(body);
  certificate.element(tags.bitString, 'x509: malformed signature');
  return { name, keyId, publicKeyInfo };
}

function readSubjectKeyId(body: DerReader): Uint8Array {
  for (const unique of [0x81, 0x82]) if (body.has(unique)) body.element(unique, '');
  if (!body.has(0xa3)) return new Uint8Array();
  const list = body.inside(0xa3, 'x509: malformed extensions').inside(tags.sequence, 'x509: malformed extensions');
  let keyId = new Uint8Array();
  while (list.left) {
    const entry = list.inside(tags.sequence, 'x509: malformed extension');
    const id = entry.objectIdentifier('x509: malformed extension OID field');
    if (entry.has(tags.boolean)) entry.element(tags.boolean, '');
    const value = entry.element(tags.octetString, 'x509: malformed extension value field').content;
    if (id !== extensionIds.subjectKeyId) continue;
    keyId = Uint8Array.from(
      new DerReader(value).element(tags.octetString, 'x509: invalid subject key identifier').content,
    );
  }
  return keyId;
}
