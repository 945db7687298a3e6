// Tests that `drydock snapshot --update`, killed at any moment, leaves snapshots of one run or reports that it did not, and that the next
// update completes it. Part of `npm run test:e2e -- persistence`, with `-- --rounds N` (default 30).

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, watch } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import { buildProduct } from '../../../scripts/dev/tools/product.ts';
import { check } from '../../../scripts/dev/tools/tools.ts';

const { rounds = '30' } = parseArgs({ options: { rounds: { type: 'string' } } }).values;
const command = await buildProduct();
const place = await mkdtemp(join(tmpdir(), 'drydock-kills-'));
const charts = Array.from({ length: 6 }, (_, index) => `chart-${index}`);
const runs = ['old', 'new'] as const;
type Run = (typeof runs)[number];

/** Every file of a snapshot shows which run wrote it. */
async function writeCharts(run: Run): Promise<void> {
  for (const name of charts) {
    const object = (of: string): string =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${of}}\ndata: {run: {{ .Values.run }}, case: {{ .Values.case | quote }}}\n`;
    const files: Readonly<Record<string, string>> = {
      'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`,
      'values.yaml': `run: ${run}\ncase: ""\n`,
      'templates/a.yaml': object('a'),
      'templates/b.yaml': object('b'),
      // One case only exists in one of the runs, so that an update adds and removes files.
      ...Object.fromEntries(['x', 'y', 'z', run].map((one) => [`ci/${one}-values.yaml`, `case: ${one}\n`])),
    };
    await rm(join(place, 'charts', name), { recursive: true, force: true });
    for (const [file, text] of Object.entries(files)) {
      const path = join(place, 'charts', name, file);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    }
  }
}

const environment = { ...process.env, XDG_CACHE_HOME: join(place, 'cache') };
const update = (flags: readonly string[]): ChildProcess =>
  spawn(process.execPath, [command, 'snapshot', 'charts/*', '--update', ...flags], {
    cwd: place,
    env: environment,
    stdio: 'ignore',
  });

interface Reported {
  readonly input: string;
  readonly status: string;
}

async function compare(): Promise<{ readonly inputs: readonly Reported[]; readonly text: string }> {
  const argv = [command, 'snapshot', 'charts/*', '--json'];
  const options = { cwd: place, env: environment, reject: false } as const;
  const { stdout, stderr } = await execa(process.execPath, argv, options);
  return { inputs: JSON.parse(stdout).inputs, text: `${stdout}${stderr}` };
}

/** Returns the files of a chart's snapshot with their texts, including temporary ones. */
function filesOf(name: string): string {
  const folder = join(place, 'snapshots', `${name}.snap`);
  if (!existsSync(folder)) return '';
  const names = readdirSync(folder).sort();
  return names.map((file) => `${file}\n${readFileSync(join(folder, file), 'utf8')}`).join('\n');
}

const recorded = {} as Record<Run, Readonly<Record<string, string>>>;
let duration = 0;
try {
  for (const run of runs) {
    await writeCharts(run);
    const start = performance.now();
    await once(update(['--no-cache']), 'exit');
    duration = performance.now() - start;
    recorded[run] = Object.fromEntries(charts.map((name) => [name, filesOf(name)]));
  }
  const isTold = charts.every((name) => recorded.old[name] !== recorded.new[name] && recorded.new[name] !== '');
  check('the two runs differ in every snapshot', isTold);
  const seen = { old: 0, new: 0, torn: 0, rounds: 0 };
  for (let round = 0; round < Number(rounds); round++) {
    const run = runs[round % 2]!;
    await writeCharts(run);
    const child = update([['--no-cache'], [], ['--jobs', '2']][round % 3]!);
    const ended = once(child, 'exit');
    // Half of the kills come at any moment, half soon after the first file is written.
    if (round % 4 < 2) {
      await wait(Math.random() * duration);
    } else {
      const stop = new AbortController();
      await Promise.race([
        once(watch(join(place, 'snapshots'), { recursive: true, signal: stop.signal }), 'change'),
        ended,
      ]);
      stop.abort();
      await wait(Math.random() * 8);
    }
    child.kill('SIGKILL');
    await ended;
    seen.rounds++;
    const { inputs, text } = await compare();
    for (const name of charts) {
      const files = filesOf(name);
      const own = runs.find((one) => recorded[one][name] === files);
      const isMarked = files.includes('.updating\n');
      const shownStatus = inputs.find(({ input }) => input === `charts/${name}`)?.status;
      seen[own ?? 'torn']++;
      if (own === undefined && !isMarked) check(`${name} is of one run, or says that it is not:\n${files}`, false);
      const isReported = isMarked
        ? text.includes(`an update of snapshots/${name}.snap was interrupted`)
        : shownStatus === (own === run ? 'same' : 'different');
      if (!isReported)
        check(`a run after the kill says how ${name} is (${shownStatus}; ${isMarked ? 'torn' : own})`, false);
    }
    // A partial update remains until a complete one.
    if (round % 5 === 4) {
      await once(update([]), 'exit');
      const repaired = charts.every((name) => recorded[run][name] === filesOf(name));
      if (!repaired) check('an update completes what was interrupted', false);
    }
  }
  check(`${seen.rounds} kills: ${seen.old + seen.new} snapshots whole, ${seen.torn} torn and reported`, seen.torn > 0);
  await once(update([]), 'exit');
  const last = runs[(Number(rounds) - 1) % 2]!;
  check(
    'an update completes what was interrupted',
    charts.every((name) => recorded[last][name] === filesOf(name)),
  );
  check(
    'and the next run finds nothing to do',
    (await compare()).inputs.every(({ status }) => status === 'same'),
  );
} finally {
  await rm(place, { recursive: true, force: true });
}
