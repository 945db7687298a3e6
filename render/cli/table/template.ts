// `drydock template` and its flags, which are all of Helm's, as data.
// Mirrors: helm.sh/helm/v3/cmd/helm, template.go, install.go, flags.go and root.go, v3.17.3.

import { defaultHelm } from '../../core/helm-version.ts';
import type { FlagSpec } from '../flags.ts';
import type { CommandSpec } from './command.ts';
import { boolFlag, explainFlag, helmsFlag, textFlag } from './shared.ts';

/** The flags that change what is rendered. */
export const templateFlags: readonly FlagSpec[] = [
  {
    name: 'api-versions',
    short: 'a',
    type: 'strings',
    help: 'API versions for .Capabilities.APIVersions, added to the known ones',
  },
  boolFlag('debug', 'print the rendered text even if it is not valid YAML'),
  boolFlag('dependency-update', 'if dependencies are missing and all are folders (file://), pack them into charts/'),
  textFlag('dry-run', 'MODE', 'none, client or server; all render the same, without a cluster', {
    bare: 'client',
    offers: ['none', 'client', 'server'],
  }),
  boolFlag('enable-dns', 'let getHostByName answer for addresses'),
  explainFlag,
  helmsFlag,
  { name: 'generate-name', short: 'g', type: 'bool', help: 'leave the NAME out; the release is called release-name' },
  boolFlag('include-crds', 'print the files of crds/ first'),
  boolFlag('is-upgrade', 'set .Release.IsUpgrade instead of .Release.IsInstall'),
  textFlag('kube-version', 'VERSION', 'Kubernetes version for .Capabilities.KubeVersion'),
  textFlag('name-template', 'TEMPLATE', 'Go template for the name of the release'),
  {
    name: 'namespace',
    short: 'n',
    type: 'string',
    help: 'namespace of the release (default $HELM_NAMESPACE, or default)',
  },
  boolFlag('no-hooks', 'leave hooks out'),
  textFlag('output-dir', 'DIR', 'write one file for each template into this folder', { offers: 'folders' }),
  textFlag('post-renderer', 'PROGRAM', 'a program that the manifests go through', { offers: 'files' }),
  { name: 'post-renderer-args', type: 'strings', help: 'arguments of the post-renderer' },
  boolFlag('release-name', 'put the release name into the paths of --output-dir'),
  { name: 'set', type: 'stringArray', help: 'set values: key1=val1,key2=val2' },
  { name: 'set-file', type: 'stringArray', offers: 'files', help: 'set values from files: key1=path1,key2=path2' },
  { name: 'set-json', type: 'stringArray', help: 'set JSON values: key1=jsonval1,key2=jsonval2' },
  { name: 'set-literal', type: 'stringArray', help: 'set a literal string value' },
  { name: 'set-string', type: 'stringArray', help: 'set text values: key1=val1,key2=val2' },
  { name: 'show-only', short: 's', type: 'stringArray', help: 'print only the documents of these templates' },
  boolFlag('skip-crds', 'leave CRDs out, unless --include-crds is given'),
  boolFlag('skip-schema-validation', 'do not check values against values.schema.json'),
  boolFlag('skip-tests', 'leave test hooks out'),
  boolFlag('validate', 'check against a cluster: there is none, so this fails'),
  textFlag('values', 'FILES', 'values files in YAML, - for standard input', {
    type: 'strings',
    short: 'f',
    offers: 'files',
  }),
];

/** Helm's other flags: taken, so that command lines can be kept, and without effect on what is rendered. */
export const otherFlags: readonly FlagSpec[] = [
  ...names('bool', [
    'atomic',
    'create-namespace',
    'devel',
    'disable-openapi-validation',
    'force',
    'hide-notes',
    'insecure-skip-tls-verify',
    'kube-insecure-skip-tls-verify',
    'pass-credentials',
    'plain-http',
    'render-subchart-notes',
    'replace',
    'take-ownership',
    'verify',
    'wait',
    'wait-for-jobs',
  ]),
  ...names('string', [
    'ca-file',
    'cert-file',
    'description',
    'key-file',
    'keyring',
    'kube-apiserver',
    'kube-as-user',
    'kube-ca-file',
    'kube-context',
    'kube-tls-server-name',
    'kube-token',
    'kubeconfig',
    'password',
    'registry-config',
    'repo',
    'repository-cache',
    'repository-config',
    'username',
    'version',
  ]),
  ...names('stringArray', ['kube-as-group']),
  ...names('int', ['burst-limit']),
  ...names('float', ['qps']),
  ...names('duration', ['timeout']),
  { name: 'labels', short: 'l', type: 'labels', help: '' },
];

/** What klog takes, which Helm hides. */
const logFlags: readonly FlagSpec[] = [
  ...names('bool', [
    'add-dir-header',
    'alsologtostderr',
    'logtostderr',
    'one-output',
    'skip-headers',
    'skip-log-headers',
  ]),
  ...names('string', ['log-dir', 'log-file']),
  ...names('codePlace', ['log-backtrace-at']),
  ...names('size', ['log-file-max-size']),
  ...names('severity', ['stderrthreshold']),
  ...names('vmodule', ['vmodule']),
  { name: 'v', short: 'v', type: 'level', help: '' },
];

/**
 * The flags of every command of Helm. It looks for them before it knows those of `template`, so they are also found in what
 * turns out to be another flag's value: `--set -n=x` and `-fnew.yaml` name a namespace. Mirrors: root.go, `newRootCmd`.
 */
const globalNames: readonly string[] = [
  'burst-limit',
  'debug',
  'kube-apiserver',
  'kube-as-group',
  'kube-as-user',
  'kube-ca-file',
  'kube-context',
  'kube-insecure-skip-tls-verify',
  'kube-tls-server-name',
  'kube-token',
  'kubeconfig',
  'namespace',
  'qps',
  'registry-config',
  'repository-cache',
  'repository-config',
  ...logFlags.map(({ name }) => name),
];

function names(type: FlagSpec['type'], list: readonly string[]): FlagSpec[] {
  return list.map((name) => ({ name, type, help: '' }));
}

/** The command `template`. */
export const templateSpec: CommandSpec = {
  name: 'template',
  isHelms: true,
  operands: '[NAME] CHART',
  summary: 'print what `helm template` prints',
  about: [
    'Renders a Helm chart (a folder or a .tgz archive) to standard output, byte for byte as `helm template`',
    `${defaultHelm} does, or another version with --helm. Nothing is fetched and no cluster is contacted.`,
  ],
  flags: templateFlags,
  ignoredFlags: otherFlags,
  hiddenFlags: logFlags,
  readFirst: globalNames,
  offers: 'files',
  examples: [
    'drydock template demo ./charts/web -f production.yaml --set image.tag=1.2.3',
    'drydock template ./charts/web --show-only templates/service.yaml',
    'drydock template demo web-1.0.0.tgz --include-crds --output-dir out',
  ],
  notes: [
    "Helm's other flags (--wait, --repo, --kube-context, ...) are taken and change nothing.",
    'Exit codes: 0 success, 1 invalid chart or values, 2 wrong usage.',
  ],
};

// Mirrors: helm.sh/helm/v4/pkg/cmd, template.go, install.go, flags.go, and pkg/cli, environment.go, v4.2.3.

const replaced: readonly FlagSpec[] = [
  { name: 'dry-run', type: 'string', bare: 'unset', placeholder: 'MODE', offers: ['client', 'server'], help: '' },
  { name: 'wait', type: 'wait', bare: 'watcher', help: '' },
];

// Flags of every command of Helm 4.
const addedToAll: readonly FlagSpec[] = ['color', 'colour', 'content-cache'].map((name) => ({
  name,
  type: 'string',
  help: '',
}));

const added: readonly FlagSpec[] = [
  boolFlag('force-conflicts', ''),
  boolFlag('force-replace', ''),
  boolFlag('rollback-on-failure', ''),
  boolFlag('server-side', ''),
];

const behavior = 'legacy-stderr-threshold-behavior';

const replacedNames = new Set(replaced.map(({ name }) => name));
const kept = (flags: readonly FlagSpec[]): FlagSpec[] => flags.filter(({ name }) => !replacedNames.has(name));

/** The command `template` as Helm 4 reads its flags. */
export const templateSpec4: CommandSpec = asHelm4({
  ...templateSpec,
  flags: kept(templateFlags),
  ignoredFlags: [...kept(otherFlags), ...replaced, ...added],
});

/** Returns a command with the flags that Helm 4 has for every command. */
export function asHelm4(spec: CommandSpec): CommandSpec {
  return {
    ...spec,
    ignoredFlags: [...(spec.ignoredFlags ?? []), ...addedToAll],
    hiddenFlags: [...(spec.hiddenFlags ?? []), { name: behavior, type: 'bool', help: '' }],
    readFirst: [behavior, ...(spec.readFirst ?? []), ...addedToAll.map(({ name }) => name)],
  };
}

/** Reports whether a command line asks for Helm 4 with `--helm`. */
export function selectsHelm4(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  const before = end < 0 ? words : words.slice(0, end);
  return before.some((word, i) => {
    const version = word === '--helm' ? before[i + 1] : /^--helm=(.*)$/.exec(word)?.[1];
    return version !== undefined && /^v?4/.test(version);
  });
}
