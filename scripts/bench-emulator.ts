// Bench: the emulator beside json-server and Prism, in one run on this machine. `npm run bench:emulator`
// GET of one user among 10,000; start to first answer; memory before and after. Build first: it measures the bundle.

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { createEmulator } from '../emulator/emulator.ts';
import { buildAll } from './build.ts';
import { freePort, installTools, type Tools } from './tools.ts';

const userCount = 10_000;
const seconds = Number(process.argv[2] ?? 5);
const token = 'bench-token-of-user-5000';

/** Is one server under test. */
interface Contender {
  readonly name: string;
  readonly path: string;
  start(port: number): readonly [string, readonly string[]];
}

/** Is what was measured of one server. */
interface Figures {
  readonly name: string;
  readonly startMs: number;
  readonly requestsPerSecond: number;
  readonly p99Ms: number;
  readonly memoryMb: number;
  readonly memoryAfterMb: number;
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
  const emulator = createEmulator();
  // The same record for everyone: what our own emulator answers, under json-server's kind of address.
  const [ada] = emulator.users();
  const answer = await emulator.fetch('/api/v1/user', { headers: { Authorization: `token ${ada?.token}` } });
  const record = (await answer.json()) as object;
  await mkdir(join(folder, 'fixtures'));
  await write('fixtures/users.json', users);
  await write('fixtures/tokens.json', tokens);
  await write('db.json', { users: users.map((user) => ({ ...record, ...user })) });
  await writeFile(join(folder, 'api.json'), await (await emulator.fetch('/swagger.v1.json')).text());
}

function contenders(command: string, folder: string, { bin }: Tools): readonly Contender[] {
  return [
    {
      name: 'drydock, 10,000 users',
      path: '/api/v1/user',
      start: (port) => [
        process.execPath,
        [command, 'serve', '--json', '--port', `${port}`, '--fixtures', join(folder, 'fixtures')],
      ],
    },
    {
      name: 'drydock, its own seed',
      path: '/api/v1/version',
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

async function measure(contender: Contender, { bin }: Tools): Promise<Figures> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}${contender.path}`;
  const [file, args] = contender.start(port);
  const started = performance.now();
  const child = execa(file, [...args], { reject: false, stdout: 'ignore', stderr: 'ignore' });
  try {
    await firstAnswer(url);
    const startMs = performance.now() - started;
    const memoryMb = await memoryOf(child);
    const load = [
      '--json',
      '--connections',
      '10',
      '--duration',
      `${seconds}`,
      '--headers',
      `Authorization=token ${token}`,
      url,
    ];
    const { stdout } = await execa(bin('autocannon'), load, { stderr: 'ignore' });
    const { requests, latency, non2xx } = JSON.parse(stdout) as Report;
    if (non2xx > 0) throw new Error(`${contender.name}: ${non2xx} answers were no 2xx`);
    const memoryAfterMb = await memoryOf(child);
    return {
      name: contender.name,
      startMs,
      requestsPerSecond: requests.average,
      p99Ms: latency.p99,
      memoryMb,
      memoryAfterMb,
    };
  } finally {
    child.kill();
    await child;
  }
}

interface Report {
  readonly requests: { readonly average: number };
  readonly latency: { readonly p99: number };
  readonly non2xx: number;
}

const tools = await installTools('bench', ['json-server@0.17.4', '@stoplight/prism-cli@5.14.2', 'autocannon@8.0.0']);
const folder = await mkdtemp(join(tmpdir(), 'drydock-bench-'));
try {
  const command = await buildAll();
  await writeData(folder);
  const rows: Figures[] = [];
  for (const contender of contenders(command, folder, tools)) rows.push(await measure(contender, tools));
  console.log(`${'server'.padEnd(34)} start ms   req/s  p99 ms  memory MB`);
  for (const row of rows) {
    const figures = [
      row.startMs.toFixed().padStart(8),
      row.requestsPerSecond.toFixed().padStart(7),
      `${row.p99Ms}`.padStart(7),
    ];
    console.log(`${row.name.padEnd(34)} ${figures.join(' ')}  ${row.memoryMb} -> ${row.memoryAfterMb}`);
  }
  const [ours, , theirs] = rows;
  if (ours && theirs)
    console.log(
      `\ndrydock answers ${(ours.requestsPerSecond / theirs.requestsPerSecond).toFixed(1)} times as many requests as json-server`,
    );
} finally {
  await rm(folder, { recursive: true });
}
