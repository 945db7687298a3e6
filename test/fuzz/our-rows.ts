// What we make of a row, and what it took.

import { RenderError } from '../../render/core/errors.ts';
import type { HelmVersion } from '../../render/core/helm-version.ts';
import { encodeUtf8 } from '../../render/go/utf8.ts';
import { loadChart, seededHost, template } from '../../render/index.ts';
import { recordedHelms } from '../support/helms.ts';
import { chartOfRow, shortenError, textOfOutput } from '../support/rows.ts';
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

function render({ template: text, values }: RowInput, helm: HelmVersion): string {
  const files = Object.entries(chartOfRow(text, values));
  const chart = loadChart(new Map(files.map(([name, data]) => [name, encoder.encode(data)] as const)), { helm });
  return textOfOutput(template(chart, { releaseName: 'r', namespace: 'default', host, helm }));
}

/** Returns what came of a row, but for the time. */
function tryRow(row: RowInput, helm: HelmVersion): Omit<OurAnswer, 'milliseconds'> {
  try {
    return { text: render(row, helm), failed: false };
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

/** Returns our answer to a row, that of the recorded version of a major version. Throws nothing. */
export function answerRow(row: RowInput, major: 3 | 4 = 3): OurAnswer {
  const helm = recordedHelms[major];
  const { stackTraceLimit } = Error;
  // Most rows fail, and half of the time of a failure would go into stacks that nobody reads.
  Error.stackTraceLimit = 0;
  const began = performance.now();
  const answer = tryRow(row, helm);
  const clock = performance.now() - began;
  Error.stackTraceLimit = stackTraceLimit;
  const milliseconds =
    clock > longMs
      ? Math.min(
          clock,
          processorTime(() => tryRow(row, helm)),
        )
      : clock;
  return { ...(answer.crash === undefined ? answer : tryRow(row, helm)), milliseconds };
}
