// ApplicationSets of Argo CD: the Applications from their generators and template.
// Mirrors: argo-cd, applicationset/utils/utils.go, template_functions.go; controllers/template/template.go, patch.go, v3.2.

import { type FuncMap, func, GoError, type GoFunc, type GoValue, Int, int, variadic } from '../../go/value.ts';
import type { JsonObject, JsonValue } from '../../order/order.ts';
import { isObject } from '../../order/shape.ts';
import { valueOfJson } from '../../values/patch.ts';
import {
  type GeneratorContext,
  type GeneratorParameters,
  GeneratorRefusal,
  generateElements,
  normalized,
} from './generators.ts';
import type { KustomizeResource } from './kustomize.ts';
import { objectAt, objectsAt, parseYamlAs, textAt, textsAt } from './members.ts';
import { PatchError, strategicMerge } from './patches.ts';
import { renderTemplate, sprigFuncs } from './templating.ts';
import type { FileTree } from './tree.ts';

/** The result of an ApplicationSet. */
export interface GeneratedApplications {
  readonly applications: readonly JsonObject[];
  /** What is wrong with a generator, by path. */
  readonly refused: readonly { readonly path: string; readonly message: string }[];
}

/** Returns the Applications of an ApplicationSet. */
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
