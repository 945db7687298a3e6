// Runs a whole command line with Helm and with drydock and reports how the results differ.

import { askBounded } from '../../scripts/dev/tools/helm-binary.ts';
import { runInProcess } from '../support/cli.ts';
import { type Answer, compareAnswers } from '../support/golden.ts';
import { recordedHelms } from '../support/rows.ts';
import { type Finding, type Job, type Outcome, slowMs, type Tools } from './family.ts';

/** A command line for a folder, and a description of the folder. */
export interface Command {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly about: string;
}

/** The result of a command. */
export interface Compared {
  readonly difference?: string | undefined;
  readonly crash?: string;
  readonly rejected: boolean;
  readonly milliseconds: number;
}

// drydock has its own messages and exit code for wrong usage. Go interprets `%` in a chart name as a formatting verb, as compatibility.md explains.
function isSameAnswer(ours: Answer, theirs: Answer): boolean {
  if (ours.exitCode === 2) return theirs.exitCode !== 0;
  const isVerb = /%!\S/.test(theirs.stderr) && /^Error: .*%/.test(ours.stderr);
  return compareAnswers(theirs, isVerb ? { ...ours, stderr: theirs.stderr } : ours) === undefined;
}

const maxTries = 8;

/** Runs a command with both programs. If Helm's own result varies or is missing, there is no difference. */
export async function compareCommand({ args, cwd }: Command, { helm, major, alone }: Tools): Promise<Compared> {
  const helmRun = alone ? undefined : askBounded(helm, args, { cwd });
  const before = process.cpuUsage();
  let ours: Answer | undefined;
  let crash: string | undefined;
  try {
    const [name = '', ...rest] = args;
    ours = await runInProcess([name, '--helm', recordedHelms[major], ...rest], cwd);
  } catch (error) {
    crash = (error as Error).stack ?? String(error);
  }
  const { user, system } = process.cpuUsage(before);
  const milliseconds = (user + system) / 1000;
  const theirs = (await helmRun) ?? ours ?? { exitCode: -1, stdout: '', stderr: '' };
  const rejected = theirs.exitCode !== 0;
  const result = { rejected, milliseconds, ...(crash === undefined ? {} : { crash }) };
  if (ours === undefined || theirs.exitCode < 0 || theirs.stderr.includes('goroutine ')) return result;
  if (/\n\s+at .*\.(ts|js):\d+/.test(ours.stderr)) return { ...result, crash: ours.stderr };
  if (isSameAnswer(ours, theirs)) return result;
  // Helm iterates over some maps in random order, so a match in any of its runs is enough.
  for (let times = 0; times < maxTries; times++) {
    const again = await askBounded(helm, args, { cwd });
    if (again.stdout !== theirs.stdout || again.stderr !== theirs.stderr) return result;
  }
  return { ...result, difference: compareAnswers(theirs, ours) };
}

/** Runs the commands of a job one after the other. */
export async function runCommands(
  job: Job,
  tools: Tools,
  make: (seed: number) => Promise<Command | undefined>,
): Promise<Outcome> {
  const findings: Finding[] = [];
  let [rejected, longestMs, inputs] = [0, 0, 0];
  for (let seed = job.seed; seed < job.seed + job.count; seed++) {
    const command = await make(seed);
    if (command === undefined) continue;
    inputs++;
    const compared = await compareCommand(command, tools);
    const report = (kind: Finding['kind'], text: string): void => {
      const line = command.args.map((word) => JSON.stringify(word)).join(' ');
      findings.push({ family: job.family, seed, kind, text: `${line}\n  ${command.about}\n  ${text}` });
    };
    if (compared.rejected) rejected++;
    if (compared.crash !== undefined) report('crashes', compared.crash);
    if (compared.difference !== undefined) report('differs', compared.difference);
    if (compared.milliseconds > slowMs && (await compareCommand(command, tools)).milliseconds > slowMs)
      report('slow', `${compared.milliseconds.toFixed()} ms`);
    longestMs = Math.max(longestMs, compared.milliseconds);
  }
  return { inputs, rejected, findings, longestMs };
}
