// Chart.yaml, requirements.yaml and the lock files: decoding, sanitizing and validation.
// Mirrors: helm.sh/helm/v3/pkg/chart, metadata.go and dependency.go, v3.17.3.

import {
  anyType,
  boolType,
  type DecodeOptions,
  decodeYaml,
  type GoType,
  pointerTo,
  sliceOf,
  stringMapType,
  stringType,
  structOf,
  timeType,
} from '../codec/struct.ts';
import { isSpace } from '../go/letters.ts';
import { quote } from '../go/number.ts';
import { base } from '../go/path.ts';
import { isVersion } from '../go/semver.ts';
import { isPrint, runeOf } from '../go/unicode.ts';
import { toValidUtf8 } from '../go/utf8.ts';
import { GoError } from '../go/value.ts';
import type { Helm } from '../helm/helm.ts';
import { type Dependency, type Maintainer, type Metadata, nilAnnotations, nilList } from './chart.ts';

/** A Chart.yaml before validation: everything is optional, and an entry may be null. */
export type RawMetadata = Partial<Omit<Metadata, 'maintainers' | 'dependencies'>> & {
  readonly maintainers?: readonly (Partial<Maintainer> | null)[];
  readonly dependencies?: readonly (Partial<Dependency> | null)[];
};

const strings = sliceOf(stringType, '');

function texts(names: string): Readonly<Record<string, GoType>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, stringType]));
}

const dependencyType = structOf('Dependency', {
  ...texts('name version repository condition alias'),
  tags: strings,
  enabled: boolType,
  'import-values': sliceOf(anyType, null),
});

const dependencies = sliceOf(pointerTo(dependencyType), null);

const metadataType = structOf('Metadata', {
  ...texts('name home version description icon apiVersion condition tags appVersion kubeVersion type'),
  sources: strings,
  keywords: strings,
  maintainers: sliceOf(pointerTo(structOf('Maintainer', texts('name email url'))), null),
  deprecated: boolType,
  annotations: stringMapType,
  dependencies,
});

const baseType = structOf('chartBase', texts('apiVersion'), 'loader.chartBase');
const lockType = structOf('Lock', { generated: timeType, digest: stringType, dependencies });

/** Decodes a Chart.yaml or requirements.yaml over previous metadata. Throws GoError with Go's message. */
export function decodeMetadata(text: string, previous: RawMetadata, helm: Helm): RawMetadata {
  return decodeYaml<RawMetadata>(text, metadataType, previous, errorRules(helm));
}

/** Checks that a Chart.yaml has no unknown fields or duplicate keys. Throws GoError with Go's message. */
export function checkStrictMetadata(text: string, helm: Helm): void {
  decodeYaml(text, metadataType, {}, { ...errorRules(helm), isStrict: true });
}

/** Reads the kind of chart from a Chart.yaml, if present. Throws GoError with Go's message. */
export function decodeBase(text: string, helm: Helm): Pick<RawMetadata, 'apiVersion'> | undefined {
  return decodeYaml<Pick<RawMetadata, 'apiVersion'> | undefined>(text, baseType, undefined, errorRules(helm));
}

/** Parses a Chart.lock, whose content is not used. Throws GoError with Go's message. */
export function checkLock(text: string, helm: Helm): void {
  decodeYaml(text, lockType, undefined, errorRules(helm));
}

function errorRules({ charts, codec }: Helm): DecodeOptions {
  return { goPackage: charts.goPackage, json: codec.json };
}

/**
 * Returns sanitized metadata. Throws GoError `validation: …`.
 * Mirrors: `Metadata.Validate`.
 */
export function validateMetadata(raw: RawMetadata, refusedNames: readonly string[] = []): Metadata {
  const metadata = {
    name: clean(raw.name),
    home: clean(raw.home),
    sources: each(raw.sources, clean),
    version: raw.version ?? '',
    description: clean(raw.description),
    keywords: each(raw.keywords, clean),
    icon: clean(raw.icon),
    apiVersion: raw.apiVersion ?? '',
    condition: clean(raw.condition),
    tags: clean(raw.tags),
    appVersion: clean(raw.appVersion),
    deprecated: raw.deprecated ?? false,
    annotations: raw.annotations ?? nilAnnotations,
    kubeVersion: clean(raw.kubeVersion),
    type: raw.type ?? '',
  };
  checkScalars(metadata, refusedNames);
  const maintainers = each(raw.maintainers, validateMaintainer);
  return { ...metadata, maintainers, dependencies: validateDependencies(raw.dependencies) };
}

function each<T, U>(list: readonly T[] | undefined, change: (item: T) => U): readonly U[] {
  return list === undefined ? nilList : list.map((item) => change(item));
}

function checkScalars(metadata: Omit<Metadata, 'maintainers' | 'dependencies'>, refusedNames: readonly string[]): void {
  const { apiVersion, name, version, type } = metadata;
  if (apiVersion === '') throw invalid('chart.metadata.apiVersion is required');
  if (name === '') throw invalid('chart.metadata.name is required');
  if (name !== base(name)) throw invalid(`chart.metadata.name ${quote(name)} is invalid`);
  checkName(name, refusedNames);
  if (version === '') throw invalid('chart.metadata.version is required');
  if (!isVersion(version)) throw invalid(`chart.metadata.version ${quote(version)} is invalid`);
  if (!['', 'application', 'library'].includes(type)) {
    throw invalid('chart.metadata.type must be application or library');
  }
}

/** Checks that a Helm version accepts the name of a chart. Throws GoError `validation: …`. */
export function checkName(name: string, refusedNames: readonly string[]): void {
  if (refusedNames.includes(name)) throw invalid(`chart.metadata.name ${quote(name)} is not allowed`);
}

/**
 * Reports whether a Helm version that detects chart versions supports an `apiVersion`.
 * Mirrors: helm.sh/helm/v4/pkg/chart/loader, load.go.
 */
export function isKnownVersion(apiVersion: string): boolean {
  return ['', 'v1', 'v2', 'v3'].includes(apiVersion);
}

function validateMaintainer(raw: Partial<Maintainer> | null): Maintainer {
  if (raw === null) throw invalid('maintainers must not contain empty or null nodes');
  return { name: clean(raw.name), email: clean(raw.email), url: clean(raw.url) };
}

function validateDependencies(raw: RawMetadata['dependencies']): readonly Dependency[] {
  if (raw === undefined) return nilList;
  const seen = new Set<string>();
  return raw.map((entry) => {
    const dependency = validateDependency(entry);
    const key = dependency.alias || dependency.name;
    if (seen.has(key)) throw invalid(`more than one dependency with name or alias ${quote(key)}`);
    seen.add(key);
    return dependency;
  });
}

function validateDependency(raw: Partial<Dependency> | null): Dependency {
  if (raw === null) throw invalid('dependencies must not contain empty or null nodes');
  const alias = raw.alias ?? '';
  const name = clean(raw.name);
  if (alias !== '' && !/^[a-zA-Z0-9_-]+$/.test(alias)) {
    throw invalid(`dependency ${quote(name)} has disallowed characters in the alias`);
  }
  return {
    name,
    version: clean(raw.version),
    repository: clean(raw.repository),
    condition: clean(raw.condition),
    tags: each(raw.tags, clean),
    enabled: raw.enabled ?? false,
    importValues: raw.importValues ?? nilList,
    alias,
  };
}

function invalid(text: string): GoError {
  return new GoError(`validation: ${text}`);
}

const plain = /^[ -~]*$/;

// White space becomes a space, unprintable characters are removed.
// Mirrors: `sanitizeString`.
function clean(text = ''): string {
  if (plain.test(text)) return text;
  return Array.from(toValidUtf8(text), (char) => (isSpace(char) ? ' ' : isPrint(runeOf(char)) ? char : '')).join('');
}
