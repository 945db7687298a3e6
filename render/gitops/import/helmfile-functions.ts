// The functions that helmfile adds to sprig. Mirrors: helmfile, pkg/tmpl/context_funcs.go, get_or_nil.go, v1.1.

import { emitYaml } from '../../codec/yaml/emit.ts';
import { parseYaml12 } from '../../codec/yaml/parse.ts';
import { expandEnv } from '../../go/env.ts';
import { type FuncMap, func, GoError, type GoFunc, type GoValue, int, variadic } from '../../go/value.ts';
import type { JsonValue } from '../../order/order.ts';
import { valueOfJson } from '../../values/patch.ts';
import { refuseFunction, renderTemplate, sprigFuncs } from './templating.ts';
import { type FileTree, resolvePath } from './tree.ts';

interface FunctionContext {
  readonly tree: FileTree;
  /** The folder of the rendered file. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Converts a JSON value for helmfile's templates: whole numbers are integers. */
export function templateValue(json: JsonValue): GoValue {
  return withIntegers(valueOfJson(json));
}

/** Returns all template functions of helmfile; those that run a command or read a secret store fail with the reason. */
export function helmfileFuncs(context: FunctionContext): FuncMap {
  const funcs = new Map<string, GoFunc>([...sprigFuncs(), ...fileFuncs(context), ...envFuncs(context), ...valueFuncs]);
  const tpl = (text: string, data: GoValue): string =>
    renderTemplate({ name: 'tpl', text }, data, { funcs, missingKey: 'error' });
  return funcs.set('tpl', func(['string', 'any'], tpl));
}

function fileFuncs({ tree, folder }: FunctionContext): FuncMap {
  const at = (path: string): string => {
    const found = resolvePath(path.startsWith('/') ? '' : folder, path);
    if (found !== undefined) return found;
    throw new GoError(`${path} is outside of the repository`);
  };
  return new Map<string, GoFunc>([
    ['isFile', func(['string'], (path) => tree.read(at(path)) !== undefined)],
    [
      'readFile',
      func(['string'], (path) => {
        const text = tree.read(at(path));
        if (text === undefined) throw new GoError(`open ${path}: no such file or directory`);
        return text;
      }),
    ],
  ]);
}

function envFuncs({ env }: FunctionContext): FuncMap {
  const variable = (name: string): string => (Object.hasOwn(env, name) ? (env[name] ?? '') : '');
  const refuseCommand = refuseFunction('import runs no commands');
  const refuseSecret = refuseFunction('import asks no secret store');
  return new Map<string, GoFunc>([
    ['env', func(['string'], variable)],
    ['expandenv', func(['string'], (text) => expandEnv(text, variable))],
    [
      'requiredEnv',
      func(['string'], (name) => {
        if (variable(name) === '') throw new GoError(`required env var \`${name}\` is not set`);
        return variable(name);
      }),
    ],
    ['exec', variadic(['string', '[]interface {}'], 'string', refuseCommand)],
    ['envExec', variadic(['map[string]interface {}', 'string', '[]interface {}'], 'string', refuseCommand)],
    ['fetchSecretValue', func(['string'], refuseSecret)],
    ['expandSecretRefs', func(['any'], refuseSecret)],
  ]);
}

const valueFuncs: FuncMap = new Map<string, GoFunc>([
  ['toYaml', func(['any'], (value) => emitYaml(value))],
  ['fromYaml', func(['string'], (text) => withIntegers(parseYaml12(text)))],
  ['required', func(['string', 'any'], required)],
  ['get', variadic(['string'], 'any', (path, args) => getPath(path, args))],
  ['getOrNil', variadic(['string'], 'any', (path, args) => getPath(path, args.length === 1 ? [null, ...args] : args))],
]);

function withIntegers(value: GoValue): GoValue {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? int(value) : value;
  if (Array.isArray(value)) return value.map(withIntegers);
  return value instanceof Map ? new Map([...value].map(([key, item]) => [key, withIntegers(item)])) : value;
}

function required(warning: string, value: GoValue): GoValue {
  if (value === null || value === '') throw new GoError(warning);
  return value;
}

// get PATH [DEFAULT] OBJECT
function getPath(path: string, args: readonly GoValue[]): GoValue {
  const hasDefault = args.length > 1;
  let at: GoValue = args.at(-1) ?? null;
  for (const key of path === '' ? [] : path.split('.')) {
    const next = at instanceof Map ? at.get(key) : undefined;
    if (next === undefined && hasDefault) return args[0] ?? null;
    if (next === undefined) throw new GoError(`no value exist for key "${key}"`);
    at = next;
  }
  return at;
}
