// Tests that no acknowledged write is lost: `kill -9` with sixteen writers in several worlds, and a full disk.
// `npm run test:e2e -- persistence`.

import { appendFile, stat } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { check, temporaryFolder, until } from '../../../scripts/dev/tools/tools.ts';
import { type Served, serve } from '../../support/served.ts';

const rounds = 100;
const folder = temporaryFolder('drydock-state-');
const worlds = ['default', 'one', 'two', 'three'];
const agent = new Agent({ keepAlive: true, maxSockets: 32 });

const start = (file: string, shell?: string): Promise<Served> =>
  serve(['--persist', file], shell === undefined ? {} : { shell });

/** Sends a request; returns status and body, or undefined if there is no response. */
function call(
  server: Served,
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; text: string } | undefined> {
  const headers = { Authorization: `token ${server.token}`, ...(body && { 'Content-Type': 'application/json' }) };
  return new Promise((resolve) => {
    const sent = request(`${server.url}${path}`, { method, agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      response.on('error', () => resolve(undefined));
    });
    // The server had just closed a reused connection, so the request was not processed.
    sent.on('error', (error: NodeJS.ErrnoException) =>
      resolve(sent.reusedSocket && error.code === 'ECONNRESET' ? call(server, method, path, body) : undefined),
    );
    sent.end(body && JSON.stringify(body));
  });
}

const at = (world: string, path: string): string => `${world === 'default' ? '' : `/@${world}`}${path}`;

/** Acknowledged changes: for each world, the names that must exist and those that must not. */
type Ledger = Map<string, { readonly created: Set<string>; readonly deleted: Set<string> }>;

async function write(server: Served, writer: number, round: number, ledger: Ledger): Promise<void> {
  const world = worlds[writer % worlds.length] as string;
  const { created, deleted } = ledger.get(world)!;
  for (let count = 0; ; count++) {
    const name = `r${round}-w${writer}-${count}`;
    const posted = await call(server, 'POST', at(world, '/api/v1/user/credentials'), {
      name,
      type: 'Aws',
      aws: { accessKeyID: name },
    });
    if (posted?.status !== 201) return;
    created.add(name);
    if (count % 3 !== 2) continue;
    const removed = await call(server, 'DELETE', at(world, `/api/v1/user/credentials/${name}`));
    // Without a response, the outcome is unknown.
    created.delete(name);
    if (removed?.status !== 204) return;
    deleted.add(name);
  }
}

async function violations(server: Served, ledger: Ledger): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const [world, { created, deleted }] of ledger) {
    const answer = await call(server, 'GET', at(world, '/api/v1/user/credentials'));
    const names = new Set((JSON.parse(answer?.text ?? '[]') as { name?: string }[]).map(({ name }) => name));
    for (const name of created) if (!names.has(name)) wrong.push(`${world}: ${name} is lost`);
    for (const name of deleted) if (names.has(name)) wrong.push(`${world}: ${name} is back`);
  }
  return wrong;
}

function acknowledged(ledger: Ledger): number {
  return [...ledger.values()].reduce((sum, { created, deleted }) => sum + created.size + deleted.size, 0);
}

async function killedServers(): Promise<void> {
  const file = join(folder, 'killed.json');
  const ledger: Ledger = new Map(worlds.map((name) => [name, { created: new Set(), deleted: new Set() }]));
  const wrong: string[] = [];
  let truncated = 0;
  for (let round = 0; round < rounds; round++) {
    const server = await start(file);
    wrong.push(...(await violations(server, ledger)));
    if (round === 0) await call(server, 'POST', '/__drydock/snapshots/before');
    const writers = Array.from({ length: 16 }, (_, writer) => write(server, writer, round, ledger));
    const before = acknowledged(ledger);
    await until('acknowledged writes', async () => acknowledged(ledger) > before);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 120));
    await server.end('SIGKILL');
    await Promise.all(writers);
    // An interrupted write leaves a partial record at the end.
    if (round % 10 === 9) {
      await appendFile(file, '0badc0de [{"do":"write","kind":"cred');
      truncated++;
    }
  }
  const server = await start(file);
  wrong.push(...(await violations(server, ledger)));
  const names = await call(server, 'GET', '/__drydock/snapshots');
  const written = [...ledger.values()].reduce((sum, { created }) => sum + created.size, 0);
  for (const line of wrong.slice(0, 10)) console.log(`    ${line}`);
  check(
    `all ${written} acknowledged writes survive ${rounds} rounds of kill -9 with 16 writers in ${worlds.length} worlds and ${truncated} truncated records`,
    wrong.length === 0 && written > 0,
  );
  check('a named snapshot survives', names?.text.includes('before') === true);
  await server.end('SIGTERM');
}

// A limit on the file size simulates a full disk: a write fails midway.
async function fullDisk(): Promise<void> {
  const file = join(folder, 'full.json');
  const blocks = Math.ceil((await stateSize(file)) / 512) + 40;
  const server = await start(file, `trap '' XFSZ; ulimit -f ${blocks}`);
  const acknowledged: string[] = [];
  let rejected: { status: number; text: string } | undefined;
  for (let count = 0; count < 2000 && !rejected; count++) {
    const name = `c${count}`;
    const answer = await call(server, 'POST', '/api/v1/user/credentials', {
      name,
      type: 'Aws',
      aws: { secret: 'x'.repeat(200) },
    });
    if (answer?.status === 201) acknowledged.push(name);
    else rejected = answer;
  }
  check(
    `a write that cannot be stored is rejected: ${rejected?.status} ${rejected?.text.trim().slice(0, 150)}`,
    rejected?.status === 507,
  );
  const again = await call(server, 'POST', '/api/v1/user/credentials', { name: 'again', type: 'Aws' });
  check(
    `the next write is rejected before it changes anything: ${again?.status} ${again?.text.trim().slice(0, 150)}`,
    again?.status === 507 && again.text.includes('nothing was changed'),
  );
  check('reads still work', (await call(server, 'GET', '/api/v1/user'))?.status === 200);
  await server.end('SIGKILL');
  const next = await start(file);
  const ledger: Ledger = new Map([['default', { created: new Set(acknowledged), deleted: new Set(['again']) }]]);
  check(
    `all ${acknowledged.length} writes that were acknowledged before survive`,
    (await violations(next, ledger)).length === 0,
  );
  await next.end('SIGTERM');
}

async function stateSize(file: string): Promise<number> {
  const server = await start(file);
  await server.end('SIGTERM');
  return (await stat(file)).size;
}

await fullDisk();
await killedServers();
agent.destroy();
