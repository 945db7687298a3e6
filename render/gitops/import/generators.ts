// Generators of ApplicationSets: each returns the sets of parameters for which an Application is made.
// Mirrors: argo-cd, applicationset/generators, v3.1: list.go, git.go, matrix.go, merge.go, cluster.go, interpolation.

import { compileGlob } from '../../go/glob.ts';
import { matchPattern } from '../../go/path.ts';
import { GoError } from '../../go/value.ts';
import type { JsonObject, JsonValue } from '../../order/order.ts';
import { isObject } from '../../order/shape.ts';
import type { Resource } from './kustomize.ts';
import { listAt, objectAt, objectsAt, overlay, readYaml, textAt } from './members.ts';
import { type FileTree, filesBelow, folderOf } from './tree.ts';

/** The parameters of one Application. */
export type Parameters = JsonObject;

/** A generator that cannot run here, and why. */
export class GeneratorRefusal extends Error {}

/** What generators read. */
export interface GeneratorContext {
  readonly tree: FileTree;
  readonly resources: readonly Resource[];
  readonly isGoTemplate: boolean;
  /** Returns an object with the parameters filled in. Throws GoError. */
  readonly fill: (object: JsonObject, parameters: Parameters) => JsonObject;
}

const nested = ['matrix', 'merge'];

/** Returns the sets of parameters of a generator, each with the generator's own template. Throws GeneratorRefusal, GoError. */
export function generate(generator: JsonObject, context: GeneratorContext, outer: Parameters = {}): Parameters[] {
  const [kind = ''] = Object.keys(generator).filter((key) => key !== 'selector');
  const own = objectAt(generator, kind);
  const filled = Object.keys(outer).length === 0 || nested.includes(kind) ? own : context.fill(own, outer);
  const sets = run(kind, filled, context, outer);
  const selector = objectAt(generator, 'selector');
  return Object.keys(selector).length === 0 ? sets : sets.filter((set) => isSelected(set, selector));
}

function run(kind: string, own: JsonObject, context: GeneratorContext, outer: Parameters): Parameters[] {
  if (kind === 'list') return listed(own, context);
  if (kind === 'git') return ofGit(own, context);
  if (kind === 'clusters') return ofClusters(own, context);
  if (kind === 'matrix') return matrix(objectsAt(own, 'generators'), context, outer);
  if (kind === 'merge') return merged(own, context, outer);
  throw new GeneratorRefusal(`the generator ${kind} asks a server`);
}

function listed(own: JsonObject, { isGoTemplate }: GeneratorContext): Parameters[] {
  const fromText = textAt(own, 'elementsYaml') === '' ? [] : readYaml(textAt(own, 'elementsYaml'));
  const elements = [...listAt(own, 'elements'), ...(Array.isArray(fromText) ? fromText : [])].filter(isObject);
  if (isGoTemplate) return elements;
  return elements.map((element) => {
    const { values, ...rest } = element;
    const flat = isObject(values) ? Object.entries(values).map(([key, value]) => [`values.${key}`, value]) : [];
    return { ...rest, ...Object.fromEntries(flat) };
  });
}

function ofGit(own: JsonObject, context: GeneratorContext): Parameters[] {
  const directories = objectsAt(own, 'directories');
  const sets =
    directories.length > 0 ? ofDirectories(directories, own, context) : ofFiles(objectsAt(own, 'files'), own, context);
  return sets.map((set) => withValues(set, objectAt(own, 'values'), context));
}

function ofDirectories(directories: readonly JsonObject[], own: JsonObject, context: GeneratorContext): Parameters[] {
  const folders = new Set<string>();
  for (const file of filesBelow(context.tree, '')) {
    for (let folder = folderOf(file); folder !== ''; folder = folderOf(folder)) folders.add(folder);
  }
  const matches = (entry: JsonObject, folder: string): boolean => matchPattern(textAt(entry, 'path'), folder);
  return [...folders]
    .sort()
    .filter((folder) => directories.some((entry) => entry.exclude !== true && matches(entry, folder)))
    .filter((folder) => !directories.some((entry) => entry.exclude === true && matches(entry, folder)))
    .map((folder) => pathParameters(folder, undefined, own, context));
}

// Without the new globbing, a `*` of Argo CD is that of `git ls-files`: it matches `/` too.
function ofFiles(files: readonly JsonObject[], own: JsonObject, context: GeneratorContext): Parameters[] {
  const matchersOf = (isExcluded: boolean): ((name: string) => boolean)[] =>
    files
      .filter((entry) => (entry.exclude === true) === isExcluded)
      .map((entry) => compileGlob(textAt(entry, 'path').replace(/\*+/g, '**')));
  const [wanted, excluded] = [matchersOf(false), matchersOf(true)];
  return filesBelow(context.tree, '')
    .filter((file) => wanted.some((matches) => matches(file)) && !excluded.some((matches) => matches(file)))
    .flatMap((file) => {
      const value = readYaml(context.tree.read(file) ?? '');
      const objects = (Array.isArray(value) ? value : [value]).filter(isObject);
      return objects.map((object) => {
        const flat = context.isGoTemplate ? object : flattened(object);
        return { ...flat, ...pathParameters(folderOf(file), file.split('/').pop(), own, context) };
      });
    });
}

function flattened(object: JsonObject, prefix = ''): JsonObject {
  const entries = Object.entries(object).flatMap(([key, value]): [string, JsonValue][] => {
    if (isObject(value)) return Object.entries(flattened(value, `${prefix}${key}.`));
    if (Array.isArray(value)) return Object.entries(flattened(Object.fromEntries(value.entries()), `${prefix}${key}.`));
    return [[`${prefix}${key}`, value]];
  });
  return Object.fromEntries(entries);
}

/** Returns a name as a DNS label, as Argo CD writes it. */
export function normalized(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^-a-z0-9.]/g, '-')
    .slice(0, 253)
    .replace(/^[-.]+|(?<![-.])[-.]+$/g, '');
}

function pathParameters(
  folder: string,
  file: string | undefined,
  own: JsonObject,
  { isGoTemplate }: GeneratorContext,
): Parameters {
  const segments = folder === '' ? [] : folder.split('/');
  const basename = segments.at(-1) ?? '';
  const prefix = textAt(own, 'pathParamPrefix');
  const names = {
    basename,
    basenameNormalized: normalized(basename),
    ...(file === undefined ? {} : { filename: file, filenameNormalized: normalized(file) }),
  };
  if (isGoTemplate) {
    const path = { path: folder, ...names, segments };
    return prefix === '' ? { path } : { [prefix]: { path } };
  }
  const start = prefix === '' ? 'path' : `${prefix}.path`;
  const entries = Object.entries(names).map(([key, value]) => [`${start}.${key}`, value]);
  const steps = segments.map((step, index) => [`${start}[${index}]`, step]);
  return Object.fromEntries([[start, folder], ...entries, ...steps]);
}

function withValues(set: Parameters, values: JsonObject, { isGoTemplate, fill }: GeneratorContext): Parameters {
  if (Object.keys(values).length === 0) return set;
  const filled = fill(values, set);
  if (isGoTemplate) return { ...set, values: filled };
  return { ...set, ...Object.fromEntries(Object.entries(filled).map(([key, value]) => [`values.${key}`, value])) };
}

// The clusters that Argo CD knows are Secrets; those among the files count.
function ofClusters(own: JsonObject, context: GeneratorContext): Parameters[] {
  const label = 'argocd.argoproj.io/secret-type';
  const secrets = context.resources
    .map(({ object }) => object)
    .filter(
      (object) =>
        textAt(object, 'kind') === 'Secret' && objectAt(objectAt(object, 'metadata'), 'labels')[label] === 'cluster',
    );
  const selector = objectAt(own, 'selector');
  const isLocalWanted = Object.keys(selector).length === 0;
  if (secrets.length === 0 && !isLocalWanted) {
    throw new GeneratorRefusal(
      'the generator clusters selects among the clusters of Argo CD, and no cluster Secret is among the files',
    );
  }
  const local: Parameters = {
    name: 'in-cluster',
    nameNormalized: 'in-cluster',
    server: 'https://kubernetes.default.svc',
  };
  const others = secrets.map((secret): [Parameters, JsonObject] => {
    const metadata = objectAt(secret, 'metadata');
    const data = objectAt(secret, 'stringData');
    const name = textAt(data, 'name') || textAt(metadata, 'name');
    const base = { name, nameNormalized: normalized(name), server: textAt(data, 'server') };
    const labels = objectAt(metadata, 'labels');
    if (context.isGoTemplate)
      return [{ ...base, metadata: { labels, annotations: objectAt(metadata, 'annotations') } }, labels];
    return [
      { ...base, ...flattened({ metadata: { labels, annotations: objectAt(metadata, 'annotations') } }) },
      labels,
    ];
  });
  const chosen = others.filter(([, labels]) => isSelected(labels, selector)).map(([set]) => set);
  return [...(isLocalWanted ? [local] : []), ...chosen].map((set) => withValues(set, objectAt(own, 'values'), context));
}

function matrix(generators: readonly JsonObject[], context: GeneratorContext, outer: Parameters): Parameters[] {
  const [first = {}, second = {}] = generators;
  return generate(first, context, outer).flatMap((left) =>
    generate(second, context, overlay(outer, left)).map((right) => overlay(left, right)),
  );
}

function merged(own: JsonObject, context: GeneratorContext, outer: Parameters): Parameters[] {
  const keys = listAt(own, 'mergeKeys').map(String);
  const [base = [], ...others] = objectsAt(own, 'generators').map((generator) => generate(generator, context, outer));
  const valueAt = (set: JsonObject, key: string): JsonValue | undefined =>
    Object.hasOwn(set, key)
      ? set[key]
      : key.split('.').reduce<JsonValue | undefined>((at, step) => (isObject(at) ? at[step] : undefined), set);
  const keyOf = (set: Parameters): string => JSON.stringify(keys.map((key) => valueAt(set, key) ?? null));
  return base.map((set) =>
    others
      .flat()
      .filter((other) => keyOf(other) === keyOf(set))
      .reduce(overlay, set),
  );
}

function isSelected(set: JsonObject, selector: JsonObject): boolean {
  const textOf = (key: string): string | undefined => {
    const value = Object.hasOwn(set, key)
      ? set[key]
      : key.split('.').reduce<JsonValue | undefined>((at, step) => (isObject(at) ? at[step] : undefined), set);
    return value === undefined || value === null ? undefined : String(value);
  };
  const labels = Object.entries(objectAt(selector, 'matchLabels'));
  return (
    labels.every(([key, value]) => textOf(key) === value) &&
    objectsAt(selector, 'matchExpressions').every((expression) => {
      const [value, values] = [textOf(textAt(expression, 'key')), listAt(expression, 'values').map(String)];
      const operator = textAt(expression, 'operator');
      if (operator === 'Exists' || operator === 'DoesNotExist')
        return (value !== undefined) === (operator === 'Exists');
      if (operator !== 'In' && operator !== 'NotIn')
        throw new GoError(`"${operator}" is not a valid label selector operator`);
      return (value !== undefined && values.includes(value)) === (operator === 'In');
    })
  );
}
