// Functions that need the executing template set or Helm itself: include, tpl, required, fail, lookup, getHostByName.
// Mirrors: helm.sh/helm/v3/pkg/engine, engine.go and funcs.go, v3.17.3.

import type { Host } from '../core/host.ts';
import { quote } from '../go/number.ts';
import { type FuncMap, func, GoError, type GoFunc, type GoValue } from '../go/value.ts';
import type { Helm } from '../helm/helm.ts';
import { TemplateExecError, TemplateParseError } from '../template/failures.ts';
import type { ParsedFile, TemplateSet } from '../template/template.ts';
import { parseText } from './trees.ts';
import { markFailure } from './wording.ts';

/** Maximum nesting of includes of one name. */
const maxIncludes = 1000;

/** State shared by all template sets of one rendering. */
export interface RenderingScope {
  /** The number of active includes by name. */
  readonly includes: Map<string, number>;
  readonly helm: Helm;
}

/** Returns the functions bound to a template set. A clone of the set needs its own. */
export function setFuncs(set: TemplateSet, running: RenderingScope): FuncMap {
  return new Map<string, GoFunc>([
    ['include', includeFunc(set, running)],
    ['tpl', tplFunc(set, running)],
  ]);
}

/** Returns the functions that Helm adds or overrides and that do not depend on the template set. */
export function helmFuncs(host: Host, enableDns: boolean): FuncMap {
  return new Map<string, GoFunc>([
    ['required', func(['string', 'any'], required)],
    ['fail', func(['string'], fail)],
    [
      'lookup',
      func(['string', 'string', 'string', 'string'], (apiVersion, kind, namespace, name) => {
        return host.lookup(apiVersion, kind, namespace, name) ?? new Map();
      }),
    ],
    ['getHostByName', func(['string'], (name) => (enableDns ? addressOf(name) : ''))],
  ]);
}

/** Returns `required` and `fail` of `helm lint`, which log a line and continue. */
export function lintFuncs({ log }: Helm, onLine: (line: string) => void): FuncMap {
  return new Map<string, GoFunc>([
    [
      'required',
      func(['string', 'any'], (warning, value) => {
        if (value !== null && value !== '') return value;
        onLine(log.requiredInLint(warning, value === null));
        return '';
      }),
    ],
    [
      'fail',
      func(['string'], (message) => {
        onLine(log.failInLint(message));
        return '';
      }),
    ],
  ]);
}

// Both execute the template directly: includes are recursive, and each frame uses stack.
function includeFunc(set: TemplateSet, running: RenderingScope): GoFunc {
  return func(['string', 'any'], (name, data) => {
    const depth = enter(running, name);
    const text = set.execution(name, data).run();
    // After an error the count is not used again.
    running.includes.set(name, depth);
    return text;
  });
}

/** Counts one more include of a name. Returns the number of active includes. */
function enter({ includes }: RenderingScope, name: string): number {
  const depth = includes.get(name) ?? 0;
  if (depth > maxIncludes) {
    throw new GoError(`rendering template has a nested reference name: ${name}: unable to execute template`);
  }
  includes.set(name, depth + 1);
  return depth;
}

function tplFunc(set: TemplateSet, running: RenderingScope): GoFunc {
  return func(['string', 'any'], (text, data) => {
    if (!text.includes('{{')) return withoutNoValue(text);
    const parsed = parseTpl(text, running.helm);
    try {
      return withoutNoValue(setOf(set, running, parsed).execution(parsed, data).run());
    } catch (error) {
      throw tplFailure(text, error);
    }
  });
}

function parseTpl(text: string, helm: Helm): ParsedFile {
  try {
    return parseText(text, helm);
  } catch (error) {
    if (!(error instanceof TemplateParseError)) throw error;
    throw new GoError(`cannot parse template ${quote(text)}: ${error.message}`, { cause: error });
  }
}

function tplFailure(text: string, error: unknown): unknown {
  if (!(error instanceof TemplateExecError)) return error;
  return new GoError(`error during tpl function execution for ${quote(text)}: ${error.message}`, { cause: error });
}

/** Returns the set for executing a text: the templates of the chart, plus, in a clone, those that the text defines. */
function setOf(set: TemplateSet, running: RenderingScope, parsed: ParsedFile): TemplateSet {
  return definesOthers(parsed) ? cloneWith(set, running, parsed) : set;
}

function definesOthers(parsed: ParsedFile): boolean {
  return parsed.templates.size > 1;
}

function cloneWith(set: TemplateSet, running: RenderingScope, parsed: ParsedFile): TemplateSet {
  const clone = set.clone();
  clone.setFuncs(setFuncs(clone, running));
  clone.add(parsed);
  return clone;
}

/** Removes Go's marker for a missing value. Helm deletes it from the output even if a template wrote it. */
export function withoutNoValue(text: string): string {
  return text.replaceAll('<no value>', '');
}

function required(warning: string, value: GoValue): GoValue {
  if (value === null || value === '') throw new GoError(markFailure(warning));
  return value;
}

function fail(message: string): never {
  throw new GoError(markFailure(message));
}

// Rendering is offline: only an IP address resolves.
function addressOf(name: string): string {
  if (name === 'localhost') return '127.0.0.1';
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(name) || name.includes(':')) return name;
  throw new GoError(`lookup ${name}: names are not resolved offline; give the address itself`);
}
