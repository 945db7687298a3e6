// What the public functions ask of their arguments: checks as data, so that a caller in plain JavaScript learns what is
// wrong, where, and how to fix it, before anything inside meets it.

import { type Issue, RenderError } from './errors.ts';
import { joinPath } from './paths.ts';
import { suggestion } from './suggest.ts';

/** Returns what is wrong with a value that is at a path such as `options.set[0]`; nothing where it is right. */
export type Check = (value: unknown, path: string) => readonly Issue[];

/** A check for each option of `T`: an option without one does not compile. */
export type OptionChecks<T> = { readonly [K in keyof Required<T>]: Check };

/** An argument: its name, its value and its check. */
export type Argument = readonly [name: string, value: unknown, check: Check];

/** Returns every fault of the arguments of a call, each path beginning with the argument's name. */
export function argumentIssues(given: readonly Argument[]): readonly Issue[] {
  return given.flatMap(([name, value, check]) => check(value, name));
}

/** Checks the arguments of a call, named as its caller writes it. Throws ARGUMENT_INVALID with every fault. */
export function checkArguments(call: string, ...given: readonly Argument[]): void {
  const issues = argumentIssues(given);
  const [first] = issues;
  if (first !== undefined)
    throw new RenderError('ARGUMENT_INVALID', formatArgumentIssues(call, issues), { issues, hint: first.hint });
}

/** Returns the sentence of a refused call: the first fault, and how many more there are. */
function formatArgumentIssues(call: string, issues: readonly Issue[]): string {
  const [first] = issues;
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
  return `${call}: ${first?.path} ${first?.message}${more}`;
}

/** Names what a value is, for a message: `a string`, `a list`, `a Map`, `nothing`. */
export function describe(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value !== 'object') return `a ${typeof value}`;
  const name: unknown = Object.getPrototypeOf(value)?.constructor?.name;
  if (typeof name !== 'string' || name === '' || name === 'Object') return 'an object';
  return `${/^[AEIOU]/.test(name) ? 'an' : 'a'} ${name}`;
}

/** Returns the fault of a value that is of another kind than it must be. */
export function wrongKind(value: unknown, path: string, must: string, hint?: string): readonly Issue[] {
  const isPromise = value instanceof Promise;
  const help = isPromise ? 'Wait for it: write `await` before the call that gives it.' : hint;
  const message = value === undefined ? `is required: ${must}` : `must be ${must}, not ${describe(value)}`;
  return [{ path, message, severity: 'error', hint: help ?? `Give ${must}.` }];
}

/** Creates a check from a test and the words for what it wants. */
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

/** A whole number between two. */
export function wholeNumber(least: number, most: number = Number.MAX_SAFE_INTEGER): Check {
  const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  return kind(
    `a whole number ${range}`,
    (value) => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most,
  );
}

/** One of a few words. */
export function oneOf(words: readonly string[]): Check {
  const must = `one of ${words.map((word) => JSON.stringify(word)).join(', ')}`;
  return (value, path) => {
    if (typeof value !== 'string') return wrongKind(value, path, must);
    if (words.includes(value)) return [];
    const message = `must be ${must}, not ${JSON.stringify(value)}`;
    return [{ path, message, severity: 'error', hint: suggestion(value, words, 'words') }];
  };
}

/** A list whose items all pass a check. */
export function listOf(item: Check): Check {
  return (value, path) => {
    if (!Array.isArray(value)) return wrongKind(value, path, 'a list', 'Put it in brackets: [...].');
    return Array.from(value, (one: unknown, index) => item(one, joinPath(path, index))).flat();
  };
}

/** A value that may be left out. */
export function optional(check: Check): Check {
  return (value, path) => (value === undefined ? [] : check(value, path));
}

/** A value that passes one of two checks; the second says what is wrong where `isFirst` says that the first is not meant. */
export function either(isFirst: (value: unknown) => boolean, first: Check, second: Check): Check {
  return (value, path) => (isFirst(value) ? first : second)(value, path);
}

/**
 * How many levels of lists and objects a document may have, and how many levels of blocks or parentheses a template. Go allows
 * 10,000 of YAML and JSON; this is what recursion over a document can do on half of the stack that Node and browsers have.
 */
export const maxDepth = 500;

/**
 * Returns what keeps a document from being read as JSON: a value that JSON lacks. Throws LIMIT_REACHED for one that is nested
 * deeper than `maxDepth`.
 */
export function findUnreadable(
  document: unknown,
  start = '',
): { readonly path: string; readonly message: string } | undefined {
  const open: OpenValue[] = [];
  const look = (value: unknown, key: string | number): string | undefined => {
    if (isScalar(value)) return undefined;
    if (!isNested<unknown>(value)) return `is ${describe(value)}, which JSON lacks`;
    const isList = Array.isArray(value);
    if (isList && !isTrueList(value)) return 'is a list with a changed prototype, which is not JSON';
    if (open.length === maxDepth) throw tooDeep(pathOf(start, open, key));
    // Of a hundred thousand members, entries take three times as long as keys.
    const keys = isList ? undefined : Object.keys(value);
    open.push({ value, key, keys, size: keys?.length ?? Number(value.length), next: 0 });
    return undefined;
  };
  const message = look(document, start);
  if (message !== undefined) return { path: start, message };
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    const key = last.keys === undefined ? last.next : (last.keys[last.next] ?? '');
    if (last.next++ === last.size) open.pop();
    else {
      const fault = look(last.value[key], key);
      if (fault === undefined) continue;
      return { path: pathOf(start, open, key), message: fault };
    }
  }
  return undefined;
}

function tooDeep(path: string): RenderError {
  const message = `is nested more than ${maxDepth} levels deep`;
  const hint = 'Reduce the nesting, or look for a value that contains itself.';
  const issues: readonly Issue[] = [{ path, message, severity: 'error', hint }];
  return new RenderError('LIMIT_REACHED', path === '' ? message : `${path} ${message}`, { issues, hint });
}

/** A list or an object that is being looked at, and its key in what holds it. */
interface OpenValue {
  readonly value: Readonly<Record<string | number, unknown>>;
  readonly key: string | number;
  /** Undefined for a list. */
  readonly keys: readonly string[] | undefined;
  readonly size: number;
  next: number;
}

// Nobody reads a longer path.
const mostSteps = 8;

function pathOf(start: string, open: readonly OpenValue[], key: string | number): string {
  const steps = [...open.slice(1, mostSteps + 1).map((each) => each.key), key].slice(0, mostSteps);
  return steps.reduce<string>(joinPath, start);
}

function isScalar(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'undefined':
      return true;
    default:
      return value === null;
  }
}

/** Reports whether a value is a list or a plain object. Items of a list have keys, too. */
export function isNested<Item>(value: unknown): value is Readonly<Record<string | number, Item>> {
  return Array.isArray(value) || isPlain(value);
}

// The prototype of lists is a list itself, in every realm.
function isTrueList(list: readonly unknown[]): boolean {
  for (let one: unknown = Object.getPrototypeOf(list); one !== null; one = Object.getPrototypeOf(one)) {
    if (Array.isArray(one)) return true;
  }
  return false;
}

/** An object of JSON values, as `values` are. Members that are undefined count as left out. */
export const jsonObject: Check = (value, path) => {
  if (!isPlain(value)) return wrongKind(value, path, 'an object');
  const fault = findUnreadable(value, path);
  return fault === undefined ? [] : [{ ...fault, severity: 'error', hint: 'Give what JSON can hold.' }];
};

/** Reports whether a value is an object with members: no list, no function, no null. */
export function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reports whether a value is a plain object, as braces make it. */
export function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isMembers(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Objects of another realm (a test runner's) have an Object of their own.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Options: an object whose every member is known and passes its check. All may be left out, and an undefined one is. */
export function optionsOf<T>(checks: OptionChecks<T>): Check {
  return membersOf<T>(checks, []);
}

/** An object with members of which some must be there; none may be unknown. */
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

/** An object, plain or of a class, that has at least these members: what a caller implements, such as a registry. */
export function having<T>(must: string, checks: { readonly [K in keyof T]?: Check }): Check {
  return (value, path) => {
    if (!isMembers(value)) return wrongKind(value, path, must);
    return Object.entries<Check | undefined>(checks).flatMap(([name, check]) => {
      const found = check?.((value as Record<string, unknown>)[name], joinPath(path, name)) ?? [];
      return found.length === 0 || isPlain(value) ? found : wrongKind(value, path, must);
    });
  };
}
