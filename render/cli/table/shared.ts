// Flags that several commands share.

import { defaultHelm, helmNames, helmSelectors } from '../../core/helm-version.ts';
import type { FlagSpec } from '../flags.ts';

/** Before the command's name, or after it where it is not `template`: that one knows Helm's flags alone. */
export const globalFlags: readonly FlagSpec[] = [
  {
    name: 'config',
    type: 'string',
    placeholder: 'FILE',
    offers: 'files',
    help: 'load default flags from this file (default: drydock.config.json, .ts or .js in this folder or the nearest one above)',
  },
  { name: 'no-config', type: 'bool', help: 'ignore configuration files' },
  { name: 'no-color', type: 'bool', help: 'disable colors, as the variable NO_COLOR does' },
  { name: 'quiet', short: 'q', type: 'bool', help: 'print only results and errors' },
];

/** What may stand before the name of a command. */
export const overviewFlags: readonly FlagSpec[] = [
  ...globalFlags,
  { name: 'version', short: 'v', type: 'bool', help: 'print the version' },
];

/** For commands that a program may listen to. */
export const jsonFlag: FlagSpec = { name: 'json', type: 'bool', help: 'print one JSON document on standard output' };

/** For commands that search for cases. */
export const maxTimeFlag: FlagSpec = {
  name: 'max-time',
  type: 'int',
  placeholder: 'SECONDS',
  default: '60',
  help: 'end the search after this many seconds',
};

/** For every command that looks for charts of Orders. */
export const chartsFlag: FlagSpec = {
  name: 'charts',
  type: 'stringArray',
  placeholder: 'DIR',
  offers: 'folders',
  help: 'also look for charts in this folder: mirrored repositories (HOST/PATH), charts, archives',
};

/** For every command that renders. */
export const helmFlag: FlagSpec = {
  name: 'helm',
  type: 'string',
  placeholder: 'VERSION',
  form: 'helm',
  offers: helmSelectors,
  default: defaultHelm,
  help: `Helm version to reproduce, ${helmNames()}; 3, 4 and 3.22 select the newest of that line`,
};

/** For every command that reports a failed rendering. */
export const explainFlag: FlagSpec = {
  name: 'explain',
  type: 'bool',
  help: 'explain why a rendering fails: template lines, values, what is missing, how to fix it',
};

/** For commands that say what differs between two Helms. */
export const helmsFlag: FlagSpec = {
  ...helmFlag,
  type: 'strings',
  placeholder: 'VERSIONS',
  isShared: true,
  help: `${helmFlag.help}; with several, such as 3.17,4, print the first and list what the others render differently`,
};

/** For every command that renders an Order. */
export const orderFlags: readonly FlagSpec[] = [
  helmFlag,
  chartsFlag,
  {
    name: 'kube-version',
    type: 'string',
    placeholder: 'VERSION',
    help: 'Kubernetes version for an Order that names none',
  },
  { name: 'api-versions', short: 'a', type: 'strings', help: 'further API versions' },
  { name: 'skip-schema-validation', type: 'bool', help: 'do not check values against values.schema.json' },
  { name: 'seed', type: 'string', help: 'seed for random values and the clock; the same seed renders the same bytes' },
];

/** For commands that render for several versions of Kubernetes. */
export const kubeVersionsFlag: FlagSpec = {
  name: 'kube-version',
  type: 'strings',
  placeholder: 'VERSIONS',
  isShared: true,
  help: "Kubernetes versions, one after another; versions that a chart's kubeVersion excludes are skipped with a note (for Orders that name none)",
};

const caseFiles = { name: 'values', short: 'f', type: 'stringArray', placeholder: 'FILES', offers: 'files' } as const;

/** For commands that render a chart for several cases. */
export const caseFilesFlag: FlagSpec = {
  ...caseFiles,
  help: "values file of one case; a.yaml,b.yaml are one case, where later files override earlier ones (default: the chart's ci/*values.yaml)",
};

/** For commands that add to the cases of a chart. */
export const existingCaseFilesFlag: FlagSpec = {
  ...caseFiles,
  help: "values file of one existing case; a.yaml,b.yaml are one case (default: the chart's ci/*values.yaml)",
};

/** For commands that render a chart for several cases. */
export const caseSetFlag: FlagSpec = {
  name: 'set',
  type: 'stringArray',
  placeholder: 'VALUES',
  help: 'values for every case of a chart: key1=val1,key2=val2',
};

/** For commands that print differences. */
export const differenceFlags: readonly FlagSpec[] = [
  { name: 'all', type: 'bool', help: 'include version labels and checksums' },
  {
    name: 'ignore',
    type: 'stringArray',
    placeholder: 'RULE',
    isAdded: true,
    help: 'differences to ignore: "kind=KIND name=NAME namespace=NAME path=PATH pattern=REGEXP because REASON"; all but the reason are optional',
  },
  { name: 'show-secrets', type: 'bool', help: 'show the data of Secrets instead of fingerprints' },
  { name: 'skip-crds', type: 'bool', help: "omit the files in a chart's crds/" },
];

/** For commands that report many inputs. */
export const verboseFlag: FlagSpec = {
  name: 'verbose',
  short: 'v',
  type: 'bool',
  help: 'list everything: unchanged inputs, each object and value, all warnings',
};

/** For commands that check objects against the schemas of Kubernetes. */
export const validateFlag: FlagSpec = {
  name: 'validate',
  type: 'string',
  bare: 'strict',
  placeholder: 'HOW',
  words: ['strict', 'warn', 'ignore'],
  help: 'validate objects against the schemas of their Kubernetes version and of the CRDs; unknown fields are errors (strict, as in kubectl) or warnings (--validate=warn)',
};

/** For commands whose findings others read. */
export const reportFlag: FlagSpec = {
  name: 'report',
  type: 'stringArray',
  placeholder: 'FORM[=FILE]',
  offers: ['text', 'json', 'junit', 'github', 'gitlab', 'markdown', 'html', 'sarif'],
  help: 'report format: text, json, junit, github, gitlab, markdown, html or sarif, to standard output or to a file as in junit=report.xml; may be repeated',
};
