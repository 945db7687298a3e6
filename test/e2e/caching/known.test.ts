// What `drydock snapshot` knows of inputs of which no file has changed: nothing is read then, and nothing that has changed is missed.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { KnownInputs } from '../../../emulator/command/caching/known.node.ts';
import { primesBuffer, sharedPrimes } from '../../../emulator/command/caching/primes.node.ts';
import { sweepEntries } from '../../../emulator/command/caching/sweep.node.ts';
import { runInProcess } from '../../support/cli.ts';

const root = mkdtempSync(join(tmpdir(), 'drydock-known-'));
after(() => rmSync(root, { recursive: true, force: true }));

const key = 'a'.repeat(64);
// So that files that were made just now are old to a run.
const later = Date.now() + 3_600_000;
const open = (folder: string, start = later): KnownInputs => new KnownInputs(folder, key, start);

let count = 0;

/** Makes a folder with a file, a link to it, and an empty folder; gives the paths that a run would have seen. */
function inputFolder(): { readonly folder: string; readonly paths: readonly string[]; readonly cache: string } {
  const folder = join(root, String(++count));
  mkdirSync(join(folder, 'input/empty'), { recursive: true });
  writeFileSync(join(folder, 'input/file'), 'one');
  writeFileSync(join(folder, 'input/other'), 'one');
  symlinkSync('file', join(folder, 'input/link'));
  const paths = ['', '/empty', '/file', '/link', '/absent'].map((path) => `${folder}/input${path}`);
  return { folder: join(folder, 'input'), paths, cache: join(folder, 'cache') };
}

function keep(cache: string, paths: readonly string[]): void {
  const known = open(cache);
  known.add('input', paths, { say: 'found' });
  known.write();
}

test('what was found is known until a file changes, whatever its times say', () => {
  const changes: Readonly<Record<string, (folder: string) => void>> = {
    'the same size, and the time of before': (folder) => {
      const { atime, mtime } = statSync(join(folder, 'file'));
      writeFileSync(join(folder, 'file'), 'two');
      utimesSync(join(folder, 'file'), atime, mtime);
    },
    'another file in its place, with the time of before, as of cp -p or tar': (folder) => {
      const { atime, mtime } = statSync(join(folder, 'file'));
      writeFileSync(join(folder, 'new'), 'two');
      utimesSync(join(folder, 'new'), atime, mtime);
      renameSync(join(folder, 'new'), join(folder, 'file'));
    },
    'an older time alone': (folder) => utimesSync(join(folder, 'file'), new Date(0), new Date(0)),
    'one more in an empty folder': (folder) => writeFileSync(join(folder, 'empty/a'), ''),
    'one that was not there': (folder) => writeFileSync(join(folder, 'absent'), ''),
    'one that is gone': (folder) => rmSync(join(folder, 'file')),
    'a link that leads elsewhere': (folder) => {
      rmSync(join(folder, 'link'));
      symlinkSync('other', join(folder, 'link'));
    },
    'the target of a link': (folder) => writeFileSync(join(folder, 'file'), 'three'),
  };
  for (const [what, change] of Object.entries(changes)) {
    const { folder, paths, cache } = inputFolder();
    keep(cache, paths);
    assert.deepEqual(open(cache).find('input'), { say: 'found' }, what);
    change(folder);
    assert.equal(open(cache).find('input'), undefined, what);
  }
});

test('a file that changed when the run began, or later, is not believed', () => {
  const { folder, paths, cache } = inputFolder();
  const { ctimeMs } = statSync(join(folder, 'file'));
  for (const start of [ctimeMs - 5000, ctimeMs, ctimeMs + 1500]) {
    const known = open(cache, start);
    known.add('input', paths, 'found');
    known.write();
    assert.equal(open(cache).find('input'), undefined, String(start - ctimeMs));
  }
  keep(cache, paths);
  // What was known of an input is forgotten where it may not hold.
  const known = open(cache, ctimeMs);
  known.add('input', paths, 'found anew');
  known.write();
  assert.equal(open(cache).find('input'), undefined);
});

test('an index that is torn, of another version, command line or user is made anew', () => {
  const { paths, cache } = inputFolder();
  keep(cache, paths);
  const file = join(cache, readdirSync(cache).find((name) => name.startsWith('known-')) as string);
  const whole = readFileSync(file, 'utf8');
  const damages: readonly (() => void)[] = [
    () => writeFileSync(file, ''),
    () => writeFileSync(file, whole.slice(0, 50)),
    () => writeFileSync(file, whole.slice(0, -1)),
    () => writeFileSync(file, whole.replace('found', 'faund')),
    () => writeFileSync(file, whole.replace(/^(\S+) \d+/, '$1 99')),
    () => writeFileSync(file, whole.replace(key, 'b'.repeat(64))),
    () => writeFileSync(file, 'no index at all'),
    () => writeFileSync(file, Buffer.from([0xff, 0x0a, 0x7b])),
    () => chmodSync(file, 0o666),
    () => (process.getuid?.() === 0 ? chownSync(file, 12345, 12345) : chmodSync(file, 0o620)),
    () => {
      rmSync(file);
      mkdirSync(file);
    },
  ];
  for (const damage of damages) {
    damage();
    assert.equal(open(cache).find('input'), undefined, damage.toString());
    if (statSync(file).isDirectory()) rmSync(file, { recursive: true });
    keep(cache, paths);
    assert.deepEqual(open(cache).find('input'), { say: 'found' }, damage.toString());
  }
  assert.equal(new KnownInputs(cache, `${key.slice(1)}c`, later).find('input'), undefined);
});

test('an index that no run uses goes, and one that cannot be written is done without', () => {
  const { paths, cache } = inputFolder();
  keep(cache, paths);
  const name = readdirSync(cache).find((one) => one.startsWith('known-')) as string;
  sweepEntries(cache);
  assert.ok(readdirSync(cache).includes(name));
  utimesSync(join(cache, name), new Date(0), new Date(0));
  sweepEntries(cache);
  assert.ok(!readdirSync(cache).includes(name));
  writeFileSync(join(cache, 'file'), '');
  keep(join(cache, 'file/below'), paths);
  assert.equal(open(join(cache, 'file/below')).find('input'), undefined);
});

test('what is known of an input that is gone goes with the next writing', () => {
  const { folder, paths, cache } = inputFolder();
  keep(cache, paths);
  rmSync(folder, { recursive: true });
  const next = inputFolder();
  const known = open(cache);
  known.add('next', next.paths, 'found');
  known.write();
  const name = readdirSync(cache).find((one) => one.startsWith('known-')) as string;
  assert.doesNotMatch(readFileSync(join(cache, name), 'utf8'), /"input"/);
  assert.equal(open(cache).find('next'), 'found');
});

test('a prime that one thread looks for is what the others take', () => {
  const memory = primesBuffer();
  const [one, two] = [sharedPrimes(memory), sharedPrimes(memory)];
  const names = Array.from({ length: 70 }, (_, at) => `seed 1024 ${at}`);
  for (const [at, name] of names.entries()) {
    assert.equal(one.get(name), undefined);
    one.set(name, (1n << 1030n) + BigInt(at));
  }
  // Those beyond the places that there are each thread looks for itself.
  for (const [at, name] of names.entries()) {
    assert.equal(two.get(name), at < 64 ? (1n << 1030n) + BigInt(at) : undefined, name);
  }
});

const chart: Readonly<Record<string, string>> = {
  'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'values.yaml': 'size: 1\n',
  '.helmignore': 'ci/\n',
  'ci/a-values.yaml': '# drydock: cluster ../../objects.yaml\nsize: 2\n',
  'templates/map.yaml': `kind: ConfigMap
apiVersion: v1
metadata: {name: web}
data:
  size: {{ .Values.size | quote }}
  drawn: {{ randAlphaNum 8 }}
  there: {{ dig "data" "a" "none" (lookup "v1" "ConfigMap" "default" "there") }}
`,
};
const objects = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: there, namespace: default}\ndata: {a: one}\n';
const cacheOf = (folder: string): string => join(folder, '.drydock/cache');

/** Makes charts with their snapshots, so old that a run may believe what the disk says of them. */
async function project(charts: readonly string[]): Promise<string> {
  const folder = join(root, String(++count));
  for (const name of charts) {
    for (const [file, text] of Object.entries(chart)) {
      mkdirSync(join(folder, name, file, '..'), { recursive: true });
      writeFileSync(join(folder, name, file), text);
    }
  }
  writeFileSync(join(folder, 'objects.yaml'), objects);
  await runInProcess(['snapshot', ...charts, '--update'], folder);
  await pause(2100);
  return folder;
}

function indexOf(folder: string): string {
  const name = readdirSync(cacheOf(folder)).find((one) => one.startsWith('known-'));
  return name === undefined ? '' : readFileSync(join(cacheOf(folder), name), 'utf8');
}

/** Takes away what is kept of renderings: who asks for it renders. */
function forget(folder: string): void {
  for (const name of readdirSync(cacheOf(folder))) {
    if (/^..$/.test(name)) rmSync(join(cacheOf(folder), name), { recursive: true });
  }
}
const isForgotten = (folder: string): boolean => readdirSync(cacheOf(folder)).every((name) => !/^..$/.test(name));

test('a run of unchanged charts reads none of them, and each change of a file is seen', async () => {
  const folder = await project(['web', 'other']);
  const run = (...argv: string[]) => runInProcess(['snapshot', 'web', 'other', ...argv], folder);
  const first = await run();
  assert.equal(first.exitCode, 0);
  forget(folder);
  assert.deepEqual(await run(), first);
  assert.ok(isForgotten(folder), 'nothing is rendered');
  const changes: readonly (readonly [string, string])[] = [
    ['web/values.yaml', 'size: 3\n'],
    ['web/ci/a-values.yaml', '# drydock: cluster ../../objects.yaml\nsize: 4\n'],
    ['objects.yaml', objects.replace('one', 'two')],
    ['web/templates/map.yaml', (chart['templates/map.yaml'] as string).replace('"none"', '"nine"')],
    ['web/.helmignore', 'templates\n'],
    ['snapshots/web.snap/a-values.yaml', 'kind: other\n'],
    ['web/ci/b-values.yaml', 'size: 5\n'],
    ['snapshots/web.snap/more.yaml', 'kind: other\n'],
  ];
  for (const [name, text] of changes) {
    const file = join(folder, name);
    const isThere = readdirSync(join(file, '..')).includes(file.split('/').at(-1) as string);
    if (isThere) copyFileSync(file, join(folder, 'kept'));
    const times = isThere ? statSync(file) : undefined;
    writeFileSync(file, text);
    if (times !== undefined) utimesSync(file, times.atime, times.mtime);
    assert.deepEqual(await run(), await run('--no-cache'), name);
    if (isThere) copyFileSync(join(folder, 'kept'), file);
    else rmSync(file);
    assert.deepEqual(await run(), first, name);
  }
});

test('what a CI restores is known by its content, and by its files from then on', async () => {
  const folder = await project(['web']);
  const run = () => runInProcess(['snapshot', 'web'], folder);
  const first = await run();
  const before = indexOf(folder);
  assert.notEqual(before, '');
  // The same contents in other files of another time, as of a fresh clone.
  for (const name of ['web', 'snapshots', '.drydock']) {
    cpSync(join(folder, name), join(folder, 'copy'), { recursive: true });
    rmSync(join(folder, name), { recursive: true });
    renameSync(join(folder, 'copy'), join(folder, name));
  }
  const kept = readdirSync(cacheOf(folder), { recursive: true, encoding: 'utf8' });
  assert.deepEqual(await run(), first);
  // A rendering would have been kept where none was; and what is so young is not believed.
  assert.deepEqual(readdirSync(cacheOf(folder), { recursive: true, encoding: 'utf8' }), kept);
  await pause(2100);
  assert.deepEqual(await run(), first);
  assert.notEqual(indexOf(folder), before);
  forget(folder);
  assert.deepEqual(await run(), first);
  assert.ok(isForgotten(folder));
});

test('two processes at once, in threads too, leave an index that is whole', async () => {
  const names = Array.from({ length: 4 }, (_, at) => `web-${at}`);
  const folder = await project(names);
  const main = fileURLToPath(new URL('../../../emulator/command/main.node.ts', import.meta.url));
  const tsx = import.meta.resolve('tsx');
  const start = async (...argv: string[]): Promise<string> => {
    const words = ['--import', tsx, main, 'snapshot', '--verbose', ...names, ...argv];
    return (await promisify(execFile)(process.execPath, words, { cwd: folder })).stdout;
  };
  forget(folder);
  const [one, two] = await Promise.all([start('--jobs', '2'), start()]);
  assert.equal(one, two);
  assert.equal(one.split('\n').filter((line) => line.includes('same')).length, 5);
  forget(folder);
  assert.equal(await start(), one);
  assert.ok(isForgotten(folder));
});
