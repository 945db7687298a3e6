// Validation of arguments of public functions. Rules are data, so that a JavaScript caller learns what is wrong, where, and how to fix it.

import { andMore } from './counted.ts';
import { type Issue, RenderError } from './errors.ts';
import { joinPath } from './paths.ts';
import { suggestion } from './suggest.ts';

/** Returns the issues of a value at a path such as `options.set[0]`; empty if it is valid. */
export type Check = (value: unknown, path: string) => readonly Issue[];

/** A rule for each option of `T`: an option without a rule does not compile. */
export type OptionChecks<T> = { readonly [K in keyof Required<T>]: Check };

/** An argument: its name, its value and its rule. */
export type Argument = readonly [name: string, value: unknown, check: Check];

/** Returns all issues of the arguments of a call. Each path begins with the name of the argument. */
export function argumentIssues(given: readonly Argument[]): readonly Issue[] {
  return given.flatMap(([name, value, check]) => check(value, name));
}

/** Validates the arguments of a call, named as in its caller's code. Throws ARGUMENT_INVALID with all issues. */
export function checkArguments(call: string, ...given: readonly Argument[]): void {
  const issues = argumentIssues(given);
  const [first] = issues;
  if (first !== undefined)
    throw new RenderError('ARGUMENT_INVALID', formatArgumentIssues(call, issues), { issues, hint: first.hint });
}

/** Returns the message for a refused call: the first issue, and how many more there are. */
function formatArgumentIssues(call: string, issues: readonly Issue[]): string {
  const [first] = issues;
  return `${call}: ${first?.path} ${first?.message}${andMore(issues.length - 1)}`;
}

/** Describes the type of a value for a message: `a string`, `a list`, `a Map`, `nothing`. */
export function describe(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value !== 'object') return `a ${typeof value}`;
  const name: unknown = Object.getPrototypeOf(value)?.constructor?.name;
  if (typeof name !== 'string' || name === '' || name === 'Object') return 'an object';
  return `${/^[AEIOU]/.test(name) ? 'an' : 'a'} ${name}`;
}

/** Returns the issue of a value of the wrong type. */
export function wrongKind(value: unknown, path: string, must: string, hint?: string): readonly Issue[] {
  const isPromise = value instanceof Promise;
  const help = isPromise ? 'Wait for it: write `await` before the call that gives it.' : hint;
  const message = value === undefined ? `is required: ${must}` : `must be ${must}, not ${describe(value)}`;
  return [{ path, message, severity: 'error', hint: help ?? `Give ${must}.` }];
}

/** Creates a rule from a test and a description of valid values. */
export function kind(must: string, isRight: (value: unknown) => boolean, hint?: string): Check {
  return (value, path) => (isRight(value) ? [] : wrongKind(value, path, must, hint));
}

/** A string. */
export const text: Check = kind('a string', (value) => typeof value === 'string');

/** A string that is not empty, such as a path. */
export const filled: Check = kind('a string that is not empty', (value) => typeof value === 'string' && value !== '');

/** A boolean. */
export const flag: Check = kind(
  'true or false',
  (value) => typeof value === 'boolean',
  'Write true or false, without quotes.',
);

/** A function. */
export const callback: Check = kind('a function', (value) => typeof value === 'function');

/** Anything at all. */
export const anything: Check = () => [];

/** A whole number in a range. */
export function wholeNumber(least: number, most: number = Number.MAX_SAFE_INTEGER): Check {
  const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  return kind(
    `a whole number ${range}`,
    (value) => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most,
  );
}

/** One of several words. */
export function oneOf(words: readonly string[]): Check {
  const must = `one of ${words.map((word) => JSON.stringify(word)).join(', ')}`;
  return (value, path) => {
    if (typeof value !== 'string') return wrongKind(value, path, must);
    if (words.includes(value)) return [];
    const message = `must be ${must}, not ${JSON.stringify(value)}`;
    return [{ path, message, severity: 'error', hint: suggestion(value, words, 'words') }];
  };
}

/** A list whose items match a rule. */
export function listOf(item: Check): Check {
  return (value, path) => {
    if (!Array.isArray(value)) return wrongKind(value, path, 'a list', 'Put it in brackets: [...].');
    return Array.from(value, (one: unknown, index) => item(one, joinPath(path, index))).flat();
  };
}

/** An optional value. */
export function optional(check: Check): Check {
  return (value, path) => (value === undefined ? [] : check(value, path));
}

/** A value that matches one of two rules; the second one reports issues unless `isFirst` selects the first. */
export function either(isFirst: (value: unknown) => boolean, first: Check, second: Check): Check {
  return (value, path) => (isFirst(value) ? first : second)(value, path);
}

/**
 * Maximum depth of nested lists and objects in a document, and of nested blocks or parentheses in a template. Go allows 10,000 for YAML and
 * JSON; this is what recursion reaches with half of the stack of Node and browsers.
 */
export const maxDepth = 500;

/** Returns the issue of a document that is not valid JSON. Throws LIMIT_REACHED for one that is nested deeper than `maxDepth`. */
export function findUnreadable(
  document: unknown,
  start = '',
): { readonly path: string; readonly message: string } | undefined {
  const found = unreadableIn(document, 0);
  if (found === undefined) return undefined;
  const { steps, message, isTooDeep } = found;
  // Longer paths are not useful to anyone.
  const path = steps.reverse().slice(0, 8).reduce<string>(joinPath, start);
  if (isTooDeep !== true) return { path, message };
  const hint = 'Reduce the nesting, or look for a value that contains itself.';
  const issues: readonly Issue[] = [{ path, message, severity: 'error', hint }];
  throw new RenderError('LIMIT_REACHED', path === '' ? message : `${path} ${message}`, { issues, hint });
}

/** A value that is not valid JSON. */
interface Unreadable {
  /** The keys and indexes that lead to it, innermost first. */
  readonly steps: (string | number)[];
  readonly message: string;
  readonly isTooDeep?: boolean;
}

function unreadableIn(value: unknown, depth: number): Unreadable | undefined {
  if (isScalar(value)) return undefined;
  if (!isNested<unknown>(value)) return { steps: [], message: `is ${describe(value)}, which JSON lacks` };
  const isList = Array.isArray(value);
  if (isList && !isTrueList(value)) {
    return { steps: [], message: 'is a list with a changed prototype, which is not JSON' };
  }
  if (depth === maxDepth) {
    return { steps: [], message: `is nested more than ${maxDepth} levels deep`, isTooDeep: true };
  }
  // For a hundred thousand members, Object.entries takes three times as long as Object.keys.
  for (const key of isList ? value.keys() : Object.keys(value)) {
    const found: Unreadable | undefined = unreadableIn(value[key], depth + 1);
    if (found === undefined) continue;
    found.steps.push(key);
    return found;
  }
  return undefined;
}

const scalarTypes: readonly string[] = ['string', 'number', 'boolean', 'undefined'];

function isScalar(value: unknown): boolean {
  return value === null || scalarTypes.includes(typeof value);
}

/** Reports whether a value is a list or a plain object. */
export function isNested<Item>(value: unknown): value is Readonly<Record<string | number, Item>> {
  return Array.isArray(value) || isPlain(value);
}

// The prototype of lists is itself a list, in every realm.
function isTrueList(list: readonly unknown[]): boolean {
  for (let one: unknown = Object.getPrototypeOf(list); one !== null; one = Object.getPrototypeOf(one)) {
    if (Array.isArray(one)) return true;
  }
  return false;
}

/** An object of JSON values, such as `values`. Undefined members count as absent. */
export const jsonObject: Check = (value, path) => {
  if (!isPlain(value)) return wrongKind(value, path, 'an object');
  const fault = findUnreadable(value, path);
  return fault === undefined ? [] : [{ ...fault, severity: 'error', hint: 'Give what JSON can hold.' }];
};

/** Reports whether a value is an object with members: not a list, a function or null. */
export function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reports whether a value is a plain object. */
export function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isMembers(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Objects of another realm (a test runner's) have their own Object.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** An options object: every member is known and matches its rule. All members are optional; undefined counts as absent. */
export function optionsOf<T>(checks: OptionChecks<T>): Check {
  return membersOf<T>(checks, []);
}

/** An object with required and optional members, and no others. */
export function membersOf<T>(checks: OptionChecks<T>, required: readonly (keyof T & string)[]): Check {
  const known = new Map(Object.entries<Check>(checks));
  const names = [...known.keys()];
  return (value, path) => {
    if (!isMembers(value) || !isPlain(value)) return wrongKind(value, path, 'an object');
    const missing = required.filter((name) => value[name] === undefined);
    return [
      ...missing.map(
        (name): Issue => ({
          path: joinPath(path, name),
          message: 'is required',
          severity: 'error',
          hint: `Give ${name}.`,
        }),
      ),
      ...Object.entries(value).flatMap(([name, member]) => {
        if (member === undefined) return [];
        const check = known.get(name);
        if (check !== undefined) return check(member, joinPath(path, name));
        return [unknownOption(joinPath(path, name), name, names)];
      }),
    ];
  };
}

function unknownOption(path: string, name: string, known: readonly string[]): Issue {
  return { path, message: 'is not a known option', severity: 'error', hint: suggestion(name, known, 'options') };
}

/** An object or class instance with at least these members, such as a caller's registry. */
export function having<T>(must: string, checks: { readonly [K in keyof T]?: Check }): Check {
  return (value, path) => {
    if (!isMembers(value)) return wrongKind(value, path, must);
    return Object.entries<Check | undefined>(checks).flatMap(([name, check]) => {
      const found = check?.((value as Record<string, unknown>)[name], joinPath(path, name)) ?? [];
      return found.length === 0 || isPlain(value) ? found : wrongKind(value, path, must);
    });
  };
}
