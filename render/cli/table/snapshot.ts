// The commands that compare: `snapshot`, `merge-reports`, `diff`, as data.

import type { FlagSpec } from '../flags.ts';
import { laterSpecs } from '../settings.ts';
import { coverageLimitFlags, coverageReportFlag } from './charts.ts';
import type { CommandSpec } from './command.ts';
import {
  boolFlag,
  caseSetFlag,
  differenceFlags,
  explainFlag,
  fileFlag,
  globalFlags,
  helmsFlag,
  jsonFlag,
  kubeVersionsFlag,
  orderFlags,
  reportFlag,
  textFlag,
  validateFlag,
  verboseFlag,
} from './shared.ts';
import { templateFlags } from './template.ts';

const kubeCellsFlag: FlagSpec = {
  ...kubeVersionsFlag,
  help: 'Kubernetes versions: the snapshot records the first and how the others differ, and warns about removed APIs (for Orders that name none)',
};

const apiCellsFlag: FlagSpec = textFlag(
  'with-api-versions',
  'LIST',
  'also render with these API versions, such as monitoring.coreos.com/v1, and record how that differs; may be repeated',
  { type: 'stringArray' },
);

const valueCellsFlag: FlagSpec = textFlag(
  'with-values',
  'FILES',
  'also render each case of a chart with this values file on top (a.yaml,b.yaml: both), and record how that differs',
  { type: 'stringArray', offers: 'files' },
);

/** The command `snapshot`. */
export const snapshotSpec: CommandSpec = {
  name: 'snapshot',
  operands: 'ORDER|CHART ...',
  summary: 'compare rendered manifests with recorded snapshots',
  about: [
    'Renders Orders and charts with a frozen clock and seeded randomness, and compares the result by meaning with the',
    'files recorded in --snapshots: objects, their members, the cause of each difference, and its risks. It',
    'records nothing without --update, so a missing snapshot is a failure.',
    'With --update, the NAME.snap folders are rewritten; files that nothing renders any more are removed.',
    'A folder that is not a chart selects the charts in it. A case that does not render is reported; the others are compared.',
  ],
  flags: [
    { name: 'update', short: 'u', type: 'bool', help: 'record snapshots; nothing is recorded without it' },
    textFlag('snapshots', 'DIR', 'folder of the NAME.snap folders', { offers: 'folders', default: 'snapshots' }),
    textFlag('filter', 'WORD', 'only cases whose NAME/CASE or input contains this text, or matches it if it has a *', {
      type: 'stringArray',
    }),
    textFlag(
      'changed',
      'SINCE',
      'only inputs that can differ from this git revision (default HEAD): --changed, --changed=main',
      { bare: 'HEAD' },
    ),
    textFlag(
      'against',
      'REVISION',
      'also report changes since this git revision, such as origin/main; none compares only with the snapshots',
      { default: "the target branch in a pull request's job" },
    ),
    textFlag('jobs', 'NUMBER', 'number of threads; default: one per core, none for few inputs or with coverage', {
      type: 'int',
    }),
    { name: 'watch', short: 'w', type: 'bool', help: 'keep running, and compare again after each save' },
    boolFlag('bail', 'stop at the first input that differs'),
    textFlag(
      'shard',
      'I/N',
      'run one of N shards, for several machines; auto reads it from GitLab, a Kubernetes Indexed Job or DRYDOCK_SHARD',
    ),
    textFlag('cache', 'DIR', 'cache folder: unchanged inputs are not rendered again; CI may restore it', {
      offers: 'folders',
      default: '.drydock/cache',
    }),
    boolFlag('no-cache', 'do not use the cache'),
    verboseFlag,
    boolFlag('exact', 'compare bytes instead of meaning'),
    ...differenceFlags,
    {
      name: 'output',
      short: 'o',
      type: 'strings',
      offers: ['manifest', 'resources', 'pkgmgr3', 'yaml'],
      default: 'all',
      help: 'outputs of an Order',
    },
    textFlag(
      'values',
      'FILES',
      "values file of a chart, each a separate case; a.yaml,b.yaml are one case, later files override earlier ones (default: the chart's ci/*values.yaml)",
      { type: 'stringArray', short: 'f', offers: 'files' },
    ),
    caseSetFlag,
    textFlag('namespace', 'NAME', "namespace of a chart's release", { short: 'n', default: 'default' }),
    textFlag('release', 'NAME', "name of a chart's release", { default: 'release-name' }),
    boolFlag('coverage', "also report which parts of the charts' templates ran"),
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
    'drydock snapshot charts/* --shard 2/4 --report json=shard-2.json',
  ],
  notes: [
    'Quoted patterns (*, ?, [a-z], {a,b}, **) are expanded by drydock, in any shell.',
    'The variable DRYDOCK_SECRET_KEY is the key for fingerprints of secrets.',
    'Exit codes: 0 as recorded (or recorded now), 1 different or an invalid input, 2 wrong usage.',
  ],
};

const valueFlags = ['values', 'set', 'set-string', 'set-json', 'set-literal', 'set-file'];

const kubeVersionFlag: FlagSpec = {
  ...kubeVersionsFlag,
  help: 'Kubernetes version; of several, the first that both sides accept (for Orders that name none)',
};

const renderingFlags: readonly FlagSpec[] = [
  ...templateFlags.filter(({ name }) => valueFlags.includes(name)),
  textFlag('namespace', 'NAME', "namespace of a chart's release", { short: 'n' }),
  textFlag('release', 'NAME', "name of a chart's release"),
  ...orderFlags.map((flag) => (flag.name === 'kube-version' ? kubeVersionFlag : flag)),
];

/** The command `diff`. */
export const diffSpec: CommandSpec = {
  name: 'diff',
  operands: 'A [B]',
  summary: 'compare two Orders, charts or manifests by meaning',
  about: [
    'Compares two of these, in any mixture: an Order, a chart, a file or a folder of rendered YAML, what `kubectl get -o',
    'yaml` printed (- for standard input), or any of them in a revision of git, such as HEAD~1:charts/web. Two folders of',
    'charts are compared chart by chart. With A alone, flags that begin with --new- describe the new side: other',
    'values, another Kubernetes.',
    'Order, comments, quoting and folding are ignored. List items are matched as Kubernetes does, texts that',
    'are YAML, JSON or TOML are compared as such, renamed objects are found, risks are marked, and each difference is',
    'shown with the value, template line or version that caused it.',
  ],
  flags: [...differenceFlags, reportFlag, jsonFlag, ...renderingFlags, ...laterSpecs(renderingFlags), ...globalFlags],
  offers: 'files',
  examples: [
    'drydock diff HEAD~1:charts/web charts/web -f values/large.yaml',
    'drydock diff charts/web --new-set image.tag=2.2.0',
    'drydock diff charts/web --kube-version 1.29 --new-kube-version 1.33',
    'drydock diff order.yaml order-next.yaml --json',
    'kubectl get deploy,svc,cm -n shop -o yaml | drydock diff - charts/web --namespace shop',
    "drydock diff before/ after/ --ignore 'kind=Deployment path=spec.replicas because an autoscaler sets it'",
  ],
  notes: [
    'The variable DRYDOCK_SECRET_KEY is the key for fingerprints of secrets.',
    'Exit codes: 0 no difference, 1 differences, 2 an invalid input or wrong usage.',
  ],
};

/** The command `merge-reports`. */
export const mergeReportsSpec: CommandSpec = {
  name: 'merge-reports',
  aliases: ['merge'],
  operands: 'REPORT ...',
  summary: 'merge the reports of a sharded snapshot run',
  about: [
    'Reads the reports that the shards of one run wrote with drydock snapshot --shard I/N --report json=FILE, and prints and reports them as',
    'one run would have, with coverage. It fails if a shard is missing, given twice or from another run.',
  ],
  flags: [
    verboseFlag,
    reportFlag,
    coverageReportFlag,
    ...coverageLimitFlags,
    fileFlag('durations', 'write the duration of each case; snapshots/durations.json balances later shards'),
    jsonFlag,
    ...globalFlags,
  ],
  offers: 'files',
  examples: [
    'drydock merge-reports shard-*.json --report junit=junit.xml --report markdown=comment.md',
    'drydock merge-reports shard-*.json --durations snapshots/durations.json',
  ],
  notes: ['Exit codes: 0 everything as recorded, 1 a difference, an invalid input or a missing shard, 2 wrong usage.'],
};
