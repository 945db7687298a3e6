// Measures `drydock snapshot CHART --watch` in a terminal: the time from saving a file of kube-prometheus-stack until the difference is shown,
// and until its causes are. `npm run bench -- watch --charts DIR… [--saves N]`, after `npm run build`.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { temporaryFolder } from '../dev/tools/tools.ts';
import { builtCommand, environment, figureOf, publicCases } from './measure.ts';

const chartName = 'kube-prometheus-stack';
const goalMs = 200;

const { values: flags } = parseArgs({
  options: {
    charts: { type: 'string', multiple: true, default: [] },
    saves: { type: 'string', default: '20' },
  },
});

/** Edits, each of which changes the output: a line of a file and its replacement. */
const edits: readonly { readonly file: string; readonly line: RegExp; readonly to: (word: string) => string }[] = [
  { file: 'values.yaml', line: /^( {4}logFormat: ).*$/m, to: (word) => `$1${word}` },
  { file: 'templates/prometheus/service.yaml', line: /^( {4}app: .*-prometheus)\S*$/m, to: (word) => `$1-${word}` },
];

const project = temporaryFolder('drydock-bench-watch-');
const env = { ...environment, TERM: 'xterm-256color' };

/** A command in a terminal, with its output. */
class Screen {
  readonly #child: ChildProcess;
  #shown = '';
  #onOutput = (): void => {};

  constructor(argv: readonly string[]) {
    // `script` provides a terminal, where differences are shown before their causes are known.
    const line = argv.map((word) => `'${word}'`).join(' ');
    this.#child = spawn('script', ['-qefc', `exec ${line}`, '/dev/null'], {
      cwd: project,
      env,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.#child.stdout?.on('data', (chunk) => {
      this.#shown += chunk;
      this.#onOutput();
    });
  }

  clear(): void {
    this.#shown = '';
  }

  /** Waits for a text in the output and returns the time at which it appeared. */
  async until(what: string): Promise<number> {
    const limit = performance.now() + 120_000;
    while (!this.#shown.includes(what)) {
      if (performance.now() > limit)
        throw new Error(`timed out waiting for ${what}; output: ${this.#shown.slice(-2000)}`);
      await new Promise<void>((resolve) => {
        this.#onOutput = resolve;
        setTimeout(resolve, 1000).unref();
      });
    }
    return performance.now();
  }

  /** Returns the processor time of the command in milliseconds, which depends less on other load than elapsed time. */
  spent(): number {
    const [child = ''] = readFileSync(`/proc/${this.#child.pid}/task/${this.#child.pid}/children`, 'utf8').split(' ');
    const tasks = readdirSync(`/proc/${child}/task`);
    const times = tasks.map((task) =>
      Number(readFileSync(`/proc/${child}/task/${task}/schedstat`, 'utf8').split(' ')[0]),
    );
    return times.reduce((sum, time) => sum + time, 0) / 1e6;
  }

  async end(): Promise<void> {
    const ended = new Promise((done) => this.#child.once('close', done));
    this.#child.stdin?.write('\u0003');
    await ended;
  }
}

/** The times of one save, in milliseconds. */
interface SaveTimes {
  /** Until the difference was shown, elapsed time and processor time. */
  readonly shown: number;
  readonly spent: number;
  /** Until its causes were shown. */
  readonly reported: number;
}

async function save(screen: Screen, number: number): Promise<SaveTimes> {
  const edit = edits[number % edits.length] as (typeof edits)[number];
  const word = `saved${number}x`;
  const file = join(project, chartName, edit.file);
  const text = readFileSync(file, 'utf8');
  const changed = text.replace(edit.line, edit.to(word));
  if (changed === text)
    throw new Error(`no line of ${edit.file} matches ${edit.line}: update the edits of this benchmark`);
  screen.clear();
  const before = screen.spent();
  const start = performance.now();
  writeFileSync(file, changed);
  const shown = await screen.until(word);
  const spent = screen.spent() - before;
  const reported = await screen.until('Ctrl-C ends');
  return { shown: shown - start, reported: reported - start, spent };
}

function figure(times: readonly number[]): string {
  const { median, least, most } = figureOf(times);
  return `${median.toFixed(0)} ms (${least.toFixed(0)} to ${most.toFixed(0)})`;
}

async function measureAll(): Promise<void> {
  const found = (await publicCases(flags.charts)).find(({ chart }) => basename(chart) === chartName);
  if (found === undefined) throw new Error(`no ${chartName} in the folders of --charts`);
  cpSync(found.chart, join(project, chartName), { recursive: true, dereference: true });
  rmSync(join(project, chartName, 'ci'), { recursive: true, force: true });
  const args = [builtCommand, 'snapshot', chartName];
  execFileSync(process.execPath, [...args, '--update', '-q'], { cwd: project, env });
  const screen = new Screen([process.execPath, ...args, '--watch']);
  await screen.until('Ctrl-C ends');
  // As a user needs to switch to the editor.
  await pause(8000);
  const first = await save(screen, 0);
  const saves: SaveTimes[] = [];
  for (let number = 1; number <= Number(flags.saves); number++) {
    await pause(500);
    saves.push(await save(screen, number));
  }
  await screen.end();
  const of = (name: keyof SaveTimes): number[] => saves.map((one) => one[name]);
  console.log(
    `first save: difference after ${first.shown.toFixed(0)} ms, causes after ${first.reported.toFixed(0)} ms`,
  );
  console.log(
    `${saves.length} more saves: difference after ${figure(of('shown'))}, causes after ${figure(of('reported'))}`,
  );
  console.log(`processor time until the difference: ${figure(of('spent'))}`);
  const isMet = figureOf(of('shown')).median < goalMs;
  console.log(`goal, median under ${goalMs} ms: ${isMet ? 'met' : 'not met'}`);
  if (!isMet) process.exitCode = 1;
}

await measureAll();
