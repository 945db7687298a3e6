// Tests that `drydock snapshot --update`, killed at any moment, leaves snapshots of one run or marks them as interrupted, and that the next
// update completes it. Part of `npm run test:e2e -- persistence`.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, watch } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { execa } from 'execa';
import { buildProduct } from '../../../scripts/dev/tools/product.ts';
import { check, temporaryFolder } from '../../../scripts/dev/tools/tools.ts';
import { writeFiles } from '../../../scripts/dev/tools/write-files.ts';

const rounds = 30;
const command = await buildProduct();
const workspace = temporaryFolder('drydock-kills-');
const charts = Array.from({ length: 6 }, (_, index) => `chart-${index}`);
const runs = ['old', 'new'] as const;
type Run = (typeof runs)[number];

/** Writes charts whose snapshots show which run wrote them. */
async function writeCharts(run: Run): Promise<void> {
  for (const name of charts) {
    const object = (objectName: string): string =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${objectName}}\ndata: {run: {{ .Values.run }}, case: {{ .Values.case | quote }}}\n`;
    await rm(join(workspace, 'charts', name), { recursive: true, force: true });
    await writeFiles(join(workspace, 'charts', name), {
      'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`,
      'values.yaml': `run: ${run}\ncase: ""\n`,
      'templates/a.yaml': object('a'),
      'templates/b.yaml': object('b'),
      // One case exists in only one of the runs, so that an update adds and removes files.
      ...Object.fromEntries(['x', 'y', 'z', run].map((one) => [`ci/${one}-values.yaml`, `case: ${one}\n`])),
    });
  }
}

const environment = { ...process.env, XDG_CACHE_HOME: join(workspace, 'cache') };
const update = (flags: readonly string[]): ChildProcess =>
  spawn(process.execPath, [command, 'snapshot', 'charts/*', '--update', ...flags], {
    cwd: workspace,
    env: environment,
    stdio: 'ignore',
  });

interface Reported {
  readonly input: string;
  readonly status: string;
}

async function compare(): Promise<{ readonly inputs: readonly Reported[]; readonly text: string }> {
  const argv = [command, 'snapshot', 'charts/*', '--json'];
  const options = { cwd: workspace, env: environment, reject: false } as const;
  const { stdout, stderr } = await execa(process.execPath, argv, options);
  return { inputs: JSON.parse(stdout).inputs, text: `${stdout}${stderr}` };
}

/** Returns the names and contents of the files in a chart's snapshot, including temporary ones. */
function filesOf(name: string): string {
  const folder = join(workspace, 'snapshots', `${name}.snap`);
  if (!existsSync(folder)) return '';
  const names = readdirSync(folder).sort();
  return names.map((file) => `${file}\n${readFileSync(join(folder, file), 'utf8')}`).join('\n');
}

const recorded = {} as Record<Run, Readonly<Record<string, string>>>;
let duration = 0;

for (const run of runs) {
  await writeCharts(run);
  const start = performance.now();
  await once(update(['--no-cache']), 'exit');
  duration = performance.now() - start;
  recorded[run] = Object.fromEntries(charts.map((name) => [name, filesOf(name)]));
}
function checkCompleted(run: Run): void {
  const isComplete = charts.every((name) => recorded[run][name] === filesOf(name));
  check('an update completes interrupted ones', isComplete);
}

const isDifferent = charts.every((name) => recorded.old[name] !== recorded.new[name] && recorded.new[name] !== '');
check('the two runs differ in every snapshot', isDifferent);
const seen = { old: 0, new: 0, interrupted: 0, rounds: 0 };
// On a fast machine no kill may hit the writing: then there are more.
const needsMore = (round: number): boolean => round < rounds || (seen.interrupted === 0 && round < 4 * rounds);
for (let round = 0; needsMore(round); round++) {
  const run = runs[round % 2]!;
  await writeCharts(run);
  const child = update([['--no-cache'], [], ['--jobs', '2']][round % 3]!);
  const ended = once(child, 'exit');
  // Half of the kills are at a random moment, half soon after the first file is written.
  if (round % 4 < 2) {
    await wait(Math.random() * duration);
  } else {
    const stop = new AbortController();
    await Promise.race([
      once(watch(join(workspace, 'snapshots'), { recursive: true, signal: stop.signal }), 'change'),
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
    const status = inputs.find(({ input }) => input === `charts/${name}`)?.status;
    seen[own ?? 'interrupted']++;
    if (own === undefined && !isMarked)
      throw new Error(`the snapshot of ${name} is neither of one run nor marked as interrupted:\n${files}`);
    const isReported = isMarked
      ? text.includes(`an update of snapshots/${name}.snap was interrupted`)
      : status === (own === run ? 'same' : 'different');
    if (!isReported) throw new Error(`wrong state of ${name} (${status}; ${isMarked ? 'interrupted' : own})`);
  }
  // An interrupted update remains until the next one.
  if (round % 5 === 4) {
    await once(update([]), 'exit');
    checkCompleted(run);
  }
}
check(
  `${seen.rounds} kills: ${seen.old + seen.new} snapshots complete, ${seen.interrupted} reported as interrupted`,
  seen.interrupted > 0,
);
await once(update([]), 'exit');
checkCompleted(runs[(seen.rounds - 1) % 2]!);
check(
  'the next run finds no differences',
  (await compare()).inputs.every(({ status }) => status === 'same'),
);
