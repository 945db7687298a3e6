// Compares the emulator with json-server and Prism on this machine: `npm run bench -- emulator [SECONDS]`. Measures the time to
// the first response, requests per second, processor time, memory and the time of a new world. Fails if a limit is exceeded.

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { createEmulator } from '../../emulator/emulator.ts';
import { defaultFixtures } from '../../emulator/store/default-fixtures.ts';
import { buildProduct } from '../dev/tools/product.ts';
import { freePort, installTools, type Tools } from '../dev/tools/tools.ts';

const userCount = 500;
const seconds = Number(process.argv[2] ?? 5);

/** One server under test. */
interface Contender {
  readonly name: string;
  readonly path: string;
  /** The access token to send. */
  readonly token?: string;
  readonly hasWorlds?: true;
  /** The number of starts, of which the median is reported. Default 1. */
  readonly starts?: number;
  start(port: number): readonly [string, readonly string[]];
}

/** The results of one server. */
interface Figures {
  readonly name: string;
  readonly startMs: number;
  /** Processor time until the first response; unlike `startMs` it hardly depends on other load. */
  readonly startCpuMs: number;
  readonly requestsPerSecond: number;
  /** Processor time of the server per request under load. */
  readonly requestCpuUs: number;
  readonly p99Ms: number;
  readonly memoryMb: number;
  readonly memoryAfterMb: number;
  /** The median of several new worlds, from the call to its first response; undefined if the server has no worlds. */
  readonly worldMs: number | undefined;
}

/** A limit for one of our figures: a maximum or a minimum. */
interface Limit {
  readonly name: string;
  readonly figure: number | undefined;
  readonly limit: number;
  readonly atLeast?: true;
}

function limitsOf(own: Figures, jsonServer: Figures, prism: Figures): readonly Limit[] {
  const times = (other: Figures): number => own.requestsPerSecond / other.requestsPerSecond;
  return [
    { name: 'requests per second, multiple of json-server', figure: times(jsonServer), limit: 3, atLeast: true },
    { name: 'requests per second, multiple of Prism', figure: times(prism), limit: 2, atLeast: true },
    { name: 'first response, ms', figure: own.startMs, limit: 250 },
    { name: 'memory at the first response, MB', figure: own.memoryMb, limit: 160 },
    { name: 'memory after load, MB', figure: own.memoryAfterMb, limit: 160 },
  ];
}

/** Writes the data of all servers and returns the access tokens of ours. */
async function writeData(folder: string): Promise<{ readonly seeded: string; readonly generated: string }> {
  const users = Array.from({ length: userCount }, (_, i) => ({
    login: `user${i + 1}`,
    full_name: `User Number ${i + 1}`,
  }));
  const tokens = users.map(({ login }) => ({ user: login, name: 'bench', token: `bench-token-of-${login}` }));
  const write = (name: string, value: unknown): Promise<void> => writeFile(join(folder, name), JSON.stringify(value));
  const emulator = createEmulator();
  const seeded = emulator.users()[0]!.token;
  const response = await emulator.fetch('/api/v1/user', { headers: { Authorization: `token ${seeded}` } });
  const user = (await response.json()) as object;
  await mkdir(join(folder, 'fixtures'));
  await write('fixtures/users.json', users);
  await write('fixtures/tokens.json', tokens);
  // As many users as in our seed, with the same fields as in our response.
  await write('db.json', { users: defaultFixtures.users?.map((_, i) => ({ ...user, id: i + 1 })) });
  await writeFile(join(folder, 'api.json'), await (await emulator.fetch('/swagger.v1.json')).text());
  return { seeded, generated: `bench-token-of-user${userCount / 2}` };
}

function contenders(
  command: string,
  folder: string,
  { bin }: Tools,
  tokens: { readonly seeded: string; readonly generated: string },
): readonly Contender[] {
  const path = '/api/v1/user';
  const serve = (port: number, ...more: readonly string[]): readonly [string, readonly string[]] => [
    process.execPath,
    [command, 'serve', '--json', '--port', `${port}`, ...more],
  ];
  return [
    { name: 'drydock', path, token: tokens.seeded, hasWorlds: true, starts: 5, start: (port) => serve(port) },
    {
      name: 'json-server 0.17.4',
      path: '/users/5',
      start: (port) => [
        bin('json-server'),
        ['--quiet', '--host', '127.0.0.1', '--port', `${port}`, join(folder, 'db.json')],
      ],
    },
    {
      name: 'Prism 5.14.2',
      path: '/user',
      token: tokens.seeded,
      start: (port) => [
        bin('prism'),
        ['mock', join(folder, 'api.json'), '--host', '127.0.0.1', '--port', `${port}`, '--verboseLevel', 'fatal'],
      ],
    },
    {
      name: `drydock, ${userCount} users`,
      path,
      token: tokens.generated,
      hasWorlds: true,
      start: (port) => serve(port, '--fixtures', join(folder, 'fixtures')),
    },
  ];
}

function headersOf({ token }: Contender): Record<string, string> {
  return token === undefined ? {} : { Authorization: `token ${token}` };
}

async function waitForResponse(url: string, headers: Record<string, string>): Promise<void> {
  const end = Date.now() + 30_000;
  while (Date.now() < end) {
    const ok = await fetch(url, { headers }).then(
      (response) => response.ok,
      () => false,
    );
    if (ok) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`no response from ${url} within 30 seconds`);
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

/** Creates new worlds one after another and returns the median time. */
async function newWorldMs(url: string, headers: Record<string, string>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 21; i++) {
    const started = performance.now();
    const response = await fetch(url, { headers: { ...headers, 'X-Drydock-World': `bench-${i}` } });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`a new world responded with ${response.status}`);
    times.push(performance.now() - started);
  }
  return median(times);
}

/** Starts a server several times and puts load on it in the last run. */
async function measure(contender: Contender, { bin }: Tools): Promise<Figures> {
  const starts: Start[] = [];
  const headers = headersOf(contender);
  for (let left = (contender.starts ?? 1) - 1; left >= 0; left--) {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}${contender.path}`;
    const [file, args] = contender.start(port);
    const env = { XDG_CACHE_HOME: join(folder, 'cache'), NODE_EXTRA_CA_CERTS: '' };
    const started = performance.now();
    const child = execa(file, [...args], { env, reject: false, stdout: 'ignore', stderr: 'ignore' });
    try {
      await waitForResponse(url, headers);
      const [ms, memoryMb, cpuMs] = [performance.now() - started, await memoryOf(child), await cpuMsOf(child)];
      starts.push({ ms, cpuMs });
      if (left > 0) continue;
      const load = await loadOf(url, headers, bin('autocannon'));
      const requestCpuUs = (1000 * ((await cpuMsOf(child)) - cpuMs)) / load.requests.total;
      if (load.non2xx > 0) throw new Error(`${contender.name}: ${load.non2xx} responses were not 2xx`);
      return {
        name: contender.name,
        startMs: median(starts.map((start) => start.ms)),
        startCpuMs: median(starts.map((start) => start.cpuMs)),
        requestsPerSecond: load.requests.average,
        requestCpuUs,
        p99Ms: load.latency.p99,
        memoryMb,
        memoryAfterMb: await memoryOf(child),
        worldMs: contender.hasWorlds ? await newWorldMs(url, headers) : undefined,
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

function median(figures: readonly number[]): number {
  return [...figures].sort((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN;
}

async function loadOf(url: string, headers: Record<string, string>, autocannon: string): Promise<Report> {
  const options = ['--json', '--connections', '10', '--duration', `${seconds}`];
  const headerFlags = Object.entries(headers).flatMap(([name, value]) => ['--headers', `${name}=${value}`]);
  const { stdout } = await execa(autocannon, [...options, ...headerFlags, url], { stderr: 'ignore' });
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
  const tokens = await writeData(folder);
  const rows: Figures[] = [];
  for (const contender of contenders(command, folder, tools, tokens)) rows.push(await measure(contender, tools));
  console.log(`${'server'.padEnd(28)} start ms  cpu ms   req/s  cpu µs each  p99 ms  world ms  memory MB`);
  for (const row of rows) {
    const figures = [
      row.startMs.toFixed().padStart(8),
      row.startCpuMs.toFixed().padStart(7),
      row.requestsPerSecond.toFixed().padStart(7),
      row.requestCpuUs.toFixed(1).padStart(12),
      `${row.p99Ms}`.padStart(7),
      (row.worldMs?.toFixed(1) ?? '').padStart(9),
    ];
    console.log(`${row.name.padEnd(28)} ${figures.join(' ')}  ${row.memoryMb} -> ${row.memoryAfterMb}`);
  }
  const [own, jsonServer, prism] = rows as [Figures, Figures, Figures];
  for (const { name, figure = Number.NaN, limit, atLeast } of limitsOf(own, jsonServer, prism)) {
    const holds = atLeast ? figure >= limit : figure <= limit;
    if (!holds) process.exitCode = 1;
    const bound = `${atLeast ? 'at least' : 'at most'} ${limit}`;
    console.log(`${holds ? 'ok  ' : 'FAIL'}  ${name.padEnd(44)} ${figure.toFixed(1).padStart(9)}  ${bound}`);
  }
} finally {
  await rm(folder, { recursive: true });
}
