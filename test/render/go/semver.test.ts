import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sprintf } from '../../../render/go/format.ts';
import { compareVersions, parseConstraint, parseVersion } from '../../../render/go/semver.ts';
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
    const check = (): boolean => parseConstraint(constraint).check(parseVersion(version));
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

test('order', () => {
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

test('methods that templates call', () => {
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

test('printed', () => {
  const version = parseVersion('1.2.3');
  assert.equal(sprintf('%s %q', version, version), '1.2.3 "1.2.3"');
  assert.equal(sprintf('%d', version), '&{1 2 3 %!d(string=) %!d(string=) %!d(string=1.2.3)}');
});
