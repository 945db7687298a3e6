// Runs `drydock serve` as a process.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { buildProduct } from '../../scripts/dev/tools/product.ts';

/** A running server. */
export interface Served {
  readonly url: string;
  /** The token of its first user. */
  readonly token: string;
  readonly users: readonly { readonly token: string }[];
  readonly child: ChildProcess;
  /** Returns its standard error so far. */
  readonly stderr: () => string;
  /** Sends a signal. Returns the exit code. */
  end(signal: NodeJS.Signals): Promise<unknown>;
}

/** Options for `serve`. */
export interface ServeOptions {
  readonly cwd?: string;
  /** More environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** Shell code that runs before the server. */
  readonly shell?: string;
}

/** The path of the built command. */
export const command = await buildProduct();

/** Starts the built command on a free port and waits until it is ready. It is killed when this process exits. */
export async function serve(argv: readonly string[], { cwd, env, shell = ':' }: ServeOptions = {}): Promise<Served> {
  const words = [process.execPath, command, 'serve', '--port', '0', '--json', ...argv];
  const child = spawn('sh', ['-c', `${shell}; exec "$@"`, 'sh', ...words], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = once(child, 'exit').then(([code]) => {
    process.removeListener('exit', kill);
    return code as unknown;
  });
  let stderr = '';
  child.stderr.on('data', (data) => {
    stderr += data;
  });
  const failed = ended.then((): never => {
    throw new Error(`the server did not start: ${stderr}`);
  });
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), failed])) as [string];
  const { url, users } = JSON.parse(line) as Pick<Served, 'url' | 'users'>;
  return {
    url,
    users,
    token: users[0]?.token ?? '',
    child,
    stderr: () => stderr,
    end: (signal) => {
      child.kill(signal);
      return ended;
    },
  };
}
