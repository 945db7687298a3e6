// Runs a whole command line with Helm and with drydock and reports how the results differ.

import { askBounded } from '../../scripts/dev/tools/helm-binary.ts';
import { runInProcess } from '../support/cli.ts';
import { type Answer, compareAnswers } from '../support/golden.ts';
import { recordedHelms } from '../support/rows.ts';
import { type Job, type Outcome, runInputs, type Tools, type Tried } from './family.ts';

/** A command line for a folder, and a description of the folder. */
export interface Command {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly about: string;
}

// drydock has its own messages and exit code for wrong usage. Go interprets `%` in a chart name as a formatting verb, as compatibility.md explains.
function isSameAnswer(ours: Answer, theirs: Answer): boolean {
  if (ours.exitCode === 2) return theirs.exitCode !== 0;
  const isVerb = /%!\S/.test(theirs.stderr) && /^Error: .*%/.test(ours.stderr);
  return compareAnswers(theirs, isVerb ? { ...ours, stderr: theirs.stderr } : ours) === undefined;
}

const maxTries = 8;

/** Runs a command with both programs. If Helm's own result varies or is missing, there is no difference. */
async function compareCommand({ args, cwd, about }: Command, { helm, major, alone }: Tools): Promise<Tried> {
  const text = `${args.map((word) => JSON.stringify(word)).join(' ')}\n  ${about}`;
  const helmRun = alone ? undefined : askBounded(helm, args, { cwd });
  let ours: Answer;
  try {
    const [name = '', ...rest] = args;
    ours = await runInProcess([name, '--helm', recordedHelms[major], ...rest], cwd);
  } catch (error) {
    return { text, rejected: true, crash: (error as Error).stack ?? String(error) };
  }
  const theirs = (await helmRun) ?? ours;
  const result = { text, rejected: theirs.exitCode !== 0 };
  if (/\n\s+at .*\.(ts|js):\d+/.test(ours.stderr)) return { ...result, crash: ours.stderr };
  if (theirs.exitCode < 0 || isSameAnswer(ours, theirs)) return result;
  // Helm iterates over some maps in random order, so a match in any of its runs is enough.
  for (let times = 0; times < maxTries; times++) {
    const again = await askBounded(helm, args, { cwd });
    if (again.stdout !== theirs.stdout || again.stderr !== theirs.stderr) return result;
  }
  return { ...result, difference: compareAnswers(theirs, ours) };
}

/** Runs the commands of a job one after the other. */
export function runCommands(
  job: Job,
  tools: Tools,
  make: (seed: number) => Promise<Command | undefined>,
): Promise<Outcome> {
  return runInputs(job, async (seed) => {
    const command = await make(seed);
    return command && compareCommand(command, tools);
  });
}
