// Tests `drydock serve` as a process: configuration, signals, a killed npm, a proxied server, HTTPS with a base path.
// `npm run test:e2e -- serve`.

import { spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { check, freePort, temporaryFolder, until } from '../../../scripts/dev/tools/tools.ts';
import { listen } from '../../support/loopback.ts';
import { command, type Served, serve as start } from '../../support/served.ts';

const folder = temporaryFolder('drydock-serving-');
// Compiled code is cached only outside the current folder.
const cache = temporaryFolder('drydock-serving-cache-');
const serve = (...argv: readonly string[]): Promise<Served> =>
  start(argv, { cwd: folder, env: { XDG_CACHE_HOME: cache, NODE_DISABLE_COMPILE_CACHE: '' } });

function ask({ url, token }: Served, path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(url + path, {
    ...init,
    headers: { Authorization: `token ${token}`, 'Content-Type': 'application/json' },
  });
}

async function signals(): Promise<void> {
  const codes: unknown[] = [];
  for (let round = 0; round < 10; round++) codes.push(await (await serve()).end(round % 2 ? 'SIGTERM' : 'SIGINT'));
  check(
    'ten signals sent right after the ready line end with exit code 0',
    codes.every((code) => code === 0),
  );

  const slow = await serve();
  const { status: set } = await ask(slow, '/__drydock/faults', { method: 'POST', body: '{"latencyMs":30000}' });
  const waiting = ask(slow, '/api/v1/user');
  const watching = ask(slow, '/__drydock/requests/wait?route=listEmails&timeoutMs=60000');
  // Long enough for both requests to arrive.
  await new Promise((resolve) => setTimeout(resolve, 200));
  const started = performance.now();
  const code = await slow.end('SIGINT');
  const ms = performance.now() - started;
  const statuses = (await Promise.all([waiting, watching])).map(({ status }) => status);
  check(
    `Ctrl-C with requests pending for 30 and 60 s exits with ${code} after ${ms.toFixed()} ms; the responses are ${statuses.join(', ')}`,
    set === 201 && code === 0 && ms < 1000 && statuses.every((status) => status === 503),
  );
}

/** Starts with a configuration in JavaScript and one in TypeScript. */
async function configuredStarts(): Promise<void> {
  const config = JSON.stringify({ serve: { settings: { basePath: '/configured' } } });
  await writeFile(join(folder, 'config.mjs'), `await undefined;\nexport default ${config};\n`);
  await writeFile(
    join(folder, 'config.ts'),
    `import { defineConfig } from 'drydock/config';\nexport default defineConfig(${config});\n`,
  );
  for (const file of ['config.mjs', 'config.ts']) {
    const server = await serve('--config', file);
    await server.end('SIGTERM');
    const holds = server.url.endsWith('/configured') && server.stderr() === '';
    check(`serve reads ${file}: ${server.url} ${server.stderr()}`, holds);
  }
}

async function npmRun(): Promise<void> {
  const project = join(folder, 'project');
  const port = await freePort();
  await mkdir(project);
  const script = `"${process.execPath}" "${command}" serve --port ${port}`;
  await writeFile(join(project, 'package.json'), JSON.stringify({ private: true, scripts: { serve: script } }));
  const npm = spawn('npm', ['run', 'serve'], { cwd: project, stdio: 'ignore' });
  process.once('exit', () => npm.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}/api/v1/version`;
  await until('npm run serve responds', async () => (await fetch(url)).ok, 30);
  npm.kill('SIGKILL');
  const isStopped = (): Promise<boolean> =>
    fetch(url).then(
      () => false,
      () => true,
    );
  await until('the server stops when npm is killed', isStopped);
}

async function proxy(): Promise<void> {
  await mkdir(join(folder, 'recorded'));
  const other = await listen(
    createServer(({ method, url }, answer) => {
      answer.setHeader('Content-Type', 'application/json').end(JSON.stringify({ from: 'upstream', method, url }));
    }),
  );
  const address = `http://${other.host}/base`;
  const recorder = await serve('--fixtures', 'recorded', '--proxy', address, '--record', 'recorded');
  const passed = await (await ask(recorder, '/weather/lisbon?day=1')).json();
  check(
    'an unknown path is proxied to the other server',
    JSON.stringify(passed).includes('/base/weather/lisbon?day=1'),
  );
  await other.stop();
  check('the recording server exits with 0', (await recorder.end('SIGTERM')) === 0);
  const replayer = await serve('--fixtures', 'recorded');
  const replayed = await (await ask(replayer, '/weather/lisbon?day=1')).json();
  check('a server without --proxy returns the recorded response', JSON.stringify(replayed) === JSON.stringify(passed));
  await replayer.end('SIGTERM');
}

async function https(): Promise<void> {
  const server = await serve('--tls', 'tls', '--base-path', '/platform');
  const ca = await readFile(join(folder, 'tls', 'ca.pem'));
  const status = await new Promise((resolve, reject) => {
    const sent = request(
      `${server.url}/api/v1/user`,
      { ca, headers: { Authorization: `token ${server.token}` } },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      },
    );
    sent.on('error', reject);
    sent.end();
  });
  check(`HTTPS with a base path and the generated CA: ${server.url} responds with ${status}`, status === 200);
  await server.end('SIGTERM');
}

await configuredStarts();
await signals();
await npmRun();
await proxy();
await https();
