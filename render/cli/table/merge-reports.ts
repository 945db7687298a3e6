// The command `merge-reports`. A pure table.

import type { CommandSpec } from './command.ts';
import { coverageLimitFlags, coverageReportFlag } from './coverage.ts';
import { globalFlags, jsonFlag, reportFlag, verboseFlag } from './shared.ts';

/** The command `merge-reports`. */
export const mergeReportsSpec: CommandSpec = {
  name: 'merge-reports',
  formerNames: ['merge'],
  operands: 'REPORT ...',
  summary: 'merge the reports of a sharded snapshot run',
  about: [
    'Reads the reports that the parts of one run wrote with drydock snapshot --shard I/N --report json=FILE, and prints and reports them as',
    'one run would have, with coverage. It fails if a part is missing, given twice or of another run.',
  ],
  flags: [
    verboseFlag,
    { name: 'lines', type: 'bool', help: 'also show the lines that differ' },
    reportFlag,
    coverageReportFlag,
    ...coverageLimitFlags,
    {
      name: 'durations',
      type: 'string',
      placeholder: 'FILE',
      offers: 'files',
      help: 'write the duration of each case; snapshots/durations.json balances later parts',
    },
    jsonFlag,
    ...globalFlags,
  ],
  offers: 'files',
  examples: [
    'drydock merge-reports part-*.json --report junit=junit.xml --report markdown=comment.md',
    'drydock merge-reports part-*.json --durations snapshots/durations.json',
  ],
  notes: ['Exit codes: 0 all is as recorded, 1 something differs, is at fault or is missing, 2 wrong usage.'],
};
