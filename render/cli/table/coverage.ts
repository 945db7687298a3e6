// The command `coverage`. A pure table.

import type { FlagSpec } from '../flags.ts';
import type { CommandSpec } from './command.ts';
import {
  caseFilesFlag,
  caseSetFlag,
  globalFlags,
  jsonFlag,
  kubeVersionsFlag,
  orderFlags,
  verboseFlag,
} from './shared.ts';

/** The flags that ask for a least coverage. */
export const coverageLimitFlags: readonly FlagSpec[] = [
  { name: 'min', type: 'float', placeholder: 'PERCENT', help: 'exit with 1 if a smaller share of actions ran' },
  {
    name: 'min-branches',
    type: 'float',
    placeholder: 'PERCENT',
    help: 'exit with 1 if a smaller share of branches ran',
  },
];

/** The flag that writes reports beside what a run is for. */
export const coverageReportFlag: FlagSpec = {
  name: 'coverage-report',
  type: 'stringArray',
  placeholder: 'FILE',
  offers: 'files',
  help: 'write the coverage to this file; its extension selects the format: .html, .lcov, .xml (Cobertura), .json, .txt',
};

/** The command `coverage`. */
export const coverageSpec: CommandSpec = {
  name: 'coverage',
  operands: 'CHART ...',
  summary: "report which parts of a chart's templates run",
  about: [
    'Renders a chart for all of its cases and reports which actions and branches of its templates ran: both ways of if and',
    'with, a range entered and empty, every operand of default, ternary, coalesce, and, or; and which named templates. It',
    'also lists the defaults in values.yaml that nothing reads.',
    'The engine itself counts: code reported as never run could fail without changing anything.',
  ],
  flags: [
    caseFilesFlag,
    caseSetFlag,
    ...orderFlags.filter(({ name }) => name === 'helm'),
    kubeVersionsFlag,
    ...orderFlags.filter(({ name }) => name === 'api-versions'),
    { name: 'upgrade', type: 'bool', help: 'also render every case as an upgrade' },
    { name: 'subcharts', type: 'bool', help: 'include the templates and defaults of sub-charts' },
    ...orderFlags.filter(({ name }) => name === 'skip-schema-validation'),
    ...coverageLimitFlags,
    {
      name: 'format',
      type: 'string',
      placeholder: 'FORMAT',
      words: ['text', 'lcov', 'cobertura', 'json', 'html'],
      help: 'report format: for people, or for coverage tools',
    },
    jsonFlag,
    { ...verboseFlag, help: 'list what never ran in each chart instead of one table' },
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
    'Quoted patterns (*, ?, [a-z], {a,b}, **) are expanded by drydock, in any shell.',
    'Exit codes: 0 success, 1 a case fails or coverage is too low, 2 wrong usage.',
  ],
};
