// The commands over Orders: `render`, `check`, `import`, as data.

import type { CommandSpec } from './command.ts';
import {
  boolFlag,
  explainFlag,
  fileFlag,
  globalFlags,
  jsonFlag,
  kubeVersionsFlag,
  orderFlags,
  reportFlag,
  textFlag,
  validateFlag,
} from './shared.ts';

const outputs = ['manifest', 'resources', 'pkgmgr3', 'yaml'] as const;
/** The engines that `render --output` exports to. */
export const engines = ['argocd', 'flux', 'helmfile', 'kustomize'] as const;

/** The command `render`. */
export const renderSpec: CommandSpec = {
  name: 'render',
  operands: 'ORDER',
  summary: 'render an Order: manifest, resources or install scripts',
  about: [
    'Renders an Order (a JSON or YAML file, - for standard input): all packages as one manifest, as',
    'resource lists, as a script that installs them with Helm or with kubectl, or for Argo CD, Flux, helmfile or',
    'kustomize.',
    'Charts are looked up in --charts, next to the Order and in the current folder; nothing is downloaded.',
  ],
  flags: [
    textFlag(
      'output',
      'OUTPUT',
      'output: manifest, resource lists, a script for Helm (pkgmgr3) or kubectl (yaml), or an export for another tool',
      { short: 'o', words: [...outputs, 'notes', ...engines] },
    ),
    textFlag('format', 'FORMAT', 'format of --output resources, and of exports', { words: ['yaml', 'json'] }),
    boolFlag('skip-crds', "omit the CRDs in the charts' crds/ folders (manifest, resources)"),
    textFlag('out', 'DIR', 'write files to this folder instead of printing', { offers: 'folders' }),
    textFlag('os', 'SYSTEM', 'operating system that the script runs on', { words: ['linux', 'darwin', 'windows'] }),
    textFlag('context', 'NAME', 'kubeconfig context that the script uses; default: the current one when it runs'),
    textFlag('repo-url', 'URL', 'Git repository of charts given by path (--output argocd, flux)'),
    textFlag('revision', 'NAME', 'branch, tag or commit of --repo-url'),
    textFlag('layout', 'LAYOUT', 'one script, or scripts with data and checksums in --out; default: files above 1 MB', {
      words: ['inline', 'files'],
    }),
    textFlag(
      'secrets',
      'SOURCE',
      'include secrets in the script, or read them from environment variables when it runs',
      { words: ['keep', 'env'] },
    ),
    fileFlag('script-template', 'Handlebars file to use in place of the built-in script template'),
    explainFlag,
    ...orderFlags,
    ...globalFlags,
  ],
  offers: 'files',
  examples: [
    'drydock render order.yaml',
    'drydock render order.json --charts ./charts --output resources --format json',
    'drydock render order.yaml --output pkgmgr3 > install.sh && sh install.sh --dry-run',
    'drydock render order.yaml --output yaml --layout files --out ./install',
    'drydock render order.yaml --output argocd --repo-url https://git.example.com/charts.git',
  ],
  notes: [
    'Exit codes: 0 success, 1 the Order, a chart or its values are invalid, 2 wrong usage. A manifest is printed even',
    'if it has a problem: two packages with the same object, a kind that nothing defines.',
  ],
};

/** The command `check`. */
export const checkSpec: CommandSpec = {
  name: 'check',
  operands: 'ORDER ...',
  summary: 'report every problem in an Order',
  about: [
    'Reports every problem in Orders: illegal names, charts that are missing or do not render,',
    'kinds that nothing defines, objects in two packages, waits that match nothing. With --validate, also objects',
    'that do not match the schemas of the Kubernetes version and of the CRDs in the Order, and deprecated APIs.',
  ],
  flags: [
    textFlag('format', 'FORMAT', 'report format: for people, for programs, or for a CI service', {
      words: ['text', 'json', 'github', 'sarif', 'junit'],
    }),
    validateFlag,
    reportFlag,
    jsonFlag,
    explainFlag,
    ...orderFlags.map((flag) => (flag.name === 'kube-version' ? kubeVersionsFlag : flag)),
    ...globalFlags,
  ],
  offers: 'files',
  examples: [
    'drydock check order.yaml',
    "drydock check 'orders/**/*.yaml' --charts ./charts",
    'drydock check order.yaml --validate --kube-version 1.33',
    'drydock check order.yaml --json',
    'drydock check orders/*.yaml --format sarif > check.sarif',
  ],
  notes: [
    'Quoted patterns (*, ?, [a-z], {a,b}, **) are expanded by drydock, in any shell.',
    'Exit codes: 0 no errors (warnings are allowed), 1 errors, 2 wrong usage.',
  ],
};

/** The command `import`. */
export const importSpec: CommandSpec = {
  name: 'import',
  operands: 'PATH ...',
  summary: 'convert Argo CD, Flux, helmfile or kustomize configuration to an Order',
  about: [
    'Reads helmfiles, HelmReleases and Kustomizations of Flux, Applications and ApplicationSets of Argo CD, and',
    'kustomizations with helmCharts, and prints the Order that installs the same charts in the same order. A path is a file,',
    'or a folder that one of these tools applies; files that they refer to are read from the same Git repository.',
    'What an Order does not carry is reported for each release on standard error. Nothing is fetched or decrypted, and no',
    'command of a template is run.',
  ],
  flags: [
    textFlag('environment', 'NAME', 'environment of a helmfile; default: default', { short: 'e' }),
    {
      name: 'state-values-file',
      type: 'stringArray',
      offers: 'files',
      help: "YAML file whose values override those of a helmfile's environment",
    },
    {
      name: 'state-values-set',
      type: 'stringArray',
      help: "values that override those of a helmfile's environment: key1=val1,key2=val2",
    },
    { name: 'verbose', type: 'bool', short: 'v', help: 'also list settings of the tool itself, such as intervals' },
    jsonFlag,
    ...globalFlags,
  ],
  offers: 'files',
  examples: [
    'drydock import helmfile.yaml -e production > order.yaml',
    'drydock import clusters/production > order.yaml',
    'kubectl get applications -n argocd -o yaml | drydock import -',
  ],
  notes: ['Exit codes: 0 at least one release was imported, 1 none was, 2 wrong usage.'],
};
