// What we make of a row, and what it took.

import { RenderError } from '../../render/errors.ts';
import { encodeUtf8 } from '../../render/go/utf8.ts';
import { loadChart, seededHost, template } from '../../render/index.ts';
import { chartOfRow, shortenError, textOfOutput } from '../../test/support/rows.ts';
import type { RowInput } from './helm-rows.ts';

/** Our answer to a row, and the processor time it took in milliseconds: a machine with other work makes nothing slow. */
export interface OurAnswer {
  /** Its text, or its error after `Error: `. */
  readonly text: string;
  readonly failed: boolean;
  readonly milliseconds: number;
  /** There when something other than an error of ours was thrown. */
  readonly crash?: string;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const seeded = seededHost();
// Helm's clock is the real one: where a time stands in for what is none, ours must be too.
const host = { ...seeded, now: () => Date.now() };

function render({ template: text, values }: RowInput): string {
  const files = Object.entries(chartOfRow(text, values));
  const chart = loadChart(new Map(files.map(([name, data]) => [name, encoder.encode(data)] as const)));
  return textOfOutput(template(chart, { releaseName: 'r', namespace: 'default', host }));
}

/** Gives what came of a row, but for the time. */
function tryRow(row: RowInput): Omit<OurAnswer, 'milliseconds'> {
  try {
    return { text: render(row), failed: false };
  } catch (error) {
    if (error instanceof RenderError) {
      // As the stream has it: bytes that are not UTF-8 are read back as Helm's are.
      const message = decoder.decode(encodeUtf8(error.message));
      return { text: `Error: ${shortenError(message)}`, failed: true };
    }
    return { text: `Error: ${error}`, failed: true, crash: (error as Error).stack ?? String(error) };
  }
}

// A clock is read for nearly nothing; where it says long, the row is run again for the processor's own time.
const longMs = 200;

function processorTime(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Gives our answer to a row. Throws nothing. */
export function answerRow(row: RowInput): OurAnswer {
  const { stackTraceLimit } = Error;
  // Most rows fail, and half of the time of a failure would go into stacks that nobody reads.
  Error.stackTraceLimit = 0;
  const began = performance.now();
  const answer = tryRow(row);
  const clock = performance.now() - began;
  Error.stackTraceLimit = stackTraceLimit;
  const milliseconds =
    clock > longMs
      ? Math.min(
          clock,
          processorTime(() => tryRow(row)),
        )
      : clock;
  return { ...(answer.crash === undefined ? answer : tryRow(row)), milliseconds };
}
