// The objects that every template sees: `.Capabilities`, `.Release`, `.Values`.
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
import { helmVersion } from '../helm-version.ts';
import type { Capabilities } from '../values/capabilities.ts';
import { StructObject } from './structs.ts';

/** Says which release is rendered, and how. */
export interface ReleaseInfo {
  readonly name: string;
  readonly namespace: string;
  /** Counts from 1. */
  readonly revision: number;
  readonly isUpgrade: boolean;
}

/** Gives `.Release`. */
export function releaseObject(release: ReleaseInfo): GoMap {
  return new Map<string, GoValue>([
    ['IsInstall', !release.isUpgrade],
    ['IsUpgrade', release.isUpgrade],
    ['Name', release.name],
    ['Namespace', release.namespace],
    ['Revision', int(release.revision)],
    ['Service', 'Helm'],
  ]);
}

/** Gives a map as Go's `chartutil.Values`, whose methods hide keys of the same name. It shares the map's entries. */
export function valuesObject(values: GoMap): NamedMap {
  const target = values instanceof NamedMap ? values.target : values;
  return new NamedMap(target, 'chartutil.Values', valuesMethods(target));
}

function valuesMethods(values: GoMap): Methods {
  return new Map<string, GoFunc>([
    ['AsMap', func([], () => values)],
    ['YAML', func([], () => emitYaml(values))],
    ['Table', func(['string'], (path) => valuesObject(tableAt(values, path)))],
    ['PathValue', func(['string'], (path) => valueAt(values, path))],
    // It writes into a Go writer, which no template can name.
    ['Encode', func(['any'], () => noWriter())],
  ]);
}

function noWriter(): never {
  throw new GoError('runtime error: invalid memory address or nil pointer dereference');
}

/** Gives the table at a dotted path. Throws GoError, as Go's method does, where there is none. */
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

const buildInfo = {
  version: helmVersion,
  git_commit: 'e4da49785aa6e6ee2b86efd5dd9e43400318262b',
  git_tree_state: 'clean',
  go_version: 'go1.23.7',
};

/** Gives `.Capabilities`. */
export function capabilitiesObject(capabilities: Capabilities): GoObject {
  return new StructObject({
    type: '*chartutil.Capabilities',
    kind: 'ptr',
    fields: () => capabilitiesFields(capabilities),
    methods: new Map([['Copy', func([], () => capabilitiesObject(capabilities))]]),
  });
}

function capabilitiesFields(capabilities: Capabilities): ReadonlyMap<string, GoValue> {
  const { version, major, minor } = capabilities.kubeVersion;
  const versionText = func([], () => version);
  const apiVersions = new Set(capabilities.apiVersions);
  const has = (name: string): boolean => {
    capabilities.onAsked?.(name);
    return apiVersions.has(name);
  };
  return new Map<string, GoValue>([
    [
      'KubeVersion',
      new StructObject({
        type: 'chartutil.KubeVersion',
        fields: () => new Map(Object.entries({ Version: version, Major: major, Minor: minor })),
        methods: new Map([
          ['String', versionText],
          ['GitVersion', versionText],
        ]),
      }),
    ],
    [
      'APIVersions',
      typedSlice(
        'chartutil.VersionSet',
        capabilities.apiVersions,
        new Map<string, GoFunc>([['Has', func(['string'], has)]]),
      ),
    ],
    [
      'HelmVersion',
      new StructObject({
        type: 'version.BuildInfo',
        fields: () =>
          new Map(
            Object.entries({
              Version: buildInfo.version,
              GitCommit: buildInfo.git_commit,
              GitTreeState: buildInfo.git_tree_state,
              GoVersion: buildInfo.go_version,
            }),
          ),
        json: () => new Map(Object.entries(buildInfo)),
      }),
    ],
  ]);
}
