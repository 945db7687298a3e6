// The commands about the cases and values of a chart: `coverage`, `cases`, `schema`, `unittest`, as data.

import type { FlagSpec } from '../flags.ts';
import type { CommandSpec } from './command.ts';
import {
  boolFlag,
  caseFilesFlag,
  caseSetFlag,
  existingCaseFilesFlag,
  fileFlag,
  globalFlags,
  jsonFlag,
  kubeVersionsFlag,
  maxTimeFlag,
  orderFlags,
  textFlag,
  verboseFlag,
} from './shared.ts';

/** The flags that ask for a least coverage. */
export const coverageLimitFlags: readonly FlagSpec[] = [
  { name: 'min', type: 'float', placeholder: 'PERCENT', help: 'exit with 1 if a smaller share of actions ran' },
  textFlag('min-branches', 'PERCENT', 'exit with 1 if a smaller share of branches ran', { type: 'float' }),
];

/** The flag that writes reports beside what a run is for. */
export const coverageReportFlag: FlagSpec = fileFlag(
  'coverage-report',
  'write the coverage to this file; its extension selects the format: .html, .lcov, .xml (Cobertura), .json, .txt',
  { type: 'stringArray' },
);

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
    boolFlag('upgrade', 'also render every case as an upgrade'),
    boolFlag('subcharts', 'include the templates of subcharts'),
    ...orderFlags.filter(({ name }) => name === 'skip-schema-validation'),
    ...coverageLimitFlags,
    textFlag('format', 'FORMAT', 'report format: for people, or for coverage tools', {
      words: ['text', 'lcov', 'cobertura', 'json', 'html'],
    }),
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
    textFlag('write', 'DIR', 'write the values files to this folder of the chart, such as ci; existing files are kept'),
    boolFlag('check', 'exit with 1 if the existing cases miss a branch that values can reach'),
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

const shared = ['values', 'max-time', 'helm', 'kube-version', 'api-versions'];

/** The command `schema`. */
export const schemaSpec: CommandSpec = {
  name: 'schema',
  operands: 'CHART',
  summary: "generate a values.schema.json, or a table of a chart's values",
  about: [
    'Prints a JSON Schema for the values of a chart: types from the defaults and from what its templates take, descriptions from the',
    'comments in values.yaml (helm-docs and Bitnami). It accepts every case of the chart and every case that `drydock cases`',
    'generates, and refuses types on which the templates fail.',
  ],
  flags: [
    boolFlag('write', "write it to the chart's values.schema.json"),
    boolFlag('strict', 'refuse keys that neither values.yaml nor the templates know'),
    boolFlag('markdown', 'print a Markdown table of the values instead'),
    ...casesSpec.flags.filter(({ name }) => shared.includes(name)),
    ...globalFlags,
  ],
  offers: 'files',
  examples: [
    'drydock schema charts/web --write',
    'drydock schema charts/web --strict > values.schema.json',
    'drydock schema charts/web --markdown',
  ],
  notes: ['Exit codes: 0 success, 1 the chart is invalid, 2 wrong usage.'],
};

/** The command `unittest`. */
export const unittestSpec: CommandSpec = {
  name: 'unittest',
  operands: 'CHART…',
  summary: 'run helm-unittest suites of charts',
  about: [
    'Runs the suites in tests/*_test.yaml of charts, and of their subcharts, as helm-unittest 1.1 does: the same results,',
    'text, snapshots and result files.',
  ],
  flags: [
    textFlag(
      'file',
      'PATTERN',
      'suites to run, relative to the chart; ** matches any folders (default: tests/*_test.yaml)',
      { type: 'stringArray', short: 'f', offers: 'files' },
    ),
    fileFlag('values', 'values file for every suite, a path or a pattern', { type: 'stringArray', short: 'v' }),
    { name: 'update-snapshot', short: 'u', type: 'bool', help: 'update snapshots; review what changes' },
    {
      name: 'with-subchart',
      type: 'bool',
      short: 's',
      default: 'true',
      help: 'also run the suites of subcharts in charts/',
    },
    fileFlag('output-file', 'also write the results to this file', { short: 'o' }),
    textFlag('output-type', 'FORM', 'format of that file: XUnit, JUnit, NUnit or Sonar', {
      short: 't',
      offers: ['XUnit', 'JUnit', 'NUnit', 'Sonar'],
      default: 'XUnit',
    }),
    { name: 'failfast', short: 'q', type: 'bool', help: 'stop at the first failure' },
    boolFlag('strict', 'reject unknown fields in suites'),
    boolFlag('skip-schema-validation', 'do not check values against values.schema.json'),
    boolFlag('color', 'always print colors; --color=false for none'),
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
