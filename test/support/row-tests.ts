// Tests rows recorded from Helm. The rows of a file are one test with a subtest for each that differs, because thousands of tests would take
// longer than the rows. `npm test -- --row PATTERN` runs only rows whose id or text matches a regular expression, each as a subtest.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';

/** A result of Helm, and its comparison with drydock. */
export interface RowCheck {
  readonly id: string;
  /** The input: an expression, or the arguments of a command. */
  readonly text: string;
  /** Returns the difference as text; undefined if there is none. */
  readonly check: () => Promise<string | undefined> | string | undefined;
}

const { DRYDOCK_TEST_ROW: pattern } = process.env;
const wanted = pattern === undefined ? undefined : new RegExp(pattern);

/** Tests the rows of a file. */
export function testRows(title: string, rows: readonly RowCheck[]): void {
  const chosen = wanted === undefined ? rows : rows.filter(({ id, text }) => wanted.test(id) || wanted.test(text));
  if (chosen.length === 0) return;
  test(`${title}: ${chosen.length} rows`, async (context) => {
    for (const row of chosen) {
      const difference = await differenceOf(row);
      if (wanted !== undefined || difference !== undefined) await report(context, row, difference);
    }
  });
}

async function differenceOf({ check }: RowCheck): Promise<string | undefined> {
  try {
    return await check();
  } catch (error) {
    return `crashed: ${error instanceof Error ? error.stack : String(error)}`;
  }
}

function report(context: TestContext, { id, text }: RowCheck, difference: string | undefined): Promise<void> {
  return context.test(`${id}: ${text}`, () => assert.ok(difference === undefined, `${id}: ${text}\n  ${difference}`));
}
