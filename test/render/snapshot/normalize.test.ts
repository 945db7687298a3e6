// The recorded form of a rendering: only random values are left out, and no secret can be read.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { derInteger, encodePem, sequence, derText as utf8 } from '../../../render/functions/certificates/der.ts';
import { normalizeFiles } from '../../../render/snapshot/normalize.ts';
import { markText } from '../../../render/snapshot/random.ts';

const secret = (text: string): string =>
  `---\n# Source: a/templates/a.yaml\napiVersion: v1\nkind: Secret\nmetadata:\n  name: a\ndata:\n  url: ${Buffer.from(text).toString('base64')}\n`;

const normalized = (text: string, twin: string): string =>
  normalizeFiles(new Map([['a.yaml', secret(text)]]), { twin: new Map([['a.yaml', secret(twin)]]) }).files.get(
    'a.yaml',
  )!;

suite('a Secret with a random part', () => {
  const url = (password: string, host: string): string => `amqp://admin:${password}@${host}:5672/\n`;
  test('is unchanged with another password', () => {
    const one = normalized(url('aB3dE9xYz1', 'db'), url('qW8rT5kLm2', 'db'));
    assert.equal(one, normalized(url('Zz9yX8wV7u', 'db'), url('T6sR5qP4oN', 'db')));
    assert.match(one, /url: <secret [0-9a-f]{16} and random>\n/);
  });
  test('differs with another host', () => {
    const of = (host: string): string => normalized(url('aB3dE9xYz1', host), url('qW8rT5kLm2', host));
    assert.notEqual(of('db'), of('db2'));
  });
  test('is random if it contains nothing else', () => {
    assert.match(normalized('aB3dE9xYz1', 'qW8rT5kLm2'), /url: <random>\n/);
  });
  test('is not decoded in a script that contains it', () => {
    const files = (text: string) =>
      new Map([
        ['a.yaml', secret(text)],
        ['a.sh', `echo ${text} ${Buffer.from(text).toString('base64')}`],
      ]);
    const script = normalizeFiles(files('admin:aB3dE9xYz1'), { twin: files('admin:qW8rT5kLm2') }).files.get('a.sh')!;
    assert.match(script, /^echo <secret [0-9a-f]{16} and random> <secret [0-9a-f]{16} and random>$/);
  });
});

suite('a Secret cannot be read', () => {
  const files = (...others: readonly (readonly [string, string])[]) =>
    normalizeFiles(
      new Map([
        [
          'a.yaml',
          'kind: Secret\napiVersion: v1\nmetadata: {name: a}\nstringData:\n  a: "one 1\\n\\ntwo 2\\n"\n  b: "it\'s \\"c\\\\d\\""\n',
        ],
        ...others,
      ]),
    ).files;
  const text = /^a: <secret [0-9a-f]{16}>\nb: <secret [0-9a-f]{16}>$/;
  test('in the values of a script', () => {
    const values = 'a: one 1\\n\\ntwo 2\\n\nb: it\'s \\"c\\\\d\\"';
    assert.match(files(['helm.sh', values]).get('helm.sh')!, text);
  });
  test('in the objects of a script', () => {
    const script = 'a: |\n    one 1\n\n    two 2\nb: it\'s "c\\d"';
    assert.match(files(['kubectl.sh', script]).get('kubectl.sh')!, text);
  });
  test('in a list of its type', () => {
    const list = 'kind: SecretList\napiVersion: v1\nitems:\n- metadata: {name: a}\n  stringData: {a: readable}\n';
    const recorded = normalizeFiles(new Map([['a.yaml', list]])).files.get('a.yaml')!;
    assert.match(recorded, /^ {4}a: <secret [0-9a-f]{16}>$/m);
  });
});

test('a Secret keeps every digit', () => {
  const of = (head: string): string =>
    normalizeFiles(new Map([['a.yaml', `kind: Secret\napiVersion: v1\n${head}\nstringData: {a: b}\n`]])).files.get(
      'a.yaml',
    )!;
  assert.match(of('metadata: {x: 9007199254740993}'), /9007199254740993/);
});

const marked: readonly (readonly [text: string, twin: string, want: string])[] = [
  ['amqp://u:aB3dE9xYz1@db/x', 'amqp://u:qW8rT5kLm2@db/x', 'amqp://u:<random>@db/x'],
  ['u:aaaa1@db.local/bbbb2?x=1', 'u:cccc3@db.local/dddd4?x=1', 'u:<random>@db.local/<random>?x=1'],
  // Common substrings of two random words.
  ['aB3dE9xYz1', 'aW8rT5kLm1', '<random>'],
  ['ab+cd/ef', 'gh/ij+kl', '<random>'],
  ['6f1c2a3b-1111-4abc-9def-001122334455', '0a9b8c7d-2222-4def-8abc-998877665544', '<random>'],
  ['a\nb1c2\nd', 'a\nf3e4\nx\nd', 'a\n<random>\nd'],
];

suite('partly random texts', () => {
  for (const [text, twin, want] of marked) test(JSON.stringify(text), () => assert.equal(markText(text, twin), want));
});

suite('a generated certificate', () => {
  const certificate = (serial: number, host: string): string =>
    encodePem('CERTIFICATE', sequence(derInteger(BigInt(serial)), sequence(utf8(host))));
  test('is unchanged with another serial number', () => {
    const one = normalized(certificate(7_000_001, 'web'), certificate(7_000_002, 'web'));
    assert.equal(one, normalized(certificate(7_000_003, 'web'), certificate(7_000_004, 'web')));
  });
  test('differs with another host', () => {
    const of = (host: string): string => normalized(certificate(7_000_001, host), certificate(7_000_002, host));
    assert.notEqual(of('web'), of('wab'));
  });
  test('shows its parts outside a Secret', () => {
    const [one, other] = [certificate(7_000_001, 'web'), certificate(7_000_002, 'web')];
    const want = '-----BEGIN CERTIFICATE-----\n<random>\n13 web\n-----END CERTIFICATE-----\n';
    assert.equal(markText(one, other), want);
    assert.equal(markText(btoa(one), btoa(other)), want);
  });
});
