// Generates packed charts with an unusual or broken structure: headers of every format, PAX records and gzip members, valid and
// invalid. Archives are also mutated byte by byte, before and after compression.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Dice, wordList } from '../support/dice.ts';
import { type Command, runCommands } from './commands.ts';
import type { Family, Tools } from './family.ts';

/** A random source. Most calm archives have few unusual parts and are accepted, so that their files are compared. */
interface Source {
  readonly dice: Dice;
  /** Decides whether a part is unusual: once in `sides` times, less often in a calm archive. */
  isUnusual(sides: number): boolean;
}

function sourceOf(seed: number): Source {
  const dice = new Dice(seed);
  const calm = dice.below(3) === 0 ? 1 : 5;
  return { dice, isUnusual: (sides) => dice.below(sides * calm) === 0 };
}

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
const octal = (value: number): string => `${value.toString(8).padStart(11, '0')}\0`;

function base256(value: bigint): string {
  const bytes = Buffer.from(BigInt.asUintN(96, value).toString(16).padStart(24, '0'), 'hex');
  bytes[0] = bytes[0]! | 0x80;
  return bytes.toString('latin1');
}

function padded(content: Buffer): Buffer {
  return Buffer.concat([content, Buffer.alloc((512 - (content.length % 512)) % 512)]);
}

/** The fields of a header, with the place of each. */
const offsets = {
  ...{ name: 0, mode: 100, uid: 108, gid: 116, size: 124, time: 136, type: 156, magic: 257, prefix: 345, trailer: 508 },
  // Bytes that overwrite those of other fields.
  ...{ inUid: 110, inTime: 140, inOwner: 329, inPrefix: 357, inPadding: 488 },
} as const;
type Fields = { readonly [Name in keyof typeof offsets]?: string };

const junk = ['zz', '\x80\x01', '8', '  7\0'];

/** Returns unusual values of the fields of a file's header. */
const unusualFields = (size: number): { readonly [Name in keyof Fields]: readonly string[] } => ({
  mode: [...['0040755\0', '0100644\0', '1040755\0', '        ', 'abc\0\0\0\0\0', '\x80\0\0\0\0\0\x40\0', '0120777\0']],
  size: [
    ...[octal(size + 1), octal(0), octal(6_000_000), octal(200_000_000)],
    ...[base256(BigInt(size)), base256(-1n), base256(1n << 62n), base256(1n << 64n)],
    `${size.toString(8)} `.padStart(12, ' '),
    `${size.toString(8)}\0junk12`.padEnd(12, '\0'),
    ...['9'.repeat(12), '7'.repeat(12), '-0000000001\0'],
  ],
  magic: ['ustar  \0', 'ustar\x0099', 'ustar ', '\0\0\0\0\0\0\0\0', 'USTAR\x0000'],
  prefix: ['c', 'c/templates', 'é', '0'.repeat(155)],
  trailer: ['tar\0'],
  ...{ inUid: junk, inTime: junk, inOwner: junk, inPrefix: junk, inPadding: junk },
});

// Without `S`: drydock refuses sparse files, with a message of its own.
const types = [...'0000000000\x001234567gxLKDVXNM5A '];

const unusualNames = [
  ...wordList`
    c c/ c//abs /c/x c/../x c/./templates/../y.txt c\templates\z.yaml c\a/b c/c:/foo Chart.yaml Chart.yaml/x
    other/Chart.yaml c/Chart.yaml c/Chart.yaml/ c/values.yaml c/é.txt c/ÿ.txt c/charts/ c/charts/x c/charts/x.tgz
    c/charts/_x/Chart.yaml
  `,
  '',
  `c/${'d/'.repeat(40)}f`,
  'c/a b\n.txt',
];

/** Returns a header and its content, with the given fields instead of those of a file. */
function entry(content: Buffer, fields: Fields): Buffer {
  const bytes = Buffer.alloc(512);
  const own = { mode: '0000644\0', uid: '0000000\0', gid: '0000000\0', size: octal(content.length), type: '0' };
  const all: Fields = { ...own, time: '00000000000\0', magic: 'ustar\x0000', ...fields };
  for (const [name, offset] of Object.entries(offsets)) latin(all[name as keyof Fields] ?? '').copy(bytes, offset);
  bytes.write('        ', 148);
  const sum = bytes.reduce((all, byte) => all + byte, 0);
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([bytes, padded(content)]);
}

function file(source: Source, name: string, content: Buffer): Buffer {
  const { dice, isUnusual } = source;
  const changed = Object.entries(unusualFields(content.length))
    .filter(() => isUnusual(24))
    .map(([field, values]) => [field, dice.pick(values)]);
  const kind = isUnusual(5) ? { name: dice.pick(unusualNames), type: dice.pick(types) } : { name };
  return entry(content, { ...Object.fromEntries(changed), ...kind });
}

function record(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  const length = Buffer.byteLength(rest);
  return `${length + String(length + String(length).length).length}${rest}`;
}

/** The records of PAX headers: values by key, and broken ones. */
const paxRecords: readonly string[] = [
  ...['c/pax.txt', '', 'c/é', 'c/\0', 'c/dir/'].map((value) => record('path', value)),
  ...['0', '4', '+4', '-1', '99999999999', '1e3', '', '9223372036854775808'].map((value) => record('size', value)),
  ...['1', '1.5', '-1.25', 'x', '1.x', '', '1.'].map((value) => record('mtime', value)),
  ...['0', 'x', '-5'].map((value) => record('uid', value)),
  ...[record('comment', 'c\0d'), record('', 'x'), record('\0k', 'x')],
  ...['5 a=b\n', '6 a=b\n', '7 a=b\n', '6 a b\n', 'x a=b\n', '99 a=b\n', '-6 a=b\n', '+6 a=b\n', '6 a=bc', '4 =\n'],
];

function paxHeader(source: Source): Buffer {
  const { dice } = source;
  const text = dice.list(1, 3, () => dice.pick(paxRecords)).join('');
  return entry(latin(text), { name: 'pax', type: dice.below(8) === 0 ? 'g' : 'x' });
}

function gnuHeader(source: Source): Buffer {
  const { dice } = source;
  const content = latin(`${dice.pick(unusualNames)}${dice.pick(['\0', '\0tail'])}`);
  return entry(content, { name: '././@LongLink', type: dice.pick(['L', 'L', 'K']), magic: 'ustar  \0' });
}

/** A template that prints the content of an archive. */
const printer = `a: {{ .Values.a }}
files:{{ range $path, $data := .Files }}
- {{ toJson $path }}: {{ b64enc (toString $data) }}{{ end }}
`;

function archive(source: Source): Buffer {
  const { dice, isUnusual } = source;
  const files: (readonly [name: string, content: string])[] = [
    ['c/values.yaml', 'a: 1\n'],
    ['c/templates/a.yaml', `${printer}${'# pad\n'.repeat(dice.below(200))}`],
    ...dice.list(0, 2, () => [isUnusual(2) ? dice.pick(unusualNames) : 'c/f.txt', 'text'] as const),
  ];
  if (!isUnusual(10)) files.unshift(['c/Chart.yaml', 'apiVersion: v2\nname: c\nversion: 1.0.0\n']);
  const parts = files.flatMap(([name, content]) => [
    ...(isUnusual(6) ? [paxHeader(source)] : []),
    ...(isUnusual(8) ? [gnuHeader(source)] : []),
    file(source, name, Buffer.from(content)),
  ]);
  // Files after the end of the archive.
  if (dice.below(6) === 0) parts.push(Buffer.alloc(512), file(source, 'c/z.txt', Buffer.from('z')));
  return Buffer.concat([...parts, Buffer.alloc(dice.pick([1024, 1024, 1024, 0, 512, 4096, 100]))]);
}

/** Returns the bytes with a few of them changed, removed or inserted. */
function mutate({ dice }: Source, bytes: Buffer): Buffer {
  let changed = Buffer.from(bytes);
  for (let count = 1 + dice.below(3); count > 0; count--) {
    const at = dice.below(Math.max(1, changed.length));
    const [head, tail] = [changed.subarray(0, at), changed.subarray(at)];
    changed = dice.pick([
      () => Buffer.from(head),
      () => Buffer.concat([head, tail.subarray(1 + dice.below(20))]),
      () => Buffer.concat([head, Buffer.of(dice.below(256)), tail]),
      () => Buffer.concat([head, Buffer.of((tail[0] ?? 0) ^ (1 << dice.below(8))), tail.subarray(1)]),
      () => Buffer.concat([head, Buffer.of(dice.below(256)), tail.subarray(1)]),
    ])();
  }
  return changed;
}

/** Compresses bytes as a member of a gzip file, with a name or a comment, and sometimes a wrong checksum or size. */
function member({ dice, isUnusual }: Source, bytes: Buffer): Buffer {
  const flag = isUnusual(4) ? dice.pick([8, 16, 24, 4, 32]) : 0;
  const text = latin(`${'n'.repeat(dice.pick([0, 3, 511, 512, 600]))}\0`);
  const head = Buffer.from([0x1f, 0x8b, 8, flag, 0, 0, 0, 0, 0, 3]);
  const packed = gzipSync(bytes, { level: dice.pick([0, 1, 6, 9]), strategy: dice.pick([0, 0, 0, 4]) }).subarray(10);
  for (const offset of [8, 4]) if (isUnusual(12)) packed[packed.length - offset]! ^= 1;
  return Buffer.concat([head, ...(flag & 8 ? [text] : []), ...(flag & 16 ? [text] : []), packed]);
}

function packed(source: Source): Buffer {
  const { dice, isUnusual } = source;
  const whole = archive(source);
  const bytes = isUnusual(4) ? mutate(source, whole) : whole;
  const cut = dice.below(bytes.length + 1);
  const members = dice.below(5) === 0 ? [bytes.subarray(0, cut), bytes.subarray(cut)] : [bytes];
  const data = Buffer.concat(members.map((each) => member(source, each)));
  const tail = isUnusual(12) ? Buffer.alloc(1 + dice.below(30), dice.pick([0, 0, 0x1f])) : Buffer.alloc(0);
  const all = Buffer.concat([data, tail]);
  return isUnusual(3) ? mutate(source, all) : all;
}

async function makeCommand(seed: number, { folder }: Tools): Promise<Command> {
  const home = join(folder, 'archive');
  await mkdir(home, { recursive: true });
  await writeFile(join(home, 'c.tgz'), packed(sourceOf(seed)));
  return { args: ['template', 'demo', './c.tgz'], cwd: home, about: 'an archive generated from the seed' };
}

/** Archives with an unusual or broken structure. */
export const archives: Family = {
  name: 'archives',
  about: 'packed charts: headers, records, gzip members, broken bytes',
  batch: 50,
  share: 1,
  run: (job, tools) => runCommands(job, tools, (seed) => makeCommand(seed, tools)),
};
