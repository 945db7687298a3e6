// HTTP requests to the emulator on a port, in the process of the job: none may crash it, block it, cause an internal error or leak memory.

import { Agent, request as httpRequest } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { documentRoutes } from '../../emulator/app/openapi.ts';
import { createEmulator } from '../../emulator/emulator.ts';
import { type EmulatorServer, startServer } from '../../emulator/server.node.ts';
import { Dice } from '../support/dice.ts';
import type { Family, Finding, Job, Outcome } from './family.ts';
import { faultyWorld, type GeneratedRequest, generateRequest, operationsOf, type Subject } from './requests.ts';

const concurrency = 12;
const bodyLimit = 65_536;
const slowMs = 1000;
/** The memory by which the emulator may grow, in megabytes. */
const maxGrowth = 20;

/** The result of one request. The status is 0 if the connection was closed without a response. */
interface Response {
  readonly status: number;
  readonly durationMs: number;
  readonly text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: concurrency });

function send(port: number, { method, path, headers, body, chunked }: GeneratedRequest): Promise<Response> {
  const started = performance.now();
  return new Promise((resolve) => {
    const end = (status: number, text: string): void =>
      resolve({ status, text, durationMs: performance.now() - started });
    const framed: Record<string, string> = { ...headers };
    if (body && chunked) framed['Transfer-Encoding'] = 'chunked';
    else if (body) framed['Content-Length'] = String(body.length);
    try {
      const sent = httpRequest({ host: '127.0.0.1', port, method, path, agent, headers: framed });
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

function failureOf(request: GeneratedRequest, { status, text }: Response): string | undefined {
  const isSet = Object.values(request.headers).includes(faultyWorld) || /"message":"A fault was set/.test(text);
  if (isSet) return undefined;
  // A request may select any status with Prefer.
  if (request.headers.Prefer?.startsWith('code=')) return undefined;
  if (status >= 500) return `${status}: ${text.slice(0, 300)}`;
  return status === 0 ? `no response: ${text}` : undefined;
}

interface Opened {
  readonly server: EmulatorServer;
  readonly subject: Subject;
}

let opened: Promise<Opened> | undefined;
/** How much more memory is in use after the jobs that followed the first one, in megabytes. */
let grown: number | undefined;

/** Returns the memory in use after a garbage collection, in megabytes. */
function usedMemory(): number {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  collect();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

async function open(): Promise<Opened> {
  const settings = { hosted: true, strict: true, bodyLimit, maxWorlds: 8, evictWorlds: true, logLimit: 100 };
  // Orders are rendered in this process too, so that its memory is that of all.
  const server = await startServer(createEmulator(settings));
  const documents = await Promise.all(
    ['/swagger.v1.json', '/__drydock/openapi.json'].map(async (path) => (await fetch(server.url + path)).json()),
  );
  // Other routes of the same table.
  documents.push(
    documentRoutes(createEmulator({ hosted: true }).routes, { space: 'root', base: server.url, version: '' }),
  );
  const operations = documents.flatMap((document) => operationsOf(document as never));
  const tokens = server.emulator.users().map(({ token }) => token);
  return { server, subject: { operations, tokens, bodyLimit } };
}

async function run({ family, seed, count }: Job): Promise<Outcome> {
  opened ??= open();
  const { server, subject } = await opened;
  const dice = new Dice(seed);
  const before = usedMemory();
  const findings: Finding[] = [];
  const slow: GeneratedRequest[] = [];
  let [sent, rejected, longestMs] = [0, 0, 0];
  const report = (kind: Finding['kind'], what: string, request: GeneratedRequest): void => {
    const text = `${what} ${JSON.stringify({ ...request, body: request.body?.toString().slice(0, 500) })}`;
    findings.push({ family, seed, kind, text });
  };
  const reset = async (): Promise<void> => {
    await fetch(`${server.url}/__drydock/reset`, { method: 'POST', headers: { 'X-Drydock-World': faultyWorld } });
  };
  const client = async (): Promise<void> => {
    while (sent < count) {
      if (sent++ % 2000 === 0) await reset();
      const request = generateRequest(dice, subject);
      const response = await send(server.port, request);
      longestMs = Math.max(longestMs, response.durationMs);
      if (response.status >= 400) rejected++;
      const what = failureOf(request, response);
      if (what !== undefined) report('crashes', what, request);
      if (response.durationMs > slowMs) slow.push(request);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, client));
  // A busy machine can delay any request once, so slow ones are repeated without other load.
  await reset();
  for (const request of slow) {
    const { durationMs } = await send(server.port, request);
    if (durationMs > slowMs) report('slow', `${durationMs.toFixed()} ms`, request);
  }
  grown = grown === undefined ? 0 : grown + usedMemory() - before;
  if (grown > maxGrowth) findings.push({ family, seed, kind: 'large', text: `${grown.toFixed()} MB more are in use` });
  return { inputs: count, rejected, findings, longestMs };
}

/** Valid and broken requests to a server. */
export const requests: Family = {
  name: 'requests',
  about: 'HTTP requests to the emulator: valid ones, and ones that are broken in every part',
  batch: 2000,
  share: 0.2,
  run,
};
