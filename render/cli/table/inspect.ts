// The commands `lint`, `show` and `dependency`, and their flags, which are Helm's, as data.
// Mirrors: helm.sh/helm/v3/cmd/helm, lint.go, show.go and dependency.go, v3.17.3.

import type { FlagSpec } from '../flags.ts';
import type { CommandSpec } from './command.ts';
import { boolFlag, helmFlag } from './shared.ts';
import { otherFlags, templateFlags, templateSpec } from './template.ts';

const exitCodes = 'Exit codes: 0 success, 1 something is wrong with the chart, 2 wrong usage.';

// The flags of every command of Helm.
const global = templateSpec.readFirst ?? [];

const others = (names: readonly string[]): FlagSpec[] =>
  [...templateFlags, ...otherFlags].filter(({ name }) => names.includes(name)).map((flag) => ({ ...flag, help: '' }));

const pick = (...names: readonly string[]): FlagSpec[] => templateFlags.filter(({ name }) => names.includes(name));

const common = {
  isHelms: true,
  hiddenFlags: templateSpec.hiddenFlags ?? [],
  readFirst: global,
} as const;

/** The command `lint`. */
export const lintSpec: CommandSpec = {
  ...common,
  name: 'lint',
  operands: 'CHART ...',
  summary: 'print what `helm lint` prints: possible issues of charts',
  about: [
    'Examines charts (folders or .tgz archives) as `helm lint` does: Chart.yaml, values.yaml, templates and what they render,',
    'dependencies, and with --helm 4 CRDs. Prints the messages of the Helm selected, byte for byte. Nothing is fetched.',
  ],
  flags: [
    helmFlag,
    ...pick('kube-version', 'namespace'),
    boolFlag('quiet', 'print only warnings and errors'),
    ...pick('set', 'set-file', 'set-json', 'set-literal', 'set-string', 'skip-schema-validation'),
    boolFlag('strict', 'fail on warnings'),
    ...pick('values'),
    boolFlag('with-subcharts', 'also examine the charts below charts/'),
  ],
  ignoredFlags: others(global.filter((name) => name !== 'namespace')),
  offers: 'files',
  examples: ['drydock lint ./charts/web', 'drydock lint --strict --helm 4 -f production.yaml ./charts/*'],
  notes: ['Without CHART, Helm 3 examines the current folder.', exitCodes],
};

/** The command `show`. */
export const showSpec: CommandSpec = {
  ...common,
  name: 'show',
  aliases: ['inspect'],
  operands: 'PART CHART',
  summary: 'print what `helm show` prints: a part of a chart',
  about: [
    'Prints a PART of a chart (a folder or a .tgz archive) byte for byte as `helm show` does: chart (its definition), values,',
    'readme, crds, or all of them. Nothing is fetched.',
  ],
  flags: [helmFlag],
  ignoredFlags: others([
    ...global,
    'ca-file',
    'cert-file',
    'devel',
    'insecure-skip-tls-verify',
    'key-file',
    'keyring',
    'pass-credentials',
    'password',
    'plain-http',
    'repo',
    'username',
    'verify',
    'version',
  ]),
  offers: 'files',
  examples: ['drydock show values ./charts/web', 'drydock show chart web-1.0.0.tgz'],
  notes: [exitCodes],
};

/** The command `dependency`. */
export const dependencySpec: CommandSpec = {
  ...common,
  name: 'dependency',
  aliases: ['dep', 'dependencies'],
  operands: 'list [CHART]',
  summary: 'print what `helm dependency list` prints: the dependencies of a chart',
  about: [
    'Lists the dependencies that a chart (a folder or a .tgz archive) declares, and whether they are in its charts/ folder,',
    'byte for byte as `helm dependency list` does. To put them there, use `drydock vendor CHART`.',
  ],
  flags: [
    helmFlag,
    {
      name: 'max-col-width',
      type: 'uint',
      default: '80',
      help: 'maximum width of a column, in characters; 0 for no limit',
    },
  ],
  ignoredFlags: others(global),
  offers: 'files',
  examples: ['drydock dependency list ./charts/web'],
  notes: ['Without CHART, the chart in the current folder.', exitCodes],
};
