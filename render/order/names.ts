// Rules for names (those of Kubernetes and Helm), URLs and paths. Every text of an Order that reaches a script or a cluster is checked by
// one of these rules first.

/** A rule for a text, and how to fix one that breaks it. */
export interface WordRule {
  /** What the text is, for messages: `a release name`. */
  readonly what: string;
  readonly pattern: RegExp;
  /** Maximum length in characters (code points). */
  readonly maxLength: number;
  readonly hint: string;
  /** `text` if the pattern accepts any character, `anything` if even control characters are accepted; otherwise the accepted characters. */
  readonly holds?: 'text' | 'anything';
}

interface WordFault {
  readonly message: string;
  readonly hint: string;
}

const label = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';
const subdomain = `${label}(?:\\.${label})*`;
const qualified = '[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?';

const rule = (what: string, pattern: string, maxLength: number, hint: string): WordRule => ({
  what,
  pattern: new RegExp(`^(?:${pattern})$`, 'u'),
  maxLength,
  hint,
});

function freeText(...parts: Parameters<typeof rule>): WordRule {
  return { ...rule(...parts), holds: 'text' };
}

/** The rule of Helm for release names. Mirrors: helm, pkg/chartutil/validate_name.go, `ValidateReleaseName`, v3.17.3. */
export const releaseName: WordRule = rule(
  'a release name',
  subdomain,
  53,
  'Use at most 53 lower-case letters, digits, "-" and ".", beginning and ending with a letter or digit.',
);

/** The rule of Kubernetes for namespaces (a DNS label). Helm itself does not check them. */
export const namespaceName: WordRule = rule(
  'a namespace',
  label,
  63,
  'Use at most 63 lower-case letters, digits and "-", beginning and ending with a letter or digit.',
);

/** The rule for chart names: no spaces, no slashes, nothing that looks like a flag. */
export const chartName: WordRule = rule(
  'a chart name',
  '[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9_])?',
  250,
  'Use letters, digits, "-", "_" and ".", beginning with a letter or digit.',
);

/** The rule for the names of Kubernetes objects such as a repository or an Order (a DNS subdomain). */
export const objectName: WordRule = rule(
  'an object name',
  subdomain,
  253,
  'Use at most 253 lower-case letters, digits, "-" and ".", beginning and ending with a letter or digit.',
);

/** The rule for an object named in a wait. RBAC objects can contain ":" and capitals. */
export const waitName: WordRule = rule(
  'an object name',
  '[A-Za-z0-9](?:[-A-Za-z0-9_.:]*[A-Za-z0-9])?',
  253,
  'Name one object, such as "web", without blanks or slashes.',
);

/** The rule for the type token of a wait, such as `deployments.apps`. */
export const resourceType: WordRule = rule(
  'a resource type',
  '[A-Za-z0-9](?:[-A-Za-z0-9.]*[A-Za-z0-9])?',
  253,
  'Name a type as kubectl takes it, such as "pods" or "deployments.apps".',
);

export const apiGroup: WordRule = rule('an API group', subdomain, 253, 'Name the group, such as "cert-manager.io".');

export const apiVersion: WordRule = rule('an API version', label, 63, 'Name the version, such as "v1".');

export const resourceName: WordRule = rule('a resource name', label, 63, 'Name the plural, such as "certificates".');

/** The rule for chart versions: a version, or a constraint over versions. */
export const chartVersion: WordRule = rule(
  'a chart version',
  '[0-9A-Za-z^~<>=!*][0-9A-Za-z.+\\-^~<>=!*|, ]*',
  128,
  'Give a version such as "1.2.3" or a constraint such as ">=1.2.0 <2.0.0".',
);

/** The rule for the Kubernetes version of an Order. */
export const kubeVersion: WordRule = {
  ...chartVersion,
  what: 'a Kubernetes version',
  hint: 'Give a version such as "v1.31.0".',
};

/** The rule for label keys: an optional prefix, and a name. */
export const labelKey: WordRule = rule(
  'a label key',
  `(?:${subdomain}/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?`,
  317,
  'Use a key such as "app.kubernetes.io/name".',
);

/** The rule for label values, which can be empty. */
export const labelValue: WordRule = rule(
  'a label value',
  `(?:${qualified})?`,
  63,
  'Use letters, digits, "-", "_" and ".".',
);

export const waitCondition: WordRule = freeText(
  'a wait condition',
  'delete|create|condition=[A-Za-z][-A-Za-z0-9./_]*(?:=[A-Za-z]+)?|jsonpath=(?:\\{[^\\n]+\\}|[A-Za-z.][^\\s=]*)(?:=[^\\n]+)?',
  1024,
  'Use "delete", "create", "condition=Ready" or "jsonpath={.status.phase}=Running".',
);

/** The rule for Go durations. Mirrors: time.ParseDuration, go1.23. */
export const duration: WordRule = rule(
  'a duration',
  '[-+]?(?:0|(?:(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:ns|us|µs|μs|ms|s|m|h))+)',
  64,
  'Give a duration such as "5m0s".',
);

/** The rule for a values file inside a chart: a relative path that stays inside. */
export const chartFile: WordRule = freeText(
  'a file of the chart',
  '(?!/)(?!.*(?:^|/)\\.\\.(?:/|$))[^\\\\]+',
  255,
  'Give the path of a file inside the chart, such as "values-production.yaml".',
);

export const localPath: WordRule = freeText(
  'a path',
  '(?!-)(?!.*://).+',
  4096,
  'Give the path of a chart folder or archive, not beginning with "-".',
);

/** The rule for repository URLs: http, https or oci, a host, and no user information. */
export const repositoryUrl: WordRule = rule(
  'a repository URL',
  '(?:https?|oci)://[A-Za-z0-9](?:[-A-Za-z0-9.]*[A-Za-z0-9])?(?::[0-9]{1,5})?(?:/[-A-Za-z0-9._~%&+,=:@/?]*)?',
  2048,
  'Give an address such as "https://charts.example.com" or "oci://registry.example.com/charts", without user or password.',
);

export const digest: WordRule = rule(
  'a digest',
  'sha256:[0-9a-f]{64}',
  71,
  'Give what `drydock pin` writes: "sha256:" and 64 digits.',
);

export const jsonPointer: WordRule = {
  ...rule(
    'a JSON pointer',
    '(?:\\/(?:[^~]|~[01])*)?',
    Number.POSITIVE_INFINITY,
    'Begin with "/"; write "~" as "~0" and "/" as "~1".',
  ),
  holds: 'anything',
};

/** Reports whether a text looks like a URL. */
export function isUrl(text: string): boolean {
  return /^[A-Za-z][-+.A-Za-z0-9]*:\/\//.test(text);
}

/** Reports whether a path is absolute, also on Windows (`C:\\charts`, `\\\\server\\charts`). */
export function isAbsolutePath(path: string): boolean {
  return /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(path);
}

/** Reports whether a text is the URL of an OCI registry. */
export function isOciUrl(text: string): boolean {
  return text.startsWith('oci://');
}

// Control characters, line and paragraph separators, and bidirectional controls, which can hide what a script says.
const controls =
  '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ufeff\\ufffe\\uffff';
const forbidden = new RegExp(`[${controls}]`);

/** Characters that are never accepted, as a character class of `u` patterns: control characters and lone surrogates. */
export const forbiddenClass: string = `${controls}\\ud800-\\udfff`;

/** Returns which rule a text breaks, or undefined. Control characters and invalid Unicode are always refused. */
export function wordFault(word: string, wordRule: WordRule): WordFault | undefined {
  const control = wordRule.holds === 'anything' ? null : forbidden.exec(word);
  if (control !== null) {
    const code = control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    return { message: `holds the control character U+${code}`, hint: 'Remove the character.' };
  }
  if (wordRule.holds !== 'anything' && /\p{Surrogate}/u.test(word))
    return { message: 'is not valid Unicode', hint: 'Remove the broken character.' };
  if (word.length > wordRule.maxLength && [...word].length > wordRule.maxLength) {
    return {
      message: `has ${[...word].length} characters, more than the ${wordRule.maxLength} of ${wordRule.what}`,
      hint: wordRule.hint,
    };
  }
  if (!wordRule.pattern.test(word))
    return { message: `${JSON.stringify(withoutUser(word))} is not ${wordRule.what}`, hint: wordRule.hint };
  return undefined;
}

// A password in a URL must not appear in logs.
function withoutUser(word: string): string {
  return word.replace(/(:\/\/)[^/]*@/, '$1***@');
}
