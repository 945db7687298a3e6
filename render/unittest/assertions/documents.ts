// Assertions on whole documents: kind, API version, number, raw texts, snapshots, failed templates.
// Mirrors: helm-unittest 1.1.0, pkg/unittest/validators.

import { catchGoError } from '../../core/catch.ts';
import { compileRegexp, quoteMeta } from '../../go/regexp/regexp.ts';
import { GoError, type GoValue } from '../../go/value.ts';
import type { SuiteFields } from '../fields.ts';
import type { SnapshotComparison } from '../snapshot.ts';
import { showYaml, type TestManifest } from '../yaml.ts';
import { unifiedDiff } from './unified-diff.ts';
import {
  type AssertionValidator,
  type Context,
  eachDocument,
  eachValue,
  failure,
  failVerdict,
  holds,
  noManifest,
  nowhere,
  patternFault,
  uniform,
  type Verdict,
  type VerdictOf,
  valuesAt,
} from './verdict.ts';

/** `isKind` and `isAPIVersion`: a field of the document has this value. */
export function isOf(given: SuiteFields, field: 'kind' | 'apiVersion'): AssertionValidator {
  const of = given.string('of');
  const fail: VerdictOf<GoValue> = ({ negative }, actual, where) =>
    failure([negative, ` to be ${field}`, of], negative ? {} : { actual: showYaml(actual) }, where);
  return eachDocument(fail, noManifest, (manifest) => {
    const actual = manifest.get(field) ?? null;
    return [actual === of, actual];
  });
}

/** `equalRaw`: a file that is not valid YAML has this text. */
export function equalRaw(given: SuiteFields): AssertionValidator {
  const value = given.string('value');
  const fail: VerdictOf<string> = ({ negative }, actual) => {
    const [expected, shown] = [showYaml(value), showYaml(actual)];
    const parts = negative ? {} : { actual: shown, diff: unifiedDiff(expected, shown) };
    return failure([negative, ' to equal', expected], parts, nowhere);
  };
  return eachDocument(fail, noManifest, (manifest) => {
    const actual = uniform(manifest.get('raw'));
    return [actual === value, actual];
  });
}

/** `matchRegexRaw`: a file that is not valid YAML matches. */
export function matchRegexRaw(given: SuiteFields): AssertionValidator {
  const pattern = given.string('pattern');
  if (pattern === '') return () => failVerdict("expected field 'pattern' to be filled");
  const fail: VerdictOf<string> = ({ negative }, actual) =>
    failure([negative, ' to match', pattern], { actual }, nowhere);
  const validate = eachDocument(fail, noManifest, (manifest) => {
    const actual = uniform(manifest.get('raw'));
    return [compileRegexp(pattern).matchString(actual), actual];
  });
  return (context) => (context.selected.length === 0 ? undefined : patternFault(pattern)) ?? validate(context);
}

/** `hasDocuments`: the template renders, or the selection has, this number of documents. */
export function hasDocuments(given: SuiteFields): AssertionValidator {
  const [count, isAware] = [given.whole('count') ?? 0, given.flag('filterAware')];
  return (context) => {
    const actual = (isAware ? context.selected : context.documents).length;
    if ((actual === count) !== context.negative) return holds;
    const parts = context.negative ? {} : { actual: String(actual) };
    return failure([context.negative, ' documents count to be', String(count)], parts, nowhere);
  };
}

/** `containsDocument`: every document, or with `any` one of them, has this kind, API version, name and namespace. */
export function containsDocument(given: SuiteFields): AssertionValidator {
  const [kind, apiVersion, any] = [given.string('kind'), given.string('apiVersion'), given.flag('any')];
  const [name, namespace] = [given.string('name'), given.string('namespace')];
  const is = (manifest: TestManifest, path: string, text: string): boolean => {
    if (text === '') return true;
    const found = valuesAt(manifest, path);
    return !(found instanceof GoError) && found[0] === text;
  };
  // A document without a kind or an API version matches.
  const mayBe = (value: GoValue | undefined, text: string): boolean => typeof value !== 'string' || value === text;
  const fits = (manifest: TestManifest): boolean =>
    mayBe(manifest.get('kind'), kind) &&
    mayBe(manifest.get('apiVersion'), apiVersion) &&
    is(manifest, 'metadata.name', name) &&
    is(manifest, 'metadata.namespace', namespace);
  const named = [`Kind = ${kind}, apiVersion = ${apiVersion}`];
  if (name !== '') named.push(`Name = ${name}`);
  if (namespace !== '') named.push(`Namespace = ${namespace}`);
  return ({ selected, negative, failFast }) => {
    const fail = (document: number): Verdict =>
      failure([negative, ' to contain document', named.join(', ')], {}, { document, value: -1 });
    if (selected.length === 0) return negative ? holds : fail(0);
    const info: string[] = [];
    let passed = false;
    for (const [i, manifest] of selected.entries()) {
      const isRight = fits(manifest) !== negative;
      if (isRight && any !== negative) return holds;
      if (!isRight) info.push(...fail(i).info);
      if (!isRight && failFast) return { passed: false, info };
      passed = i === 0 ? isRight : passed && isRight;
    }
    return { passed, info };
  };
}

/** `failedTemplate`: rendering fails, with this message or pattern. */
export function failedTemplate(given: SuiteFields): AssertionValidator {
  const [message, pattern] = [given.string('errorMessage'), given.string('errorPattern')];
  if (message !== '' && pattern !== '') {
    return () => failVerdict("single attribute 'errorMessage' or 'errorPattern' supported at the same time");
  }
  const what = pattern === '' ? ' to equal' : ' to match';
  const fail: VerdictOf<string> = ({ negative }, actual, where) =>
    failure([negative, what, message || pattern], negative ? {} : { actual }, where);
  const judge = (actual: string | undefined, document: number, context: Context): Verdict => {
    const where = { document, value: -1 };
    if (pattern !== '')
      return actual === undefined || matches(actual, pattern, context.negative) ? holds : fail(context, actual, where);
    if (message === '') return holds;
    return (actual === message) === context.negative ? fail(context, actual ?? '%!s(<nil>)', where) : holds;
  };
  const validate = eachDocument(fail, 'No failed document', (manifest, i, context) => {
    const raw = manifest.get('raw') ?? null;
    return judge(raw === null ? undefined : uniformRaw(raw), i, context);
  });
  return (context) => (context.renderError === undefined ? validate(context) : judge(context.renderError, -1, context));
}

function uniformRaw(raw: GoValue): string {
  return typeof raw === 'string' ? raw : showYaml(raw).trimEnd();
}

// A pattern that does not match, or is invalid, is also compared as a literal text.
function matches(actual: string, pattern: string, negative: boolean): boolean {
  const literal = (): boolean => compileRegexp(quoteMeta(pattern)).matchString(actual) !== negative;
  const isPattern = /[\\.+*?()|[\]{}^$]/.test(pattern);
  return catchGoError(
    () => compileRegexp(pattern).matchString(actual) !== negative || (isPattern && literal()),
    literal,
  );
}

/** `matchSnapshot`: the value at the path is as recorded. */
export function matchSnapshotAssertion(given: SuiteFields): AssertionValidator {
  const path = given.string('path');
  const patterns = {
    matches: given.part('matchRegex', ['pattern']).string('pattern'),
    doesNotMatch: given.part('notMatchRegex', ['pattern']).string('pattern'),
  };
  return unlessEmpty(
    eachValue({ path, fail: () => holds, none: '' }, (found, where, { compare, negative }) => {
      const result = compare(found, patterns);
      if (result.error !== undefined) return failVerdict(result.error, where);
      if (result.passed !== negative) return holds;
      if (result.message !== '') return failure([negative, result.message, result.cached], {}, where);
      return failure([negative, ` to match snapshot ${result.index}`, changeOf(result, negative)], { path }, where);
    }),
  );
}

/** `matchSnapshotRaw`: a file that is not valid YAML is as recorded. */
export function matchSnapshotRaw(): AssertionValidator {
  return unlessEmpty(
    eachDocument(
      () => holds,
      '',
      (manifest, _, { compare, negative }) => {
        const result = compare(uniform(manifest.get('raw')));
        if (result.passed !== negative) return holds;
        return failure([negative, ` to match snapshot ${result.index}`, changeOf(result, negative)], {}, nowhere);
      },
    ),
  );
}

// Without a document nothing can differ, and nothing can be different either.
function unlessEmpty(validate: AssertionValidator): AssertionValidator {
  return (context) => (context.selected.length === 0 ? { passed: !context.negative, info: [] } : validate(context));
}

function changeOf({ cached, now }: SnapshotComparison, negative: boolean): string {
  return negative ? cached : unifiedDiff(cached, now);
}
