// Compares the emulator with json-server and Prism on this machine: `npm run bench -- emulator [SECONDS]`. Measures the time to
// the first response, requests per second, processor time, memory and the time of a new world. Fails if a limit is exceeded.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { createEmulator } from '../../emulator/emulator.ts';
import { defaultFixtures } from '../../emulator/store/default-fixtures.ts';
import { buildProduct } from '../dev/tools/product.ts';
import { freePort, installTools, type Tools, temporaryFolder } from '../dev/tools/tools.ts';
import { figureOf } from './measure.ts';

const userCount = 500;
const seconds = Number(process.argv[2] ?? 5);

/** One server under test. */
interface Contender {
  readonly name: string;
  readonly path: string;
  /** The access token to send. */
  readonly token?: string;
  /** The number of starts, of which the median is reported. Default 1. */
  readonly starts?: number;
  start(port: number): readonly [string, readonly string[]];
}

/** The results of one server. */
interface Figures {
  readonly name: string;
  readonly startMs: number;
  readonly requestsPerSecond: number;
  /** Processor time of the server per request under load. */
  readonly requestCpuUs: number;
  readonly memoryMb: number;
  readonly memoryAfterMb: number;
  /** The median of several new worlds, from the call to its first response; undefined if the server has no worlds. */
  readonly worldMs: number | undefined;
}

/** Returns what must be at least 1 for each of our limits. */
function margins(own: Figures, jsonServer: Figures, prism: Figures): Readonly<Record<string, number>> {
  return {
    'at least 3 times the requests per second of json-server': own.requestsPerSecond / jsonServer.requestsPerSecond / 3,
    'at least 2 times the requests per second of Prism': own.requestsPerSecond / prism.requestsPerSecond / 2,
    'first response within 250 ms': 250 / own.startMs,
    'at most 160 MB at the first response': 160 / own.memoryMb,
    'at most 160 MB after load': 160 / own.memoryAfterMb,
  };
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
    { name: 'drydock', path, token: tokens.seeded, starts: 5, start: (port) => serve(port) },
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
      start: (port) => serve(port, '--fixtures', join(folder, 'fixtures')),
    },
  ];
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
  return figureOf(times).median;
}

/** Starts a server several times and puts load on it in the last run. */
async function measure({ name, path, token, starts = 1, start }: Contender, { bin }: Tools): Promise<Figures> {
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `token ${token}` };
  const startTimes: number[] = [];
  for (;;) {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}${path}`;
    const [file, args] = start(port);
    const env = { XDG_CACHE_HOME: join(folder, 'cache'), NODE_EXTRA_CA_CERTS: '' };
    const started = performance.now();
    const child = execa(file, [...args], { env, reject: false, stdout: 'ignore', stderr: 'ignore' });
    try {
      await untilResponse(url, headers);
      startTimes.push(performance.now() - started);
      if (startTimes.length < starts) continue;
      const [memoryMb, cpuMs] = [await memoryOf(child), await cpuMsOf(child)];
      const load = await loadOf(url, headers, bin('autocannon'));
      const requestCpuUs = (1000 * ((await cpuMsOf(child)) - cpuMs)) / load.requests.total;
      if (load.non2xx > 0) throw new Error(`${name}: ${load.non2xx} responses were not 2xx`);
      return {
        name,
        startMs: figureOf(startTimes).median,
        requestsPerSecond: load.requests.average,
        requestCpuUs,
        memoryMb,
        memoryAfterMb: await memoryOf(child),
        worldMs: name.startsWith('drydock') ? await newWorldMs(url, headers) : undefined,
      };
    } finally {
      child.kill();
      await child;
    }
  }
}

// In shorter steps than the figure is rounded to.
async function untilResponse(url: string, headers: Record<string, string>): Promise<void> {
  const end = Date.now() + 30_000;
  while (!(await fetch(url, { headers }).catch(() => undefined))?.ok) {
    if (Date.now() > end) throw new Error(`no response from ${url} within 30 seconds`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function loadOf(url: string, headers: Record<string, string>, autocannon: string): Promise<Report> {
  const options = ['--json', '--connections', '10', '--duration', `${seconds}`];
  const headerFlags = Object.entries(headers).flatMap(([name, value]) => ['--headers', `${name}=${value}`]);
  const { stdout } = await execa(autocannon, [...options, ...headerFlags, url], { stderr: 'ignore' });
  return JSON.parse(stdout) as Report;
}

interface Report {
  readonly requests: { readonly average: number; readonly total: number };
  readonly non2xx: number;
}

const tools = await installTools('bench', ['json-server@0.17.4', '@stoplight/prism-cli@5.14.2', 'autocannon@8.0.0']);
const folder = temporaryFolder('drydock-bench-');
const command = await buildProduct();
const tokens = await writeData(folder);
const rows: Figures[] = [];
for (const contender of contenders(command, folder, tools, tokens)) rows.push(await measure(contender, tools));
console.log(`${'server'.padEnd(28)} start ms   req/s  cpu µs each  world ms  memory MB`);
for (const row of rows) {
  const figures = [
    row.startMs.toFixed().padStart(8),
    row.requestsPerSecond.toFixed().padStart(7),
    row.requestCpuUs.toFixed(1).padStart(12),
    (row.worldMs?.toFixed(1) ?? '').padStart(9),
  ];
  console.log(`${row.name.padEnd(28)} ${figures.join(' ')}  ${row.memoryMb} -> ${row.memoryAfterMb}`);
}
const [own, jsonServer, prism] = rows as [Figures, Figures, Figures];
for (const [limit, margin] of Object.entries(margins(own, jsonServer, prism))) {
  if (!(margin >= 1)) process.exitCode = 1;
  console.log(`${margin >= 1 ? 'ok  ' : 'FAIL'}  ${limit}`);
}
