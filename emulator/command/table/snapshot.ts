// The command `snapshot`. A pure table.

import type { FlagSpec } from '../flags.ts';
import type { CommandSpec } from './command.ts';
import { coverageLimitFlags, coverageReportFlag } from './coverage.ts';
import {
  caseSetFlag,
  differenceFlags,
  explainFlag,
  globalFlags,
  helmsFlag,
  jsonFlag,
  kubeVersionsFlag,
  orderFlags,
  reportFlag,
  validateFlag,
  verboseFlag,
} from './shared.ts';

const kubeCellsFlag: FlagSpec = {
  ...kubeVersionsFlag,
  help: 'Kubernetes versions: the snapshot records the first and how the others differ from it, and warns of removed APIs (for an Order that names none)',
};

const apiCellsFlag: FlagSpec = {
  name: 'with-api-versions',
  type: 'stringArray',
  placeholder: 'LIST',
  help: 'once more with these API versions, such as monitoring.coreos.com/v1: the snapshot holds how that differs; several times for several',
};

const valueCellsFlag: FlagSpec = {
  name: 'with-values',
  type: 'stringArray',
  placeholder: 'FILES',
  offers: 'files',
  help: 'once more with this values file over those of each case of a chart (a.yaml,b.yaml: both): the snapshot holds how that differs',
};

/** The command `snapshot`. */
export const snapshotSpec: CommandSpec = {
  name: 'snapshot',
  operands: 'ORDER|CHART ...',
  summary: 'compare what is rendered with what is recorded',
  about: [
    'Renders Orders and charts with a frozen clock and seeded randomness, and compares the outcome in meaning with the',
    'files recorded below --snapshots: objects, their members, what made each difference and what of it is risky. It',
    'records nothing unless --update is given, so a snapshot that is missing fails.',
    'With --update the NAME.snap folders become what is rendered; files that nothing renders any more are removed.',
    'A folder that is no chart stands for the charts in it. A case that does not render is told, and the others compared.',
  ],
  flags: [
    { name: 'update', short: 'u', type: 'bool', help: 'record what is rendered; without it nothing is ever recorded' },
    {
      name: 'snapshots',
      type: 'string',
      placeholder: 'DIR',
      offers: 'folders',
      default: 'snapshots',
      help: 'folder that holds the NAME.snap folders',
    },
    {
      name: 'filter',
      type: 'stringArray',
      placeholder: 'WORD',
      help: 'only cases whose NAME/CASE or input holds this, or fits it where it has a *',
    },
    {
      name: 'changed',
      type: 'string',
      bare: 'HEAD',
      placeholder: 'SINCE',
      help: 'only what git says can be other than at this revision (default HEAD): --changed, --changed=main',
    },
    {
      name: 'against',
      type: 'string',
      placeholder: 'REVISION',
      default: "the target branch in a pull request's job",
      help: 'report what changes since this git revision, such as origin/main, recorded or not; none compares with the snapshots alone',
    },
    {
      name: 'jobs',
      type: 'int',
      placeholder: 'NUMBER',
      help: 'threads that render; default one for each core, and none for few inputs or where coverage is counted',
    },
    { name: 'watch', short: 'w', type: 'bool', help: 'go on, and compare after each save what it can have changed' },
    { name: 'bail', type: 'bool', help: 'stop at the first input that is not as recorded' },
    {
      name: 'shard',
      type: 'string',
      placeholder: 'I/N',
      help: 'one of N parts, for several machines; auto takes it from GitLab, a Kubernetes Indexed Job or DRYDOCK_SHARD',
    },
    {
      name: 'cache',
      type: 'string',
      placeholder: 'DIR',
      offers: 'folders',
      default: '.drydock/cache',
      help: 'folder that keeps renderings: what has not changed is not rendered again; a CI may restore it',
    },
    { name: 'no-cache', type: 'bool', help: 'render everything, and keep nothing' },
    verboseFlag,
    { name: 'lines', type: 'bool', help: 'show the lines that differ, too' },
    { name: 'exact', type: 'bool', help: 'let every other byte count; without it what means the same is the same' },
    ...differenceFlags,
    { name: 'mask', type: 'strings', help: 'YAML keys whose values do not count, such as helm.sh/chart' },
    {
      name: 'output',
      short: 'o',
      type: 'strings',
      offers: ['manifest', 'resources', 'pkgmgr3', 'yaml'],
      default: 'all',
      help: 'outputs of an Order',
    },
    {
      name: 'values',
      short: 'f',
      type: 'stringArray',
      placeholder: 'FILES',
      offers: 'files',
      help: "values file of a chart, a case of its own; a.yaml,b.yaml are one case, the later over the earlier (default: the chart's ci/*values.yaml)",
    },
    caseSetFlag,
    {
      name: 'namespace',
      short: 'n',
      type: 'string',
      placeholder: 'NAME',
      default: 'default',
      help: "namespace of a chart's release",
    },
    {
      name: 'release',
      type: 'string',
      placeholder: 'NAME',
      default: 'release-name',
      help: "name of a chart's release",
    },
    { name: 'coverage', type: 'bool', help: "tell which parts of the charts' templates ran for their cases, too" },
    coverageReportFlag,
    ...coverageLimitFlags,
    reportFlag,
    jsonFlag,
    explainFlag,
    validateFlag,
    ...orderFlags.map((flag) =>
      flag.name === 'helm' ? helmsFlag : flag.name === 'kube-version' ? kubeCellsFlag : flag,
    ),
    apiCellsFlag,
    valueCellsFlag,
    ...globalFlags,
  ],
  offers: 'files',
  examples: [
    'drydock snapshot orders/shop.yaml --update',
    "drydock snapshot orders/*.yaml charts/* --ignore 'kind=Deployment path=spec.replicas because an autoscaler sets it'",
    'drydock snapshot charts/web -f values/small.yaml -f values/base.yaml,values/large.yaml',
    'drydock snapshot charts/* --coverage-report coverage.html --min 80',
    'drydock snapshot charts/* --report junit=junit.xml --report markdown=comment.md',
    'drydock snapshot charts/* --changed=origin/main',
    'drydock snapshot charts/web --watch',
    'drydock snapshot charts/* --kube-version 1.29,1.31,1.33 --validate',
    'drydock snapshot charts/web --with-api-versions monitoring.coreos.com/v1',
    'drydock snapshot charts/* --with-values values/staging.yaml --with-values values/production.yaml',
    'drydock snapshot charts/* --shard 2/4 --report json=part-2.json',
  ],
  notes: [
    'Patterns in quotes (*, ?, [a-z], {a,b}, **) are filled in by drydock, in shells that do not do so too.',
    'The variable DRYDOCK_SECRET_KEY is the key of the fingerprints of secrets.',
    'Exit codes: 0 as recorded (or recorded now), 1 different or an input is at fault, 2 wrong usage.',
  ],
};
