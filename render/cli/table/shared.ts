// Flags that several commands share.

import { defaultHelm, helmNames, helmSelectors } from '../../core/helm-version.ts';
import type { FlagSpec } from '../flags.ts';

/** Returns a flag with a value; `placeholder` stands for it in help. Its type is `string` unless `more` has another one. */
export function textFlag(name: string, placeholder: string, help: string, more: Partial<FlagSpec> = {}): FlagSpec {
  return { name, type: 'string', placeholder, help, ...more };
}

/** Returns a flag without a value. */
export function boolFlag(name: string, help: string, more: Partial<FlagSpec> = {}): FlagSpec {
  return { name, type: 'bool', help, ...more };
}

/** Returns a flag whose value is the path of a file. */
export function fileFlag(name: string, help: string, more: Partial<FlagSpec> = {}): FlagSpec {
  return textFlag(name, 'FILE', help, { offers: 'files', ...more });
}

/** Before the command's name, or after it where it is not `template`: that one knows Helm's flags alone. */
export const globalFlags: readonly FlagSpec[] = [
  fileFlag(
    'config',
    'load default flags from this file (default: drydock.config.json, .ts or .js in this folder or the nearest one above)',
  ),
  boolFlag('no-config', 'ignore configuration files'),
  boolFlag('no-color', 'disable colors, as the variable NO_COLOR does'),
  { name: 'quiet', short: 'q', type: 'bool', help: 'print only results and errors' },
];

/** What may stand before the name of a command. */
export const overviewFlags: readonly FlagSpec[] = [
  ...globalFlags,
  { name: 'version', short: 'v', type: 'bool', help: 'print the version' },
];

export const jsonFlag: FlagSpec = boolFlag('json', 'print one JSON document on standard output');

export const maxTimeFlag: FlagSpec = textFlag('max-time', 'SECONDS', 'end the search after this many seconds', {
  type: 'int',
  default: '60',
});

/** For every command that looks for charts of Orders. */
export const chartsFlag: FlagSpec = textFlag(
  'charts',
  'DIR',
  'also look for charts in this folder: mirrored repositories (HOST/PATH), charts, archives',
  { type: 'stringArray', offers: 'folders' },
);

export const helmFlag: FlagSpec = textFlag(
  'helm',
  'VERSION',
  `Helm version to reproduce, ${helmNames()}; 3, 4 and 3.22 select the newest of that line`,
  { form: 'helm', offers: helmSelectors, default: defaultHelm },
);

export const explainFlag: FlagSpec = boolFlag(
  'explain',
  'explain why a rendering fails: template lines, values, what is missing, how to fix it',
);

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
  textFlag('kube-version', 'VERSION', 'Kubernetes version for an Order that names none'),
  { name: 'api-versions', short: 'a', type: 'strings', help: 'further API versions' },
  boolFlag('skip-schema-validation', 'do not check values against values.schema.json'),
  { name: 'seed', type: 'string', help: 'seed for random values and the clock; the same seed renders the same bytes' },
];

export const kubeVersionsFlag: FlagSpec = textFlag(
  'kube-version',
  'VERSIONS',
  "Kubernetes versions, one after another; versions that a chart's kubeVersion excludes are skipped with a note (for Orders that name none)",
  { type: 'strings', isShared: true },
);

const caseFiles = { name: 'values', short: 'f', type: 'stringArray', placeholder: 'FILES', offers: 'files' } as const;

export const caseFilesFlag: FlagSpec = {
  ...caseFiles,
  help: "values file of one case; a.yaml,b.yaml are one case, where later files override earlier ones (default: the chart's ci/*values.yaml)",
};

/** For commands that add to the cases of a chart. */
export const existingCaseFilesFlag: FlagSpec = {
  ...caseFiles,
  help: "values file of one existing case; a.yaml,b.yaml are one case (default: the chart's ci/*values.yaml)",
};

export const caseSetFlag: FlagSpec = textFlag(
  'set',
  'VALUES',
  'values for every case of a chart: key1=val1,key2=val2',
  { type: 'stringArray' },
);

export const differenceFlags: readonly FlagSpec[] = [
  boolFlag('all', 'include version labels and checksums'),
  textFlag(
    'ignore',
    'RULE',
    'differences to ignore: "kind=KIND name=NAME namespace=NAME path=PATH pattern=REGEXP because REASON"; all but the reason are optional',
    { type: 'stringArray', isAdded: true },
  ),
  boolFlag('show-secrets', 'show the data of Secrets instead of fingerprints'),
  boolFlag('skip-crds', "omit the files in a chart's crds/"),
];

export const verboseFlag: FlagSpec = {
  name: 'verbose',
  type: 'bool',
  short: 'v',
  help: 'list everything: unchanged inputs, each object and value, all warnings',
};

export const validateFlag: FlagSpec = textFlag(
  'validate',
  'HOW',
  'validate objects against the schemas of their Kubernetes version and of the CRDs; unknown fields are errors (strict, as in kubectl) or warnings (--validate=warn)',
  { bare: 'strict', words: ['strict', 'warn', 'ignore'] },
);

export const reportFlag: FlagSpec = textFlag(
  'report',
  'FORM[=FILE]',
  'report format: text, json, junit, github, gitlab, markdown, html or sarif, to standard output or to a file as in junit=report.xml; may be repeated',
  { type: 'stringArray', offers: ['text', 'json', 'junit', 'github', 'gitlab', 'markdown', 'html', 'sarif'] },
);
