// The key and certificate functions of sprig, and the X.509 certificates they create and read. Keys, serial numbers and the time come
// from the host.
// Mirrors: Masterminds/sprig, crypto.go, v3.3.0; Go 1.23, crypto/x509, x509.go, `CreateCertificate`, and parser.go, `ParseCertificate`.

import { bytesToNumberBE, equalBytes } from '@noble/curves/utils.js';
import { sha1 } from '@noble/hashes/legacy.js';
import { convertGoError, prefixGoError } from '../../core/catch.ts';
import type { Host } from '../../core/host.ts';
import { decodeBase64 } from '../../go/base64.ts';
import { formatValue } from '../../go/format.ts';
import { parseIp } from '../../go/net.ts';
import { quote } from '../../go/number.ts';
import { decodeUtf8, encodeUtf8, isAscii } from '../../go/utf8.ts';
import { type FuncMap, func, GoError, GoObject, type GoValue } from '../../go/value.ts';
import {
  bitString,
  DerReader,
  decodePem,
  derInteger,
  derText,
  derTime,
  element,
  encodePem,
  objectIdentifier,
  octetString,
  sequence,
  tagged,
  tags,
} from './der.ts';
import {
  generateDsaKey,
  generateEcdsaKey,
  generateEd25519Key,
  generateRsaKey,
  type PrivateKey,
  parsePrivateKey,
  type Signer,
} from './keys.ts';

/** The result of the `gen…` functions: a certificate and its private key in PEM. */
export class Certificate extends GoObject {
  readonly type = 'sprig.certificate';
  readonly cert: string;
  readonly key: string;

  constructor(cert: string, key: string) {
    super();
    this.cert = cert;
    this.key = key;
  }

  override fields(): ReadonlyMap<string, GoValue> {
    return new Map([
      ['Cert', this.cert],
      ['Key', this.key],
    ]);
  }
}

/** Returns the functions that generate keys and certificates. */
export function createCertificateFuncs(host: Host): FuncMap {
  const list = '[]interface {}';
  const rsa: KeyMaker = () => generateRsaKey(host, 2048);
  return new Map([
    ['genPrivateKey', func(['string'], (type) => generatePrivateKey(host, type))],
    ['buildCustomCert', func(['string', 'string'], buildCustomCert)],
    ['genCA', func(['string', 'int'], (cn, days) => selfSigned(host, { cn, days, isCa: true }, rsa))],
    [
      'genCAWithKey',
      func(['string', 'int', 'string'], (cn, days, pem) => selfSigned(host, { cn, days, isCa: true }, given(pem))),
    ],
    [
      'genSelfSignedCert',
      func(['string', list, list, 'int'], (cn, ips, dns, days) => selfSigned(host, { cn, ips, dns, days }, rsa)),
    ],
    [
      'genSelfSignedCertWithKey',
      func(['string', list, list, 'int', 'string'], (cn, ips, dns, days, pem) =>
        selfSigned(host, { cn, ips, dns, days }, given(pem)),
      ),
    ],
    [
      'genSignedCert',
      func(['string', list, list, 'int', 'sprig.certificate'], (cn, ips, dns, days, ca) =>
        signed(host, { cn, ips, dns, days }, { makeKey: rsa, ca }),
      ),
    ],
    [
      'genSignedCertWithKey',
      func(['string', list, list, 'int', 'sprig.certificate', 'string'], (cn, ips, dns, days, ca, pem) =>
        signed(host, { cn, ips, dns, days }, { makeKey: given(pem), ca }),
      ),
    ],
  ]);
}

/** Returns the key of a certificate. Generating a key is slow, so the other arguments are validated first. */
type KeyMaker = () => PrivateKey;

// Errors of the key are reported first.
function given(pem: string): KeyMaker {
  const key = prefixGoError('parsing private key', () => parsePrivateKey(pem));
  return () => key;
}

function generatePrivateKey(host: Host, type: string): string {
  if (type === '' || type === 'rsa') return generateRsaKey(host, 4096).pem;
  if (type === 'dsa') return generateDsaKey(host).pem;
  if (type === 'ecdsa') return generateEcdsaKey(host).pem;
  if (type === 'ed25519') return generateEd25519Key(host).pem;
  return `Unknown type ${type}`;
}

// Validates only: the result is the input.
function buildCustomCert(cert64: string, key64: string): Certificate {
  const cert = decodeOr(cert64, 'unable to decode base64 certificate');
  const key = decodeOr(key64, 'unable to decode base64 private key');
  readCertificate(cert, 'decodedCert');
  prefixGoError('error parsing private key', () => parsePrivateKey(key));
  return new Certificate(cert, key);
}

function decodeOr(text: string, failure: string): string {
  return convertGoError(
    () => decodeUtf8(decodeBase64(text)),
    () => new GoError(failure),
  );
}

function readCertificate(pem: string, variable: string): Issuer {
  const block = decodePem(pem);
  if (block === undefined) throw new GoError('unable to decode certificate');
  return prefixGoError(`error parsing certificate: ${variable}.Bytes`, () => parseCertificate(block.bytes));
}

interface Request {
  readonly cn: string;
  readonly ips?: readonly GoValue[] | null;
  readonly dns?: readonly GoValue[] | null;
  readonly days: number;
  readonly isCa?: boolean;
}

function selfSigned(host: Host, request: Request, makeKey: KeyMaker): Certificate {
  const template = templateOf(host, request);
  const key = makeKey();
  return certify(template, key, { key });
}

function signed(host: Host, request: Request, parts: { makeKey: KeyMaker; ca: GoObject }): Certificate {
  const fields = parts.ca.fields();
  const issuer = readCertificate(String(fields.get('Cert')), 'decodedSignerCert');
  const key = prefixGoError('error parsing private key', () => parsePrivateKey(String(fields.get('Key'))));
  const template = templateOf(host, request);
  return certify(template, parts.makeKey(), { key, issuer });
}

function certify(
  template: CertificateTemplate,
  key: PrivateKey,
  by: { key: PrivateKey; issuer?: Issuer },
): Certificate {
  const der = prefixGoError('error creating certificate', () => createCertificate(template, key, by));
  return new Certificate(encodePem('CERTIFICATE', der), key.pem);
}

const dayInNanoseconds = 86_400_000_000_000n;

function templateOf(host: Host, request: Request): CertificateTemplate {
  const ips = (request.ips ?? []).map(ipAddress);
  const dnsNames = (request.dns ?? []).map(dnsName);
  const notBefore = host.now();
  // A Go duration has 64 bits: beyond 292 years it overflows into the past.
  const validity = BigInt.asIntN(64, dayInNanoseconds * BigInt(request.days));
  return {
    serialNumber: bytesToNumberBE(host.randomBytes(16)),
    commonName: request.cn,
    ips,
    dnsNames,
    notBefore,
    notAfter: notBefore + Number(validity / 1_000_000n),
    isCa: request.isCa ?? false,
  };
}

function ipAddress(value: GoValue): Uint8Array {
  if (typeof value !== 'string') throw new GoError(`error parsing ip: ${formatValue(value)} is not a string`);
  const address = parseIp(value);
  if (address === undefined) throw new GoError(`error parsing ip: ${value}`);
  return address;
}

function dnsName(value: GoValue): string {
  if (typeof value === 'string') return value;
  throw new GoError(`error processing alternate dns name: ${formatValue(value)} is not a string`);
}

interface CertificateTemplate {
  readonly serialNumber: bigint;
  readonly commonName: string;
  readonly ips: readonly Uint8Array[];
  readonly dnsNames: readonly string[];
  /** In milliseconds since 1970. */
  readonly notBefore: number;
  readonly notAfter: number;
  readonly isCa: boolean;
}

interface Issuer {
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
function createCertificate(
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
  if (!equalBytes(publicKeyInfo(signing), issuer.publicKeyInfo)) {
    throw new GoError("x509: provided PrivateKey doesn't match parent's PublicKey");
  }
  // A self-signed certificate has no authority key identifier.
  const authorityKeyId = equalBytes(issuer.name, subject) ? new Uint8Array() : issuer.keyId;
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

/** Reads the subject of a certificate. Throws `GoError` with Go's message for an invalid certificate. */
function parseCertificate(der: Uint8Array): Issuer {
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
  if (!equalBytes(inner, algorithm)) {
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
