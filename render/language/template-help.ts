// Completion in templates: values, Helm's objects, functions, named templates. The template may be incomplete.

import type { Steps } from '../core/paths.ts';
import { functionNames } from '../engine/trees.ts';
import type { Helm } from '../helm/helm.ts';
import { listActions } from './broken-action.ts';
import type { Suggestion } from './help.ts';
import type { ChartAnalysis } from './model.ts';
import { subchartsIn } from './uses.ts';
import { type KnownValues, knownValuesOfCharts } from './yaml/known-values.ts';

export interface TemplateNames {
  /** The values of the whole chart. */
  readonly values: KnownValues;
  /** The path of the file's chart in the values: empty for the root chart. */
  readonly prefix: Steps;
  /** Of named templates. */
  readonly templates: readonly string[];
  readonly functions: readonly string[];
}

/** The meaning of the dot or of a variable. */
type Scope =
  | { readonly kind: 'root' }
  | { readonly kind: 'values'; readonly steps: Steps }
  | { readonly kind: 'object'; readonly name: string }
  | undefined;

/** The members of Helm's objects. */
const objects: Readonly<Record<string, readonly string[]>> = {
  Release: ['Name', 'Namespace', 'IsInstall', 'IsUpgrade', 'Revision', 'Service'],
  Chart: [
    ...['Name', 'Version', 'AppVersion', 'Description', 'Type', 'Annotations', 'Home', 'Icon', 'Keywords'],
    ...['KubeVersion', 'Maintainers', 'Sources', 'Dependencies', 'Deprecated', 'APIVersion', 'IsRoot'],
  ],
  Capabilities: ['APIVersions', 'KubeVersion', 'HelmVersion'],
  'Capabilities.APIVersions': ['Has'],
  'Capabilities.KubeVersion': ['Version', 'Major', 'Minor', 'GitVersion'],
  'Capabilities.HelmVersion': ['Version', 'GitCommit', 'GitTreeState', 'GoVersion'],
  Files: ['Get', 'GetBytes', 'Glob', 'Lines', 'AsConfig', 'AsSecrets'],
  Template: ['Name', 'BasePath'],
  Subcharts: [],
};

const keywords = ['if', 'else', 'end', 'range', 'with', 'define', 'template', 'block', 'break', 'continue'];

/** Returns the suggestions at an offset, and the start of the text that they replace; undefined outside actions and in strings. */
export function completeTemplate(
  text: string,
  at: number,
  names: TemplateNames,
): { readonly from: number; readonly options: readonly Suggestion[] } | undefined {
  const actions = listActions(text);
  const action = actions.find(({ start, end, isClosed }) => start + 2 <= at && (isClosed ? at <= end - 2 : at <= end));
  if (action === undefined) return undefined;
  const before = text.slice(action.start + 2, at);
  const called = /\b(?:include|template)\s+"([^"\n]*)$/.exec(before);
  if (called) return { from: at - called[1]!.length, options: names.templates.map((name) => suggestion(name)) };
  if (isInString(before)) return undefined;
  const word = wordBefore(before);
  if (!word.includes('.')) {
    if (word.startsWith('$')) {
      const variables = [...scopesBefore(text, action.start).variables.keys()].map((name) => suggestion(name));
      return { from: at - word.length, options: variables };
    }
    const isFirst = /^-?\s*[a-z]*$/.test(before);
    const words = [...(isFirst ? keywords : []), ...names.functions];
    return { from: at - word.length, options: words.map((name) => suggestion(name)) };
  }
  const parts = word.split('.');
  const last = parts.pop() ?? '';
  const scope = resolve(parts, scopesBefore(text, action.start));
  return { from: at - last.length, options: membersOf(scope, names) };
}

function suggestion(label: string, detail = ''): Suggestion {
  return { label, apply: label, kind: 'name', detail };
}

function wordBefore(text: string): string {
  let start = text.length;
  while (start > 0 && /[$\w.]/.test(text[start - 1]!)) start--;
  return text.slice(start);
}

function isInString(text: string): boolean {
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (quote === '"' && character === '\\') at++;
    else if (quote !== '' && character === quote) quote = '';
    else if (quote === '' && /["`]/.test(character)) quote = character;
  }
  return quote !== '';
}

function membersOf(scope: Scope, { values, prefix }: TemplateNames): readonly Suggestion[] {
  if (scope?.kind === 'root')
    return ['Values', ...Object.keys(objects).filter((name) => !name.includes('.'))].map((name) => suggestion(name));
  if (scope?.kind === 'object') return (objects[scope.name] ?? []).map((name) => suggestion(name));
  if (scope === undefined) return [];
  // Other names need `index`.
  return values
    .membersAt([...prefix, ...scope.steps])
    .filter(({ name }) => /^[A-Za-z_]\w*$/.test(name))
    .map(({ name, type, about }) => ({
      ...suggestion(name, type),
      ...(about !== '' && { card: { title: name, rows: [about] } }),
    }));
}

interface Scopes {
  readonly dot: Scope;
  readonly variables: ReadonlyMap<string, Scope>;
}

function bodyOf(action: string): string {
  return action
    .replace(/^\{\{-?/, '')
    .replace(/-?\}\}$/, '')
    .trim();
}

const root: Scope = { kind: 'root' };

// The dot and the variables at the start of an action.
function scopesBefore(text: string, end: number): Scopes {
  const start: Scopes = { dot: root, variables: new Map([['$', root]]) };
  const open: { readonly around: Scopes; readonly isElseOf: Scopes }[] = [];
  let now = start;
  for (const action of listActions(text.slice(0, end))) {
    const body = bodyOf(text.slice(action.start, action.end));
    const { word } = action;
    if (word === 'end') now = open.pop()?.around ?? start;
    else if (word === 'else') now = open.at(-1)?.isElseOf ?? now;
    if (/^(?:if|with|range|define|block)$/.test(word)) {
      open.push({ around: now, isElseOf: now });
      now = word === 'define' || word === 'block' ? start : entered(word, body.slice(word.length).trim(), now);
    } else if (word !== 'end') {
      const [, variable, expression] = /^(\$\w+)\s*:?=\s*([\s\S]+)$/.exec(body) ?? [];
      if (variable !== undefined) now = withVariable(now, variable, scopeOf(expression!, now));
    }
  }
  return now;
}

function entered(word: string, pipeline: string, now: Scopes): Scopes {
  const [, key, element, expression = pipeline] = /^(\$\w+)\s*(?:,\s*(\$\w+)\s*)?:=\s*([\s\S]+)$/.exec(pipeline) ?? [];
  const value = scopeOf(expression, now);
  if (word === 'if') return key === undefined ? now : withVariable(now, key, value);
  const inner = word === 'with' ? value : elementOf(value);
  const variables = element === undefined ? [key] : [element];
  const named = variables.reduce(
    (scopes, name) => (name === undefined ? scopes : withVariable(scopes, name, inner)),
    now,
  );
  return { ...named, dot: inner };
}

// The first entry of a list represents all of them.
function elementOf(value: Scope): Scope {
  return value?.kind === 'values' ? { kind: 'values', steps: [...value.steps, 0] } : undefined;
}

function withVariable({ dot, variables }: Scopes, name: string, value: Scope): Scopes {
  return { dot, variables: new Map([...variables, [name, value]]) };
}

const pathPattern = /^(?:\$\w*)?(?:\.[A-Za-z_]\w*)*$/;

function scopeOf(expression: string, scopes: Scopes): Scope {
  const word = expression.replace(/^\(|\)$/g, '').trim();
  if (word === '.') return scopes.dot;
  return pathPattern.test(word) ? resolve(word.split('.'), scopes) : undefined;
}

// `['', 'Values', 'image']` for `.Values.image`, `['$x']` for `$x`.
function resolve([base = '', ...path]: readonly string[], { dot, variables }: Scopes): Scope {
  const start = base === '' ? dot : variables.get(base);
  return path.reduce<Scope>((scope, name) => {
    if (scope?.kind === 'values') return { kind: 'values', steps: [...scope.steps, name] };
    if (scope?.kind === 'object') return { kind: 'object', name: `${scope.name}.${name}` };
    if (scope?.kind !== 'root') return undefined;
    return name === 'Values' ? { kind: 'values', steps: [] } : { kind: 'object', name };
  }, start);
}

/** Returns the names for the files of a chart, by the path of the file. */
export function namesOfChart(analysis: ChartAnalysis, helm: Helm): (path: string) => TemplateNames {
  const values = knownValuesOfCharts(analysis.values);
  const templates = [...new Set(analysis.definitions.map(({ name }) => name))].sort();
  const functions = functionNames(helm);
  return (path) => ({ values, prefix: subchartsIn(path), templates, functions });
}
