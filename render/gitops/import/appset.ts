// ApplicationSets of Argo CD: the Applications from their generators and template.
// Mirrors: argo-cd, applicationset/utils/utils.go, template_functions.go; controllers/template/template.go, patch.go, v3.2.

import { limitIn } from '../../core/limits.ts';
import { decodeBase64 } from '../../go/base64.ts';
import { formatValue } from '../../go/format.ts';
import { compileRegexp } from '../../go/regexp/regexp.ts';
import { decodeUtf8 } from '../../go/utf8.ts';
import { type FuncMap, func, GoError, type GoFunc, type GoValue, Int, int, variadic } from '../../go/value.ts';
import type { JsonObject, JsonValue } from '../../order/order.ts';
import { isObject } from '../../order/shape.ts';
import { valueOfJson } from '../../values/patch.ts';
import type { KustomizeResource } from './kustomize.ts';
import { listAt, matchesPattern, objectAt, objectsAt, overlay, parseYamlAs, textAt, textsAt } from './members.ts';
import { PatchError, strategicMerge } from './patches.ts';
import { renderTemplate, sprigFuncs } from './templating.ts';
import type { FileTree } from './tree.ts';

// Mirrors: argo-cd, applicationset/generators: generator_spec_processor.go, list.go, git.go, cluster.go, matrix.go, merge.go,
// value_interpolation.go; util/git/client.go, `LsFiles`, v3.2.

type GeneratorParameters = JsonObject;

/** A generator that is not supported here, and why. */
class GeneratorRefusal extends Error {}

interface GeneratorContext {
  readonly tree: FileTree;
  readonly resources: readonly KustomizeResource[];
  readonly isGoTemplate: boolean;
  /** Returns an object with parameters substituted. Throws GoError. */
  readonly fill: (object: JsonObject, parameters: GeneratorParameters) => JsonObject;
}

export interface Generated {
  readonly kind: string;
  readonly sets: readonly GeneratorParameters[];
}

// In the order in which Argo CD runs those of one entry.
const kinds = [
  'list',
  'clusters',
  'git',
  'scmProvider',
  'clusterDecisionResource',
  'pullRequest',
  'matrix',
  'merge',
  'plugin',
];

/**
 * Returns the sets of parameters of an entry of `generators`, for each kind in it. `outer` are the parameters of the enclosing generator.
 * Throws GeneratorRefusal, GoError.
 */
function generateElements(entry: JsonObject, context: GeneratorContext, outer: GeneratorParameters = {}): Generated[] {
  const own = Object.keys(outer).length === 0 ? entry : context.fill(entry, outer);
  const isSelected = isObject(entry.selector) ? selectorOf(entry.selector) : undefined;
  const unknown = Object.keys(entry).find((key) => key !== 'selector' && !kinds.includes(key));
  if (unknown !== undefined) throw new GeneratorRefusal(`there is no generator ${JSON.stringify(unknown)}`);
  return kinds
    .filter((kind) => isObject(own[kind]))
    .map((kind) => {
      const sets = run(kind, objectAt(own, kind), context);
      return { kind, sets: isSelected === undefined ? sets : sets.filter((set) => isSelected(flattened(set))) };
    });
}

function run(kind: string, own: JsonObject, context: GeneratorContext): readonly GeneratorParameters[] {
  if (kind === 'list') return ofList(own, context);
  if (kind === 'git') return ofGit(own, context);
  if (kind === 'clusters') return ofClusters(own, context);
  if (kind === 'matrix') return ofMatrix(own, context);
  if (kind === 'merge') return ofMerge(own, context);
  throw new GeneratorRefusal(`the generator ${kind} asks a server`);
}

function ofList(own: JsonObject, { isGoTemplate }: GeneratorContext): GeneratorParameters[] {
  const text = textAt(own, 'elementsYaml');
  const fromText = text === '' ? [] : (parseYamlAs(text) ?? []);
  if (!Array.isArray(fromText) || !fromText.every(isObject))
    throw new GeneratorRefusal('elementsYaml is not a list of mappings');
  const elements = objectsAt(own, 'elements');
  if (isGoTemplate) return [...elements, ...fromText];
  const texts = (object: JsonObject, prefix: string): [string, JsonValue][] =>
    Object.entries(object).map(([key, value]) => {
      if (typeof value === 'string') return [prefix + key, value];
      throw new GeneratorRefusal(
        `the value of ${prefix}${key} is not a string, as Argo CD requires without goTemplate: quote it`,
      );
    });
  const plain = elements.map(({ values, ...rest }) => {
    if (values !== undefined && !isObject(values)) throw new GeneratorRefusal('values is not a mapping');
    return Object.fromEntries([...texts(rest, ''), ...texts(values ?? {}, 'values.')]);
  });
  return [...plain, ...fromText];
}

function ofGit(own: JsonObject, context: GeneratorContext): GeneratorParameters[] {
  const [directories, files] = [objectsAt(own, 'directories'), objectsAt(own, 'files')];
  if (directories.length + files.length === 0)
    throw new GeneratorRefusal('the generator git has neither directories nor files');
  const sets = directories.length > 0 ? ofDirectories(directories, own, context) : ofFiles(files, own, context);
  return sets.map((set) => withValues(set, own, context));
}

function ofDirectories(
  directories: readonly JsonObject[],
  own: JsonObject,
  context: GeneratorContext,
): GeneratorParameters[] {
  const matches = (entry: JsonObject, folder: string): boolean => matchesPattern(textAt(entry, 'path'), folder);
  return entriesBelow(context.tree)
    .filter(({ path, isFolder }) => isFolder && !/(?:^|\/)\./.test(path))
    .map(({ path }) => path)
    .filter((folder) => directories.some((entry) => entry.exclude !== true && matches(entry, folder)))
    .filter((folder) => !directories.some((entry) => entry.exclude === true && matches(entry, folder)))
    .map((folder) => pathParameters(folder, undefined, own, context));
}

// Everything in the repository, each folder before its content, in Go's order.
function entriesBelow(tree: FileTree): { readonly path: string; readonly isFolder: boolean }[] {
  const found: { readonly path: string; readonly isFolder: boolean }[] = [];
  const visit = (folder: string): void => {
    const entries = (tree.list(folder) ?? []).map((name) => ({
      name: name.replace(/\/$/, ''),
      isFolder: /\/$/.test(name),
    }));
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const { name, isFolder } of entries) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (path === '.git') continue;
      found.push({ path, isFolder });
      if (isFolder) visit(path);
    }
  };
  visit('');
  return found;
}

function ofFiles(files: readonly JsonObject[], own: JsonObject, context: GeneratorContext): GeneratorParameters[] {
  const matchersOf = (isExcluded: boolean): ((name: string) => boolean)[] =>
    files.filter((entry) => (entry.exclude === true) === isExcluded).map((entry) => gitPattern(textAt(entry, 'path')));
  const [wanted, excluded] = [matchersOf(false), matchersOf(true)];
  return entriesBelow(context.tree)
    .filter(({ path, isFolder }) => !isFolder && wanted.some((matches) => matches(path)))
    .map(({ path }) => path)
    .filter((file) => !excluded.some((matches) => matches(file)))
    .sort()
    .flatMap((file) =>
      objectsOfFile(file, context.tree).map((object) => {
        const flat = context.isGoTemplate ? object : flattened(object);
        const folder = file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : '.';
        return { ...flat, ...pathParameters(folder, file.split('/').pop(), own, context) };
      }),
    );
}

// One object, or a list of objects; an empty file is an empty object.
function objectsOfFile(file: string, tree: FileTree): JsonObject[] {
  let value: JsonValue;
  try {
    value = parseYamlAs(tree.read(file) ?? '');
  } catch (error) {
    if (!(error instanceof GoError)) throw limitIn(file, error);
    throw new GeneratorRefusal(`unable to process file ${JSON.stringify(file)}: ${error.message}`);
  }
  const objects = Array.isArray(value) ? value.map((item) => item ?? {}) : [value ?? {}];
  if (!objects.every(isObject))
    throw new GeneratorRefusal(
      `unable to process file ${JSON.stringify(file)}: it holds neither a mapping nor a list of them`,
    );
  return objects;
}

/** Returns a predicate that mirrors `git ls-files` for a pattern: `*` matches `/` too, and a folder everything below it. */
function gitPattern(pattern: string): (file: string) => boolean {
  const plain = pattern.replace(/^(?:\.?\/)+/, '').replace(/(?<!\/)\/+$/, '');
  const source = plain.replace(/\*+|\?|\[[!^]?\]?[^\]]*\]|\\?[\s\S]/g, (part) => {
    if (part.startsWith('*')) return '.*';
    if (part === '?') return '.';
    if (part.length > 2 && part.startsWith('[')) return part.replace(/^\[!/, '[^');
    return part.replace(/^\\(?=.)/s, '').replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  });
  const expression = compileRegexp(`(?s)^(?:${source})$`);
  return (file) => plain === '' || plain === '.' || file.startsWith(`${plain}/`) || expression.matchString(file);
}

// Formats leaves like Go after flattening mappings and lists.
function flattened(value: JsonValue, prefix = ''): JsonObject {
  const entries = Object.entries(value ?? {}).flatMap(([key, item]): [string, JsonValue][] => {
    if (item !== null && typeof item === 'object') return Object.entries(flattened(item, `${prefix}${key}.`));
    return [[`${prefix}${key}`, printed(item)]];
  });
  return Object.fromEntries(entries);
}

function printed(value: JsonValue): string {
  return typeof value === 'string' ? value : formatValue(valueOfJson(value));
}

/** Returns a name as a DNS label, like Argo CD. */
export function normalized(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^-a-z0-9.]/gu, '-')
    .slice(0, 253)
    .replace(/^[-.]+|(?<![-.])[-.]+$/g, '');
}

function pathParameters(
  folder: string,
  file: string | undefined,
  own: JsonObject,
  { isGoTemplate }: GeneratorContext,
): GeneratorParameters {
  const segments = folder.split('/');
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

// The values of a generator can refer to its parameters, but not to each other.
function withValues(
  set: GeneratorParameters,
  own: JsonObject,
  { isGoTemplate, fill }: GeneratorContext,
): GeneratorParameters {
  const values = objectAt(own, 'values');
  if (Object.keys(values).length === 0) return set;
  const filled = Object.entries(values).map(([key, value]) => [key, fill({ value }, set).value ?? ''] as const);
  if (isGoTemplate) return { ...set, values: Object.fromEntries(filled) };
  return { ...set, ...Object.fromEntries(filled.map(([key, value]) => [`values.${key}`, value])) };
}

const localCluster = 'https://kubernetes.default.svc';

// Argo CD stores clusters as Secrets; those among the files are used.
function ofClusters(own: JsonObject, context: GeneratorContext): readonly GeneratorParameters[] {
  const label = 'argocd.argoproj.io/secret-type';
  const secrets = context.resources
    .map(({ object }) => object)
    .filter(
      (object) =>
        textAt(object, 'kind') === 'Secret' && objectAt(objectAt(object, 'metadata'), 'labels')[label] === 'cluster',
    )
    .map((secret) => clusterOf(secret, context));
  const selector = objectAt(own, 'selector');
  const isLocalWanted = Object.keys(selector).length === 0;
  if (secrets.length === 0 && !isLocalWanted) {
    throw new GeneratorRefusal(
      'the generator clusters selects among the clusters of Argo CD, and no cluster Secret is among the files',
    );
  }
  const local: GeneratorParameters = {
    name: 'in-cluster',
    nameNormalized: 'in-cluster',
    server: localCluster,
    project: '',
  };
  const isSelected = selectorOf(selector);
  const isLocalOwn = secrets.some(({ set }) => set.server === localCluster);
  const sets = [
    ...(isLocalWanted && !isLocalOwn ? [local] : []),
    ...secrets.filter(({ labels }) => isSelected(labels)).map(({ set }) => set),
  ].map((set) => withValues(set, own, context));
  return own.flatList === true ? [{ clusters: sets }] : sets;
}

function clusterOf(
  secret: JsonObject,
  { isGoTemplate }: GeneratorContext,
): { readonly set: GeneratorParameters; readonly labels: JsonObject } {
  const metadata = objectAt(secret, 'metadata');
  const member = (name: string): string =>
    textAt(objectAt(secret, 'stringData'), name) || decodeUtf8(decodeBase64(textAt(objectAt(secret, 'data'), name)));
  const [labels, annotations] = [objectAt(metadata, 'labels'), objectAt(metadata, 'annotations')];
  const name = member('name');
  const base = { name, nameNormalized: normalized(name), server: member('server'), project: member('project') };
  const own = Object.fromEntries(
    Object.entries({ labels, annotations }).filter(([, items]) => Object.keys(items).length > 0),
  );
  return { set: isGoTemplate ? { ...base, metadata: own } : { ...base, ...flattened({ metadata: own }) }, labels };
}

function ofMatrix(own: JsonObject, context: GeneratorContext): GeneratorParameters[] {
  const [first, second, ...more] = objectsAt(own, 'generators');
  if (first === undefined || second === undefined || more.length > 0)
    throw new GeneratorRefusal('the generator matrix combines two generators, no more and no fewer');
  return onlyKind(generateElements(first, context)).flatMap((left) =>
    onlyKind(generateElements(second, context, left)).map((right) =>
      context.isGoTemplate ? overlay(right, left) : combined(left, right),
    ),
  );
}

// A generator within another one is of one kind.
function onlyKind([only, ...more]: readonly Generated[]): readonly GeneratorParameters[] {
  if (only === undefined) throw new GeneratorRefusal('a generator within matrix or merge is of no kind');
  if (more.length > 0) throw new GeneratorRefusal('a generator within matrix or merge is of several kinds');
  return only.sets;
}

function combined(left: GeneratorParameters, right: GeneratorParameters): GeneratorParameters {
  const texts = (set: GeneratorParameters): JsonObject =>
    Object.fromEntries(Object.entries(set).map(([key, value]) => [key, printed(value)]));
  const [a, b] = [texts(left), texts(right)];
  const twice = Object.keys(b).find((key) => Object.hasOwn(a, key) && a[key] !== b[key]);
  if (twice === undefined) return { ...a, ...b };
  throw new GeneratorRefusal(
    `both generators of a matrix set ${JSON.stringify(twice)}, to ${JSON.stringify(a[twice])} and to ${JSON.stringify(b[twice])}`,
  );
}

function ofMerge(own: JsonObject, context: GeneratorContext): GeneratorParameters[] {
  const keys = [...new Set(textsAt(own, 'mergeKeys'))];
  const generators = objectsAt(own, 'generators');
  if (generators.length < 2) throw new GeneratorRefusal('the generator merge needs two generators or more');
  if (keys.length === 0) throw new GeneratorRefusal('the generator merge has no mergeKeys');
  const [base = new Map(), ...others] = generators.map((entry) => {
    const sets = new Map<string, GeneratorParameters>();
    for (const set of onlyKind(generateElements(entry, context))) {
      const key = JSON.stringify(keys.map((name) => (Object.hasOwn(set, name) ? set[name] : null)));
      if (sets.has(key)) throw new GeneratorRefusal(`two sets of one generator have the same mergeKeys ${key}`);
      sets.set(key, set);
    }
    return sets;
  });
  return [...base].map(([key, set]) => {
    const over = others.map((sets) => sets.get(key) ?? {});
    return context.isGoTemplate ? over.reduce(overlay, set) : Object.assign({}, set, ...over);
  });
}

// Accepts any text as the value of a label.
// Mirrors: argo-cd, applicationset/utils/selector.go.
function selectorOf(selector: JsonObject): (labels: JsonObject) => boolean {
  const requirements = [
    ...Object.entries(objectAt(selector, 'matchLabels')).map(([key, value]) => ({
      key,
      operator: 'In',
      values: [value],
    })),
    ...objectsAt(selector, 'matchExpressions').map((expression) => ({
      key: textAt(expression, 'key'),
      operator: textAt(expression, 'operator'),
      values: listAt(expression, 'values'),
    })),
  ];
  const unknown = requirements.find(({ operator }) => !['In', 'NotIn', 'Exists', 'DoesNotExist'].includes(operator));
  if (unknown !== undefined) throw new GeneratorRefusal(`"${unknown.operator}" is not a valid label selector operator`);
  return (labels) =>
    requirements.every(({ key, operator, values }) => {
      const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
      const isListed = value !== undefined && (operator.endsWith('In') ? values.includes(value) : true);
      return isListed === (operator === 'In' || operator === 'Exists');
    });
}

interface GeneratedApplications {
  readonly applications: readonly JsonObject[];
  /** What is wrong with a generator, by path. */
  readonly refused: readonly { readonly path: string; readonly message: string }[];
}

export function generateApplications(
  set: JsonObject,
  { tree, resources }: { readonly tree: FileTree; readonly resources: readonly KustomizeResource[] },
): GeneratedApplications {
  const spec = objectAt(set, 'spec');
  const isGoTemplate = spec.goTemplate === true;
  const [option = ''] = textsAt(spec, 'goTemplateOptions')
    .filter((text) => text.startsWith('missingkey='))
    .slice(-1);
  const fill = isGoTemplate ? goFill(option === 'missingkey=error') : fastFill;
  const context: GeneratorContext = { tree, resources, isGoTemplate, fill };
  const applications: JsonObject[] = [];
  const refused: { readonly path: string; readonly message: string }[] = [];
  objectsAt(spec, 'generators').forEach((generator, index) => {
    try {
      for (const { kind, sets } of generateElements(generator, context)) {
        const own = withoutEmpty(objectAt(objectAt(generator, kind), 'template'));
        const template = mergedTemplate(objectAt(spec, 'template'), own);
        for (const parameters of sets)
          applications.push(makeApplication(template, parameters, { spec, fill, home: objectAt(set, 'metadata') }));
      }
    } catch (error) {
      if (!(error instanceof GeneratorRefusal || error instanceof GoError || error instanceof PatchError)) throw error;
      refused.push({ path: `spec.generators[${index}]`, message: error.message });
    }
  });
  return { applications, refused };
}

// A member without a value counts as absent.
function withoutEmpty(object: JsonObject): JsonObject {
  const entries = Object.entries(object)
    .map(([key, value]) => [key, isObject(value) ? withoutEmpty(value) : value] as const)
    .filter(
      ([, value]) => value !== '' && value !== null && !(typeof value === 'object' && Object.keys(value).length === 0),
    );
  return Object.fromEntries(entries);
}

// The template of a generator takes precedence. The values of a chart are one member of it.
function mergedTemplate(base: JsonObject, own: JsonObject): JsonObject {
  const merged: JsonObject = { ...base };
  for (const [key, value] of Object.entries(own)) {
    const below = Object.hasOwn(base, key) ? base[key] : undefined;
    merged[key] = key !== 'valuesObject' && isObject(below) && isObject(value) ? mergedTemplate(below, value) : value;
  }
  return merged;
}

function makeApplication(
  template: JsonObject,
  parameters: GeneratorParameters,
  {
    spec,
    fill,
    home,
  }: { readonly spec: JsonObject; readonly fill: GeneratorContext['fill']; readonly home: JsonObject },
): JsonObject {
  const filled = Object.keys(parameters).length === 0 ? template : fill(template, parameters);
  const metadata = { ...objectAt(filled, 'metadata'), namespace: textAt(home, 'namespace') };
  const application: JsonObject = { ...filled, apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata };
  const patch = textAt(spec, 'templatePatch');
  if (patch === '') return application;
  const value = parseYamlAs(textAt(fill({ patch }, parameters), 'patch'));
  if (value !== null && !isObject(value)) throw new PatchError('templatePatch is not a mapping');
  const patched = strategicMerge(application, value ?? {}) ?? application;
  // A patch cannot change the project or namespace of an Application.
  const { project = '' } = objectAt(application, 'spec');
  return { ...patched, spec: { ...objectAt(patched, 'spec'), project } };
}

function mapObject(object: JsonObject, change: (text: string) => string): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, item]) => [change(key), mapTexts(item, change)]));
}

function mapTexts(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (!isObject(value)) return value;
  return mapObject(value, change);
}

// An unknown parameter, or one that is not a text, is left unchanged.
// Mirrors: valyala/fasttemplate, template.go, v1.2.
function fastFill(object: JsonObject, parameters: GeneratorParameters): JsonObject {
  const change = (text: string): string => {
    if (!/\{\{(?:(?!\{\{)[^\n])*\}\}/.test(text)) return text;
    const [head = '', ...parts] = text.split('{{');
    let filled = head;
    for (let at = 0; at < parts.length; at++) {
      let part = parts[at] ?? '';
      // Up to the next end tag; further start tags are part of the name.
      while (!part.includes('}}') && at + 1 < parts.length) part += `{{${parts[++at]}`;
      const end = part.indexOf('}}');
      if (end < 0) throw new GoError(`invalid template: cannot find the end of ${JSON.stringify(`{{${part}`)}`);
      const tag = part.slice(0, end);
      const name = tag.trim();
      const value = name !== '' && Object.hasOwn(parameters, name) ? parameters[name] : undefined;
      filled += (typeof value === 'string' ? value : `{{${tag}}}`) + part.slice(end + 2);
    }
    return filled;
  };
  return mapObject(object, change);
}

// What Argo CD adds to sprig, and what it removes.
const absent = ['env', 'expandenv', 'getHostByName', 'toToml', 'mustToToml', 'fromToml', 'fromJsonArray', 'mustToYaml'];

function goFill(hasErrors: boolean): GeneratorContext['fill'] {
  const funcs: FuncMap = new Map<string, GoFunc>([
    ...[...sprigFuncs()].filter(([name]) => !absent.includes(name)),
    ['normalize', func(['string'], normalized)],
    ['slugify', variadic([], 'any', slugify)],
  ]);
  return (object, parameters) => {
    const data = valueOfJson(parameters);
    const change = (text: string): string =>
      renderTemplate({ name: 'template', text }, data, { funcs, missingKey: hasErrors ? 'error' : 'invalid' });
    return mapObject(object, change);
  };
}

// The name is the last argument, optionally preceded by the maximum length and whether to truncate between words.
// Mirrors: gosimple/slug, slug.go, `MakeLang`, v1.15.
function slugify(args: readonly GoValue[]): string {
  const last = args.at(-1) ?? '';
  const [length = int(50), isSmart = true] = args.slice(0, -1);
  if (typeof last !== 'string' || !(length instanceof Int))
    throw new GoError('slugify takes a length, a bool and a name');
  const most = Number(length.value);
  const text = normalized(last);
  const cut = isSmart === false ? text.slice(0, most) : text;
  const slug = cut
    .replace(/[^a-z0-9_-]/g, '-')
    .replace(/-+/g, '-')
    .replace(/^[-_]+|(?<![-_])[-_]+$/g, '');
  if (most <= 0 || isSmart === false || slug.length <= most) return slug;
  const end = slug.lastIndexOf('-', most);
  return slug.slice(0, end < 0 ? most : end);
}
