// The objects available to every template: `.Capabilities`, `.Chart`, `.Files`, `.Release`, `.Values`.
// Mirrors: helm.sh/helm/v3, pkg/chartutil, values.go and capabilities.go; pkg/chart, metadata.go and dependency.go; pkg/engine, engine.go,
// `recAllTpls`, and files.go, v3.17.3.

import {
  type ChartFile,
  type Dependency,
  type Maintainer,
  type Metadata,
  nilAnnotations,
  nilList,
} from '../chart/chart.ts';
import { emitYaml } from '../codec/yaml/emit.ts';
import { catchGoError, orUndefined } from '../core/catch.ts';
import { encodeBase64 } from '../go/base64.ts';
import { compileGlob } from '../go/glob.ts';
import { quote } from '../go/number.ts';
import { base } from '../go/path.ts';
import { decodeUtf8 } from '../go/utf8.ts';
import {
  func,
  GoError,
  type GoFunc,
  type GoMap,
  GoObject,
  type GoValue,
  int,
  type Methods,
  NamedMap,
  nilMap,
  nilSlice,
  sortedEntries,
  stringSlice,
  typedSlice,
} from '../go/value.ts';
import type { BuildInfo, Helm, KubeVersion } from '../helm/helm.ts';
import type { Capabilities } from '../values/capabilities.ts';
import { lookupTable, valueAt } from '../values/lookup.ts';

/** Describes the release being rendered. */
export interface ReleaseInfo {
  readonly name: string;
  readonly namespace: string;
  /** The revision, from 1. */
  readonly revision: number;
  readonly isUpgrade: boolean;
  /** Default: true unless it is an upgrade. */
  readonly isInstall?: boolean;
}

/** Returns `.Release`. */
export function releaseObject(release: ReleaseInfo): GoMap {
  return new Map<string, GoValue>([
    ['IsInstall', release.isInstall ?? !release.isUpgrade],
    ['IsUpgrade', release.isUpgrade],
    ['Name', release.name],
    ['Namespace', release.namespace],
    ['Revision', int(release.revision)],
    ['Service', 'Helm'],
  ]);
}

/** Returns a map as Helm's values type, whose methods hide keys of the same name. It shares the map's entries. */
export function valuesObject(values: GoMap, helm: Helm): NamedMap {
  const target = values instanceof NamedMap ? values.target : values;
  return new NamedMap(target, helm.types.values, valuesMethods(target, helm));
}

function valuesMethods(values: GoMap, helm: Helm): Methods {
  return new Map<string, GoFunc>([
    ['AsMap', func([], () => values)],
    ['YAML', func([], () => emitYaml(values, helm.codec.yamlKeys))],
    ['Table', func(['string'], (path) => valuesObject(lookupTable(values, path), helm))],
    ['PathValue', func(['string'], (path) => pathValue(values, path))],
    // Its parameter is a Go writer, which templates cannot provide.
    ['Encode', func(['any'], noWriter)],
  ]);
}

function noWriter(): never {
  throw new GoError('runtime error: invalid memory address or nil pointer dereference');
}

function pathValue(values: GoMap, path: string): GoValue {
  if (path === '') throw new GoError('YAML path cannot be empty');
  const found = valueAt(values, path);
  if (found === undefined) throw new GoError(`${quote(path.slice(path.lastIndexOf('.') + 1))} is not a value`);
  return found;
}

/** Returns `.Capabilities`. */
export function capabilitiesObject(capabilities: Capabilities, helm: Helm): GoObject {
  return new StructObject({
    type: helm.types.capabilities,
    kind: 'ptr',
    fields: () => capabilitiesFields(capabilities, helm),
    methods: new Map([['Copy', func([], () => capabilitiesObject(capabilities, helm))]]),
  });
}

function capabilitiesFields(capabilities: Capabilities, helm: Helm): ReadonlyMap<string, GoValue> {
  const apiVersions = new Set(capabilities.apiVersions);
  const has = (name: string): boolean => {
    capabilities.onQuery?.(name);
    return apiVersions.has(name);
  };
  return new Map<string, GoValue>([
    ['KubeVersion', kubeVersionObject(capabilities.kubeVersion, helm)],
    [
      'APIVersions',
      typedSlice(
        helm.types.versionSet,
        capabilities.apiVersions,
        new Map<string, GoFunc>([['Has', func(['string'], has)]]),
      ),
    ],
    ['HelmVersion', buildInfoObject(helm.build)],
  ]);
}

function kubeVersionObject({ version, normalized, major, minor }: KubeVersion, helm: Helm): GoObject {
  const all = { Version: version, normalizedVersion: normalized, Major: major, Minor: minor };
  const { normalizedVersion, ...exported } = all;
  return new StructObject({
    type: helm.types.kubeVersion,
    fields: () => new Map(Object.entries(exported)),
    layout: () => new Map(helm.types.kubeVersionFields.map((name) => [name, all[name]])),
    methods: new Map([
      ['String', func([], () => normalized)],
      ['GitVersion', func([], () => version)],
    ]),
  });
}

function buildInfoObject({ version, gitCommit, goVersion, kubeClientVersion }: BuildInfo): GoObject {
  const treeState = 'clean';
  const fields = { Version: version, GitCommit: gitCommit, GitTreeState: treeState, GoVersion: goVersion };
  const json = { version, git_commit: gitCommit, git_tree_state: treeState, go_version: goVersion };
  const later = kubeClientVersion !== undefined;
  return new StructObject({
    type: 'version.BuildInfo',
    fields: () => new Map(Object.entries({ ...fields, ...(later && { KubeClientVersion: kubeClientVersion }) })),
    json: () => new Map(Object.entries({ ...json, ...(later && { kube_client_version: kubeClientVersion }) })),
  });
}

// `.Chart`: the metadata as Go structs, with the JSON names of Chart.yaml.

/** Returns `.Chart`: the metadata, embedded in a struct with a field for whether the chart is the root. */
export function chartObject(metadata: Metadata, isRoot: boolean, helm: Helm): GoValue {
  // Templates can write to a map, so each chart gets its own.
  if (helm.chart === 'map') return mapOf(fieldsOf(metadataMembers(metadata))).set('IsRoot', isRoot);
  const metadataObject = new StructObject({
    type: 'chart.Metadata',
    fields: () => fieldsOf(metadataMembers(metadata)),
    json: () => metadataJson(metadata),
  });
  return new StructObject({
    type: 'struct { chart.Metadata; IsRoot bool }',
    fields: () =>
      new Map<string, GoValue>([
        ['Metadata', metadataObject],
        ['IsRoot', isRoot],
      ]),
    embedded: ['Metadata'],
    json: () => new Map([...metadataJson(metadata), ['IsRoot', isRoot]]),
  });
}

/** Fields of a struct by their JSON names, in Go's order. */
type Members = readonly (readonly [name: string, GoValue])[];

function metadataMembers(metadata: Metadata): Members {
  return [
    ['name', metadata.name],
    ['home', metadata.home],
    ['sources', strings(metadata.sources)],
    ['version', metadata.version],
    ['description', metadata.description],
    ['keywords', strings(metadata.keywords)],
    ['maintainers', slice('[]*chart.Maintainer', metadata.maintainers, maintainerObject)],
    ['icon', metadata.icon],
    ['apiVersion', metadata.apiVersion],
    ['condition', metadata.condition],
    ['tags', metadata.tags],
    ['appVersion', metadata.appVersion],
    ['deprecated', metadata.deprecated],
    ['annotations', annotationsObject(metadata.annotations)],
    ['kubeVersion', metadata.kubeVersion],
    ['dependencies', slice('[]*chart.Dependency', metadata.dependencies, dependencyObject)],
    ['type', metadata.type],
  ];
}

// Go's names: `APIVersion` for `apiVersion`, `ImportValues` for `import-values`.
function fieldsOf(members: Members): ReadonlyMap<string, GoValue> {
  const goName = (name: string): string =>
    name.replace(/^(?:api|url)|(?:^|-)[a-z]/g, (start) => start.replace('-', '').toUpperCase());
  return new Map(members.map(([name, value]) => [goName(name), value]));
}

// A list missing from Chart.yaml is a nil slice.
function slice<T>(type: string, list: readonly T[], change: (item: T) => GoValue): GoValue[] {
  return list === nilList ? nilSlice(type) : typedSlice(type, list.map(change));
}

function strings(list: readonly string[]): GoValue[] {
  return slice('[]string', list, (text) => text);
}

function annotationsObject(annotations: ReadonlyMap<string, string>): GoMap {
  const type = 'map[string]string';
  return annotations === nilAnnotations ? nilMap(type) : new NamedMap(new Map(annotations), type);
}

/** Returns the metadata as JSON without empty fields. */
export function metadataJson(metadata: Metadata): GoMap {
  return omitEmpty(metadataMembers(metadata));
}

// Every loaded chart has passed validation. Its nil error has a type, so an action prints it.
const validate: Methods = new Map([['Validate', func([], () => '<nil>')]]);

function maintainerObject({ name, email, url }: Maintainer): GoObject {
  const members = Object.entries({ name, email, url });
  return new StructObject({
    type: '*chart.Maintainer',
    kind: 'ptr',
    fields: () => fieldsOf(members),
    methods: validate,
    json: () => omitEmpty(members),
  });
}

function dependencyObject(dependency: Dependency): GoObject {
  const members: Members = [
    ['name', dependency.name],
    ['version', dependency.version],
    ['repository', dependency.repository],
    ['condition', dependency.condition],
    ['tags', strings(dependency.tags)],
    ['enabled', dependency.enabled],
    ['import-values', slice('[]interface {}', dependency.importValues, (item) => item)],
    ['alias', dependency.alias],
  ];
  return new StructObject({
    type: '*chart.Dependency',
    kind: 'ptr',
    fields: () => fieldsOf(members),
    methods: validate,
    json: () => omitEmpty(members, ['name', 'repository']),
  });
}

// Mirrors: helm.sh/helm/v4/pkg/chart, common.go, `structToMap`.
function mapOf(fields: ReadonlyMap<string, GoValue>): GoMap {
  return new Map([...fields].map(([name, value]) => [name, mapValue(value)]));
}

function mapValue(value: GoValue): GoValue {
  if (value instanceof StructObject) return mapOf(value.fields());
  return Array.isArray(value) ? value.map(mapValue) : value;
}

// `.Files`: the files of a chart that are not templates.

type FileMap = Map<string, Uint8Array>;
type FileRules = Pick<Helm, 'codec' | 'panicsOnEmptyLines'>;

/** Returns `.Files` of a chart: a map from name to bytes with the methods of Go's type. */
export function filesObject(files: readonly ChartFile[], helm: FileRules): NamedMap {
  return wrap(new Map(files.map((file) => [file.name, file.data])), helm);
}

function wrap(files: FileMap, helm: FileRules): NamedMap {
  return new NamedMap(files as Map<string, GoValue>, 'engine.files', filesMethods(files, helm), '[]uint8');
}

function filesMethods(files: FileMap, helm: FileRules): Methods {
  const bytesOf = (name: string): Uint8Array => files.get(name) ?? new Uint8Array();
  const emitFiles = (texts: GoMap): string => {
    // Helm says nothing of a character that YAML does not know.
    const text = orUndefined(() => emitYaml(texts, helm.codec.yamlKeys)) ?? '';
    return text.replace(/\n$/, '');
  };
  return new Map<string, GoFunc>([
    ['Get', func(['string'], (name) => decodeUtf8(bytesOf(name)))],
    ['GetBytes', func(['string'], bytesOf)],
    ['Glob', func(['string'], (pattern) => wrap(glob(files, pattern), helm))],
    ['Lines', func(['string'], (name) => stringSlice(lines(files.get(name), helm)))],
    ['AsConfig', func([], () => emitFiles(byBaseName(files, decodeUtf8)))],
    ['AsSecrets', func([], () => emitFiles(byBaseName(files, encodeBase64)))],
  ]);
}

// An invalid pattern matches everything.
function glob(files: FileMap, pattern: string): FileMap {
  const matches = catchGoError(
    () => compileGlob(pattern),
    () => () => true,
  );
  return new Map([...files].filter(([name]) => matches(name)));
}

function lines(data: Uint8Array | undefined, { panicsOnEmptyLines }: FileRules): string[] {
  if (data === undefined || (data.length === 0 && !panicsOnEmptyLines)) return [];
  if (data.length === 0) throw new GoError('runtime error: index out of range [-1]');
  const text = decodeUtf8(data);
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}

// Go keeps either of two files with the same base name; here the later path wins.
function byBaseName(files: FileMap, read: (data: Uint8Array) => string): GoMap {
  const texts: GoMap = new Map();
  for (const [name, data] of sortedEntries(files)) texts.set(base(name), read(data));
  return texts;
}

// Go structs: named fields in order, methods, and a JSON form with its own names.

/** Describes a struct type. */
interface StructShape {
  /** The type as `%T` prints it. */
  readonly type: string;
  /** `ptr` if Go holds a pointer to the struct. Default `struct`. */
  readonly kind?: 'struct' | 'ptr';
  /** Returns the exported fields in Go's order. Called once, on first access. */
  readonly fields: () => ReadonlyMap<string, GoValue>;
  /** Returns all fields, including unexported ones. Default: the exported ones. */
  readonly layout?: () => ReadonlyMap<string, GoValue>;
  /** Names of embedded structs. */
  readonly embedded?: readonly string[];
  /** Go's methods have pointer receivers: a struct value has them only if it is addressable. */
  readonly methods?: Methods;
  /** Returns the members of the JSON object in Go's order. Default: the fields under their own names. */
  readonly json?: () => GoMap;
}

/** A struct with a shape. */
class StructObject extends GoObject {
  readonly type: string;
  override readonly kind: 'struct' | 'ptr';
  readonly #shape: StructShape;
  #known: ReadonlyMap<string, GoValue> | undefined;

  constructor(shape: StructShape) {
    super();
    this.type = shape.type;
    this.kind = shape.kind ?? 'struct';
    this.#shape = shape;
  }

  override fields(): ReadonlyMap<string, GoValue> {
    this.#known ??= this.#shape.fields();
    return this.#known;
  }

  override layout(): ReadonlyMap<string, GoValue> {
    return this.#shape.layout?.() ?? this.fields();
  }

  override get embedded(): readonly string[] {
    return this.#shape.embedded ?? [];
  }

  override method(name: string): GoFunc | undefined {
    return this.#shape.methods?.get(name);
  }

  override copied(): GoObject {
    if (this.kind === 'ptr' || this.#shape.methods === undefined) return this;
    return new StructObject({ ...this.#shape, methods: new Map() });
  }

  override json(): GoValue {
    return this.#shape.json?.() ?? new Map(this.fields());
  }
}

// Returns members without empty ones, like `omitempty` in Go's struct tags.
function omitEmpty(members: Members, always: readonly string[] = []): GoMap {
  return new Map(members.filter(([name, value]) => always.includes(name) || !isEmpty(value)));
}

function isEmpty(value: GoValue): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (value instanceof Map) return value.size === 0;
  return value === '' || value === false || value === null;
}
