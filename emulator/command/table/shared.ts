// Flags that several commands share. A pure table.

import { defaultHelm, helmNames, helmSelectors } from '../../../render/core/helm-version.ts';
import type { FlagSpec } from '../flags.ts';

/** Before the command's name, or after it where it is not `template`: that one knows Helm's flags alone. */
export const globalFlags: readonly FlagSpec[] = [
  {
    name: 'config',
    type: 'string',
    placeholder: 'FILE',
    offers: 'files',
    help: 'read what one repeats from this file (default: drydock.config.json, .ts or .js, here or above up to the project)',
  },
  { name: 'no-config', type: 'bool', help: 'read no configuration file' },
  { name: 'no-color', type: 'bool', help: 'print without colours; so does the variable NO_COLOR' },
  { name: 'quiet', short: 'q', type: 'bool', help: 'print results and errors only' },
];

/** What may stand before the name of a command. */
export const overviewFlags: readonly FlagSpec[] = [
  ...globalFlags,
  { name: 'version', short: 'v', type: 'bool', help: 'print the version' },
];

/** For commands that a program may listen to. */
export const jsonFlag: FlagSpec = { name: 'json', type: 'bool', help: 'print one JSON document on standard output' };

/** For every command that looks for charts of Orders. */
export const chartsFlag: FlagSpec = {
  name: 'charts',
  type: 'stringArray',
  placeholder: 'DIR',
  offers: 'folders',
  help: 'look for charts in this folder too: mirrored repositories (HOST/PATH), charts, archives',
};

/** For every command that renders. */
export const helmFlag: FlagSpec = {
  name: 'helm',
  type: 'string',
  placeholder: 'VERSION',
  form: 'helm',
  offers: helmSelectors,
  default: defaultHelm,
  help: `Helm version whose output is reproduced, ${helmNames()}; 3, 4 and 3.22 mean the newest of it`,
};

/** For every command that tells of a failed rendering. */
export const explainFlag: FlagSpec = {
  name: 'explain',
  type: 'bool',
  help: 'tell why a rendering fails: lines, values, what is missing, how to mend it',
};

/** For commands that tell what differs between two Helms. */
export const helmsFlag: FlagSpec = {
  ...helmFlag,
  type: 'strings',
  placeholder: 'VERSIONS',
  isShared: true,
  help: `${helmFlag.help}; of several, such as 3.17,4, the first is printed, and what means something else to the others is listed`,
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
  { name: 'seed', type: 'string', help: 'draw random values and the time from this text: same seed, same bytes' },
];

/** For commands that render for several versions of Kubernetes. */
export const kubeVersionsFlag: FlagSpec = {
  name: 'kube-version',
  type: 'strings',
  placeholder: 'VERSIONS',
  isShared: true,
  help: "Kubernetes versions, each in turn; one that a chart's kubeVersion refuses is skipped with a note (for an Order that names none)",
};

/** For commands that render a chart for several cases. */
export const caseSetFlag: FlagSpec = {
  name: 'set',
  type: 'stringArray',
  placeholder: 'VALUES',
  help: 'values for every case of a chart: key1=val1,key2=val2',
};

/** For commands that tell differences. */
export const differenceFlags: readonly FlagSpec[] = [
  { name: 'all', type: 'bool', help: 'tell labels of versions and checksums of what is shown, too' },
  {
    name: 'ignore',
    type: 'stringArray',
    placeholder: 'RULE',
    isAdded: true,
    help: 'what does not count: "kind=KIND name=NAME namespace=NAME path=PATH pattern=REGEXP because REASON", each but the reason left out at will',
  },
  { name: 'show-secrets', type: 'bool', help: 'show the data of Secrets; without it fingerprints stand for them' },
  { name: 'skip-crds', type: 'bool', help: "leave out the files of a chart's crds/" },
];

/** For commands that report many inputs. */
export const verboseFlag: FlagSpec = {
  name: 'verbose',
  short: 'v',
  type: 'bool',
  help: 'list everything: inputs without changes, each object and value, all warnings',
};

/** For commands that check objects against the schemas of Kubernetes. */
export const validateFlag: FlagSpec = {
  name: 'validate',
  type: 'string',
  bare: 'strict',
  placeholder: 'HOW',
  words: ['strict', 'warn', 'ignore'],
  help: 'check objects against the schemas of their Kubernetes version and the CRDs beside them; an unknown field is an error (strict, as kubectl has it) or a warning (--validate=warn)',
};

/** For commands whose findings others read. */
export const reportFlag: FlagSpec = {
  name: 'report',
  type: 'stringArray',
  placeholder: 'FORM[=FILE]',
  offers: ['text', 'json', 'junit', 'github', 'gitlab', 'markdown', 'html', 'sarif'],
  help: 'report as text, json, junit, github, gitlab, markdown, html or sarif, to standard output or to a file as in junit=report.xml; several at once',
};
