// A shell that keeps its state between commands, like a reader's terminal, with servers in the background.

import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';

/** The output of a command, standard output and standard error combined, and its exit code. */
export interface Answer {
  readonly output: string;
  readonly exitCode: number;
}

/** Reports whether the output of a server means that it is ready. */
export type Ready = ((output: string) => boolean) | 'quiet';

/** A shell with its state: folder, variables, functions. */
export interface Session {
  /** Runs a command to its end. Throws if it takes longer than a minute or ends the shell. */
  run(command: string): Promise<Answer>;
  /** Starts a long-running command. Returns its output once `ready` accepts it, or for `quiet` after a second without output. */
  serve(command: string, ready: Ready): Promise<string>;
  /** Ends the shell and its processes. */
  close(): Promise<void>;
}

/** Opens a shell in a folder. */
export function openSession(folder: string, env: NodeJS.ProcessEnv): Session {
  const shell = spawn('bash', ['--noprofile', '--norc'], { cwd: folder, env, stdio: 'pipe' });
  const servers: ChildProcess[] = [];
  let output = '';
  let wake = (): void => {};
  const onChunk = (chunk: Buffer): void => {
    output += chunk;
    wake();
  };
  shell.stdout.on('data', onChunk);
  shell.stderr.on('data', onChunk);
  shell.on('exit', () => wake());
  return {
    async run(command) {
      if (shell.exitCode !== null || shell.signalCode !== null) throw new Error('the shell has exited');
      const mark = `--${randomUUID()}--`;
      output = '';
      shell.stdin.write(`{ ${command}\n} </dev/null 2>&1\nprintf '%s%s\\n' '${mark}' "$?"\n`);
      const end = new RegExp(`${mark}(\\d+)\\n`);
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`timed out after a minute: ${command}`)), 60_000);
        wake = () => {
          if (!end.test(output) && shell.exitCode === null && shell.signalCode === null) return;
          clearTimeout(timer);
          resolve();
        };
      });
      const match = end.exec(output);
      if (match === null) throw new Error(`the shell exited during: ${command}\n${output}`);
      return { output: output.slice(0, match.index), exitCode: Number(match[1]) };
    },
    async serve(command, ready) {
      const cwd = (await this.run('pwd')).output.trim();
      const server = spawn('bash', ['--norc', '-c', `exec ${command}`], {
        cwd,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true, // In its own process group, so that the children of `npx` are killed with it.
      });
      servers.push(server);
      return whenReady(server, command, ready);
    },
    async close() {
      for (const server of servers) await end(server, (signal) => process.kill(-(server.pid ?? 0), signal));
      await end(shell, (signal) => shell.kill(signal));
    },
  };
}

function whenReady(server: ChildProcess, command: string, ready: Ready): Promise<string> {
  let output = '';
  return new Promise((resolve, reject) => {
    let quiet: NodeJS.Timeout | undefined;
    const stop = (): void => {
      clearTimeout(timer);
      clearTimeout(quiet);
    };
    const fail = (reason: string): void => {
      stop();
      reject(new Error(`${reason}: ${command}\n${output}`));
    };
    const timer = setTimeout(() => fail('the expected output did not appear within 20 seconds'), 20_000);
    const done = (): void => {
      stop();
      resolve(output);
    };
    const onChunk = (chunk: Buffer): void => {
      output += chunk;
      clearTimeout(quiet);
      if (ready === 'quiet') quiet = setTimeout(done, 1000);
      else if (ready(output)) done();
    };
    server.stdout?.on('data', onChunk);
    server.stderr?.on('data', onChunk);
    server.on('exit', (code) => fail(`exited with code ${code}`));
  });
}

async function end(child: ChildProcess, send: (signal: NodeJS.Signals) => void): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  send('SIGTERM');
  const timer = setTimeout(() => send('SIGKILL'), 5_000);
  await exited;
  clearTimeout(timer);
}
