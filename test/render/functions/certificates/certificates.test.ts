import assert from 'node:assert/strict';
import { createPrivateKey, generateKeyPairSync, generatePrimeSync, X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { type Host, seededHost } from '../../../../render/core/host.ts';
import { createCertificateFuncs } from '../../../../render/functions/certificates/certificates.ts';
import { dictFuncs } from '../../../../render/functions/dicts.ts';
import { listFuncs } from '../../../../render/functions/lists.ts';
import { stringFuncs } from '../../../../render/functions/strings.ts';
import type { FuncMap } from '../../../../render/go/value.ts';
import { evaluate } from '../../../support/evaluate.ts';

// A host that generates primes like Node's, but always the same two; one test below uses none.
const sizes: number[] = [];
const primes = [generatePrimeSync(1024, { bigint: true }), generatePrimeSync(1024, { bigint: true })] as const;
const host: Host = {
  ...seededHost({ now: Date.UTC(2025, 0, 31, 12, 30, 15, 999) }),
  randomPrime: (bits) => {
    sizes.push(bits);
    if (bits < 1024) return generatePrimeSync(bits, { bigint: true });
    return sizes.length % 2 === 0 ? primes[0] : primes[1];
  },
};
const funcs: FuncMap = new Map([...createCertificateFuncs(host), ...dictFuncs, ...listFuncs, ...stringFuncs]);

const keys = {
  rsa: privateKey('rsa', { modulusLength: 2048 }),
  ec256: privateKey('ec', { namedCurve: 'P-256' }),
  ec384: privateKey('ec', { namedCurve: 'P-384' }),
  ec521: privateKey('ec', { namedCurve: 'P-521' }),
  ed25519: privateKey('ed25519', {}),
  dsa: evaluate('{{ genPrivateKey "dsa" }}', funcs),
};

function privateKey(type: string, options: object): string {
  const pair = (
    generateKeyPairSync as (type: string, options: object) => { privateKey: import('node:crypto').KeyObject }
  )(type, options);
  return pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function certificates(template: string): X509Certificate[] {
  return evaluate(template, funcs, keys)
    .split('|')
    .map((pem) => new X509Certificate(pem));
}

test('an authority and the certificates it signs', () => {
  const [ca, leaf] = certificates(
    '{{ $ca := genCA "my-ca" 365 }}{{ $ca.Cert }}|' +
      '{{ (genSignedCert "cn.example" (list "10.0.0.1" "::1" "::ffff:1.2.3.4") (list "a.b" "*.c") 30 $ca).Cert }}',
  ) as [X509Certificate, X509Certificate];
  assert.ok(ca.ca && !leaf.ca);
  assert.ok(ca.verify(ca.publicKey) && leaf.verify(ca.publicKey) && leaf.checkIssued(ca));
  assert.equal(leaf.subject, 'CN=cn.example');
  assert.equal(leaf.issuer, 'CN=my-ca');
  assert.equal(leaf.validFrom, 'Jan 31 12:30:15 2025 GMT');
  assert.equal(leaf.validTo, 'Mar  2 12:30:15 2025 GMT');
  assert.equal(
    leaf.subjectAltName,
    'DNS:a.b, DNS:*.c, IP Address:10.0.0.1, IP Address:0:0:0:0:0:0:0:1, IP Address:1.2.3.4',
  );
  assert.deepEqual(leaf.keyUsage, ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
});

test('a self-signed certificate', () => {
  const [self, nameless] = certificates(
    '{{ (genSelfSignedCert "é & co" nil (list "x.y") 10000).Cert }}|{{ (genSelfSignedCert "" nil nil 0).Cert }}',
  ) as [X509Certificate, X509Certificate];
  assert.ok(self.verify(self.publicKey) && !self.ca);
  assert.equal(self.subject, 'CN=é & co');
  // After 2049, times have a four-digit year.
  assert.equal(self.validTo, 'Jun 18 12:30:15 2052 GMT');
  assert.equal(nameless.subject, undefined);
  assert.equal(nameless.validTo, nameless.validFrom);
});

for (const name of ['rsa', 'ec256', 'ec384', 'ec521', 'ed25519'] as const) {
  test(`certificates by a given ${name} key`, () => {
    const [ca, leaf, self] = certificates(
      `{{ $ca := genCAWithKey "ca" 1 .Values.${name} }}{{ $ca.Cert }}|` +
        `{{ (genSignedCertWithKey "leaf" nil nil 1 $ca .Values.ec256).Cert }}|` +
        `{{ (genSelfSignedCertWithKey "self" nil nil 1 .Values.${name}).Cert }}`,
    ) as [X509Certificate, X509Certificate, X509Certificate];
    assert.ok(leaf.verify(ca.publicKey) && self.verify(self.publicKey));
    assert.ok(ca.checkPrivateKey(createPrivateKey(keys[name])));
    assert.ok(leaf.checkPrivateKey(createPrivateKey(keys.ec256)));
  });
}

test('keys are printed in the format of their kind, from any input format', () => {
  for (const [name, label] of [
    ['rsa', 'RSA PRIVATE KEY'],
    ['ec256', 'EC PRIVATE KEY'],
    ['ed25519', 'PRIVATE KEY'],
  ] as const) {
    const printed = evaluate(`{{ (genCAWithKey "ca" 1 .Values.${name}).Key }}`, funcs, keys);
    assert.ok(printed.startsWith(`-----BEGIN ${label}-----\n`), name);
    assert.ok(createPrivateKey(printed).equals(createPrivateKey(keys[name])), name);
    assert.equal(evaluate(`{{ (genCAWithKey "ca" 1 .Values.k).Key }}`, funcs, { k: printed }), printed, name);
  }
});

test('genPrivateKey generates keys that OpenSSL accepts', () => {
  for (const [type, details] of [
    ['rsa', { modulusLength: 2048, publicExponent: 65537n }],
    ['ecdsa', { namedCurve: 'prime256v1' }],
    ['ed25519', {}],
  ] as const) {
    assert.deepEqual(createPrivateKey(evaluate(`{{ genPrivateKey "${type}" }}`, funcs)).asymmetricKeyDetails, details);
  }
  assert.equal(sizes.at(-1), 2048);
  assert.match(keys.dsa, /^-----BEGIN DSA PRIVATE KEY-----\n/);
});

test('without crypto of the host, RSA keys are generated here and depend on the seed', () => {
  const make = (): string => evaluate('{{ (genCA "x" 1).Key }}', createCertificateFuncs(seededHost()));
  const key = make();
  assert.deepEqual(createPrivateKey(key).asymmetricKeyDetails, { modulusLength: 2048, publicExponent: 65537n });
  assert.equal(make(), key);
});

test('buildCustomCert returns its validated input', () => {
  const cert = evaluate('{{ (genCAWithKey "c" 1 .Values.ec256).Cert }}', funcs, keys);
  const built = (pem: string): string =>
    evaluate('{{ (buildCustomCert .Values.cert .Values.key).Cert }}', funcs, { cert: btoa(pem), key: btoa(keys.rsa) });
  assert.equal(built(cert), cert);
  assert.equal(
    built('-----BEGIN CERTIFICATE-----\naGk=\n-----END CERTIFICATE-----\n'),
    'ERR error calling buildCustomCert: error parsing certificate: decodedCert.Bytes: x509: malformed certificate',
  );
});
