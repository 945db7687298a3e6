// What we make of a row, and what it took.

import { RenderError } from '../../render/errors.ts';
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
const seeded = seededHost();
// Helm's clock is the real one: where a time stands in for what is none, ours must be too.
const host = { ...seeded, now: () => Date.now() };

/** Gives our answer to a row. Throws nothing. */
export function answerRow(row: RowInput): OurAnswer {
  const before = process.cpuUsage();
  const answer = (text: string, crash?: string): OurAnswer => {
    const { user, system } = process.cpuUsage(before);
    const milliseconds = (user + system) / 1000;
    return { text, failed: text.startsWith('Error: '), milliseconds, ...(crash === undefined ? {} : { crash }) };
  };
  try {
    const files = Object.entries(chartOfRow(row.template, row.values));
    const chart = loadChart(new Map(files.map(([name, data]) => [name, encoder.encode(data)] as const)));
    const text = textOfOutput(template(chart, { releaseName: 'r', namespace: 'default', host }));
    return { ...answer(text), failed: false };
  } catch (error) {
    if (error instanceof RenderError) return answer(`Error: ${shortenError(error.message)}`);
    return answer(`Error: ${error}`, (error as Error).stack ?? String(error));
  }
}
