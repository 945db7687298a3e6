// Tests that no HTTP request stops the server, blocks it, causes an internal error or leaks memory.
// `npm run fuzz -- api [COUNT [SEED]]`, default 100,000 and a new seed, which is printed and repeats the run.

import { readFile } from 'node:fs/promises';
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { documentRoutes } from '../../emulator/app/openapi.ts';
import { createEmulator } from '../../emulator/emulator.ts';
import { Dice } from '../support/dice.ts';
import { serve } from '../support/served.ts';
import { faultyWorld, type GeneratedRequest, generateRequest, operationsOf, type Subject } from './requests.ts';

const count = Number(process.argv[2] ?? 100_000);
const seed = Number(process.argv[3] ?? Math.floor(Math.random() * 2 ** 31));
const concurrency = 12;
const slowMs = 1000;
const bodyLimit = 65_536;
const warmUp = Math.min(20_000, Math.floor(count / 3));

/** The result of one request. The status is 0 if the connection was closed without a response. */
interface Outcome {
  readonly status: number;
  readonly durationMs: number;
  readonly text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: concurrency });

function send(port: number, request: GeneratedRequest): Promise<Outcome> {
  return request.raw ? sendRaw(port, request.raw) : sendHttp(port, request);
}

function sendHttp(port: number, { method, path, headers, body, chunked }: GeneratedRequest): Promise<Outcome> {
  const started = performance.now();
  return new Promise((resolve) => {
    const end = (status: number, text: string): void =>
      resolve({ status, text, durationMs: performance.now() - started });
    const length: Record<string, string> = !body
      ? {}
      : chunked
        ? { 'Transfer-Encoding': 'chunked' }
        : { 'Content-Length': String(body.length) };
    try {
      const sent = httpRequest({ host: '127.0.0.1', port, method, path, agent, headers: { ...headers, ...length } });
      sent.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', (error) => end(0, error.message));
        response.on('end', () => end(response.statusCode ?? 0, Buffer.concat(chunks).toString()));
      });
      sent.on('error', (error) => end(0, error.message));
      sent.end(body);
    } catch (failure) {
      // The client refuses to send some invalid requests.
      end(-1, (failure as Error).message);
    }
  });
}

function sendRaw(port: number, bytes: Buffer): Promise<Outcome> {
  const started = performance.now();
  return new Promise((resolve) => {
    let text = '';
    // Closes the sending side, so that the server must reject incomplete requests.
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0);
      resolve({ status, text, durationMs: performance.now() - started });
    });
  });
}

/** A failure and its request. */
interface Finding {
  readonly what: string;
  readonly request: GeneratedRequest;
}

function failureOf(request: GeneratedRequest, { status, text }: Outcome): string | undefined {
  const isSet = Object.values(request.headers).includes(faultyWorld) || /"message":"A fault was set/.test(text);
  if (isSet || request.method === 'RAW') return undefined;
  // A request may select any status with Prefer.
  if (request.headers.Prefer?.startsWith('code=')) return undefined;
  if (status >= 500) return `${status}: ${text.slice(0, 300)}`;
  return status === 0 ? `no response: ${text}` : undefined;
}

async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

// Returns the operations of the served documents, other routes of the same table, and the files of the console.
async function subjectOf(url: string, users: readonly { readonly token: string }[]): Promise<Subject> {
  const { routes } = createEmulator({ hosted: true });
  const documents = await Promise.all(
    ['/swagger.v1.json', '/__drydock/openapi.json'].map(async (path) => (await fetch(url + path)).json()),
  );
  documents.push(documentRoutes(routes, { space: 'root', base: url, version: '' }));
  const page = await (await fetch(`${url}/`)).text();
  const files = [...page.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, file = '']) => `/${file}`);
  if (files.length < 2) throw new Error('the page of the console loads no files');
  const consolePaths = ['/', '/__drydock/console', '/__drydock/console/', '/__drydock/console/{file}', ...files];
  const operations = [
    ...documents.flatMap((document) => operationsOf(document as never)),
    ...consolePaths.map((path): Subject['operations'][number] => {
      const parameters = path.includes('{') ? [{ name: 'file', in: 'path', schema: { type: 'string' } }] : [];
      return { method: 'GET', path, parameters, body: undefined, form: false };
    }),
  ];
  return { operations, tokens: users.map(({ token }) => token), host: new URL(url).host, bodyLimit };
}

const limits = ['--body-limit', `${bodyLimit}`, '--max-worlds', '8', '--evict-worlds', '--set', 'logLimit=100'];
const server = await serve(['--hosted', '--strict', ...limits]);
const { url, users, child } = server;

try {
  const port = Number(new URL(url).port);
  const subject = await subjectOf(url, users);
  const dice = new Dice(seed);
  const statuses = new Map<number, number>();
  const memory: number[] = [];
  const findings: Finding[] = [];
  const slow: GeneratedRequest[] = [];
  let [requests, longest] = [0, 0];
  console.log(`${subject.operations.length} operations, seed ${seed}`);

  const reset = async (): Promise<void> => {
    await fetch(`${url}/__drydock/reset`, { method: 'POST', headers: { 'X-Drydock-World': faultyWorld } });
  };
  const ask = async (request: GeneratedRequest): Promise<void> => {
    const at = requests++;
    const outcome = await send(port, request);
    statuses.set(outcome.status, (statuses.get(outcome.status) ?? 0) + 1);
    longest = Math.max(longest, outcome.durationMs);
    const what = failureOf(request, outcome);
    if (what !== undefined) findings.push({ what, request });
    if (outcome.durationMs > slowMs) slow.push(request);
    if (at % 500 === 0) memory.push(await memoryOf(child.pid ?? 0));
    if (at % 2000 === 0) await reset();
  };
  const worker = async (): Promise<void> => {
    while (requests < count && child.exitCode === null && findings.length < 20) {
      await ask(generateRequest(dice, subject));
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: concurrency }, worker));
  const seconds = (performance.now() - started) / 1000;

  // A busy machine can delay any request once, so slow ones are repeated without other load.
  await reset();
  for (const request of slow) {
    const again = Math.min(
      ...[await send(port, request), await send(port, request)].map(({ durationMs }) => durationMs),
    );
    if (again > slowMs) findings.push({ what: `slow even without other load: ${again.toFixed()} ms`, request });
  }
  const samples = warmUp / 500;
  // Memory rises and falls in cycles longer than the warm-up, so its minimum shows the retained memory.
  const [early, late] = [median(memory.slice(samples, samples * 2)), Math.min(...memory.slice(-2 * samples))];
  const stderr = server.stderr();
  const shown = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${status}: ${times}`);
  console.log(
    `${requests} requests in ${seconds.toFixed()} s, longest ${longest.toFixed()} ms (${slow.length} repeated); ${shown.join(', ')}`,
  );
  const history = memory.filter((_, at) => at % 20 === 0).map((value) => value.toFixed());
  console.log(
    `memory: ${early.toFixed()} MB after ${warmUp} requests, minimum near the end ${late.toFixed()} MB (${history.join(' ')})`,
  );
  const grows = late > early * 1.2 + 20;
  for (const { what, request } of findings)
    console.error(what, JSON.stringify({ ...request, body: request.body?.toString().slice(0, 500) }));
  if (stderr !== '') console.error(`standard error of the server:\n${stderr.slice(0, 4000)}`);
  if (child.exitCode !== null) console.error('the server exited');
  if (grows) console.error('memory grows');
  const isRunning = child.exitCode === null && (await fetch(`${url}/api/v1/version`)).ok;
  if (findings.length > 0 || grows || !isRunning || stderr !== '') process.exitCode = 1;
  else console.log('api: no failures');
} finally {
  agent.destroy();
  await server.end('SIGTERM');
}
