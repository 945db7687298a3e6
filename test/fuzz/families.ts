// The list of families.

import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { archives } from './archives.ts';
import { charts } from './charts.ts';
import { drawExpression } from './expressions.ts';
import type { Family } from './family.ts';
import { flags, values } from './flags.ts';
import { orders } from './orders.ts';
import { rowFamily } from './rows.ts';
import { drawTemplate } from './templates.ts';
import { drawText } from './texts.ts';
import { drawTime } from './times.ts';
import { drawVersion } from './versions.ts';

const entry = fileURLToPath(new URL('./api.ts', import.meta.url));

/** Valid and broken requests to a server. */
const requests: Family = {
  name: 'requests',
  about: 'HTTP requests to the emulator: valid ones, and ones that are broken in every part',
  batch: 5000,
  share: 0.2,
  async run({ family, seed, count }) {
    const { exitCode, all } = await execa(process.execPath, ['--import', 'tsx', entry, `${count}`, `${seed}`], {
      reject: false,
      all: true,
    });
    const [, sent, longest] = /(\d+) requests in \d+ s, longest (\d+) ms/.exec(all) ?? [];
    const findings = exitCode === 0 ? [] : [{ family, seed, kind: 'crashes' as const, text: all.slice(-6000) }];
    return { inputs: Number(sent ?? 0), rejected: 0, findings, longestMs: Number(longest ?? 0) };
  },
};

/** Every family, in the order of the report. */
export const families: readonly Family[] = [
  rowFamily({ name: 'expressions', about: 'calls of the template functions', batch: 500, share: 5 }, drawExpression),
  rowFamily(
    { name: 'templates', about: 'control structures, definitions, whitespace', batch: 500, share: 4 },
    drawTemplate,
  ),
  rowFamily({ name: 'texts', about: 'reading and writing YAML, JSON and TOML', batch: 250, share: 6 }, drawText, 10),
  rowFamily({ name: 'times', about: 'times, layouts, zones, durations', batch: 300, share: 2 }, drawTime, 4),
  rowFamily(
    { name: 'versions', about: 'versions, constraints, regular expressions', batch: 500, share: 2 },
    drawVersion,
  ),
  charts,
  values,
  flags,
  orders,
  archives,
  requests,
];
