// The functions that need the running templates or Helm itself: include, tpl, required, fail, lookup, getHostByName.
// Mirrors: helm.sh/helm/v3/pkg/engine, engine.go and funcs.go, v3.17.3.

import { quote } from '../go/number.ts';
import { type FuncMap, func, GoError, type GoFunc, type GoValue } from '../go/value.ts';
import type { Host } from '../host.ts';
import { TemplateExecError, TemplateParseError } from '../template/failures.ts';
import { type ParsedFile, RecursionLimit, type TemplateSet } from '../template/template.ts';
import { parseText } from './trees.ts';
import { markFailure } from './wording.ts';

/** How deep one name may be included in itself. */
const maxIncludes = 1000;

/** Gives the bound of `include`, which all sets of one rendering share. */
export function includeLimit(): RecursionLimit {
  return new RecursionLimit(maxIncludes, (name) => {
    return new GoError(`rendering template has a nested reference name: ${name}: unable to execute template`);
  });
}

/** Gives the functions that call back into a set of templates; a clone of the set needs its own. */
export function setFuncs(set: TemplateSet, limit: RecursionLimit): FuncMap {
  return new Map<string, GoFunc>([
    ['include', func(['string', 'any'], (name, data) => include(set, limit, name, data))],
    ['tpl', func(['string', 'any'], (text, data) => tpl(set, limit, text, data))],
  ]);
}

/** Gives the functions that Helm overrides or adds and that are the same in every set of a rendering. */
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

function include(set: TemplateSet, limit: RecursionLimit, name: string, data: GoValue): string {
  const level = limit.enter(name);
  try {
    return set.execute(name, data);
  } catch (error) {
    throw limit.explain(level, error);
  } finally {
    limit.leave(level);
  }
}

// The text sees all templates of the chart; what it defines itself stays inside, in a clone of the set.
function tpl(set: TemplateSet, limit: RecursionLimit, text: string, data: GoValue): string {
  if (!text.includes('{{')) return withoutNoValue(text);
  try {
    const parsed = parseText(text);
    return withoutNoValue(
      definesOthers(parsed) ? cloneWith(set, limit, parsed).execute(parsed, data) : set.execute(parsed, data),
    );
  } catch (error) {
    if (error instanceof TemplateParseError) {
      throw new GoError(`cannot parse template ${quote(text)}: ${error.message}`, { cause: error });
    }
    if (error instanceof TemplateExecError) {
      throw new GoError(`error during tpl function execution for ${quote(text)}: ${error.message}`, { cause: error });
    }
    throw error;
  }
}

function definesOthers(parsed: ParsedFile): boolean {
  return parsed.templates.size > 1;
}

function cloneWith(set: TemplateSet, limit: RecursionLimit, parsed: ParsedFile): TemplateSet {
  const clone = set.clone();
  clone.setFuncs(setFuncs(clone, limit));
  clone.add(parsed);
  return clone;
}

/** Gives the text without Go's mark for a missing value: Helm deletes it from finished texts, even where a template wrote it. */
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

// Rendering is offline: only what is an address already has an answer.
function addressOf(name: string): string {
  if (name === 'localhost') return '127.0.0.1';
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(name) || name.includes(':')) return name;
  throw new GoError(`lookup ${name}: names are not resolved offline; give the address itself`);
}
