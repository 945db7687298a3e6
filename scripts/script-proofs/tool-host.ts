// Runs scripts whose tools are the real Helm and kubectl, each run of a tool once: what it did is remembered (tool-memory.ts), so
// that thousands of runs of a script which differ in one call take minutes and not days.

import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { execa } from 'execa';
import type { Ask, Told } from './api-cluster.ts';
import type { ApiServer } from './api-server.ts';
import type { Outcome } from './cluster-runs.ts';
import { parameterOf, powerShell } from './powershell/command.ts';
import type { Edition } from './powershell/native.ts';
import { digest, type Ended, ToolMemory } from './tool-memory.ts';

// Stands in PATH for a tool: hands its words and document on, and ends as it is told.
const stand = `#!/bin/bash
spool=$PROOF_SPOOL/$$
for word in "$@"; do
  if [ "$word" = - ]; then cat >"$spool.in"; fi
done
exec 3<>"/dev/tcp/127.0.0.1/$PROOF_PORT"
printf '%s\\0' "$PROOF_SESSION" "$PWD" "$spool" "$#" "\${0##*/}" "$@" >&3
read -r code <&3
if [ -s "$spool.out" ]; then cat "$spool.out"; fi
if [ -s "$spool.err" ]; then cat "$spool.err" >&2; fi
exit "$code"
`;

/** One run of a tool. */
export interface ToolRun {
  readonly tool: string;
  readonly words: readonly string[];
  /** What it asked, in order; what was watched too. */
  readonly asked: readonly (readonly [Ask, Told])[];
}

interface Session {
  readonly server: ApiServer;
  readonly home: string;
  /** Hears of each run of a tool. */
  readonly hear: ((run: ToolRun) => void) | undefined;
}

/** Says how a script is run. */
export interface RunWords {
  readonly args?: readonly string[];
  readonly input?: string;
  readonly namespace?: string;
  readonly hear?: (run: ToolRun) => void;
}

/** Who reads scripts: sh, or a PowerShell of the proofs as one of its editions. */
export type ScriptShell = 'sh' | Edition;

/** What runs scripts and commands with tools against servers. */
export interface ToolHost {
  /** Runs a script. */
  runScript(text: string, server: ApiServer, words?: RunWords): Promise<Outcome>;
  /** Runs a command. */
  run(command: readonly string[], server: ApiServer, words?: RunWords): Promise<Outcome>;
  /** Forgets what tools did: another Order asks for other things. */
  forget(): void;
  /** Gives how many runs of tools there were, and how many of them were answered from memory. */
  counts(): { readonly runs: number; readonly recalled: number };
  close(): void;
}

/** Says how a host works. */
interface HostOptions {
  /** Who reads scripts. Default: sh. */
  readonly shell?: ScriptShell;
  /** Whether a run of a tool that is known is not repeated. Default: true. */
  readonly remembers?: boolean;
}

/** Starts a host for the tools of a folder; `home` is where it works. */
export async function startToolHost(tools: string, home: string, options: HostOptions = {}): Promise<ToolHost> {
  const host = new Host(tools, home, options);
  await host.start();
  return host;
}

class Host implements ToolHost {
  readonly #tools: string;
  readonly #home: string;
  readonly #remembers: boolean;
  readonly #shell: ScriptShell;
  readonly #sessions = new Map<string, Session>();
  readonly #server = listen((fields) => this.#answer(fields));
  #memory = new ToolMemory();
  #counts = { runs: 0, recalled: 0 };
  #next = 0;

  constructor(tools: string, home: string, { shell = 'sh', remembers = true }: HostOptions) {
    [this.#tools, this.#home, this.#remembers, this.#shell] = [tools, home, remembers, shell];
  }

  async start(): Promise<void> {
    const bin = join(this.#home, 'bin');
    await mkdir(bin, { recursive: true });
    for (const tool of ['helm', 'kubectl']) {
      await writeFile(join(bin, tool), stand);
      await chmod(join(bin, tool), 0o755);
    }
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  async run([program = '', ...words]: readonly string[], server: ApiServer, options: RunWords = {}): Promise<Outcome> {
    const { input = '', namespace, hear } = options;
    const id = String(this.#next++);
    const own = await mkdtemp(join(this.#home, 'run-'));
    await writeFile(join(own, 'kubeconfig'), kubeconfigOf(server, namespace));
    this.#sessions.set(id, { server, home: own, hear });
    const env = {
      PATH: `${join(this.#home, 'bin')}:${process.env.PATH}`,
      HOME: own,
      PROOF_PORT: String((this.#server.address() as AddressInfo).port),
      PROOF_SPOOL: own,
      PROOF_SESSION: id,
    };
    try {
      const limits = { timeout: 600_000, maxBuffer: 1e9 };
      const { exitCode, all } = await execa(program, words, {
        ...limits,
        all: true,
        reject: false,
        cwd: own,
        input,
        env,
      });
      return { code: exitCode ?? -1, text: String(all) };
    } finally {
      this.#sessions.delete(id);
      await rm(own, { recursive: true, force: true });
    }
  }

  async runScript(text: string, server: ApiServer, options: RunWords = {}): Promise<Outcome> {
    const file = join(this.#home, `script-${this.#next++}.${this.#shell === 'sh' ? 'sh' : 'ps1'}`);
    await writeFile(file, text);
    const words = options.args ?? [];
    const command =
      this.#shell === 'sh' ? ['sh', file, ...words] : [...powerShell(this.#shell), file, ...words.map(parameterOf)];
    try {
      return await this.run(command, server, options);
    } finally {
      await rm(file);
    }
  }

  async #answer([id = '', cwd = '', spool = '', , tool = '', ...words]: readonly string[]): Promise<number> {
    const session = this.#sessions.get(id);
    if (session === undefined) return 255;
    const input = await taken(`${spool}.in`);
    const { cluster } = session.server;
    const asked: (readonly [Ask, Told])[] = [];
    this.#counts.runs++;
    cluster.hear = (ask, told) => asked.push([ask, told]);
    const key = keyOf(tool, words, cwd, input);
    let ended = this.#remembers ? this.#memory.recall(key, cluster) : undefined;
    if (ended === undefined) {
      asked.length = 0;
      ended = await runTool(join(this.#tools, tool), words, { session, cwd, input });
      if (this.#remembers) this.#memory.keep(key, asked, ended);
    } else this.#counts.recalled++;
    cluster.hear = undefined;
    session.hear?.({ tool, words, asked });
    writeFileSync(`${spool}.out`, ended.stdout);
    writeFileSync(`${spool}.err`, ended.stderr);
    return ended.code;
  }

  forget(): void {
    this.#memory = new ToolMemory();
  }

  counts(): { readonly runs: number; readonly recalled: number } {
    return this.#counts;
  }

  close(): void {
    this.#server.close();
  }
}

function kubeconfigOf({ url }: ApiServer, namespace = 'default'): string {
  const cluster = {
    clusters: [{ name: 'c', cluster: { server: url } }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u', namespace } }],
    users: [{ name: 'u', user: {} }],
  };
  return JSON.stringify({ apiVersion: 'v1', kind: 'Config', 'current-context': 'c', ...cluster });
}

// What a run of a tool was given to read. The next one that has its number must not find it.
async function taken(file: string): Promise<Uint8Array | undefined> {
  if (!existsSync(file)) return undefined;
  const content = await readFile(file);
  await rm(file);
  return content;
}

// The words of a run, with what files of the script's own folder hold in place of their names.
function keyOf(tool: string, words: readonly string[], cwd: string, input: Uint8Array | undefined): string {
  const work = basename(cwd) === 'empty' ? dirname(cwd) : cwd;
  const said = words.map((word) => {
    if (!word.includes(work)) return word;
    const path = word.slice(word.indexOf(work));
    const isFile = existsSync(path) && statSync(path).isFile();
    return isFile ? digest(readFileSync(path)) : word.replaceAll(work, 'WORK');
  });
  return digest(tool, ...said, input ?? '');
}

async function runTool(
  program: string,
  words: readonly string[],
  { session, cwd, input }: { session: Session; cwd: string; input: Uint8Array | undefined },
): Promise<Ended> {
  // What kubectl knows of a server is asked anew by each: else a run would depend on those before it.
  const cache = await mkdtemp(join(session.home, 'cache-'));
  const child = spawn(program, words, {
    cwd,
    env: {
      PATH: process.env.PATH,
      KUBECONFIG: join(session.home, 'kubeconfig'),
      HOME: session.home,
      KUBECACHEDIR: cache,
      HELM_CACHE_HOME: join(session.home, 'helm'),
      HELM_CONFIG_HOME: join(session.home, 'helm'),
      HELM_DATA_HOME: join(session.home, 'helm'),
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (part: Buffer) => stdout.push(part));
  child.stderr.on('data', (part: Buffer) => stderr.push(part));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input ?? '');
  const code = await new Promise<number>((resolve) => child.on('close', (status) => resolve(status ?? 255)));
  return { code, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr) };
}

// Listens for runs of tools: NUL after each word, of which the fourth says how many come after the fifth.
function listen(answer: (fields: readonly string[]) => Promise<number>): Server {
  return createServer((socket: Socket) => {
    let text = '';
    let isAsked = false;
    socket.setEncoding('utf8');
    socket.on('error', () => undefined);
    socket.on('data', (part: string) => {
      text += part;
      const fields = text.split('\0');
      if (isAsked || fields.length < 5 || fields.length < 6 + Number(fields[3])) return;
      isAsked = true;
      answer(fields.slice(0, -1)).then(
        (code) => socket.end(`${code}\n`),
        (error: unknown) => {
          console.error(error);
          socket.end('254\n');
        },
      );
    });
  });
}
