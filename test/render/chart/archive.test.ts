// Packed charts: names, sizes and streams; every error text is Helm 3.17.3's.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { unpackArchive } from '../../../render/chart/archive.ts';
import { decodeUtf8 } from '../../../render/go/utf8.ts';
import { type Entry, paxRecord, tar, tarEntry, tgz } from './tar.ts';

const long = 'l'.repeat(120);

const entry = (name: string, data = '', more: Partial<Entry> = {}): Entry => ({ name, data, ...more });
const pax = (...records: readonly (readonly [key: string, value: string])[]): Entry =>
  entry('h', records.map(([key, value]) => paxRecord(key, value)).join(''), { type: 'x' });

// Entries, and the resulting names and contents.
const rows: readonly (readonly [title: string, entries: readonly Entry[], files: Readonly<Record<string, string>>])[] =
  [
    ['the first folder goes', [entry('any/Chart.yaml', 'x'), entry('other/b', 'y')], { 'Chart.yaml': 'x', b: 'y' }],
    ['a byte order mark goes', [entry('c/a', '\ufeffx')], { a: 'x' }],
    ['backslashes are slashes', [entry('c\\t\\a', 'x')], { 't/a': 'x' }],
    ['paths are made clean', [entry('c/a//b/../d', 'x')], { 'a/d': 'x' }],
    [
      'folders and global headers are no files',
      [entry('c/d', '', { type: '5' }), { ...pax(['comment', 'x']), type: 'g' }, entry('c/a')],
      { a: '' },
    ],
    [
      'old headers tell folders by a slash',
      [entry('c/d/', '', { type: '\0' }), entry('c/a', 'x', { type: '\0' })],
      { a: 'x' },
    ],
    ['links are empty files', [entry('c/l', '', { type: '2' })], { l: '' }],
    ['prefix of ustar', [entry('b', 'x', { prefix: 'c/a' })], { 'a/b': 'x' }],
    ['long names of GNU', [entry('././@LongLink', `c/${long}\0`, { type: 'L' }), entry('c/cut', 'x')], { [long]: 'x' }],
    [
      'long names of PAX',
      [pax(['mtime', '1'], ['path', `c/é${long}`]), entry('c/cut', 'x'), entry('c/next')],
      { [`é${long}`]: 'x', next: '' },
    ],
  ];

for (const [title, entries, files] of rows) {
  test(title, () => {
    const unpacked = unpackArchive(tgz(entries)).map(({ name, data }) => [name, decodeUtf8(data)]);
    assert.deepEqual(Object.fromEntries(unpacked), files);
  });
}

const big = new Uint8Array(5 * 1024 * 1024 + 1);
// The stream ends at a header, so that its end is read.
function wrongChecksum(bytes: Uint8Array): Uint8Array {
  const data = gzipSync(bytes);
  data[data.length - 8] = (data[data.length - 8] as number) ^ 1;
  return data;
}

const whole = tgz([{ name: 'c/a', data: 'x'.repeat(2000) }]);
const blocks = tar([{ name: 'c/a', data: 'x'.repeat(2000) }]);

// The two length fields of its stored block disagree.
function brokenStream(): Uint8Array {
  const data = Uint8Array.from(gzipSync(blocks, { level: 0 }));
  data[13] = (data[13] as number) ^ 1;
  return data;
}

function sizedLink(): Uint8Array {
  const entry = tarEntry({ name: 'c/l', data: 'x', type: '1' });
  return Buffer.concat([entry.subarray(0, 512), new Uint8Array(1024)]);
}

const refusals: readonly (readonly [title: string, data: Uint8Array, message: string])[] = [
  ['absolute', tgz([entry('c//abs')]), 'chart illegally contains absolute paths'],
  ['without a folder', tgz([entry('plain')]), 'chart illegally contains content outside the base directory: "plain"'],
  ['upwards', tgz([entry('c/../../x')]), 'chart illegally references parent directory'],
  ['drive letter', tgz([entry('c/c:/foo')]), 'chart contains illegally named files'],
  ['Chart.yaml as the folder', tgz([entry('Chart.yaml/x')]), 'chart yaml not in base directory'],
  [
    'too big',
    tgz([{ name: 'c/big', data: big }]),
    'decompressed chart file "c/big" is larger than the maximum file size 5242880',
  ],
  ['nothing in it', tgz([]), 'no files in chart archive'],
  ['cut off', whole.subarray(0, 40), 'unexpected EOF'],
  ['a wrong checksum', wrongChecksum(blocks.subarray(0, 1024)), 'gzip: invalid checksum'],
  ['cut within a file', gzipSync(blocks.subarray(0, 1000)), 'unexpected EOF'],
  ['a link with a size', gzipSync(sizedLink()), 'decompressed chart is larger than the maximum file size 104857600'],
  ['an invalid global header', tgz([{ name: 'g', type: 'g', data: 'x' }]), 'archive/tar: invalid tar header'],
  [
    'a wrong header of a second member',
    Buffer.concat([gzipSync(blocks.subarray(0, 512)), Buffer.from('junk of gzip')]),
    'gzip: invalid header',
  ],
  ['a broken stream', brokenStream(), 'flate: corrupt input before offset 5'],
  [
    'a reserved block',
    Buffer.concat([whole.subarray(0, 10), Buffer.from([7])]),
    'flate: corrupt input before offset 1',
  ],
  ['a sparse file of GNU', tgz([{ name: 'c/holes', type: 'S', data: 'x' }]), 'the archive contains a sparse file'],
  [
    'a sparse file of PAX',
    tgz([{ name: 'h', type: 'x', data: paxRecord('GNU.sparse.map', '2,1') }]),
    'the archive contains a sparse file',
  ],
  ['broken header', gzipSync(tarEntry({ name: 'c/a' }).fill(66, 0, 5)), 'archive/tar: invalid tar header'],
];

for (const [title, data, message] of refusals) {
  test(`refused: ${title}`, () => assert.throws(() => unpackArchive(data), { name: 'GoError', message }));
}

test('limits the total to 100 MiB', () => {
  const half = new Uint8Array(4 * 1024 * 1024);
  const entries = Array.from({ length: 26 }, (_, i) => ({ name: `c/${i}`, data: half }));
  const message = 'decompressed chart is larger than the maximum file size 104857600';
  assert.throws(() => unpackArchive(tgz(entries)), { message });
});

test('content that Go ignores does no harm', () => {
  const ok = (data: Uint8Array): void => assert.equal(unpackArchive(data)[0]?.data.length, 2000);
  ok(Buffer.concat([whole, Buffer.from('trailing')]));
  ok(whole.subarray(0, -8));
  ok(Buffer.concat([whole.subarray(0, -8), Buffer.from('12345678')]));
  // The padding of the last file and the empty blocks may be missing.
  ok(gzipSync(blocks.subarray(0, 512 + 2000)));
});

test('accepts a stream of several members', () => {
  for (const at of [100, 512, 1536]) {
    const joined = Buffer.concat([gzipSync(blocks.subarray(0, at)), gzipSync(blocks.subarray(at))]);
    assert.equal(unpackArchive(joined)[0]?.data.length, 2000);
  }
});
