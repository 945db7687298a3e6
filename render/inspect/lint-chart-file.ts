// The rules of `helm lint` for Chart.yaml.
// Mirrors: helm.sh/helm/v3/pkg/lint/rules, chartfile.go, v3.17.3; helm.sh/helm/v4/pkg/chart/v2/lint/rules, v4.2.3.

import { checkStrictMetadata, decodeMetadata, type RawMetadata } from '../chart/metadata.ts';
import { parseYaml } from '../codec/yaml/parse.ts';
import { catchGoError, orUndefined } from '../core/catch.ts';
import { RenderError } from '../core/errors.ts';
import { quote } from '../go/number.ts';
import { base } from '../go/path.ts';
import { compileRegexp } from '../go/regexp/regexp.ts';
import { compareVersions, isStrictVersion, isVersion, parseVersion } from '../go/semver.ts';
import { parseGoUrl, parseRequestUri } from '../go/url.ts';
import { byteLength, runeCount } from '../go/utf8.ts';
import { type GoValue, typeOf } from '../go/value.ts';
import type { Helm } from '../helm/helm.ts';
import { errorOf, type Linter } from './lint-rules.ts';

const file = 'Chart.yaml';

/** Checks a Chart.yaml; `read` returns its text. */
export function lintChartFile(linter: Linter, read: () => string, helm: Helm): void {
  const parse = (): [string, RawMetadata] => {
    const text = read();
    return [text, decodeMetadata(text, {}, helm)];
  };
  const parsed = linter.attempt(file, parse, (message) => `unable to parse YAML\n\t${message}`);
  if (parsed === undefined) return;
  const [text, metadata] = parsed;
  const fail = (message: string | undefined): boolean => linter.rule('error', file, message);
  if (helm.lint.isStrict) {
    const fault = errorOf(() => checkStrictMetadata(text, helm));
    linter.rule('warning', file, fault && `failed to strictly parse chart metadata file\n\t${fault}`);
  }
  fail(nameFault(metadata));
  fail(apiVersionFault(metadata));
  const plain = plainFields(text);
  fail(typeFault(plain, 'version'));
  fail(versionFault(metadata, helm));
  fail(typeFault(plain, 'appVersion'));
  fail(maintainerFault(metadata, helm));
  const source = metadata.sources?.find((url) => !isRequestUrl(url));
  fail(source === undefined ? undefined : `invalid source URL '${source}'`);
  const { icon = '' } = metadata;
  linter.rule('info', file, icon === '' ? 'icon is recommended' : undefined);
  fail(icon === '' || isRequestUrl(icon) ? undefined : `invalid icon URL '${icon}'`);
  const { apiVersion = '', type = '', dependencies = [], version = '' } = metadata;
  if (apiVersion !== 'v2') {
    const chartType = `chart type is not valid in apiVersion '${apiVersion}'. It is valid in apiVersion 'v2'`;
    if (type !== '') fail(chartType);
    const more = `dependencies are not valid in the Chart file with apiVersion '${apiVersion}'. They are valid in apiVersion 'v2'`;
    if (dependencies.length > 0) fail(more);
  }
  if (helm.lint.isStrict && !isStrictVersion(version)) {
    linter.rule('warning', file, `version '${version}' is not a valid SemVerV2`);
  }
}

function nameFault({ name = '' }: RawMetadata): string | undefined {
  if (name === '') return 'name is required';
  return base(name) === name ? undefined : `chart name ${quote(name)} is invalid`;
}

function apiVersionFault({ apiVersion = '' }: RawMetadata): string | undefined {
  const must = 'The value must be either "v1" or "v2"';
  if (apiVersion === '') return `apiVersion is required. ${must}`;
  return ['v1', 'v2'].includes(apiVersion) ? undefined : `apiVersion '${apiVersion}' is not valid. ${must}`;
}

// The fields before they are converted to strings.
function plainFields(text: string): ReadonlyMap<string, GoValue> {
  return catchGoError(
    () => {
      const value = parseYaml(text);
      return value instanceof Map ? value : new Map();
    },
    () => new Map(),
  );
}

function typeFault(fields: ReadonlyMap<string, GoValue>, key: string): string | undefined {
  const value = fields.get(key);
  if (value === undefined || typeof value === 'string') return undefined;
  return `${key} should be of type string but it's of type ${value === null ? '<nil>' : typeOf(value)}`;
}

function versionFault({ version = '' }: RawMetadata, { semver }: Helm): string | undefined {
  if (version === '') return 'version is required';
  if (!isVersion(version)) return `version '${version}' is not a valid SemVer`;
  const least = '0.0.0-0';
  const parsed = parseVersion(version, semver);
  if (compareVersions(parsed, parseVersion(least)) > 0) return undefined;
  const show = semver.quotesConstraints ? quote : String;
  return `version ${show(parsed.string())} is less than or equal to ${show(least)}`;
}

function maintainerFault({ maintainers = [] }: RawMetadata, helm: Helm): string | undefined {
  for (const maintainer of maintainers) {
    if (maintainer === null) {
      if (helm.lint.reportsNullMaintainers) return 'a maintainer entry is empty';
      throw new RenderError('CHART_INVALID', `Helm ${helm.version} panics: an entry of maintainers is null`, {
        place: { file },
        hint: 'Give every entry of maintainers a name.',
      });
    }
    const { name = '', email = '', url = '' } = maintainer;
    if (name === '') return 'each maintainer requires a name';
    if (email !== '' && !isEmail(email)) return `invalid email '${email}' for maintainer '${name}'`;
    if (url !== '' && !isUrl(url)) return `invalid url '${url}' for maintainer '${name}'`;
  }
  return undefined;
}

// Mail addresses and URLs as `helm lint` checks them.
// Mirrors: github.com/asaskevich/govalidator, validator.go and patterns.go, a9d515a09cc2.

const wide = String.raw`\x{00A0}-\x{D7FF}\x{F900}-\x{FDCF}\x{FDF0}-\x{FFEF}`;
const atom = `([a-zA-Z]|\\d|[!#\\$%&'\\*\\+\\-\\/=\\?\\^_\`{\\|}~]|[${wide}])+`;
const folding = String.raw`((\x20|\x09)*(\x0d\x0a))?(\x20|\x09)+`;
const quotedText = String.raw`[\x01-\x08\x0b\x0c\x0e-\x1f\x7f]|\x21|[\x23-\x5b]|[\x5d-\x7e]|[${wide}]`;
const quotedPair = String.raw`\([\x01-\x09\x0b\x0c\x0d-\x7f]|[${wide}]`;
const quotedName = String.raw`(\x22)(((${folding})?((${quotedText})|(${quotedPair})))*(${folding})?(\x22))`;
const label = `(([a-zA-Z]|\\d|[${wide}])|(([a-zA-Z]|\\d|[${wide}])([a-zA-Z]|\\d|-|\\.|_|~|[${wide}])*([a-zA-Z]|\\d|[${wide}])))`;
const topLabel = `(([a-zA-Z]|[${wide}])|(([a-zA-Z]|[${wide}])([a-zA-Z]|\\d|-|_|~|[${wide}])*([a-zA-Z]|[${wide}])))`;
const mailPattern = `^((${atom}(\\.${atom})*)|(${quotedName}))@(${label}\\.)+${topLabel}\\.?$`;

const hex = '[0-9a-fA-F]{1,4}';
const byte = '(25[0-5]|(2[0-4]|1{0,1}[0-9]){0,1}[0-9])';
const ipv6 = [
  `(${hex}:){7,7}${hex}`,
  `(${hex}:){1,7}:`,
  `(${hex}:){1,6}:${hex}`,
  ...[2, 3, 4, 5].map((count) => `(${hex}:){1,${7 - count}}(:${hex}){1,${count}}`),
  `${hex}:((:${hex}){1,6})`,
  `:((:${hex}){1,7}|:)`,
  'fe80:(:[0-9a-fA-F]{0,4}){0,4}%[0-9a-zA-Z]{1,}',
  `::(ffff(:0{1,4}){0,1}:){0,1}(${byte}\\.){3,3}${byte}`,
  `(${hex}:){1,4}:(${byte}\\.){3,3}${byte}`,
].join('|');
const ipv4 = String.raw`([1-9]\d?|1\d\d|2[01]\d|22[0-3]|24\d|25[0-5])(\.(\d{1,2}|1\d\d|2[0-4]\d|25[0-5])){2}(?:\.([0-9]\d?|1\d\d|2[0-4]\d|25[0-5]))`;
const subdomain = String.raw`((www\.)|([a-zA-Z0-9]+([-_\.]?[a-zA-Z0-9])*[a-zA-Z0-9]\.[a-zA-Z0-9]+))`;
const letters = String.raw`a-zA-Z\x{00a1}-\x{ffff}`;
const hostNames = String.raw`([a-zA-Z0-9]([a-zA-Z0-9-_]+)?[a-zA-Z0-9]([-\.][a-zA-Z0-9]+)*)`;
const host = `(${ipv4}|(\\[(${ipv6})\\])|((${hostNames}|(${subdomain}?))?(([${letters}0-9]+-?-?)*[${letters}0-9]+)(?:\\.([${letters}]{1,}))?))`;
const urlPattern = String.raw`^((ftp|tcp|udp|wss?|https?):\/\/)?(\S+(:\S*)?@)?${host}\.?(:(\d{1,5}))?((\/|\?|#)[^\s]*)?$`;

/** Reports whether a text is a mail address. Mirrors: `IsEmail`. */
function isEmail(text: string): boolean {
  return compileRegexp(mailPattern).matchString(text);
}

/** Reports whether a text is a URL, with or without its scheme. Mirrors: `IsURL`. */
function isUrl(text: string): boolean {
  if (runeCount(text) >= 2083 || byteLength(text) <= 3 || text.startsWith('.')) return false;
  const url = orUndefined(() => parseGoUrl(text.includes(':') && !text.includes('://') ? `http://${text}` : text));
  if (url === undefined || url.host.startsWith('.')) return false;
  if (url.host === '' && url.path !== '' && !url.path.includes('.')) return false;
  return compileRegexp(urlPattern).matchString(text);
}

/** Reports whether a text is a URL with a scheme. Mirrors: `IsRequestURL`. */
function isRequestUrl(text: string): boolean {
  return (orUndefined(() => parseRequestUri(text))?.scheme ?? '') !== '';
}
