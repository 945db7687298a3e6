// ApplicationSets of Argo CD: the Applications from their generators and template.
// Mirrors: argo-cd, applicationset/generators: generator_spec_processor.go, list.go, git.go, cluster.go, matrix.go; utils/utils.go,
// template_functions.go; controllers/template/template.go; util/git/client.go, `LsFiles`, v3.2.

import { limitIn } from '../../core/limits.ts';
import { formatValue } from '../../go/format.ts';
import { compileRegexp } from '../../go/regexp/regexp.ts';
import { type FuncMap, func, GoError, type GoFunc } from '../../go/value.ts';
import type { JsonObject, JsonValue } from '../../order/order.ts';
import { isObject } from '../../order/shape.ts';
import { valueOfJson } from '../../values/patch.ts';
import { matchesPattern, objectAt, objectsAt, overlay, parseYamlAs, textAt, textsAt, unread } from './members.ts';
import { renderTemplate, sprigFuncs } from './templating.ts';
import { type FileTree, filesBelow, folderOf } from './tree.ts';

class GeneratorRefusal extends Error {}

interface GeneratorContext {
  readonly tree: FileTree;
  readonly isGoTemplate: boolean;
  /** Returns an object with parameters substituted. Throws GoError. */
  readonly fill: (object: JsonObject, parameters: JsonObject) => JsonObject;
}

type Generator = (own: JsonObject, context: GeneratorContext) => readonly JsonObject[];

// The generators that need no server, and the members that are read of each.
const generators: ReadonlyMap<string, { readonly members: readonly string[]; readonly run: Generator }> = new Map([
  ['list', { members: ['elements'], run: ofList }],
  ['git', { members: ['repoURL', 'revision', 'requeueAfterSeconds', 'directories', 'files'], run: ofGit }],
  ['clusters', { members: [], run: ofClusters }],
  ['matrix', { members: ['generators'], run: ofMatrix }],
]);

/** Returns the sets of parameters of an entry of `generators`. Throws GeneratorRefusal, GoError. */
function generate(entry: JsonObject, context: GeneratorContext): readonly JsonObject[] {
  const kind = Object.keys(entry).find((name) => generators.has(name)) ?? '';
  const generator = generators.get(kind);
  if (generator === undefined)
    throw new GeneratorRefusal(`the generator ${Object.keys(entry).join(', ')} asks a server, or is not supported`);
  const other = Object.keys(entry).find((name) => name !== kind);
  if (other !== undefined) throw new GeneratorRefusal(`${other} beside the generator ${kind} is not supported`);
  const own = objectAt(entry, kind);
  const [unknown] = unread(own, generator.members);
  if (unknown !== undefined) throw new GeneratorRefusal(`${unknown} of the generator ${kind} is not supported`);
  return generator.run(own, context);
}

function ofList(own: JsonObject, { isGoTemplate }: GeneratorContext): readonly JsonObject[] {
  const elements = objectsAt(own, 'elements');
  if (isGoTemplate) return elements;
  return elements.map(({ values, ...rest }) => {
    const within = isObject(values) ? Object.entries(values).map(([key, value]) => [`values.${key}`, value]) : [];
    const element: JsonObject = Object.fromEntries([...Object.entries(rest), ...within]);
    const other = Object.keys(element).find((key) => typeof element[key] !== 'string');
    if (other === undefined) return element;
    throw new GeneratorRefusal(
      `the value of ${other} is not a string, as Argo CD requires without goTemplate: quote it`,
    );
  });
}

function ofGit(own: JsonObject, context: GeneratorContext): readonly JsonObject[] {
  const directories = objectsAt(own, 'directories');
  const { tree } = context;
  if (directories.length === 0) return ofFiles(objectsAt(own, 'files'), context);
  const isMatch = (entry: JsonObject, folder: string): boolean => matchesPattern(textAt(entry, 'path'), folder);
  return foldersBelow(tree, '')
    .filter((folder) => directories.some((entry) => entry.exclude !== true && isMatch(entry, folder)))
    .filter((folder) => !directories.some((entry) => entry.exclude === true && isMatch(entry, folder)))
    .map((folder) => pathParameters(folder, undefined, context));
}

// Each folder before those in it, in Go's order, without hidden ones.
function foldersBelow(tree: FileTree, folder: string): string[] {
  return (tree.list(folder) ?? [])
    .filter((name) => name.endsWith('/') && !name.startsWith('.'))
    .map((name) => name.slice(0, -1))
    .sort()
    .map((name) => (folder === '' ? name : `${folder}/${name}`))
    .flatMap((path) => [path, ...foldersBelow(tree, path)]);
}

function ofFiles(files: readonly JsonObject[], context: GeneratorContext): readonly JsonObject[] {
  if (files.length === 0) throw new GeneratorRefusal('the generator git has neither directories nor files');
  const patterns = files.map((entry) => ({
    isExcluded: entry.exclude === true,
    matches: gitPattern(textAt(entry, 'path')),
  }));
  const isMatch = (file: string, excluded: boolean): boolean =>
    patterns.some(({ isExcluded, matches }) => isExcluded === excluded && matches(file));
  return filesBelow(context.tree, '')
    .filter((file) => isMatch(file, false) && !isMatch(file, true))
    .flatMap((file) =>
      objectsOfFile(file, context.tree).map((object) => ({
        ...(context.isGoTemplate ? object : flattened(object)),
        ...pathParameters(folderOf(file) || '.', file.split('/').pop(), context),
      })),
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
  if (objects.every(isObject)) return objects;
  throw new GeneratorRefusal(
    `unable to process file ${JSON.stringify(file)}: it holds neither a mapping nor a list of them`,
  );
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
    return [[`${prefix}${key}`, typeof item === 'string' ? item : formatValue(valueOfJson(item))]];
  });
  return Object.fromEntries(entries);
}

// Returns a name as a DNS label, like Argo CD.
function normalized(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^-a-z0-9.]/gu, '-')
    .slice(0, 253)
    .replace(/^[-.]+|(?<![-.])[-.]+$/g, '');
}

function pathParameters(folder: string, file: string | undefined, { isGoTemplate }: GeneratorContext): JsonObject {
  const segments = folder.split('/');
  const basename = segments.at(-1) ?? '';
  const names = {
    basename,
    basenameNormalized: normalized(basename),
    ...(file === undefined ? {} : { filename: file, filenameNormalized: normalized(file) }),
  };
  if (isGoTemplate) return { path: { path: folder, ...names, segments } };
  const entries = Object.entries(names).map(([key, value]) => [`path.${key}`, value]);
  const steps = segments.map((step, index) => [`path[${index}]`, step]);
  return Object.fromEntries([['path', folder], ...entries, ...steps]);
}

// The others are known to Argo CD only.
function ofClusters(): readonly JsonObject[] {
  const name = 'in-cluster';
  return [{ name, nameNormalized: name, server: 'https://kubernetes.default.svc', project: '' }];
}

// The second generator can refer to the parameters of the first, which take precedence.
function ofMatrix(own: JsonObject, context: GeneratorContext): readonly JsonObject[] {
  const [first, second, ...more] = objectsAt(own, 'generators');
  if (first === undefined || second === undefined || more.length > 0)
    throw new GeneratorRefusal('the generator matrix combines two generators, no more and no fewer');
  return generate(first, context).flatMap((left) =>
    generate(context.fill(second, left), context).map((right) => overlay(right, left)),
  );
}

interface GeneratedApplications {
  readonly applications: readonly JsonObject[];
  /** What is wrong with the set or a generator, by path. */
  readonly refused: readonly { readonly path: string; readonly message: string }[];
}

export function generateApplications(set: JsonObject, tree: FileTree): GeneratedApplications {
  const spec = objectAt(set, 'spec');
  if (textAt(spec, 'templatePatch') !== '')
    return { applications: [], refused: [{ path: 'spec.templatePatch', message: 'is not supported' }] };
  const isGoTemplate = spec.goTemplate === true;
  const hasErrors = textsAt(spec, 'goTemplateOptions').includes('missingkey=error');
  const fill = isGoTemplate ? goFill(hasErrors) : fastFill;
  const template = objectAt(spec, 'template');
  const applications: JsonObject[] = [];
  const refused: { readonly path: string; readonly message: string }[] = [];
  objectsAt(spec, 'generators').forEach((generator, index) => {
    try {
      for (const parameters of generate(generator, { tree, isGoTemplate, fill })) {
        const filled = fill(template, parameters);
        const metadata = { ...objectAt(filled, 'metadata'), namespace: textAt(objectAt(set, 'metadata'), 'namespace') };
        applications.push({ ...filled, apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata });
      }
    } catch (error) {
      if (!(error instanceof GeneratorRefusal || error instanceof GoError)) throw error;
      refused.push({ path: `spec.generators[${index}]`, message: error.message });
    }
  });
  return { applications, refused };
}

function mapObject(object: JsonObject, change: (text: string) => string): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, item]) => [change(key), mapTexts(item, change)]));
}

function mapTexts(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  return isObject(value) ? mapObject(value, change) : value;
}

// An unknown parameter, or one that is not a text, is left unchanged.
// Mirrors: valyala/fasttemplate, template.go, v1.2.
function fastFill(object: JsonObject, parameters: JsonObject): JsonObject {
  const change = (text: string): string => {
    let filled = '';
    let at = 0;
    for (;;) {
      const start = text.indexOf('{{', at);
      const end = text.indexOf('}}', start);
      if (start < 0 || end < 0) return filled + text.slice(at);
      const name = text.slice(start + 2, end).trim();
      const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
      filled += text.slice(at, start) + (typeof value === 'string' ? value : text.slice(start, end + 2));
      at = end + 2;
    }
  };
  return mapObject(object, change);
}

// What Argo CD adds to sprig, and what it removes.
const absent = ['env', 'expandenv', 'getHostByName', 'toToml', 'mustToToml', 'fromToml', 'fromJsonArray', 'mustToYaml'];

function goFill(hasErrors: boolean): GeneratorContext['fill'] {
  const funcs: FuncMap = new Map<string, GoFunc>([
    ...[...sprigFuncs()].filter(([name]) => !absent.includes(name)),
    ['normalize', func(['string'], normalized)],
  ]);
  return (object, parameters) => {
    const data = valueOfJson(parameters);
    const change = (text: string): string =>
      renderTemplate({ name: 'template', text }, data, { funcs, missingKey: hasErrors ? 'error' : 'invalid' });
    return mapObject(object, change);
  };
}
