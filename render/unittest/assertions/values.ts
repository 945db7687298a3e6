// Assertions on values at a path: equal, contained, matching, empty, type, size.
// Mirrors: helm-unittest 1.1.0, pkg/unittest/validators.

import { decodeBase64 } from '../../go/base64.ts';
import { deepEqual } from '../../go/deep-equal.ts';
import { formatValue } from '../../go/format.ts';
import { compileRegexp } from '../../go/regexp/regexp.ts';
import { decodeUtf8 } from '../../go/utf8.ts';
import { compareStrings, GoError, type GoMap, type GoValue, Int, isTrue, typeOf } from '../../go/value.ts';
import { showYaml } from '../yaml.ts';
import { type AssertionValidator, type Context, everyDocument, everyValue, valuesAt } from './context.ts';
import { failure, failVerdict, holds, nowhere, placeLines, uniform, type Verdict } from './info.ts';
import type { Parameters } from './parameters.ts';
import { unifiedDiff } from './unified-diff.ts';

const noManifest = 'no manifest found';

/** `equal`: the value is equal; texts are compared without trailing spaces. */
export function equal(given: Parameters): AssertionValidator {
  const [path, value, decodes] = [given.text('path'), given.any('value'), given.flag('decodeBase64')];
  return (context) => {
    const fail = (actual: GoValue, document: number, at: number): Verdict => {
      const [expected, shown] = [showYaml(value), showYaml(actual)];
      const parts = context.negative ? { path } : { path, actual: shown, diff: unifiedDiff(expected, shown) };
      return failure([context.negative, ' to equal', expected], parts, { document, value: at });
    };
    const decide = (found: GoValue, document: number, at: number): Verdict => {
      let actual = found;
      if (typeof actual === 'string') {
        const text = decodes ? decoded(actual) : actual;
        if (text === undefined) return notBase64(actual, document, at);
        actual = uniform(text);
      }
      return deepEqual(value, actual) === context.negative ? fail(actual, document, at) : holds;
    };
    return everyDocument(
      context,
      (manifest, i) => everyValue(context, [manifest, i], { path }, (found, at) => decide(found, i, at)),
      () => fail(noManifest, -1, -1),
    );
  };
}

function decoded(text: string): string | undefined {
  try {
    return decodeUtf8(decodeBase64(text));
  } catch {
    return undefined;
  }
}

function notBase64(text: string, document: number, value: number): Verdict {
  return failVerdict(`unable to decode base64 expected content ${text}`, { document, value });
}

/** `matchRegex`: the text matches the pattern. */
export function matchRegex(given: Parameters): AssertionValidator {
  const [path, pattern, decodes] = [given.text('path'), given.text('pattern'), given.flag('decodeBase64')];
  return (context) => {
    if (pattern === '') return failVerdict("expected field 'pattern' to be filled");
    const fail = (actual: string, document: number, value: number): Verdict =>
      failure([context.negative, ' to match', pattern], { path, actual }, { document, value });
    const decide = (found: GoValue, document: number, at: number): Verdict => {
      if (typeof found !== 'string') {
        return failVerdict(`expect '${path}' to be a string, got:\n${showYaml(found)}`, { document, value: at });
      }
      const text = decodes ? decoded(found) : found;
      if (text === undefined) return notBase64(found, document, at);
      return compileRegexp(pattern).matchString(text) === context.negative ? fail(text, document, at) : holds;
    };
    return everyDocument(
      context,
      (manifest, i) => {
        const found = valuesAt(manifest, path);
        const wrong = found instanceof GoError ? undefined : patternFault(pattern);
        return wrong ?? everyValue(context, [manifest, i], { path }, (value, at) => decide(value, i, at));
      },
      () => fail(noManifest, -1, -1),
    );
  };
}

/** Returns the verdict for an invalid pattern. */
export function patternFault(pattern: string): Verdict | undefined {
  try {
    compileRegexp(pattern);
    return undefined;
  } catch (error) {
    if (error instanceof GoError) return failVerdict(error.message);
    throw error;
  }
}

/** `contains`: the list contains the content, with `any` a map with its entries, with `count` this often. */
export function containsAssertion(given: Parameters): AssertionValidator {
  const [path, content, count, any] = [
    given.text('path'),
    given.any('content'),
    given.count('count'),
    given.flag('any'),
  ];
  const isContent = (item: GoValue): boolean =>
    any && item instanceof Map && content instanceof Map ? hasEntries(item, content) : deepEqual(item, content);
  return (context) => {
    const fail = (actual: GoValue, document: number, value: number): Verdict =>
      failure(
        [context.negative, ' to contain', showYaml([content])],
        { path, actual: showYaml(actual) },
        { document, value },
      );
    const decide = (found: GoValue, document: number, value: number): Verdict => {
      const where = { document, value };
      if (!Array.isArray(found)) return failVerdict(`expect '${path}' to be an array, got:\n${showYaml(found)}`, where);
      const times = found.filter(isContent).length;
      if (count === undefined) return times > 0 === context.negative ? fail(found, document, value) : holds;
      if ((times > 0 && BigInt(times) === count.value) !== context.negative) return holds;
      if (times === 0) return fail(found, document, value);
      const text = `expect count ${count.value} in '${path}' to be in array, got ${times}:\n${showYaml(found)}`;
      return failVerdict(text, where);
    };
    return everyDocument(
      context,
      (manifest, i) => everyValue(context, [manifest, i], { path }, (found, at) => decide(found, i, at)),
      () => fail(noManifest, 0, -1),
    );
  };
}

function hasEntries(map: GoMap, entries: GoMap): boolean {
  return [...entries].every(([key, value]) => deepEqual(map.get(key) ?? null, value));
}

/** `isSubset`: the map has all entries of the content. */
export function isSubset(given: Parameters): AssertionValidator {
  const [path, content] = [given.text('path'), given.any('content')];
  return (context) => {
    const fail = (actual: GoValue, document: number, value: number): Verdict =>
      failure(
        [context.negative, ' to contain', showYaml(content)],
        { path, actual: showYaml(actual) },
        { document, value },
      );
    const decide = (found: GoValue, document: number, value: number): Verdict => {
      if (!(found instanceof Map && content instanceof Map)) {
        return failVerdict(`expect '${path}' to be an object, got:\n${showYaml(found)}`, { document, value });
      }
      return hasEntries(found, content) === context.negative ? fail(found, document, value) : holds;
    };
    return everyDocument(
      context,
      (manifest, i) => everyValue(context, [manifest, i], { path }, (found, at) => decide(found, i, at)),
      () => fail(noManifest, -1, -1),
    );
  };
}

/** `exists`: the path exists, even if the value is null. */
export function exists(given: Parameters): AssertionValidator {
  const path = given.text('path');
  return (context) => {
    const fail = (document: number): Verdict => {
      const text = `Path:\t${path.trim()} expected to ${context.negative ? 'NOT ' : ''}exists`;
      return { passed: false, info: [...placeLines({ document, value: -1 }), ...text.split('\n')] };
    };
    return everyDocument(
      context,
      (manifest, i) => {
        const found = valuesAt(manifest, path);
        if (found instanceof GoError) return failVerdict(found.message, { document: i, value: -1 });
        return found.length > 0 === context.negative ? fail(i) : holds;
      },
      () => fail(-1),
    );
  };
}

/** `isNullOrEmpty`: the value is null, zero, or empty. */
export function isNullOrEmpty(given: Parameters): AssertionValidator {
  const path = given.text('path');
  return (context) => {
    const fail = (actual: GoValue, document: number, value: number): Verdict =>
      failure([context.negative, ' to be null or empty, got', showYaml(actual)], { path }, { document, value });
    return everyDocument(
      context,
      (manifest, i) =>
        everyValue(context, [manifest, i], { path }, (found, at) =>
          !isTrue(found) === context.negative ? fail(found, i, at) : holds,
        ),
      () => fail(noManifest, -1, -1),
    );
  };
}

/** `isType`: the value has a type, by Go's name. */
export function isType(given: Parameters): AssertionValidator {
  const [path, type] = [given.text('path'), given.text('type')];
  return (context) => {
    const fail = (actual: string, document: number, value: number): Verdict =>
      failure([context.negative, ' to be of type', type], { path, actual }, { document, value });
    const decide = (found: GoValue, document: number, at: number): Verdict => {
      const actual = found === null ? '' : typeOf(found);
      return (actual === type) === context.negative ? fail(actual, document, at) : holds;
    };
    return everyDocument(
      context,
      (manifest, i) => everyValue(context, [manifest, i], { path }, (found, at) => decide(found, i, at)),
      () => fail(noManifest, -1, -1),
    );
  };
}

/** `greaterOrEqual` and `lessOrEqual`: the value, of the same type, compares accordingly. */
export function ordered(given: Parameters, side: 'greater' | 'less'): AssertionValidator {
  const [path, value] = [given.text('path'), given.any('value')];
  return (context) => {
    const fail = (message: string, document: number, at: number): Verdict =>
      failure([context.negative, ` to be ${side} then or equal to, got`, message], { path }, { document, value: at });
    return everyDocument(
      context,
      (manifest, i) =>
        everyValue(context, [manifest, i], { path, unknown: `unknown path '${path}'` }, (found, at) => {
          const [actual, expected] = [shownType(found), shownType(value)];
          if (actual !== expected) {
            const text = `actual '${actual}' and expected '${expected}' types do not match`;
            // helm-unittest only reports the message: another value may still make it pass.
            return { info: failVerdict(text, { document: i, value: at }).info };
          }
          const problem = compareSides(value, found, side, context.negative);
          return problem === undefined ? holds : fail(problem, i, at);
        }),
      () => fail('no manifests found', -1, -1),
    );
  };
}

function shownType(value: GoValue): string {
  return value === null ? '%!s(<nil>)' : typeOf(value);
}

function compareSides(
  expected: GoValue,
  actual: GoValue,
  side: 'greater' | 'less',
  negative: boolean,
): string | undefined {
  if (typeof expected !== 'string' && typeof expected !== 'number' && !isGoInt(expected)) {
    return `unsupported type '${expected === null ? '<nil>' : typeOf(expected)}'`;
  }
  const order = orderOf(actual, expected);
  // The negation of "greater" always holds in helm-unittest.
  const passed = side === 'greater' ? order >= 0 || negative : order <= 0 !== negative;
  if (passed) return undefined;
  return `the actual '${formatValue(actual)}' is not ${side} or equal to the expected '${formatValue(expected)}'`;
}

function isGoInt(value: GoValue): value is Int {
  return value instanceof Int && value.kind === 'int';
}

function orderOf(a: GoValue, b: GoValue): number {
  if (typeof a === 'string') return compareStrings(a, b as string);
  const [x, y] = a instanceof Int ? [a.value, (b as Int).value] : [a as number, b as number];
  return x < y ? -1 : x > y ? 1 : x === y ? 0 : Number.NaN;
}

/** `lengthEqual`: a list has this length, or several lists have the same length. */
export function lengthEqual(given: Parameters): AssertionValidator {
  const [path, paths, count] = [given.text('path'), given.texts('paths'), given.count('count')];
  return (context) => {
    if (path !== '' && (count === undefined || count.value < 0n)) {
      return failVerdict("'count' field must be set if 'path' is used");
    }
    if (path !== '' && paths.length > 0) return failVerdict("'paths' couldn't be used with 'path'");
    return everyDocument(
      context,
      (manifest, i) => {
        if (path !== '') return countAt(context, [manifest, i], path, count).verdict;
        const counts = paths.map((one) => ({ one, ...countAt(context, [manifest, i], one, count) }));
        const failed = counts.filter(({ verdict }) => !verdict.passed);
        if (failed.length > 0) return { passed: false, info: failed.flatMap(({ verdict }) => verdict.info) };
        return compareCounts(context, new Map(counts.map(({ one, length }) => [one, length])), i);
      },
      () => failure([context.negative, ' to match count', ''], { path: '', actual: noManifest }, nowhere),
    );
  };
}

function countAt(
  context: Context,
  [manifest, document]: readonly [GoMap, number],
  path: string,
  count: Int | undefined,
): { readonly verdict: Verdict; readonly length: number } {
  const where = { document, value: -1 };
  const found = valuesAt(manifest, path);
  if (found instanceof GoError) return { verdict: failVerdict(found.message, where), length: 0 };
  let [passed, length] = [found.length === 0 && context.negative, 0];
  const info: string[] = [];
  for (const [i, value] of found.entries()) {
    if (!Array.isArray(value) && count === undefined) {
      info.push(...failVerdict(`${path} is not array`, { document, value: i }).info);
      continue;
    }
    length = Array.isArray(value) ? value.length : 0;
    const isRight = count === undefined || (BigInt(length) === count.value) !== context.negative;
    if (!isRight) {
      const text = [context.negative, ' to match count', String(count?.value)] as const;
      info.push(...failure(text, { path, actual: String(length) }, where).info);
    }
    passed = i === 0 ? isRight : passed && isRight;
    if (!passed && context.failFast) break;
  }
  return { verdict: { passed, info }, length };
}

function compareCounts(context: Context, counts: ReadonlyMap<string, number>, document: number): Verdict {
  const sorted = [...counts].sort(([a], [b]) => compareStrings(a, b));
  const [, first] = sorted[0] ?? [];
  // Without any path it fails without a message.
  if (first === undefined) return { passed: false, info: [] };
  const other = sorted.slice(1).find(([, length]) => (length === first) === context.negative);
  if (other === undefined) return holds;
  const parts = { path: other[0], actual: String(other[1]) };
  return failure([context.negative, ' to match count', '-1'], parts, { document, value: -1 });
}
