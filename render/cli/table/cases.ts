// The command `cases`. A pure table.

import type { CommandSpec } from './command.ts';
import { coverageSpec } from './coverage.ts';
import { existingCaseFilesFlag, globalFlags, jsonFlag, maxTimeFlag, orderFlags, verboseFlag } from './shared.ts';

const { flags: coverageFlags } = coverageSpec;

/** The command `cases`. */
export const casesSpec: CommandSpec = {
  name: 'cases',
  operands: 'CHART',
  summary: 'generate values files that reach every branch of a chart',
  about: [
    'Renders a chart with its defaults and its existing cases, looks at which values decided each branch of its templates, and',
    'changes them until every branch has gone each way that it can. Prints the fewest values files that do so, which branches',
    'no values reach and why, and values that users may well write and on which the chart fails.',
  ],
  flags: [
    existingCaseFilesFlag,
    {
      name: 'write',
      type: 'string',
      placeholder: 'DIR',
      help: 'write the values files to this folder of the chart, such as ci; existing files are kept',
    },
    { name: 'check', type: 'bool', help: 'exit with 1 if the existing cases miss a branch that values can reach' },
    ...coverageFlags.filter(({ name }) => name === 'subcharts'),
    maxTimeFlag,
    ...orderFlags.filter(({ name }) =>
      ['helm', 'kube-version', 'api-versions', 'skip-schema-validation'].includes(name),
    ),
    jsonFlag,
    { ...verboseFlag, help: 'also list every branch that no values reach' },
    ...globalFlags,
  ],
  offers: 'files',
  examples: [
    'drydock cases charts/web',
    'drydock cases charts/web --write ci',
    'drydock cases charts/web --check',
    'drydock cases charts/web -f ci/small.yaml --json',
  ],
  notes: [
    'The same chart has the same cases, unless --max-time ends the search. Run again with --write to continue it.',
    'Exit codes: 0 success, 1 an existing case does not render, --check finds missing cases, or the chart is invalid, 2 wrong usage.',
  ],
};
