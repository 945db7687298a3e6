// Assertions on values at a path: equal, contained, matching, empty, type, size.
// Mirrors: helm-unittest 1.1.0, pkg/unittest/validators.

import { attempt } from '../../core/catch.ts';
import { decodeBase64 } from '../../go/base64.ts';
import { deepEqual } from '../../go/deep-equal.ts';
import { formatValue } from '../../go/format.ts';
import { compileRegexp } from '../../go/regexp/regexp.ts';
import { decodeUtf8 } from '../../go/utf8.ts';
import { compareStrings, GoError, type GoMap, type GoValue, Int, isTrue, typeOf } from '../../go/value.ts';
import type { SuiteFields } from '../fields.ts';
import { showYaml } from '../yaml.ts';
import { unifiedDiff } from './unified-diff.ts';
import {
  type AssertionPlace,
  type AssertionValidator,
  type Context,
  eachDocument,
  eachValue,
  failure,
  failVerdict,
  holds,
  noManifest,
  patternFault,
  placeLines,
  uniform,
  type Verdict,
  type VerdictOf,
  valuesAt,
} from './verdict.ts';

/** `equal`: the value is equal; texts are compared without trailing spaces. */
export function equal(given: SuiteFields): AssertionValidator {
  const [path, value, decodes] = [given.string('path'), given.get('value'), given.flag('decodeBase64')];
  const fail: VerdictOf<GoValue> = ({ negative }, actual, where) => {
    const [expected, shown] = [showYaml(value), showYaml(actual)];
    const parts = negative ? { path } : { path, actual: shown, diff: unifiedDiff(expected, shown) };
    return failure([negative, ' to equal', expected], parts, where);
  };
  return eachValue({ path, fail, none: noManifest }, (found, where) => {
    if (typeof found !== 'string') return [deepEqual(value, found), found];
    const text = decodes ? decoded(found) : found;
    return text === undefined ? notBase64(found, where) : [deepEqual(value, uniform(text)), uniform(text)];
  });
}

function decoded(text: string): string | undefined {
  return attempt(() => decodeUtf8(decodeBase64(text)), Error, undefined);
}

function notBase64(text: string, where: AssertionPlace): Verdict {
  return failVerdict(`unable to decode base64 expected content ${text}`, where);
}

/** `matchRegex`: the text matches the pattern. */
export function matchRegex(given: SuiteFields): AssertionValidator {
  const [path, pattern, decodes] = [given.string('path'), given.string('pattern'), given.flag('decodeBase64')];
  if (pattern === '') return () => failVerdict("expected field 'pattern' to be filled");
  const fail: VerdictOf<string> = ({ negative }, actual, where) =>
    failure([negative, ' to match', pattern], { path, actual }, where);
  const fault = () => patternFault(pattern);
  return eachValue({ path, fail, none: noManifest, fault }, (found, where) => {
    if (typeof found !== 'string') {
      return failVerdict(`expect '${path}' to be a string, got:\n${showYaml(found)}`, where);
    }
    const text = decodes ? decoded(found) : found;
    return text === undefined ? notBase64(found, where) : [compileRegexp(pattern).matchString(text), text];
  });
}

/** `contains`: the list contains the content, with `any` a map with its entries, with `count` this often. */
export function containsAssertion(given: SuiteFields): AssertionValidator {
  const [path, content] = [given.string('path'), given.get('content')];
  const [count, any] = [given.whole('count'), given.flag('any')];
  const isContent = (item: GoValue): boolean =>
    any && item instanceof Map && content instanceof Map ? hasEntries(item, content) : deepEqual(item, content);
  const fail = failsToContain(path, [content]);
  const noneAt = { document: 0, value: -1 };
  return eachValue({ path, fail, none: noManifest, noneAt }, (found, where, context) => {
    if (!Array.isArray(found)) return failVerdict(`expect '${path}' to be an array, got:\n${showYaml(found)}`, where);
    const times = found.filter(isContent).length;
    if (count === undefined) return [times > 0, found];
    if ((times > 0 && times === count) !== context.negative) return holds;
    if (times === 0) return fail(context, found, where);
    const text = `expect count ${count} in '${path}' to be in array, got ${times}:\n${showYaml(found)}`;
    return failVerdict(text, where);
  });
}

function failsToContain(path: string, content: GoValue): VerdictOf<GoValue> {
  return ({ negative }, actual, where) =>
    failure([negative, ' to contain', showYaml(content)], { path, actual: showYaml(actual) }, where);
}

function hasEntries(map: GoMap, entries: GoMap): boolean {
  return [...entries].every(([key, value]) => deepEqual(map.get(key) ?? null, value));
}

/** `isSubset`: the map has all entries of the content. */
export function isSubset(given: SuiteFields): AssertionValidator {
  const [path, content] = [given.string('path'), given.get('content')];
  return eachValue({ path, fail: failsToContain(path, content), none: noManifest }, (found, where) =>
    found instanceof Map && content instanceof Map
      ? [hasEntries(found, content), found]
      : failVerdict(`expect '${path}' to be an object, got:\n${showYaml(found)}`, where),
  );
}

/** `exists`: the path exists, even if the value is null. */
export function exists(given: SuiteFields): AssertionValidator {
  const path = given.string('path');
  const fail: VerdictOf<undefined> = ({ negative }, _, where) => {
    const text = `Path:\t${path.trim()} expected to ${negative ? 'NOT ' : ''}exists`;
    return { passed: false, info: [...placeLines(where), ...text.split('\n')] };
  };
  return eachDocument(fail, undefined, (manifest, document) => {
    const found = valuesAt(manifest, path);
    if (found instanceof GoError) return failVerdict(found.message, { document, value: -1 });
    return [found.length > 0, undefined];
  });
}

/** `isNullOrEmpty`: the value is null, zero, or empty. */
export function isNullOrEmpty(given: SuiteFields): AssertionValidator {
  const path = given.string('path');
  const fail: VerdictOf<GoValue> = ({ negative }, actual, where) =>
    failure([negative, ' to be null or empty, got', showYaml(actual)], { path }, where);
  return eachValue({ path, fail, none: noManifest }, (found) => [!isTrue(found), found]);
}

/** `isType`: the value has a type, by Go's name. */
export function isType(given: SuiteFields): AssertionValidator {
  const [path, type] = [given.string('path'), given.string('type')];
  const fail: VerdictOf<string> = ({ negative }, actual, where) =>
    failure([negative, ' to be of type', type], { path, actual }, where);
  return eachValue({ path, fail, none: noManifest }, (found) => {
    const actual = found === null ? '' : typeOf(found);
    return [actual === type, actual];
  });
}

/** `greaterOrEqual` and `lessOrEqual`: the value, of the same type, compares accordingly. */
export function ordered(given: SuiteFields, side: 'greater' | 'less'): AssertionValidator {
  const [path, value] = [given.string('path'), given.get('value')];
  const fail: VerdictOf<string> = ({ negative }, message, where) =>
    failure([negative, ` to be ${side} then or equal to, got`, message], { path }, where);
  const assertion = { path, fail, none: 'no manifests found', unknown: `unknown path '${path}'` };
  return eachValue(assertion, (found, where, context) => {
    const [actual, expected] = [shownType(found), shownType(value)];
    if (actual !== expected) {
      const text = `actual '${actual}' and expected '${expected}' types do not match`;
      // helm-unittest only reports the message: another value may still make it pass.
      return { info: failVerdict(text, where).info };
    }
    const problem = compareSides(value, found, side, context.negative);
    return problem === undefined ? holds : fail(context, problem, where);
  });
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
export function lengthEqual(given: SuiteFields): AssertionValidator {
  const [path, paths, count] = [given.string('path'), given.texts('paths'), given.whole('count')];
  if (path !== '' && (count === undefined || count < 0)) {
    return () => failVerdict("'count' field must be set if 'path' is used");
  }
  if (path !== '' && paths.length > 0) return () => failVerdict("'paths' couldn't be used with 'path'");
  const fail: VerdictOf<string> = ({ negative }, actual, where) =>
    failure([negative, ' to match count', ''], { path: '', actual }, where);
  return eachDocument(fail, noManifest, (manifest, i, context) => {
    if (path !== '') return countAt(context, [manifest, i], path, count).verdict;
    const counts = paths.map((one) => ({ one, ...countAt(context, [manifest, i], one, count) }));
    const failed = counts.filter(({ verdict }) => !verdict.passed);
    if (failed.length > 0) return { passed: false, info: failed.flatMap(({ verdict }) => verdict.info) };
    return compareCounts(context, new Map(counts.map(({ one, length }) => [one, length])), i);
  });
}

function countAt(
  context: Context,
  [manifest, document]: readonly [GoMap, number],
  path: string,
  count: number | undefined,
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
    const isRight = count === undefined || (length === count) !== context.negative;
    if (!isRight) {
      const text = [context.negative, ' to match count', String(count)] as const;
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
