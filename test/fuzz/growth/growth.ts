// Tests that nothing that grows makes our time grow faster than Helm's. `npm run fuzz -- growth [--only WORD…] [--all]`
// Each case is rendered at a quarter, a half and the whole of its size. What takes more than a second is asked of Helm too, and may
// take three times as long as Helm, processor time by processor time, and 512 MB. `--all` asks Helm always.

import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import { helmBinary, helmEnvironment } from '../../../scripts/tools/helm-binary.ts';
import { largeBytes } from '../family.ts';
import type { GrowthCase } from './case.ts';
import { growthCases } from './cases.ts';
import type { Asked, Took } from './worker.ts';

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    all: { type: 'boolean', default: false },
    part: { type: 'string', default: '1/1' },
  },
});

const enoughMs = 1000;
const timesHelm = 3;
/** What ends a rendering of ours: far more than any may take. */
const limitMs = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'drydock-growth-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Writes a case of a size to the folder; gives the command line for it. */
function write(each: GrowthCase, size: number): Asked {
  rmSync(folder, { recursive: true, force: true });
  const { files, args = [] } = each.make(size);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return { args: ['template', 'r', './c', ...args], cwd: folder };
}

let worker: ChildProcess | undefined;

async function started(): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL('worker.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx', '--max-old-space-size=512'],
    stdio: ['ignore', 'inherit', 'ignore', 'ipc'],
  });
  await new Promise((resolve) => child.once('message', resolve));
  return child;
}

/** Returns what a command line took of us; undefined when the process died of it, or did not end. */
async function askUs(asked: Asked): Promise<Took | undefined> {
  worker ??= await started();
  const child = worker;
  const took = await new Promise<Took | undefined>((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
    const finish = (told?: Took): void => {
      clearTimeout(timer);
      child.removeAllListeners();
      resolve(told);
    };
    child.once('message', (told: Took) => finish(told));
    child.once('exit', () => finish());
    child.send(asked);
  });
  // The most memory of a process is never less again.
  if (took === undefined || took.peakBytes > largeBytes) {
    child.kill('SIGKILL');
    worker = undefined;
  }
  return took;
}

const { helm } = await helmBinary();
const bounds = 'ulimit -v 4000000; ulimit -t 60; "$0" "$@" >/dev/null; times';

/** Returns the processor time of Helm in milliseconds, and what it said. */
async function askThem({ args, cwd }: Asked): Promise<{ readonly milliseconds: number; readonly error: string }> {
  const { stdout, stderr } = await execa('sh', ['-c', bounds, helm, ...args], {
    cwd,
    reject: false,
    env: helmEnvironment,
    maxBuffer: 1 << 28,
  });
  const times = [...(stdout.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
  return {
    milliseconds: times.reduce((sum, [, minutes, seconds]) => sum + (Number(minutes) * 60 + Number(seconds)) * 1000, 0),
    error: stderr.slice(0, 2000),
  };
}

/** What a case came to: a line of the table, and whether it fails. */
interface Verdict {
  readonly line: string;
  readonly fails: boolean;
}

const milliseconds = (took: Took | undefined): string => (took === undefined ? 'never' : took.milliseconds.toFixed());

async function judge(each: GrowthCase): Promise<Verdict> {
  const tooks: (Took | undefined)[] = [];
  for (const part of [4, 2, 1]) tooks.push(await askUs(write(each, Math.max(1, Math.floor(each.size / part)))));
  let whole = tooks[2];
  // What a process did before is not this case's memory.
  if (whole !== undefined && whole.peakBytes > largeBytes) whole = await askUs(write(each, each.size));
  const crashes = whole?.exitCode === -1 || /\n\s+at .*\.(ts|js):\d+/.test(whole?.error ?? '');
  const isLarge = (whole?.peakBytes ?? 0) > largeBytes;
  const isSlow = whole === undefined || whole.milliseconds > enoughMs;
  const cells = tooks.map((took) => milliseconds(took).padStart(8)).join('') + (whole?.exitCode ? ' r' : '  ');
  const memory = `${((whole?.peakBytes ?? 0) / 2 ** 20).toFixed()} MB`.padStart(9);
  if (!isSlow && !crashes && !isLarge && !flags.all)
    return { line: `${cells}${memory}         -  ${each.name}`, fails: false };
  const theirs = await askThem(write(each, each.size));
  const ratio = (whole?.milliseconds ?? limitMs) / Math.max(1, theirs.milliseconds);
  const fails = crashes || isLarge || (isSlow && ratio > timesHelm) || whole === undefined;
  const words = crashes ? `\n${whole?.error}` : '';
  const told = theirs.milliseconds.toFixed().padStart(10);
  return {
    line: `${cells}${memory}${told}  ${fails ? `FAILS (${ratio.toFixed(1)}x): ` : ''}${each.name}${words}`,
    fails,
  };
}

const [part, parts] = flags.part.split('/').map(Number) as [number, number];
const chosen = growthCases
  .filter(({ name }) => flags.only === undefined || flags.only.some((word) => name.includes(word)))
  .filter((_, at) => at % parts === part - 1);
console.log(
  `${'n/4'.padStart(8)}${'n/2'.padStart(8)}${'n'.padStart(8)}${'memory'.padStart(9)}${'Helm'.padStart(10)}  case`,
);
let failed = 0;
for (const each of chosen) {
  const { line, fails } = await judge(each);
  if (fails) failed++;
  console.log(line);
}
worker?.kill('SIGKILL');
console.log(`growth: ${chosen.length} cases, ${failed} fail`);
process.exitCode = failed > 0 ? 1 : 0;
