// ApplicationSets of Argo CD: the Applications that their generators and template make.
// Mirrors: argo-cd, applicationset/utils/utils.go, template/template.go, templatePatch, v3.1.

import { type FuncMap, func, GoError, type GoFunc } from '../../go/value.ts';
import type { JsonObject, JsonValue } from '../../order/order.ts';
import { isObject } from '../../order/shape.ts';
import { valueOfJson } from '../../values/patch.ts';
import { type GeneratorContext, GeneratorRefusal, generate, normalized, type Parameters } from './generators.ts';
import type { Resource } from './kustomize.ts';
import { listAt, objectAt, objectsAt, overlay, readYaml, textAt } from './members.ts';
import { PatchError, strategicMerge } from './patches.ts';
import { renderTemplate, sprigFuncs } from './templating.ts';
import type { FileTree } from './tree.ts';

/** What an ApplicationSet makes. */
export interface GeneratedApplications {
  readonly applications: readonly JsonObject[];
  /** What is wrong with a generator, by its place. */
  readonly refused: readonly { readonly path: string; readonly message: string }[];
}

/** Returns the Applications of an ApplicationSet. */
export function generateApplications(
  set: JsonObject,
  { tree, resources }: { readonly tree: FileTree; readonly resources: readonly Resource[] },
): GeneratedApplications {
  const spec = objectAt(set, 'spec');
  const isGoTemplate = spec.goTemplate === true;
  const hasErrors = listAt(spec, 'goTemplateOptions').includes('missingkey=error');
  const fill = isGoTemplate ? goFill(hasErrors) : fastFill;
  const context: GeneratorContext = { tree, resources, isGoTemplate, fill };
  const applications: JsonObject[] = [];
  const refused: { readonly path: string; readonly message: string }[] = [];
  objectsAt(spec, 'generators').forEach((generator, index) => {
    try {
      const [kind = ''] = Object.keys(generator).filter((key) => key !== 'selector');
      const own = objectAt(objectAt(generator, kind), 'template');
      const template = withoutEmpty(overlay(objectAt(spec, 'template'), withoutEmpty(own)));
      for (const parameters of generate(generator, context)) {
        applications.push(makeApplication(template, parameters, { spec, fill, home: objectAt(set, 'metadata') }));
      }
    } catch (error) {
      if (!(error instanceof GeneratorRefusal || error instanceof GoError || error instanceof PatchError)) throw error;
      refused.push({ path: `spec.generators[${index}]`, message: error.message });
    }
  });
  return { applications, refused };
}

function withoutEmpty(object: JsonObject): JsonObject {
  const entries = Object.entries(object)
    .map(([key, value]) => [key, isObject(value) ? withoutEmpty(value) : value] as const)
    .filter(([, value]) => value !== '' && !(isObject(value) && Object.keys(value).length === 0));
  return Object.fromEntries(entries);
}

function makeApplication(
  template: JsonObject,
  parameters: Parameters,
  {
    spec,
    fill,
    home,
  }: { readonly spec: JsonObject; readonly fill: GeneratorContext['fill']; readonly home: JsonObject },
): JsonObject {
  const filled = fill(template, parameters);
  const metadata = { ...objectAt(filled, 'metadata'), namespace: textAt(home, 'namespace') };
  const application: JsonObject = { ...filled, apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata };
  const patch = textAt(spec, 'templatePatch');
  if (patch === '') return application;
  const value = readYaml(textAt(fill({ patch }, parameters), 'patch'));
  return isObject(value) ? (strategicMerge(application, value) ?? application) : application;
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

// A name that has no parameter stays as it is.
function fastFill(object: JsonObject, parameters: Parameters): JsonObject {
  const change = (text: string): string =>
    text.replace(/\{\{([^{}]*)\}\}/g, (whole, tag: string) => {
      const value = Object.hasOwn(parameters, tag.trim()) ? parameters[tag.trim()] : undefined;
      return value === undefined || value === null || typeof value === 'object' ? whole : String(value);
    });
  return mapObject(object, change);
}

function goFill(hasErrors: boolean): GeneratorContext['fill'] {
  const funcs: FuncMap = new Map<string, GoFunc>([
    ...sprigFuncs(),
    ['normalize', func(['string'], normalized)],
    ['slugify', func(['string'], slug)],
  ]);
  return (object, parameters) => {
    const data = valueOfJson(parameters);
    const change = (text: string): string =>
      renderTemplate({ name: 'template', text }, data, { funcs, missingKey: hasErrors ? 'error' : 'invalid' });
    return mapObject(object, change);
  };
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 50)
    .replace(/^-+|(?<!-)-+$/g, '');
}
