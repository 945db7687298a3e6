// `.Chart`: the metadata as Go structs, with the JSON names of Chart.yaml.
// Mirrors: helm.sh/helm/v3/pkg/chart, metadata.go and dependency.go, v3.17.3; pkg/engine, engine.go, `recAllTpls`.

import { type Dependency, type Maintainer, type Metadata, nilAnnotations, nilList } from '../chart/chart.ts';
import {
  func,
  type GoMap,
  type GoObject,
  type GoValue,
  type Methods,
  NamedMap,
  nilMap,
  nilSlice,
  typedSlice,
} from '../go/value.ts';
import type { Helm } from '../helm/helm.ts';
import { omitEmpty, StructObject } from './structs.ts';

/** Returns `.Chart`: the metadata, embedded in a struct with a field for whether the chart is the root. */
export function chartObject(metadata: Metadata, isRoot: boolean, helm: Helm): GoValue {
  if (helm.chart === 'map') return new Map([...metadataMap(metadata), ['IsRoot', isRoot]]);
  return new StructObject({
    type: 'struct { chart.Metadata; IsRoot bool }',
    fields: () =>
      new Map<string, GoValue>([
        ['Metadata', metadataObject(metadata)],
        ['IsRoot', isRoot],
      ]),
    embedded: ['Metadata'],
    json: () => new Map([...metadataJson(metadata), ['IsRoot', isRoot]]),
  });
}

const metadataObjects = new WeakMap<Metadata, GoObject>();

// Created once per chart, because no template can change it.
function metadataObject(metadata: Metadata): GoObject {
  const object = metadataObjects.get(metadata) ?? createMetadataObject(metadata);
  metadataObjects.set(metadata, object);
  return object;
}

function createMetadataObject(metadata: Metadata): GoObject {
  return new StructObject({
    type: 'chart.Metadata',
    fields: () => metadataFields(metadata),
    json: () => metadataJson(metadata),
  });
}

function metadataFields(metadata: Metadata): ReadonlyMap<string, GoValue> {
  return new Map<string, GoValue>([
    ['Name', metadata.name],
    ['Home', metadata.home],
    ['Sources', strings(metadata.sources)],
    ['Version', metadata.version],
    ['Description', metadata.description],
    ['Keywords', strings(metadata.keywords)],
    ['Maintainers', slice('[]*chart.Maintainer', metadata.maintainers, maintainerObject)],
    ['Icon', metadata.icon],
    ['APIVersion', metadata.apiVersion],
    ['Condition', metadata.condition],
    ['Tags', metadata.tags],
    ['AppVersion', metadata.appVersion],
    ['Deprecated', metadata.deprecated],
    ['Annotations', annotationsObject(metadata.annotations)],
    ['KubeVersion', metadata.kubeVersion],
    ['Dependencies', slice('[]*chart.Dependency', metadata.dependencies, dependencyObject)],
    ['Type', metadata.type],
  ]);
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
  return omitEmpty([
    ['name', metadata.name],
    ['home', metadata.home],
    ['sources', [...metadata.sources]],
    ['version', metadata.version],
    ['description', metadata.description],
    ['keywords', [...metadata.keywords]],
    ['maintainers', metadata.maintainers.map(maintainerObject)],
    ['icon', metadata.icon],
    ['apiVersion', metadata.apiVersion],
    ['condition', metadata.condition],
    ['tags', metadata.tags],
    ['appVersion', metadata.appVersion],
    ['deprecated', metadata.deprecated],
    ['annotations', new Map(metadata.annotations)],
    ['kubeVersion', metadata.kubeVersion],
    ['dependencies', metadata.dependencies.map(dependencyObject)],
    ['type', metadata.type],
  ]);
}

// Every loaded chart has passed validation. Its nil error has a type, so an action prints it.
const validate: Methods = new Map([['Validate', func([], () => '<nil>')]]);

function maintainerObject({ name, email, url }: Maintainer): GoObject {
  return new StructObject({
    type: '*chart.Maintainer',
    kind: 'ptr',
    fields: () => new Map(Object.entries({ Name: name, Email: email, URL: url })),
    methods: validate,
    json: () => omitEmpty(Object.entries({ name, email, url })),
  });
}

function dependencyObject(dependency: Dependency): GoObject {
  const { name, version, repository, condition, enabled, alias } = dependency;
  const tags = strings(dependency.tags);
  const importValues = slice('[]interface {}', dependency.importValues, (item) => item);
  return new StructObject({
    type: '*chart.Dependency',
    kind: 'ptr',
    fields: () =>
      new Map<string, GoValue>([
        ['Name', name],
        ['Version', version],
        ['Repository', repository],
        ['Condition', condition],
        ['Tags', tags],
        ['Enabled', enabled],
        ['ImportValues', importValues],
        ['Alias', alias],
      ]),
    methods: validate,
    // Go omits empty members except the name and the repository.
    json: () =>
      new Map<string, GoValue>([
        ['name', name],
        ...omitEmpty([['version', version]]),
        ['repository', repository],
        ...omitEmpty([
          ['condition', condition],
          ['tags', tags],
          ['enabled', enabled],
          ['import-values', importValues],
          ['alias', alias],
        ]),
      ]),
  });
}

// Templates can write to it, so each chart gets its own.
// Mirrors: helm.sh/helm/v4/pkg/chart, common.go, `structToMap`.
function metadataMap(metadata: Metadata): GoMap {
  return mapOf(metadataFields(metadata));
}

function mapOf(fields: ReadonlyMap<string, GoValue>): GoMap {
  return new Map([...fields].map(([name, value]) => [name, mapValue(value)]));
}

function mapValue(value: GoValue): GoValue {
  if (value instanceof StructObject) return mapOf(value.fields());
  return Array.isArray(value) ? value.map(mapValue) : value;
}
