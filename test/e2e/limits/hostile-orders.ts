// Tests that hostile Orders do not block other requests. Fifty clients store and render them for some seconds (endless ranges, 100 MB of output,
// deep recursion, endless lists, 100,000 patch operations, huge strings and names), while others request
// `GET /user` and render valid Orders. A second, idle server receives the same requests, so that delays of the machine
// do not count. `npm run test:e2e -- limits`

import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { check, temporaryFolder } from '../../../scripts/dev/tools/tools.ts';
import { writeFiles } from '../../../scripts/dev/tools/write-files.ts';
import { type Served, serve } from '../../support/served.ts';

const clients = 50;
const floodSeconds = 12;
// The allowed delay at the 99th percentile, in addition to twice the time of the idle server.
const p99Milliseconds = 50;
const validCount = 3;

const templates: Readonly<Record<string, string>> = {
  endless: '{{ range until 1000000 }}{{ range until 1000000 }}{{ end }}{{ end }}',
  output: '{{ range until 100000 }}{{ repeat 1000 "x" }}{{ end }}',
  recursion: '{{ define "a" }}{{ include "a" . }}{{ end }}{{ include "a" . }}',
  memory: '{{ $all := list }}{{ range until 1000000 }}{{ $all = append $all (until 100000) }}{{ end }}',
  good: 'kind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}\ndata:\n  text: {{ .Values.text | default "x" | quote }}\n',
};

function orderOf(chart: object): string {
  const selection = {
    sourceRef: { kind: 'Embed', name: 'bundled' },
    version: '1.0.0',
    releaseName: 'r',
    namespace: 'n',
  };
  return JSON.stringify({ spec: { packages: [{ chart: { ...selection, name: 'good', ...chart } }] } });
}

const many = <Item>(count: number, make: (i: number) => Item): Item[] =>
  Array.from({ length: count }, (_, i) => make(i));
const giant = 'x'.repeat(4_900_000);

const hostile: Readonly<Record<string, string>> = {
  'endless range': orderOf({ name: 'endless' }),
  '100 MB of output': orderOf({ name: 'output' }),
  'endless recursion': orderOf({ name: 'recursion' }),
  'endless lists': orderOf({ name: 'memory' }),
  '100,000 patch operations': orderOf({ valuesPatch: many(100_000, () => ({ op: 'add', path: '/a', value: 1 })) }),
  '200,000 members': orderOf({ values: Object.fromEntries(many(200_000, (i) => [`k${i}`, i])) }),
  'string of 4.9 MB': orderOf({ values: { text: giant } }),
  'name of 4.9 MB': orderOf({ [giant]: 1 }),
  '100,000 invalid packages': JSON.stringify({ spec: { packages: many(100_000, (i) => ({ chart: i })) } }),
  '1,000,000 brackets': `{"spec":${'['.repeat(1_000_000)}`,
};

/** A response: its status and the start of its body. */
interface Outcome {
  readonly status: number;
  readonly text: string;
}

const agent = new Agent({ keepAlive: true });

function ask({ url, token }: Served, path: string, body?: string): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const json = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const options = {
      method: body === undefined ? 'GET' : 'POST',
      agent,
      headers: { Authorization: `token ${token}`, ...json },
    };
    const sent = request(`${url}/api/v1/user${path}`, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        if (text.length < 300) text += part.slice(0, 300);
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Stores an Order and renders it; returns the last response. */
async function render(server: Served, body: string): Promise<Outcome> {
  const stored = await ask(server, '/deploy/orders', body);
  const uid = /"uid":"([0-9a-f-]{36})"/.exec(stored.text)?.[1];
  // The uid of a huge Order is beyond the recorded part of the body.
  if (stored.status !== 200 || uid === undefined) return stored;
  return ask(server, `/deploy/orders/${uid}/render/manifest`);
}

// In a separate thread, so that requests of this thread do not delay it. Measures every server in turn until it is stopped.
const prober = `
const { parentPort, workerData: servers } = require('node:worker_threads');
const { Agent, request } = require('node:http');
const agent = new Agent({ keepAlive: true });
let busy = true;
parentPort.once('message', () => { busy = false; });
const ask = ({ url, token }) => new Promise((resolve, reject) => {
  const started = performance.now();
  request(url + '/api/v1/user', { headers: { Authorization: 'token ' + token }, agent }, (response) => {
    if (response.statusCode !== 200) reject(new Error('GET /user responded with ' + response.statusCode));
    response.resume().on('end', () => resolve(performance.now() - started));
  }).on('error', reject).end();
});
(async () => {
  const times = servers.map(() => []);
  while (busy) {
    for (const [at, server] of servers.entries()) times[at].push(await ask(server));
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  parentPort.postMessage(times);
})();`;

function percentile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Sends hostile Orders from one client until `end` and records the responses. */
async function attack(server: Served, first: number, end: number, outcomes: Outcome[]): Promise<void> {
  const orders = Object.values(hostile);
  for (let at = first; performance.now() < end; at += clients) {
    outcomes.push(await render(server, orders[at % orders.length]!));
  }
}

// Orders that use up their time limit are only sent in `flood`.
const endless = ['endless range', 'endless lists'];

/** Sends each Order separately. The response must be a rendering or an error. */
async function sendEach(server: Served): Promise<void> {
  for (const name of Object.keys(hostile).filter((one) => !endless.includes(one))) {
    const started = performance.now();
    const { status, text } = await render(server, hostile[name] as string);
    const message = /"message":"((?:[^"\\]|\\.){0,90})/.exec(text)?.[1] ?? '';
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    check(`${name}: ${status} after ${seconds} s ${message}`.trim(), [200, 400, 422].includes(status));
  }
}

async function flood(server: Served, idle: Served): Promise<void> {
  const probed = [server, idle].map(({ url, token }) => ({ url, token }));
  const worker = new Worker(prober, { eval: true, workerData: probed });
  const probes = new Promise<readonly (readonly number[])[]>((resolve, reject) => {
    worker.once('message', resolve).once('error', reject);
  });
  const outcomes: Outcome[] = [];
  const end = performance.now() + floodSeconds * 1000;
  // Requests that are pending on shutdown have no response.
  for (let i = 0; i < clients; i++) void attack(server, i, end, outcomes).catch(() => {});
  const valid: Outcome[] = [];
  for (let i = 0; valid.length < validCount || performance.now() < end; i++) {
    valid.push(await render(server, orderOf({ releaseName: `g${i}` })));
  }
  worker.postMessage('stop');
  const [times = [], idleTimes = []] = await probes;
  const unexpected = outcomes.filter(({ status }) => ![200, 400, 422, 503].includes(status));
  for (const { status, text } of unexpected.slice(0, 5)) console.log(`    ${status} ${text}`);
  check(`all ${outcomes.length} responses to hostile Orders are renderings or errors`, unexpected.length === 0);
  check(
    `${valid.length} valid Orders are stored and rendered meanwhile`,
    valid.every(({ status }) => status === 200),
  );
  const [p50, p99, limit] = [percentile(times, 0.5), percentile(times, 0.99), percentile(idleTimes, 0.99)];
  const figures = `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, worst ${Math.max(...times).toFixed(1)} ms of ${times.length}`;
  check(
    `GET /user while ${clients} clients send hostile Orders: ${figures}; idle server: p99 ${limit.toFixed(1)} ms`,
    p99 <= 2 * limit + p99Milliseconds,
  );
}

const folder = temporaryFolder('drydock-hostile-');
for (const [name, template] of Object.entries(templates)) {
  await writeFiles(join(folder, name), {
    'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`,
    'templates/a.yaml': template,
  });
}
// Each Order is first sent on its own, with a low time limit.
const first = await serve(['--charts', folder, '--render-time', '2000']);
await sendEach(first);
check('the server still responds', (await ask(first, '')).status === 200 && first.child.exitCode === null);
await first.end('SIGKILL');
const [server, idle] = [await serve(['--charts', folder]), await serve(['--charts', folder])];
// Starts both worker threads before measuring.
for (const name of ['100 MB of output', 'name of 4.9 MB']) await render(server, hostile[name] as string);
await flood(server, idle);
check(
  'the server still responds after the flood',
  (await ask(server, '')).status === 200 && server.child.exitCode === null,
);
// Does not wait for pending responses to hostile Orders.
process.exit();
