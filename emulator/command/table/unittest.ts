// The command `unittest`. A pure table.

import type { CommandSpec } from './command.ts';
import { globalFlags } from './shared.ts';

/** The command `unittest`. */
export const unittestSpec: CommandSpec = {
  name: 'unittest',
  operands: 'CHART…',
  summary: 'run the suites of helm-unittest that charts have',
  about: [
    'Runs the suites in tests/*_test.yaml of charts, and of their sub-charts, as helm-unittest 1.1 does: the same results,',
    'the same text, the same files of snapshots and results.',
  ],
  flags: [
    {
      name: 'file',
      short: 'f',
      type: 'stringArray',
      placeholder: 'PATTERN',
      offers: 'files',
      help: 'suites to run, from the chart on; ** stands for any folders (default: tests/*_test.yaml)',
    },
    {
      name: 'values',
      short: 'v',
      type: 'stringArray',
      placeholder: 'FILE',
      offers: 'files',
      help: 'values file for every suite, a path or a pattern',
    },
    { name: 'update-snapshot', short: 'u', type: 'bool', help: 'write the snapshots anew; review what changes' },
    {
      name: 'with-subchart',
      short: 's',
      type: 'bool',
      default: 'true',
      help: 'run the suites of sub-charts in charts/, too',
    },
    {
      name: 'output-file',
      short: 'o',
      type: 'string',
      placeholder: 'FILE',
      offers: 'files',
      help: 'write the results to this file, too',
    },
    {
      name: 'output-type',
      short: 't',
      type: 'string',
      placeholder: 'FORM',
      offers: ['XUnit', 'JUnit', 'NUnit', 'Sonar'],
      default: 'XUnit',
      help: 'form of that file: XUnit, JUnit, NUnit or Sonar',
    },
    {
      name: 'chart-tests-path',
      type: 'string',
      placeholder: 'DIR',
      offers: 'folders',
      help: 'chart whose templates render suites, from the chart on',
    },
    { name: 'failfast', short: 'q', type: 'bool', help: 'stop at the first failure' },
    { name: 'strict', type: 'bool', help: 'refuse fields of a suite that are unknown' },
    { name: 'skip-schema-validation', type: 'bool', help: 'do not check values against values.schema.json' },
    { name: 'color', type: 'bool', help: 'print colours wherever the output goes; --color=false for none' },
    { name: 'debugPlugin', short: 'd', type: 'bool', help: 'write what is rendered to .debug/' },
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
