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

const chartVersion = rule(
  'a chart version',
  '[0-9A-Za-z^~<>=!*][0-9A-Za-z.+\\-^~<>=!*|, ]*',
  128,
  'Give a version such as "1.2.3" or a constraint such as ">=1.2.0 <2.0.0".',
);

/** The rules of the texts of an Order. */
export const textRules = {
  // Mirrors: helm, pkg/chartutil/validate_name.go, `ValidateReleaseName`, v3.17.3.
  releaseName: rule(
    'a release name',
    subdomain,
    53,
    'Use at most 53 lower-case letters, digits, "-" and ".", beginning and ending with a letter or digit.',
  ),
  // Helm itself does not check them.
  namespaceName: rule(
    'a namespace',
    label,
    63,
    'Use at most 63 lower-case letters, digits and "-", beginning and ending with a letter or digit.',
  ),
  // No spaces, no slashes, nothing that looks like a flag.
  chartName: rule(
    'a chart name',
    '[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9_])?',
    250,
    'Use letters, digits, "-", "_" and ".", beginning with a letter or digit.',
  ),
  objectName: rule(
    'an object name',
    subdomain,
    253,
    'Use at most 253 lower-case letters, digits, "-" and ".", beginning and ending with a letter or digit.',
  ),
  // RBAC objects can contain ":" and capitals.
  waitName: rule(
    'an object name',
    '[A-Za-z0-9](?:[-A-Za-z0-9_.:]*[A-Za-z0-9])?',
    253,
    'Name one object, such as "web", without blanks or slashes.',
  ),
  resourceType: rule(
    'a resource type',
    '[A-Za-z0-9](?:[-A-Za-z0-9.]*[A-Za-z0-9])?',
    253,
    'Name a type as kubectl takes it, such as "pods" or "deployments.apps".',
  ),
  apiGroup: rule('an API group', subdomain, 253, 'Name the group, such as "cert-manager.io".'),
  apiVersion: rule('an API version', label, 63, 'Name the version, such as "v1".'),
  resourceName: rule('a resource name', label, 63, 'Name the plural, such as "certificates".'),
  chartVersion,
  kubeVersion: {
    ...chartVersion,
    what: 'a Kubernetes version',
    hint: 'Give a version such as "v1.31.0".',
  },
  labelKey: rule(
    'a label key',
    `(?:${subdomain}/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?`,
    317,
    'Use a key such as "app.kubernetes.io/name".',
  ),
  labelValue: rule('a label value', `(?:${qualified})?`, 63, 'Use letters, digits, "-", "_" and ".".'),
  waitCondition: freeText(
    'a wait condition',
    'delete|create|condition=[A-Za-z][-A-Za-z0-9./_]*(?:=[A-Za-z]+)?|jsonpath=(?:\\{[^\\n]+\\}|[A-Za-z.][^\\s=]*)(?:=[^\\n]+)?',
    1024,
    'Use "delete", "create", "condition=Ready" or "jsonpath={.status.phase}=Running".',
  ),
  // Mirrors: time.ParseDuration, go1.23.
  duration: rule(
    'a duration',
    '[-+]?(?:0|(?:(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:ns|us|µs|μs|ms|s|m|h))+)',
    64,
    'Give a duration such as "5m0s".',
  ),
  chartFile: freeText(
    'a file of the chart',
    '(?!/)(?!.*(?:^|/)\\.\\.(?:/|$))[^\\\\]+',
    255,
    'Give the path of a file inside the chart, such as "values-production.yaml".',
  ),
  localPath: freeText(
    'a path',
    '(?!-)(?!.*://).+',
    4096,
    'Give the path of a chart folder or archive, not beginning with "-".',
  ),
  repositoryUrl: rule(
    'a repository URL',
    '(?:https?|oci)://[A-Za-z0-9](?:[-A-Za-z0-9.]*[A-Za-z0-9])?(?::[0-9]{1,5})?(?:/[-A-Za-z0-9._~%&+,=:@/?]*)?',
    2048,
    'Give an address such as "https://charts.example.com" or "oci://registry.example.com/charts", without user or password.',
  ),
  digest: rule('a digest', 'sha256:[0-9a-f]{64}', 71, 'Give what `drydock pin` writes: "sha256:" and 64 digits.'),
  jsonPointer: {
    ...rule(
      'a JSON pointer',
      '(?:\\/(?:[^~]|~[01])*)?',
      Number.POSITIVE_INFINITY,
      'Begin with "/"; write "~" as "~0" and "/" as "~1".',
    ),
    holds: 'anything',
  },
} satisfies Readonly<Record<string, WordRule>>;

/** Reports whether a text looks like a URL. */
export function isUrl(text: string): boolean {
  return /^[A-Za-z][-+.A-Za-z0-9]*:\/\//.test(text);
}

/** Reports whether a path is absolute, also on Windows (`C:\\charts`, `\\\\server\\charts`). */
export function isAbsolutePath(path: string): boolean {
  return /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(path);
}

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
