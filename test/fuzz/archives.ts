// Generates packed charts with an unusual or broken structure: headers of every format, PAX records and gzip members, valid and
// invalid. Archives are also mutated byte by byte, before and after compression.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { Dice as RandomSource, wordList } from '../support/dice.ts';
import { type Command, runCommands } from './commands.ts';
import type { Family, Tools } from './family.ts';

/** A random source. The higher `calm`, the fewer unusual parts an archive has; most calm archives are accepted, so that their files are compared. */
interface Dice {
  (sides: number): number;
  readonly calm: number;
}

/** Decides whether a part is unusual: once in `sides` times, less often in a calm archive. */
const isUnusual = (dice: Dice, sides: number): boolean => dice(sides * dice.calm) === 0;

const pick = <T>(dice: Dice, items: readonly T[]): T => items[dice(items.length)] as T;

interface Header {
  name: string;
  type: string;
  size: string;
  mode: string;
  magic: string;
  prefix: string;
  trailer: string;
  /** Texts that overwrite bytes of the header. */
  readonly extras: [at: number, text: string][];
}

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

/** The header of an ordinary file. */
const plain: Omit<Header, 'name' | 'size'> = {
  type: '0',
  mode: '0000644\0',
  magic: 'ustar\x0000',
  prefix: '',
  trailer: '',
  extras: [],
};

function block(header: Header, dice: Dice): Buffer {
  const bytes = Buffer.alloc(512);
  const put = (text: string, at: number): void => void latin(text).copy(bytes, at);
  put(header.name.slice(0, 100), 0);
  put(header.mode, 100);
  put('0000000\0', 108);
  put('0000000\0', 116);
  put(header.size, 124);
  put('00000000000\0', 136);
  put('        ', 148);
  put(header.type, 156);
  put(header.magic, 257);
  put(header.prefix.slice(0, 155), 345);
  put(header.trailer, 508);
  for (const [at, text] of header.extras) put(text, at);
  let sum = 0;
  for (const byte of bytes) sum += dice(400) === 0 ? byte - 256 * (byte >> 7) : byte;
  put(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return bytes;
}

const octal = (value: number): string => `${value.toString(8).padStart(11, '0')}\0`;

function base256(value: bigint): string {
  const bytes = Buffer.alloc(12);
  for (let i = 11, rest = BigInt.asUintN(96, value); i >= 0; i--, rest >>= 8n) bytes[i] = Number(rest & 0xffn);
  bytes[0] = (bytes[0] as number) | 0x80;
  return bytes.toString('latin1');
}

function padded(content: Buffer): Buffer {
  return Buffer.concat([content, Buffer.alloc((512 - (content.length % 512)) % 512)]);
}

const modes = [
  '0000644\0',
  '0040755\0',
  '0100644\0',
  '1040755\0',
  '        ',
  'abc\0\0\0\0\0',
  '\x80\0\0\0\0\0\x40\0',
  '0120777\0',
];
const magics = [
  'ustar\x0000',
  'ustar\x0000',
  'ustar\x0000',
  'ustar  \0',
  'ustar\x0099',
  'ustar ',
  '\0\0\0\0\0\0\0\0',
  'USTAR\x0000',
];
const types = '0000000000\x001234567gxLKSDVXNM5A ';

function sizeField(size: number, dice: Dice): string {
  const unusual = [
    octal(size + 1),
    octal(0),
    octal(6_000_000),
    octal(200_000_000),
    base256(BigInt(size)),
    base256(-1n),
    base256(1n << 62n),
    base256(1n << 64n),
    `${size.toString(8)} `.padStart(12, ' '),
    `${size.toString(8)}\0junk12`.padEnd(12, '\0'),
    '9'.repeat(12),
    '7'.repeat(12),
    '-0000000001\0',
  ];
  return isUnusual(dice, 12) ? pick(dice, unusual) : octal(size);
}

function entry(name: string, content: Buffer, dice: Dice): Buffer {
  const hasUnusualType = isUnusual(dice, 5);
  const header: Header = {
    name: hasUnusualType ? pick(dice, unusualNames) : name,
    type: hasUnusualType ? pick(dice, [...types]) : '0',
    size: sizeField(content.length, dice),
    mode: isUnusual(dice, 15) ? pick(dice, modes) : '0000644\0',
    magic: isUnusual(dice, 4) ? pick(dice, magics) : 'ustar\x0000',
    prefix: isUnusual(dice, 10) ? pick(dice, ['c', 'c/templates', 'é', '0'.repeat(155)]) : '',
    trailer: isUnusual(dice, 15) ? 'tar\0' : '',
    extras: [],
  };
  if (isUnusual(dice, 20))
    header.extras.push([
      pick(dice, [108, 116, 136, 329, 337, 345, 357, 476, 488]),
      pick(dice, ['zz', '\x80\x01', '8', '  7\0']),
    ]);
  return Buffer.concat([block(header, dice), padded(content)]);
}

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

function record(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  const length = Buffer.byteLength(rest);
  return `${length + String(length + String(length).length).length}${rest}`;
}

function extended(dice: Dice): Buffer {
  const records = [
    () => record('path', pick(dice, ['c/pax.txt', '', 'c/é', 'c/\0', 'c/dir/'])),
    () => record('size', pick(dice, ['0', '4', '+4', '-1', '99999999999', '1e3', '', '9223372036854775808'])),
    () => record('mtime', pick(dice, ['1', '1.5', '-1.25', 'x', '1.x', '', '1.'])),
    () => record('uid', pick(dice, ['0', 'x', '-5'])),
    () => record('comment', 'c\0d'),
    () => record('', 'x'),
    () => record('\0k', 'x'),
    () =>
      pick(dice, [
        '5 a=b\n',
        '6 a=b\n',
        '7 a=b\n',
        '6 a b\n',
        'x a=b\n',
        '99 a=b\n',
        '-6 a=b\n',
        '+6 a=b\n',
        '6 a=bc',
        '4 =\n',
        '0 a=b\n',
      ]),
  ];
  let text = '';
  for (let count = 1 + dice(3); count > 0; count--) text += pick(dice, records)();
  const content = latin(text);
  const header = { ...plain, name: 'pax', type: dice(8) === 0 ? 'g' : 'x', size: octal(content.length) };
  return Buffer.concat([block(header, dice), padded(content)]);
}

function gnu(dice: Dice): Buffer {
  const content = latin(`${pick(dice, unusualNames)}${dice(2) === 0 ? '\0' : '\0tail'}`);
  const type = pick(dice, ['L', 'L', 'K']);
  const size = sizeField(content.length, dice);
  const header = { ...plain, name: '././@LongLink', type, size, magic: 'ustar  \0' };
  return Buffer.concat([block(header, dice), padded(content)]);
}

/** A template that prints the content of an archive: its files, templates and subcharts. */
const printer = `a: {{ .Values.a }}
files:{{ range $path, $data := .Files }}
- {{ toJson $path }}: {{ b64enc (toString $data) }}{{ end }}
charts: {{ keys .Subcharts | sortAlpha | toJson }}
`;

function archive(dice: Dice): Buffer {
  const parts: Buffer[] = [];
  const add = (name: string, text: string | Buffer): void => {
    if (isUnusual(dice, 6)) parts.push(extended(dice));
    if (isUnusual(dice, 8)) parts.push(gnu(dice));
    parts.push(entry(name, Buffer.from(text), dice));
  };
  if (!isUnusual(dice, 10)) add('c/Chart.yaml', 'apiVersion: v2\nname: c\nversion: 1.0.0\n');
  add('c/values.yaml', 'a: 1\n');
  add('c/templates/a.yaml', `${printer}${'# pad\n'.repeat(dice(200))}`);
  for (let count = dice(3); count > 0; count--)
    add(isUnusual(dice, 2) ? pick(dice, unusualNames) : `c/f${count}.txt`, 'text');
  if (dice(4) === 0) add('c/charts/s-1.0.0.tgz', subchart(dice));
  if (dice(6) === 0)
    parts.push(
      Buffer.concat([Buffer.alloc(512), dice(2) === 0 ? entry('c/z.txt', Buffer.from('z'), dice) : Buffer.alloc(0)]),
    );
  return Buffer.concat([...parts, Buffer.alloc(pick(dice, [1024, 1024, 1024, 0, 512, 4096, 100]))]);
}

/** Returns a packed chart for `charts/`. */
function subchart(dice: Dice): Buffer {
  const parts = ['Chart.yaml', 'templates/b.yaml', ...(dice(3) === 0 ? [pick(dice, unusualNames)] : [])].map((name) =>
    entry(
      `s/${name}`,
      Buffer.from(name === 'Chart.yaml' ? 'apiVersion: v2\nname: s\nversion: 1.0.0\n' : 'b: 1\n'),
      dice,
    ),
  );
  return member(Buffer.concat([...parts, Buffer.alloc(1024)]), dice);
}

/** Returns the bytes with a few of them changed, removed or inserted. */
function mutate(bytes: Uint8Array, dice: Dice): Buffer {
  let changed: Buffer = Buffer.from(bytes);
  for (let count = 1 + dice(3); count > 0; count--) {
    const at = dice(Math.max(1, changed.length));
    const kind = dice(5);
    if (kind === 0) changed = changed.subarray(0, at);
    else if (kind === 1) changed = Buffer.concat([changed.subarray(0, at), changed.subarray(at + 1 + dice(20))]);
    else if (kind === 2)
      changed = Buffer.concat([changed.subarray(0, at), Buffer.from([dice(256)]), changed.subarray(at)]);
    else if (changed.length > 0) changed[at] = kind === 3 ? (changed[at] as number) ^ (1 << dice(8)) : dice(256);
  }
  return changed;
}

function member(bytes: Uint8Array, dice: Dice): Buffer {
  const flag = isUnusual(dice, 4) ? dice(32) : 0;
  const text = (): Buffer => latin(`${'n'.repeat(pick(dice, [0, 3, 510, 511, 512, 600]))}\0`);
  const parts: Buffer[] = [Buffer.from([0x1f, 0x8b, 8, flag, 0, 0, 0, 0, 0, 3])];
  if (flag & 4) parts.push(Buffer.from([3, 0, 1, 2, 3]));
  if (flag & 8) parts.push(text());
  if (flag & 16) parts.push(text());
  if (flag & 2) {
    const sum = Buffer.alloc(2);
    sum.writeUInt16LE((checksum(Buffer.concat(parts)) + (dice(3) === 0 ? 1 : 0)) & 0xffff);
    parts.push(sum);
  }
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE((checksum(bytes) + (isUnusual(dice, 12) ? 1 : 0)) >>> 0, 0);
  trailer.writeUInt32LE(bytes.length + (isUnusual(dice, 12) ? 1 : 0), 4);
  const level = pick(dice, [0, 1, 6, 9]);
  return Buffer.concat([...parts, deflateRawSync(bytes, { level, strategy: dice(4) === 0 ? 4 : 0 }), trailer]);
}

// Node has crc32 only since version 22, but the output of gzip contains it.
function checksum(bytes: Uint8Array): number {
  return crc32 === undefined ? gzipSync(bytes).readUInt32LE(gzipSync(bytes).length - 8) : crc32(bytes);
}

function packed(dice: Dice): Buffer {
  let bytes = archive(dice);
  if (isUnusual(dice, 4)) bytes = mutate(bytes, dice);
  const cut = dice(5) === 0 ? dice(bytes.length + 1) : bytes.length;
  const members = cut === bytes.length ? [bytes] : [bytes.subarray(0, cut), bytes.subarray(cut)];
  let data = Buffer.concat(members.map((each) => member(each, dice)));
  if (isUnusual(dice, 12)) data = Buffer.concat([data, Buffer.alloc(1 + dice(30), dice(3) === 0 ? 0x1f : 0)]);
  return isUnusual(dice, 3) ? mutate(data, dice) : data;
}

function diceOf(source: RandomSource): Dice {
  const calm = source.below(3) === 0 ? 1 : 5;
  return Object.assign((sides: number) => source.below(sides), { calm });
}

async function makeCommand(seed: number, { folder }: Tools): Promise<Command> {
  const source = new RandomSource(seed);
  const home = join(folder, 'archive');
  await mkdir(home, { recursive: true });
  await writeFile(join(home, 'c.tgz'), new Uint8Array(packed(diceOf(source))));
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
