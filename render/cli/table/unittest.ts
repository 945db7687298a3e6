// The command `unittest`. A pure table.

import type { CommandSpec } from './command.ts';
import { globalFlags } from './shared.ts';

/** The command `unittest`. */
export const unittestSpec: CommandSpec = {
  name: 'unittest',
  operands: 'CHART…',
  summary: 'run helm-unittest suites of charts',
  about: [
    'Runs the suites in tests/*_test.yaml of charts, and of their sub-charts, as helm-unittest 1.1 does: the same results,',
    'text, snapshots and result files.',
  ],
  flags: [
    {
      name: 'file',
      short: 'f',
      type: 'stringArray',
      placeholder: 'PATTERN',
      offers: 'files',
      help: 'suites to run, relative to the chart; ** matches any folders (default: tests/*_test.yaml)',
    },
    {
      name: 'values',
      short: 'v',
      type: 'stringArray',
      placeholder: 'FILE',
      offers: 'files',
      help: 'values file for every suite, a path or a pattern',
    },
    { name: 'update-snapshot', short: 'u', type: 'bool', help: 'update snapshots; review what changes' },
    {
      name: 'with-subchart',
      short: 's',
      type: 'bool',
      default: 'true',
      help: 'also run the suites of sub-charts in charts/',
    },
    {
      name: 'output-file',
      short: 'o',
      type: 'string',
      placeholder: 'FILE',
      offers: 'files',
      help: 'also write the results to this file',
    },
    {
      name: 'output-type',
      short: 't',
      type: 'string',
      placeholder: 'FORM',
      offers: ['XUnit', 'JUnit', 'NUnit', 'Sonar'],
      default: 'XUnit',
      help: 'format of that file: XUnit, JUnit, NUnit or Sonar',
    },
    {
      name: 'chart-tests-path',
      type: 'string',
      placeholder: 'DIR',
      offers: 'folders',
      help: 'chart whose templates render suites, relative to the chart',
    },
    { name: 'failfast', short: 'q', type: 'bool', help: 'stop at the first failure' },
    { name: 'strict', type: 'bool', help: 'reject unknown fields in suites' },
    { name: 'skip-schema-validation', type: 'bool', help: 'do not check values against values.schema.json' },
    { name: 'color', type: 'bool', help: 'always print colors; --color=false for none' },
    { name: 'debugPlugin', short: 'd', type: 'bool', help: 'write rendered manifests to .debug/' },
    ...globalFlags.filter(({ name }) => name !== 'quiet'),
  ],
  // Older versions of helm-unittest could choose the Helm.
  ignoredFlags: [{ name: 'helm3', short: '3', type: 'bool', help: '' }],
  offers: 'files',
  examples: [
    'drydock unittest charts/web',
    "drydock unittest -f 'tests/**/*_test.yaml' -o results.xml -t JUnit charts/web charts/api",
    'drydock unittest -u charts/web',
  ],
  notes: ['Exit codes: 0 all pass, 1 something fails, 2 wrong usage.'],
};
