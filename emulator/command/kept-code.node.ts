// Runs a script from the code that V8 compiled in an earlier run, cached in the user's cache folder. Compiling the program takes
// longer than rendering a small chart; a cache that cannot be read, written or trusted costs no more than that.

import {
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { codeFolder } from './caching/code-folder.node.ts';
import { isOursAlone } from './caching/owner.node.ts';
import { tellV8 } from './v8-flags.node.ts';

/** How often what a run compiled anew is added to what is kept. Later runs are spared the look, unless they do far more. */
const maxRounds = 6;
/** How many bytes stand before the code: a mark, the round, the length, the check sum, and the longest run. */
const headLength = 20;
const mark = 0x44524b32;
/** How long a start may take, until the first requests. */
const startMs = 1000;
const oldAge = 30 * 24 * 3600 * 1000;

interface Kept {
  readonly code: Buffer;
  readonly round: number;
  /** The most processor time of the runs that added to it, in milliseconds. */
  readonly longest: number;
}

/** How a file is run. */
interface KeptRun {
  /** Names the content of the file: code kept for another is not used. */
  readonly digest: string;
  /**
   * Whether the process soon ends: it keeps code at its end, another as soon as it has started, for it may be killed, and V8
   * forgets code that has not run for long.
   */
  readonly isBrief: boolean;
  /** What the file has as `__import`: Node refuses `import()` in code that it did not load itself. */
  readonly importLate?: (specifier: string) => Promise<unknown>;
}

/** Runs a CommonJS file and returns its exports. */
export function runKept(path: string, { digest, isBrief, importLate }: KeptRun): unknown {
  tellV8(isBrief ? 'brief' : 'long');
  const folder = codeFolder();
  const entry =
    folder === undefined ? undefined : join(folder, `${digest}-${process.version}-${cachedDataVersionTag()}`);
  const kept = entry === undefined ? undefined : readEntry(entry);
  const source = readFileSync(path, 'latin1');
  const head = `(function (exports, require, module, __filename, __dirname, __import) {${source.startsWith('#!') ? '//' : ''}`;
  const cached = kept === undefined ? {} : { cachedData: kept.code };
  const script = new Script(`${head}${source}\n})`, { filename: path, ...cached });
  const usable = kept !== undefined && script.cachedDataRejected !== true;
  const round = usable ? kept.round + 1 : 0;
  if (folder !== undefined && entry !== undefined) {
    const keepNow = (): void => {
      // A run that compiles all of it tells nothing of how much it does.
      const spent = usable ? spentMs() : 0;
      const longest = usable ? kept.longest : 0;
      if (round < maxRounds || spent > 2 * longest)
        keep({ folder, entry }, script, { round, longest: Math.max(spent, longest) });
    };
    if (!isBrief) setTimeout(() => process.off('exit', keepNow) && keepNow(), startMs).unref();
    process.once('exit', keepNow);
  }
  const module = { exports: {} };
  const run = script.runInThisContext() as (...args: unknown[]) => void;
  run(module.exports, createRequire(path), module, path, join(path, '..'), importLate);
  return module.exports;
}

function spentMs(): number {
  const { user, system } = process.cpuUsage();
  return Math.ceil((user + system) / 1000);
}

/** Gives what an entry holds; undefined where there is none, or one that is torn, altered or another user's. */
function readEntry(entry: string): Kept | undefined {
  let file: number | undefined;
  try {
    file = openSync(entry, 'r');
    const stats = fstatSync(file);
    const { size } = stats;
    // It is run as code: it must be ours alone to write.
    if (!isOursAlone(stats)) return undefined;
    const bytes = Buffer.allocUnsafeSlow(size);
    if (size <= headLength || readSync(file, bytes, 0, size, 0) !== size) return undefined;
    const code = bytes.subarray(headLength);
    const isWhole = bytes.readUInt32LE(0) === mark && bytes.readUInt32LE(8) === code.length;
    if (!isWhole || bytes.readUInt32LE(12) !== crc32(code)) return undefined;
    return { code, round: bytes.readUInt32LE(4), longest: bytes.readUInt32LE(16) };
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

// Written aside and renamed: who reads meanwhile sees the whole of the one or of the other.
function keep(
  { folder, entry }: { readonly folder: string; readonly entry: string },
  script: Script,
  { round, longest }: Omit<Kept, 'code'>,
): void {
  const aside = `${entry}.${process.pid}`;
  try {
    const code = script.createCachedData();
    const head = Buffer.alloc(headLength);
    for (const [i, word] of [mark, round, code.length, crc32(code), longest].entries()) head.writeUInt32LE(word, i * 4);
    const file = openSync(aside, 'wx', 0o600);
    try {
      writeSync(file, head);
      writeSync(file, code);
    } finally {
      closeSync(file);
    }
    renameSync(aside, entry);
    if (round === 0) sweep(folder);
  } catch {
    discard(aside);
  }
}

function discard(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Where nothing can be written nothing was.
  }
}

/** Removes what no run has renewed for a month: the code of other versions, Node's own caches, and what a killed run left. */
function sweep(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (Date.now() - statSync(path).mtimeMs > oldAge) rmSync(path, { recursive: true, force: true });
  }
}
