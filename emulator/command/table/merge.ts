// The command `merge`. A pure table.

import type { CommandSpec } from './command.ts';
import { coverageLimitFlags, coverageReportFlag } from './coverage.ts';
import { globalFlags, jsonFlag, reportFlag, verboseFlag } from './shared.ts';

/** The command `merge`. */
export const mergeSpec: CommandSpec = {
  name: 'merge',
  operands: 'REPORT ...',
  summary: 'join the reports of the parts of a snapshot run',
  about: [
    'Reads what the parts of one run wrote with drydock snapshot --shard I/N --report json=FILE, and tells and reports it as',
    'one run would have, coverage too. A part that is missing, given twice or of another run makes it fail.',
  ],
  flags: [
    verboseFlag,
    { name: 'lines', type: 'bool', help: 'show the lines that differ, too' },
    reportFlag,
    coverageReportFlag,
    ...coverageLimitFlags,
    {
      name: 'durations',
      type: 'string',
      placeholder: 'FILE',
      offers: 'files',
      help: 'write how long each case took; snapshots/durations.json balances later parts',
    },
    jsonFlag,
    ...globalFlags,
  ],
  offers: 'files',
  examples: [
    'drydock merge part-*.json --report junit=junit.xml --report markdown=comment.md',
    'drydock merge part-*.json --durations snapshots/durations.json',
  ],
  notes: ['Exit codes: 0 all is as recorded, 1 something differs, is at fault or is missing, 2 wrong usage.'],
};
