// The key and certificate functions of sprig. Keys, serial numbers and the time come from the host.
// Mirrors: Masterminds/sprig, crypto.go, v3.3.0.

import type { Host } from '../../core/host.ts';
import { decodeBase64 } from '../../go/base64.ts';
import { formatValue } from '../../go/format.ts';
import { parseIp } from '../../go/net.ts';
import { decodeUtf8 } from '../../go/utf8.ts';
import { type FuncMap, func, GoError, GoObject, type GoValue } from '../../go/value.ts';
import { fromBytes } from './der.ts';
import {
  generateDsaKey,
  generateEcdsaKey,
  generateEd25519Key,
  generateRsaKey,
  type PrivateKey,
  parsePrivateKey,
} from './keys.ts';
import { decodePem, encodePem } from './pem.ts';
import { type CertificateTemplate, createCertificate, type Issuer, parseCertificate } from './x509.ts';

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
    ['genCA', func(['string', 'int'], (cn, days) => authority(host, { cn, days }, rsa))],
    ['genCAWithKey', func(['string', 'int', 'string'], (cn, days, pem) => authority(host, { cn, days }, given(pem)))],
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
  const key = withLabel('parsing private key', () => parsePrivateKey(pem));
  return () => key;
}

function generatePrivateKey(host: Host, type: string): string {
  if (type === '' || type === 'rsa') return generateRsaKey(host, 4096).pem;
  if (type === 'dsa') return generateDsaKey(host).pem;
  if (type === 'ecdsa') return generateEcdsaKey(host).pem;
  if (type === 'ed25519') return generateEd25519Key(host).pem;
  return `Unknown type ${type}`;
}

function withLabel<T>(label: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw error instanceof GoError ? new GoError(`${label}: ${error.message}`) : error;
  }
}

// Validates only: the result is the input.
function buildCustomCert(cert64: string, key64: string): Certificate {
  const cert = decodeOr(cert64, 'unable to decode base64 certificate');
  const key = decodeOr(key64, 'unable to decode base64 private key');
  readCertificate(cert, 'decodedCert');
  withLabel('error parsing private key', () => parsePrivateKey(key));
  return new Certificate(cert, key);
}

function decodeOr(text: string, failure: string): string {
  try {
    return decodeUtf8(decodeBase64(text));
  } catch {
    throw new GoError(failure);
  }
}

function readCertificate(pem: string, variable: string): Issuer {
  const block = decodePem(pem);
  if (block === undefined) throw new GoError('unable to decode certificate');
  return withLabel(`error parsing certificate: ${variable}.Bytes`, () => parseCertificate(block.bytes));
}

interface Request {
  readonly cn: string;
  readonly ips?: readonly GoValue[] | null;
  readonly dns?: readonly GoValue[] | null;
  readonly days: number;
}

function authority(host: Host, request: Request, makeKey: KeyMaker): Certificate {
  const template = { ...templateOf(host, request), isCa: true };
  const key = makeKey();
  return certify(template, key, { key });
}

function selfSigned(host: Host, request: Request, makeKey: KeyMaker): Certificate {
  const template = templateOf(host, request);
  const key = makeKey();
  return certify(template, key, { key });
}

function signed(host: Host, request: Request, parts: { makeKey: KeyMaker; ca: GoObject }): Certificate {
  const fields = parts.ca.fields();
  const issuer = readCertificate(String(fields.get('Cert')), 'decodedSignerCert');
  const key = withLabel('error parsing private key', () => parsePrivateKey(String(fields.get('Key'))));
  const template = templateOf(host, request);
  return certify(template, parts.makeKey(), { key, issuer });
}

function certify(
  template: CertificateTemplate,
  key: PrivateKey,
  by: { key: PrivateKey; issuer?: Issuer },
): Certificate {
  const der = withLabel('error creating certificate', () => createCertificate(template, key, by));
  return new Certificate(encodePem('CERTIFICATE', der), key.pem);
}

const dayInNanoseconds = 86_400_000_000_000n;

function templateOf(host: Host, request: Request): CertificateTemplate {
  const ips = (request.ips ?? []).map(parseAddress);
  const dnsNames = (request.dns ?? []).map(dnsName);
  const notBefore = host.now();
  // A Go duration has 64 bits: beyond 292 years it overflows into the past.
  const validity = BigInt.asIntN(64, dayInNanoseconds * BigInt(request.days));
  return {
    serialNumber: fromBytes(host.randomBytes(16)),
    commonName: request.cn,
    ips,
    dnsNames,
    notBefore,
    notAfter: notBefore + Number(validity / 1_000_000n),
    isCa: false,
  };
}

function parseAddress(value: GoValue): Uint8Array {
  if (typeof value !== 'string') throw new GoError(`error parsing ip: ${formatValue(value)} is not a string`);
  const address = parseIp(value);
  if (address === undefined) throw new GoError(`error parsing ip: ${value}`);
  return address;
}

function dnsName(value: GoValue): string {
  if (typeof value === 'string') return value;
  throw new GoError(`error processing alternate dns name: ${formatValue(value)} is not a string`);
}
