// The rules of `helm lint` for Chart.yaml.
// Mirrors: helm.sh/helm/v3/pkg/lint/rules, chartfile.go, v3.17.3; helm.sh/helm/v4/pkg/chart/v2/lint/rules, v4.2.3.

import { checkStrictMetadata, decodeMetadata, type RawMetadata } from '../chart/metadata.ts';
import { parseYaml } from '../codec/yaml/parse.ts';
import { RenderError } from '../core/errors.ts';
import { quote } from '../go/number.ts';
import { base } from '../go/path.ts';
import { compareVersions, isStrictVersion, isVersion, parseVersion } from '../go/semver.ts';
import { GoError, type GoValue, typeOf } from '../go/value.ts';
import type { Helm } from '../helm/helm.ts';
import { isEmail, isRequestUrl, isUrl } from './addresses.ts';
import { errorOf, type Linter } from './lint-rules.ts';

const file = 'Chart.yaml';

/** Checks a Chart.yaml; `read` returns its text. */
export function lintChartFile(linter: Linter, read: () => string, helm: Helm): void {
  const parse = (): [string, RawMetadata] => {
    const text = read();
    return [text, decodeMetadata(text, {}, helm.charts.goPackage)];
  };
  const parsed = linter.attempt(file, parse, (message) => `unable to parse YAML\n\t${message}`);
  if (parsed === undefined) return;
  const [text, metadata] = parsed;
  const fail = (message: string | undefined): boolean => linter.rule('error', file, message);
  if (helm.lint.isStrict) {
    const fault = errorOf(() => checkStrictMetadata(text));
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
    const valid = `'${apiVersion}'. It is valid in apiVersion 'v2'`;
    fail(type === '' ? undefined : `chart type is not valid in apiVersion ${valid}`);
    const allValid = `'${apiVersion}'. They are valid in apiVersion 'v2'`;
    fail(
      dependencies.length === 0
        ? undefined
        : `dependencies are not valid in the Chart file with apiVersion ${allValid}`,
    );
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
  try {
    const value = parseYaml(text);
    return value instanceof Map ? value : new Map();
  } catch (error) {
    if (error instanceof GoError) return new Map();
    throw error;
  }
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
