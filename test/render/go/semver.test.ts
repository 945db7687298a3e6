import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sprintf } from '../../../render/go/format.ts';
import {
  compareVersions,
  parseConstraint,
  parseVersion,
  satisfies,
  semver33,
  semver34,
  semver35,
} from '../../../render/go/semver.ts';
import { GoError, GoObject, type GoValue, Int } from '../../../render/go/value.ts';

const constraints: [constraint: string, version: string, want: boolean | string][] = [
  ['>=1.2.0', '1.2.0', true],
  ['>=1.2.0', '1.2.0-alpha', false],
  ['>=1.2.0-0', '1.2.0-alpha', true],
  ['>=1.21-0', 'v1.21.0-eks-1', true],
  ['>=1.21', '1.29.3-gke.1', false],
  ['^1.2.3', '1.9.0', true],
  ['^1.2.3', '2.0.0', false],
  ['^0.2.3', '0.3.0', false],
  ['^0.0.3', '0.0.4', false],
  ['^0.0', '0.0.9', true],
  ['^0.0', '0.1.0', false],
  ['^0', '0.9.0', true],
  ['^*', '1.0.0', false],
  ['~1.2', '1.2.9', true],
  ['~1.2', '1.3.0', false],
  ['~1', '1.9.0', true],
  ['~>1.2', '1.9.0', false],
  ['~*', '1.0.0', true],
  ['1.2.x', '1.2.5', true],
  ['*', '1.0.0-a', false],
  ['*-0', '1.0.0-a', true],
  ['1.2 - 1.4.5', '1.4.5', true],
  ['1.2.3 - 2.3.4', '2.0.0-a', false],
  ['1.2.3-0 - 2.3.4-0', '2.0.0-a', true],
  ['>1.2, <1.5', '1.4.0', true],
  ['>1.2 <1.5', '1.5.0', false],
  ['>1.2 || <1.0', '0.9.0', true],
  ['!=1.2', '1.2.5', false],
  ['!=1.2.3', '1.2.3-beta', true],
  ['>1', '1.5.0', false],
  ['>1.2', '1.2.5', false],
  ['<=1.2', '1.2.9', true],
  ['<=1', '1.5.0', true],
  ['=>1.2', '1.2.0', true],
  ['<1.14-0', 'v1.14.0-beta', false],
  ['>1.2.3-alpha.9', '1.2.3-alpha.10', true],
  ['>1.2.3-1', '1.2.3-alpha', true],
  ['1.2.3+a', '1.2.3+b', true],
  [' 1.2 ', '1.2.0', true],
  ['==1.2', '1.2.0', 'improper constraint: ==1.2'],
  ['', '1.0.0', 'improper constraint: '],
  ['||', '1.0.0', 'improper constraint: '],
  ['1.2,', '1.2.0', 'improper constraint: 1.2,'],
  [',1.2', '1.2.0', 'improper constraint: ,1.2'],
  ['1.2.3.4', '1.2.3', 'improper constraint: 1.2.3.4'],
  ['latest', '1.0', 'improper constraint: latest'],
  ['X.Y', '1.0.0', 'improper constraint: X.Y'],
  ['1x', '1.0.0', 'constraint Parser Error'],
  ['99999999999999999999', '1.0.0', 'constraint Parser Error'],
  ['1.0', 'latest', 'Invalid Semantic Version'],
];
for (const [constraint, version, want] of constraints) {
  test(`${JSON.stringify(constraint)} on ${version} is ${want}`, () => {
    const check = (): boolean => satisfies(parseVersion(version), parseConstraint(constraint));
    if (typeof want === 'string') assert.throws(check, new GoError(want));
    else assert.equal(check(), want);
  });
}

const versions: [text: string, want: string | GoError][] = [
  ['1.2.3', '1.2.3'],
  ['v1.2', '1.2.0'],
  ['1', '1.0.0'],
  ['01.02.3', '1.2.3'],
  ['v1.29.3-gke.1282000+b5', '1.29.3-gke.1282000+b5'],
  ['1.2.3.4', new GoError('Invalid Semantic Version')],
  ['v1.29+', new GoError('Invalid Semantic Version')],
  ['', new GoError('Invalid Semantic Version')],
  ['1.2.3-01', new GoError('Version segment starts with 0')],
  [
    '99999999999999999999',
    new GoError('Error parsing version segment: strconv.ParseUint: parsing "99999999999999999999": value out of range'),
  ],
];
for (const [text, want] of versions) {
  test(`version ${JSON.stringify(text)}`, () => {
    if (typeof want === 'string') assert.equal(parseVersion(text).string(), want);
    else assert.throws(() => parseVersion(text), want);
  });
}

test('versions are ordered', () => {
  const ordered = [
    '0.9.0',
    '1.0.0-1',
    '1.0.0-2',
    '1.0.0-10',
    '1.0.0-a',
    '1.0.0-a.1',
    '1.0.0',
    '1.0.1',
    '1.1.0',
    '10.0.0',
  ];
  ordered.slice(1).forEach((text, i) => {
    assert.equal(compareVersions(parseVersion(ordered[i] as string), parseVersion(text)), -1, text);
    assert.equal(compareVersions(parseVersion(text), parseVersion(ordered[i] as string)), 1, text);
  });
  assert.equal(compareVersions(parseVersion('1.0.0+a'), parseVersion('1.0.0+b')), 0);
});

test('methods available to templates', () => {
  const version = parseVersion('v1.2.3-alpha.1+b5');
  const call = (name: string, ...args: GoValue[]): GoValue => version.method(name)?.call(...(args as never[])) ?? null;
  assert.deepEqual(call('Major'), new Int(1n, 'uint64'));
  assert.equal(call('Prerelease'), 'alpha.1');
  assert.equal(call('Metadata'), 'b5');
  assert.equal(call('Original'), 'v1.2.3-alpha.1+b5');
  assert.equal(call('LessThan', parseVersion('1.2.3')), true);
  assert.equal(call('Equal', parseVersion('1.2.3-alpha.1')), true);
  const text = (value: GoValue): string =>
    value instanceof GoObject ? `${value.type} ${value.string()}` : 'no object';
  assert.equal(text(call('IncPatch')), 'semver.Version 1.2.3');
  assert.equal(text(call('IncMinor')), 'semver.Version 1.3.0');
  assert.equal(text(call('IncMajor')), 'semver.Version 2.0.0');
  assert.equal(text(call('SetPrerelease', 'rc')), 'semver.Version 1.2.3-rc+b5');
  assert.throws(() => call('SetPrerelease', '01'), new GoError('Version segment starts with 0'));
  assert.equal(version.method('Nope'), undefined);
});

test('versions are printed', () => {
  const version = parseVersion('1.2.3');
  assert.equal(sprintf('%s %q', version, version), '1.2.3 "1.2.3"');
  assert.equal(sprintf('%d', version), '&{1 2 3 %!d(string=) %!d(string=) %!d(string=1.2.3)}');
});

const prereleases: [constraint: string, version: string, before: boolean, since34: boolean][] = [
  ['>=1.19-0, <1.22.0', '1.21.3-eks-abc', false, true],
  ['>=1.19-0 <1.22.0 || >=2', '3.0.0-a', false, false],
  ['!=1.2.3', '1.2.3-beta', true, false],
  ['!=1.2.3-0', '1.2.3-beta', true, true],
  ['1.2.x, !=1.2.5-0', '1.2.4-rc.1', false, true],
];
for (const [constraint, version, before, since34] of prereleases) {
  test(`${constraint} on ${version} is ${before} up to version 3.3 of the library, then ${since34}`, () => {
    const verdicts = [semver33, semver34, semver35].map((rules) =>
      satisfies(parseVersion(version, rules), parseConstraint(constraint, rules)),
    );
    assert.deepEqual(verdicts, [before, since34, since34]);
  });
}

test('version 3.5 of the library limits the length of versions and constraints', () => {
  const long = `1.0.0-${'é'.repeat(1)}${'a'.repeat(250)}`;
  assert.throws(() => parseVersion(long, semver35), new GoError('version string is too long (max 256 bytes)'));
  assert.throws(() => parseVersion(long, semver34), new GoError('invalid semantic version'));
  const many = '1||'.repeat(32).concat('1');
  assert.throws(() => parseConstraint(many, semver35), new GoError('too many constraint groups (max 32)'));
  assert.throws(
    () => parseConstraint('>=1 '.repeat(129), semver35),
    new GoError('constraint string is too long (max 512 bytes)'),
  );
  assert.equal(satisfies(parseVersion('1.0.0'), parseConstraint(many)), true);
});

test('the errors of each version of the library', () => {
  const errors = [semver33, semver34, semver35].map((rules) => {
    const messages: string[] = [];
    for (const run of [
      () => parseConstraint('a"b', rules),
      () => parseConstraint('1x', rules),
      () => parseVersion('18446744073709551616', rules),
      () => parseVersion('1-01', rules),
    ]) {
      assert.throws(run, (error: GoError) => messages.push(error.message) > 0);
    }
    return messages;
  });
  const range = 'strconv.ParseUint: parsing "18446744073709551616": value out of range';
  assert.deepEqual(errors, [
    [
      'improper constraint: a"b',
      'constraint Parser Error',
      `Error parsing version segment: ${range}`,
      'Version segment starts with 0',
    ],
    [
      'improper constraint: a"b',
      'constraint parser error',
      `error parsing version segment: ${range}`,
      'version segment starts with 0',
    ],
    [
      'improper constraint: "a\\"b"',
      'constraint parser error',
      `error parsing version segment: ${range}`,
      'version segment starts with 0',
    ],
  ]);
});
