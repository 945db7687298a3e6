// Waiting jobs: the number of jobs and bytes is limited, and dropped ones get an error.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderInPool } from '../../../emulator/rendering/pool.ts';
import { RenderersBusy } from '../../../emulator/rendering/renderer.ts';
import type { JobMessage, SentChart } from '../../../emulator/rendering/worker.ts';
import { loadChart } from '../../../render/index.ts';
import { as, strictEmulator } from '../../support/emulator.ts';

// Threads that accept jobs and never respond.
function idlePool() {
  const worker = { post: () => {}, listen: () => {}, ended: new Promise<never>(() => {}), stop: () => {} };
  return renderInPool({ start: () => worker });
}

async function fateOf(job: Promise<unknown>): Promise<string> {
  return job.then(
    () => 'done',
    (failure: Error) => failure.name,
  );
}

test('of too many jobs the oldest are dropped, and the others wait', async () => {
  const { render, stop } = idlePool();
  const jobs = Array.from({ length: 210 }, () => fateOf(render({ task: 'manifest', order: '{}', seed: 'x' })));
  stop();
  const fates = await Promise.all(jobs);
  const gone = fates.flatMap((fate, at) => (fate === 'RenderersBusy' ? [at] : []));
  assert.deepEqual(gone, [2, 3, 4, 5, 6, 7, 8, 9]);
});

test('of too many bytes the oldest are dropped', async () => {
  const { render, stop } = idlePool();
  const body = new Uint8Array(50 * 1024 * 1024);
  const jobs = Array.from({ length: 5 }, () => fateOf(render({ task: 'check', body })));
  stop();
  const fates = await Promise.all(jobs);
  assert.equal(fates[2], 'RenderersBusy');
  assert.ok(!fates.slice(3).includes('RenderersBusy'), String(fates));
});

test('a worker is sent a chart once, and of many charts it keeps the last', async () => {
  const received: SentChart[] = [];
  const { render, stop } = renderInPool({
    start: () => {
      let reply = (_: unknown): void => {};
      const post = (message: unknown): void => {
        const { job } = message as { readonly job: JobMessage };
        received.push(...job.uploads.map(({ chart }) => chart));
        setImmediate(() => {
          reply({ type: 'started' });
          reply({ type: 'done', answer: new Uint8Array() });
        });
      };
      const listen = (listener: (message: unknown) => void): void => {
        reply = listener;
      };
      return { post, listen, ended: new Promise<never>(() => {}), stop: () => {} };
    },
  });
  const file = new TextEncoder().encode('apiVersion: v2\nname: web\nversion: 1.0.0\n');
  for (let count = 0; count < 300; count++) {
    const uploads = [{ chart: loadChart(new Map([['Chart.yaml', file]])), sourceRef: { name: 'web' } }];
    await render({ task: 'charts', uploads });
    await render({ task: 'charts', uploads });
  }
  stop();
  assert.equal(received.filter(({ chart }) => chart !== undefined).length, 300);
  assert.equal(new Set(received.map(({ id }) => id)).size, 256);
});

test('a dropped order gets 503 with a sentence and a time to retry', async () => {
  const renderer = () => Promise.reject(new RenderersBusy('Too many wait.'));
  const answer = await as(strictEmulator({ renderer }), 'ada')('POST', '/user/deploy/orders', {});
  assert.deepEqual([answer.status, answer.at('message')], [503, 'Too many wait.']);
  assert.equal(answer.headers.get('retry-after'), '1');
});
