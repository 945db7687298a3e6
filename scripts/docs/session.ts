// A shell that keeps its state between commands, like a reader's terminal, with servers in the background.

import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { until } from '../dev/tools/tools.ts';

/** The output of a command, standard output and standard error combined, and its exit code. */
export interface Answer {
  readonly output: string;
  readonly exitCode: number;
}

/** A shell with its state: folder, variables, functions. */
export interface Session {
  /** Runs a command to its end. Throws if it takes longer than a minute or ends the shell. */
  run(command: string): Promise<Answer>;
  /** Starts a long-running command. Returns its output once `isReady` accepts it; by default, after a second without output. */
  serve(command: string, isReady?: (output: string) => boolean): Promise<string>;
  /** Ends the shell and its processes. */
  close(): Promise<void>;
}

/** Opens a shell in a folder. */
export function openSession(folder: string, env: NodeJS.ProcessEnv): Session {
  const child = spawn('bash', ['--noprofile', '--norc'], { cwd: folder, env, stdio: 'pipe' });
  const shell = capture(child);
  const servers: ChildProcess[] = [];
  const run = async (command: string): Promise<Answer> => {
    if (hasExited(child)) throw new Error('the shell has exited');
    const mark = `--${randomUUID()}--`;
    const end = new RegExp(`${mark}(\\d+)\\n`);
    shell.output = '';
    child.stdin.write(`{ ${command}\n} </dev/null 2>&1\nprintf '%s%s\\n' '${mark}' "$?"\n`);
    await until(command, async () => end.test(shell.output) || hasExited(child), 60);
    const match = end.exec(shell.output);
    if (match === null) throw new Error(`the shell exited during: ${command}\n${shell.output}`);
    return { output: shell.output.slice(0, match.index), exitCode: Number(match[1]) };
  };
  return {
    run,
    serve: async (command, isReady) => {
      const cwd = (await run('pwd')).output.trim();
      const server = spawn('bash', ['--norc', '-c', `exec ${command}`], {
        cwd,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true, // In its own process group, so that the children of `npx` are killed with it.
      });
      servers.push(server);
      const printed = capture(server);
      const isQuiet = (): boolean => printed.output !== '' && Date.now() - printed.changed > 1000;
      const isDone = async (): Promise<boolean> =>
        hasExited(server) || (isReady === undefined ? isQuiet() : isReady(printed.output));
      await until(command, isDone, 20).catch((error: Error) => {
        throw new Error(`${error.message}\n${printed.output}`);
      });
      if (hasExited(server)) throw new Error(`exited with code ${server.exitCode}: ${command}\n${printed.output}`);
      return printed.output;
    },
    close: async () => {
      for (const server of servers) await end(server, (signal) => process.kill(-(server.pid ?? 0), signal));
      await end(child, (signal) => child.kill(signal));
    },
  };
}

/** Collects what a process prints, and the time of the last output. */
function capture({ stdout, stderr }: ChildProcess): { output: string; changed: number } {
  const printed = { output: '', changed: 0 };
  for (const stream of [stdout, stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      printed.output += chunk;
      printed.changed = Date.now();
    });
  }
  return printed;
}

function hasExited({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function end(child: ChildProcess, send: (signal: NodeJS.Signals) => void): Promise<void> {
  if (hasExited(child)) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  send('SIGTERM');
  const timer = setTimeout(() => send('SIGKILL'), 5_000);
  await exited;
  clearTimeout(timer);
}
