// The form of a fault corresponds to its JSON, and errors are shown at their fields.

import assert from 'node:assert/strict';
import test from 'node:test';
import { faultOf, misplacedOf, toFaultDraft } from '../../../emulator/console/fault-draft.ts';

const pairs = [
  [
    { route: ' GET /user ', status: '503' },
    { route: 'GET /user', status: 503 },
  ],
  [{ latencyMs: '200-800' }, { latencyMs: { min: 200, max: 800 } }],
  [{ latencyMs: '200' }, { latencyMs: 200 }],
  [{ drop: true, malformed: false, message: '' }, { drop: true }],
  [
    { status: 'five', latencyMs: 'long' },
    { status: 'five', latencyMs: 'long' },
  ],
  [
    { headers: 'Retry-After: 2; Content-Type: text/plain; charset=utf-8; X-Time: 10:20' },
    { headers: { 'Retry-After': '2', 'Content-Type': 'text/plain; charset=utf-8', 'X-Time': '10:20' } },
  ],
  [{ headers: 'no header' }, { headers: 'no header' }],
  [{ body: '{"a": [1]}' }, { body: { a: [1] } }],
  [{ body: 'slow down' }, { body: 'slow down' }],
] as const;

for (const [draft, fault] of pairs) {
  test(`${JSON.stringify(draft)} means ${JSON.stringify(fault)}`, () => assert.deepEqual(faultOf(draft), fault));
}

test('a fault shown in the form is sent unchanged', () => {
  const faults = [
    { route: 'GET /user', times: 2, skip: 1, probability: 0.5, expiredToken: true },
    { latencyMs: { min: 1, max: 20 }, status: 302, location: '/user/login' },
    { status: 429, headers: { 'Retry-After': '2', 'X-A': 'b; c' }, body: { message: 'slow down' } },
    { body: '12' },
    { body: null },
  ];
  for (const fault of faults) assert.deepEqual(faultOf(toFaultDraft(fault)), fault);
});

test('every error is reported at its field', () => {
  const issues = [
    { path: 'faults[1].status', message: 'must be at least 200' },
    { path: 'faults[0].headers["A b"]', message: 'is not a valid header name' },
    { path: 'faults[0].headers["Date"]', message: 'is written by the server itself', hint: 'leave it out' },
    { path: 'faults[0].latencyMs.min', message: 'must be a number' },
    { path: 'name', message: 'slow is there already' },
  ];
  const output = misplacedOf({ status: 422, text: JSON.stringify({ message: 'no', issues }) });
  assert.deepEqual(Object.fromEntries(output), {
    'faults[1].status': 'must be at least 200',
    'faults[0].headers': 'is not a valid header name; is written by the server itself: leave it out',
    'faults[0].latencyMs': 'must be a number',
    name: 'slow is there already',
  });
  assert.equal(misplacedOf({ status: 422, text: 'no' }).size, 0);
  assert.equal(misplacedOf({ status: 204, text: '' }).size, 0);
  assert.equal(misplacedOf(undefined).size, 0);
});
