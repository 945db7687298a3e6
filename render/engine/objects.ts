// The objects available to every template: `.Capabilities`, `.Release`, `.Values`.
// Mirrors: helm.sh/helm/v3, pkg/chartutil, values.go and capabilities.go, v3.17.3.

import { emitYaml } from '../codec/yaml/emit.ts';
import { quote } from '../go/number.ts';
import {
  func,
  GoError,
  type GoFunc,
  type GoMap,
  type GoObject,
  type GoValue,
  int,
  type Methods,
  NamedMap,
  typedSlice,
} from '../go/value.ts';
import type { BuildInfo, Helm, KubeVersion } from '../helm/helm.ts';
import type { Capabilities } from '../values/capabilities.ts';
import { StructObject } from './structs.ts';

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
    ['Table', func(['string'], (path) => valuesObject(tableAt(values, path), helm))],
    ['PathValue', func(['string'], (path) => valueAt(values, path))],
    // Its parameter is a Go writer, which templates cannot provide.
    ['Encode', func(['any'], () => noWriter())],
  ]);
}

function noWriter(): never {
  throw new GoError('runtime error: invalid memory address or nil pointer dereference');
}

/** Returns the table at a dotted path. Throws GoError like Go's method if there is none. */
export function tableAt(values: GoMap, path: string): GoMap {
  let table = values;
  for (const name of path.split('.')) {
    const inner = table.get(name);
    if (!(inner instanceof Map)) throw new GoError(`${quote(name)} is not a table`);
    table = inner;
  }
  return table;
}

function valueAt(values: GoMap, path: string): GoValue {
  if (path === '') throw new GoError('YAML path cannot be empty');
  const dot = path.lastIndexOf('.');
  const key = path.slice(dot + 1);
  let found: GoValue | undefined;
  try {
    found = (dot < 0 ? values : tableAt(values, path.slice(0, dot))).get(key);
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
  }
  if (found === undefined || found instanceof Map) throw new GoError(`${quote(key)} is not a value`);
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
