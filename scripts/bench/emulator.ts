// Bench: the emulator beside json-server and Prism, in one run on this machine. `npm run bench:emulator`
// GET of one user among 10,000; start to first answer; processor time and memory; a new world. A server of node:http alone that
// sends the same bytes says what Node gives at most. Each figure of ours that must hold stands beside its limit, and one that
// does not makes the run fail.

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { createEmulator } from '../../emulator/emulator.ts';
import { buildProduct } from '../tools/product.ts';
import { freePort, installTools, type Tools } from '../tools/tools.ts';

const userCount = 10_000;
const seconds = Number(process.argv[2] ?? 5);
const token = 'bench-token-of-user-5000';

/** One server under test. */
interface Contender {
  readonly name: string;
  readonly path: string;
  readonly hasWorlds?: true;
  /** How often it is started: the figures are of the middle start. Default 1. */
  readonly starts?: number;
  readonly env?: Readonly<Record<string, string>>;
  start(port: number): readonly [string, readonly string[]];
}

/** What was measured of one server. */
interface Figures {
  readonly name: string;
  readonly startMs: number;
  /** Processor time until the first answer: unlike `startMs`, it says little of what else the machine does. */
  readonly startCpuMs: number;
  readonly requestsPerSecond: number;
  /** Processor time of the server for each request of the load. */
  readonly requestCpuUs: number;
  readonly p99Ms: number;
  readonly memoryMb: number;
  readonly memoryAfterMb: number;
  /** The middle one of several new worlds, from the call to its first answer; undefined where there are no worlds. */
  readonly worldMs: number | undefined;
}

/** What one of our figures must be: no more than the limit, or no less. */
interface Limit {
  readonly name: string;
  readonly figure: number | undefined;
  readonly limit: number;
  readonly atLeast?: true;
}

function limitsOf(crowd: Figures, seed: Figures): readonly Limit[] {
  return [
    { name: 'GET /user a second, 10,000 users', figure: crowd.requestsPerSecond, limit: 20_000, atLeast: true },
    { name: 'first answer, own seed, ms', figure: seed.startMs, limit: 150 },
    { name: 'first answer, 10,000 users, ms', figure: crowd.startMs, limit: 1000 },
    { name: 'a new world, 10,000 users, ms', figure: crowd.worldMs, limit: 5 },
    { name: 'memory at first answer, 10,000 users, MB', figure: crowd.memoryMb, limit: 160 },
    { name: 'memory after the load, 10,000 users, MB', figure: crowd.memoryAfterMb, limit: 160 },
  ];
}

async function writeData(folder: string): Promise<void> {
  const users = Array.from({ length: userCount }, (_, i) => ({
    id: i + 1,
    login: `user${i + 1}`,
    full_name: `User Number ${i + 1}`,
    description: 'One of many',
    location: 'Nowhere in particular',
  }));
  const write = (name: string, value: unknown): Promise<void> => writeFile(join(folder, name), JSON.stringify(value));
  const tokens = users.map(({ login }, i) => ({
    user: login,
    name: 'bench',
    token: i === 4999 ? token : `${login}-${'0'.repeat(30)}${i}`,
  }));
  const emulator = createEmulator({ fixtures: { users, tokens } });
  const answer = await emulator.fetch('/api/v1/user', { headers: { Authorization: `token ${token}` } });
  const body = await answer.text();
  // The same record for everyone: what our own emulator answers, under json-server's kind of address.
  const record = JSON.parse(body) as object;
  const headers = { ...Object.fromEntries(answer.headers), 'content-length': Buffer.byteLength(body) };
  await write('answer.json', { headers, body });
  await writeFile(join(folder, 'bare.cjs'), bareServer);
  await mkdir(join(folder, 'fixtures'));
  await write('fixtures/users.json', users);
  await write('fixtures/tokens.json', tokens);
  await write('db.json', { users: users.map((user) => ({ ...record, ...user })) });
  await writeFile(join(folder, 'api.json'), await (await emulator.fetch('/swagger.v1.json')).text());
}

/** Answers every request with the bytes and headers of our own answer. */
const bareServer = `
const { headers, body } = require('./answer.json');
require('node:http').createServer((request, response) => response.writeHead(200, headers).end(body)).listen(process.argv[2], '127.0.0.1');
`;

function contenders(command: string, folder: string, { bin }: Tools): readonly Contender[] {
  return [
    {
      name: 'drydock, 10,000 users',
      hasWorlds: true,
      path: '/api/v1/user',
      start: (port) => [
        process.execPath,
        [command, 'serve', '--json', '--port', `${port}`, '--fixtures', join(folder, 'fixtures')],
      ],
    },
    {
      name: 'node:http alone, the same bytes',
      path: '/api/v1/user',
      start: (port) => [process.execPath, [join(folder, 'bare.cjs'), `${port}`]],
    },
    {
      name: 'drydock, its own seed',
      path: '/api/v1/version',
      starts: 5,
      start: (port) => [process.execPath, [command, 'serve', '--json', '--port', `${port}`]],
    },
    {
      name: 'drydock, its own seed, nothing kept',
      path: '/api/v1/version',
      starts: 5,
      env: { NODE_DISABLE_COMPILE_CACHE: '1' },
      start: (port) => [process.execPath, [command, 'serve', '--json', '--port', `${port}`]],
    },
    {
      name: 'json-server 0.17.4, 10,000 users',
      path: '/users/5000',
      start: (port) => [
        bin('json-server'),
        ['--quiet', '--host', '127.0.0.1', '--port', `${port}`, join(folder, 'db.json')],
      ],
    },
    {
      name: 'prism mock 5.14.2, our document',
      path: '/user',
      start: (port) => [
        bin('prism'),
        ['mock', join(folder, 'api.json'), '--host', '127.0.0.1', '--port', `${port}`, '--verboseLevel', 'fatal'],
      ],
    },
  ];
}

async function firstAnswer(url: string): Promise<void> {
  const end = Date.now() + 30_000;
  while (Date.now() < end) {
    const ok = await fetch(url, { headers: { Authorization: `token ${token}` } }).then(
      (answer) => answer.ok,
      () => false,
    );
    if (ok) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`${url} never answered`);
}

async function memoryOf({ pid }: { readonly pid?: number | undefined }): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

// Linux counts processor time in hundredths of a second.
async function cpuMsOf({ pid }: { readonly pid?: number | undefined }): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const [user = 0, system = 0] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number);
  return (user + system) * 10;
}

/** Asks for worlds that there are not yet, one after another, and gives the middle of the times. */
async function newWorldMs(url: string): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 21; i++) {
    const started = performance.now();
    const answer = await fetch(url, { headers: { Authorization: `token ${token}`, 'X-Drydock-World': `bench-${i}` } });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`a new world answered ${answer.status}`);
    times.push(performance.now() - started);
  }
  return middle(times);
}

/** Starts a server several times, and loads it as it runs the last time. */
async function measure(contender: Contender, { bin }: Tools): Promise<Figures> {
  const starts: Start[] = [];
  for (let left = (contender.starts ?? 1) - 1; left >= 0; left--) {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}${contender.path}`;
    const [file, args] = contender.start(port);
    const env = { ...contender.env, XDG_CACHE_HOME: join(folder, 'cache'), NODE_EXTRA_CA_CERTS: '' };
    const started = performance.now();
    const child = execa(file, [...args], { env, reject: false, stdout: 'ignore', stderr: 'ignore' });
    try {
      await firstAnswer(url);
      const [ms, memoryMb, cpuMs] = [performance.now() - started, await memoryOf(child), await cpuMsOf(child)];
      starts.push({ ms, cpuMs });
      if (left > 0) continue;
      const load = await loadOf(url, bin('autocannon'));
      const requestCpuUs = (1000 * ((await cpuMsOf(child)) - cpuMs)) / load.requests.total;
      if (load.non2xx > 0) throw new Error(`${contender.name}: ${load.non2xx} answers were no 2xx`);
      return {
        name: contender.name,
        startMs: middle(starts.map((start) => start.ms)),
        startCpuMs: middle(starts.map((start) => start.cpuMs)),
        requestsPerSecond: load.requests.average,
        requestCpuUs,
        p99Ms: load.latency.p99,
        memoryMb,
        memoryAfterMb: await memoryOf(child),
        worldMs: contender.hasWorlds ? await newWorldMs(url) : undefined,
      };
    } finally {
      child.kill();
      await child;
    }
  }
  throw new Error(`${contender.name} was never started`);
}

interface Start {
  readonly ms: number;
  readonly cpuMs: number;
}

function middle(figures: readonly number[]): number {
  return [...figures].sort((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN;
}

async function loadOf(url: string, autocannon: string): Promise<Report> {
  const how = ['--json', '--connections', '10', '--duration', `${seconds}`];
  const { stdout } = await execa(autocannon, [...how, '--headers', `Authorization=token ${token}`, url], {
    stderr: 'ignore',
  });
  return JSON.parse(stdout) as Report;
}

interface Report {
  readonly requests: { readonly average: number; readonly total: number };
  readonly latency: { readonly p99: number };
  readonly non2xx: number;
}

const tools = await installTools('bench', ['json-server@0.17.4', '@stoplight/prism-cli@5.14.2', 'autocannon@8.0.0']);
const folder = await mkdtemp(join(tmpdir(), 'drydock-bench-'));
try {
  const command = await buildProduct();
  await writeData(folder);
  const rows: Figures[] = [];
  for (const contender of contenders(command, folder, tools)) rows.push(await measure(contender, tools));
  console.log(`${'server'.padEnd(36)} start ms  cpu ms   req/s  cpu µs each  p99 ms  memory MB`);
  for (const row of rows) {
    const figures = [
      row.startMs.toFixed().padStart(8),
      row.startCpuMs.toFixed().padStart(7),
      row.requestsPerSecond.toFixed().padStart(7),
      row.requestCpuUs.toFixed(1).padStart(12),
      `${row.p99Ms}`.padStart(7),
    ];
    console.log(`${row.name.padEnd(36)} ${figures.join(' ')}  ${row.memoryMb} -> ${row.memoryAfterMb}`);
  }
  const [ours, bare, seed, , theirs] = rows;
  if (ours && bare && seed && theirs) {
    const [ofBare, ofTheirs] = [bare, theirs].map((row) => ours.requestsPerSecond / row.requestsPerSecond);
    console.log(
      `\ndrydock answers ${(100 * (ofBare ?? 0)).toFixed()} % of the requests that node:http alone answers, and ` +
        `${ofTheirs?.toFixed(1)} times as many as json-server\n`,
    );
    for (const { name, figure = Number.NaN, limit, atLeast } of limitsOf(ours, seed)) {
      const holds = atLeast ? figure >= limit : figure <= limit;
      if (!holds) process.exitCode = 1;
      const bound = `${atLeast ? 'at least' : 'at most'} ${limit}`;
      console.log(`${holds ? 'holds' : 'FAILS'}  ${name.padEnd(42)} ${figure.toFixed(1).padStart(9)}  ${bound}`);
    }
  }
} finally {
  await rm(folder, { recursive: true });
}
