// The part of the benchmark that compares the emulator with json-server and Prism: the time to the first response, the time of a request
// under load, and memory.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { createEmulator } from '../../emulator/emulator.ts';
import { defaultFixtures } from '../../emulator/store/default-fixtures.ts';
import { freePort, installTools, temporaryFolder, until } from '../dev/tools/tools.ts';
import { type Bench, figureOf } from './measure.ts';
import type { Figure, Row } from './table.ts';

const loadSeconds = 5;

/** One server under test. */
interface Contender {
  readonly name: string;
  readonly path: string;
  /** The number of starts, of which the median is reported. */
  readonly starts: number;
  start(port: number): readonly [string, readonly string[]];
}

/** The results of one server. */
interface Figures {
  readonly start: Figure;
  /** The time of a request under load, in microseconds. */
  readonly request: Figure;
  readonly memory: Figure;
  readonly memoryAfter: Figure;
}

async function memoryOf(pid: number | undefined): Promise<Figure> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return figureOf([Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024]);
}

/** Starts a server several times and puts load on it in the last run. */
async function measureServer(contender: Contender, token: string, autocannon: string): Promise<Figures> {
  const headers = { Authorization: `token ${token}` };
  const startTimes: number[] = [];
  for (;;) {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}${contender.path}`;
    const [file, args] = contender.start(port);
    const started = performance.now();
    const child = execa(file, args, { env: { NODE_EXTRA_CA_CERTS: '' }, reject: false, stdio: 'ignore' });
    try {
      await until(`a response of ${contender.name}`, async () => (await fetch(url, { headers })).ok, 30);
      startTimes.push(performance.now() - started);
      if (startTimes.length < contender.starts) continue;
      const memory = await memoryOf(child.pid);
      const flags = ['--json', '--connections', '10', '--duration', `${loadSeconds}`];
      const { stdout } = await execa(autocannon, [...flags, '--headers', `Authorization=token ${token}`, url], {
        stderr: 'ignore',
      });
      const load = JSON.parse(stdout) as { readonly requests: { readonly average: number }; readonly non2xx: number };
      if (load.non2xx > 0) throw new Error(`${contender.name}: ${load.non2xx} responses were not 2xx`);
      const request = figureOf([1e6 / load.requests.average]);
      return { start: figureOf(startTimes), request, memory, memoryAfter: await memoryOf(child.pid) };
    } finally {
      child.kill();
      await child;
    }
  }
}

/** Measures the three servers with the data of our seed. */
export async function measureEmulator({ drydock }: Bench): Promise<Row[]> {
  const tools = await installTools('bench', ['json-server@0.17.4', '@stoplight/prism-cli@5.14.2', 'autocannon@8.0.0']);
  const folder = temporaryFolder('drydock-bench-');
  const [database, document] = [join(folder, 'db.json'), join(folder, 'api.json')];
  const emulator = createEmulator();
  const { token } = emulator.users()[0]!;
  const user = await emulator.fetch('/api/v1/user', { headers: { Authorization: `token ${token}` } });
  // As many users as in our seed, with the same fields as in our response.
  const example = (await user.json()) as object;
  const users = defaultFixtures.users?.map((_, i) => ({ ...example, id: i + 1 }));
  await writeFile(database, JSON.stringify({ users }));
  await writeFile(document, await (await emulator.fetch('/swagger.v1.json')).text());
  const host = ['--host', '127.0.0.1', '--port'];
  const measure = (contender: Contender): Promise<Figures> => measureServer(contender, token, tools.bin('autocannon'));
  const own = await measure({
    name: 'drydock',
    path: '/api/v1/user',
    starts: 5,
    start: (port) => [process.execPath, [drydock, 'serve', '--json', '--port', `${port}`]],
  });
  const jsonServer = await measure({
    name: 'json-server',
    path: '/users/5',
    starts: 1,
    start: (port) => [tools.bin('json-server'), ['--quiet', ...host, `${port}`, database]],
  });
  const prism = await measure({
    name: 'Prism',
    path: '/user',
    starts: 1,
    start: (port) => [tools.bin('prism'), ['mock', document, ...host, `${port}`, '--verboseLevel', 'fatal']],
  });
  const [section, load] = ['emulator', '`GET /user` under load'] as const;
  return [
    { section, what: 'first response, elapsed time', drydock: own.start, goal: 250 },
    {
      section,
      what: `${load}, compared with json-server 0.17`,
      unit: 'µs',
      drydock: own.request,
      other: jsonServer.request,
      goal: 1 / 3,
    },
    {
      section,
      what: `${load}, compared with Prism 5.14`,
      unit: 'µs',
      drydock: own.request,
      other: prism.request,
      goal: 1 / 2,
    },
    { section, what: 'memory of the emulator at its first response', unit: 'MB', drydock: own.memory, goal: 160 },
    { section, what: 'memory of the emulator after load', unit: 'MB', drydock: own.memoryAfter, goal: 160 },
  ];
}
