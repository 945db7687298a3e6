// The command `coverage`. A pure table.

import type { FlagSpec } from '../flags.ts';
import type { CommandSpec } from './command.ts';
import { caseSetFlag, globalFlags, jsonFlag, kubeVersionsFlag, orderFlags, verboseFlag } from './shared.ts';

/** The flags that ask for a least coverage. */
export const coverageLimitFlags: readonly FlagSpec[] = [
  { name: 'min', type: 'float', placeholder: 'PERCENT', help: 'exit with 1 where fewer of the actions ran' },
  { name: 'min-branches', type: 'float', placeholder: 'PERCENT', help: 'exit with 1 where branches went fewer ways' },
];

/** The flag that writes reports beside what a run is for. */
export const coverageReportFlag: FlagSpec = {
  name: 'coverage-report',
  type: 'stringArray',
  placeholder: 'FILE',
  offers: 'files',
  help: 'write the coverage to this file; its ending names the form: .html, .lcov, .xml (Cobertura), .json, .txt',
};

/** The command `coverage`. */
export const coverageSpec: CommandSpec = {
  name: 'coverage',
  operands: 'CHART ...',
  summary: "tell which parts of a chart's templates run",
  about: [
    'Renders a chart for all of its cases and tells which actions and branches of its templates ran: both ways of if and',
    'with, a range entered and empty, every operand of default, ternary, coalesce, and, or; and which named templates. It',
    "tells which defaults in the chart's values.yaml nothing reads, too.",
    'The engine itself counts. What is told to have never run could fail, and nothing would change.',
  ],
  flags: [
    {
      name: 'values',
      short: 'f',
      type: 'stringArray',
      placeholder: 'FILES',
      offers: 'files',
      help: "values file, a case of its own; a.yaml,b.yaml are one case, the later over the earlier (default: the chart's ci/*values.yaml)",
    },
    caseSetFlag,
    ...orderFlags.filter(({ name }) => name === 'helm'),
    kubeVersionsFlag,
    ...orderFlags.filter(({ name }) => name === 'api-versions'),
    { name: 'upgrade', type: 'bool', help: 'render every case as an upgrade, too' },
    { name: 'subcharts', type: 'bool', help: 'count the templates and defaults of sub-charts, too' },
    ...orderFlags.filter(({ name }) => name === 'skip-schema-validation'),
    ...coverageLimitFlags,
    {
      name: 'format',
      type: 'string',
      placeholder: 'FORMAT',
      words: ['text', 'lcov', 'cobertura', 'json', 'html'],
      help: 'form of the report: for people, or for what shows coverage',
    },
    jsonFlag,
    { ...verboseFlag, help: 'list what never ran of each chart, and not one table of all' },
    ...globalFlags,
  ],
  follows: 'snapshot',
  offers: 'files',
  examples: [
    'drydock coverage charts/web',
    'drydock coverage charts/web -f ci/small.yaml -f ci/base.yaml,ci/large.yaml --min 80 --min-branches 70',
    'drydock coverage charts/* --kube-version 1.29,1.32 --format lcov > charts.lcov',
    'drydock coverage charts/web --format html > coverage.html',
  ],
  notes: [
    'Patterns in quotes (*, ?, [a-z], {a,b}, **) are filled in by drydock, in shells that do not do so too.',
    'Exit codes: 0 fine, 1 a case fails or less ran than asked for, 2 wrong usage.',
  ],
};
