// The page of errors is accurate: each example produces its code and its message.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as emulator from '../emulator/index.ts';
import * as server from '../emulator/server.node.ts';
import { startWorker } from '../emulator/worker.elsewhere.ts';
import * as disk from '../render/disk.node.ts';
import * as drydock from '../render/index.ts';
import * as snapshot from '../render/snapshot.node.ts';
import { type ErrorGuide, emulatorErrors, otherErrors, renderErrors } from './support/error-guide.ts';

const scope: Readonly<Record<string, unknown>> = {
  ...emulator,
  ...server,
  ...disk,
  ...snapshot,
  ...drydock,
  startWorker,
};

type Program = (...values: unknown[]) => Promise<unknown>;

async function failureOf(example: string): Promise<Error & { readonly code?: string }> {
  const AsyncFunction = (async () => {}).constructor as new (...parts: string[]) => Program;
  const run = new AsyncFunction(...Object.keys(scope), example);
  try {
    await run(...Object.values(scope));
  } catch (error) {
    assert.ok(error instanceof Error);
    return error;
  }
  assert.fail('nothing was thrown');
}

function check(guide: ErrorGuide, message: string): void {
  const pattern = /^\/(.*)\/$/s.exec(guide.message)?.[1];
  if (pattern === undefined) assert.equal(message, guide.message);
  else assert.match(message, new RegExp(pattern));
  assert.ok(guide.cause.length > 0 && guide.hint.length > 0);
}

for (const [code, guide] of Object.entries({ ...renderErrors, ...emulatorErrors })) {
  test(`the example of ${code}`, async () => {
    const error = await failureOf(guide.example);
    assert.equal(error.code, code, error.stack);
    check(guide, error.message);
  });
}

for (const [name, guide] of Object.entries(otherErrors)) {
  test(`the example of ${name}`, async () => {
    const error = await failureOf(guide.example);
    assert.equal(error.constructor.name, name);
    check(guide, error.message);
  });
}
