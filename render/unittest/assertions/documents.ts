// Assertions on whole documents: kind, API version, number, raw texts, snapshots, failed templates.
// Mirrors: helm-unittest 1.1.0, pkg/unittest/validators.

import { compileRegexp, quoteMeta } from '../../go/regexp/regexp.ts';
import { GoError, type GoValue } from '../../go/value.ts';
import type { SnapshotComparison } from '../snapshot.ts';
import { showYaml, type TestManifest } from '../yaml.ts';
import { type AssertionValidator, type Context, everyDocument, everyValue, valuesAt } from './context.ts';
import { failure, failVerdict, holds, nowhere, uniform, type Verdict } from './info.ts';
import type { Parameters } from './parameters.ts';
import { unifiedDiff } from './unified-diff.ts';
import { patternFault } from './values.ts';

/** `isKind` and `isAPIVersion`: a field of the document has this value. */
export function isOf(given: Parameters, field: 'kind' | 'apiVersion'): AssertionValidator {
  const of = given.text('of');
  return (context) => {
    const fail = (actual: GoValue, document: number): Verdict => {
      const parts = context.negative ? {} : { actual: showYaml(actual) };
      return failure([context.negative, ` to be ${field}`, of], parts, { document, value: -1 });
    };
    return everyDocument(
      context,
      (manifest, i) => {
        const actual = manifest.get(field) ?? null;
        return (actual === of) === context.negative ? fail(actual, i) : holds;
      },
      () => fail('no manifest found', -1),
    );
  };
}

/** `equalRaw`: a file that is not valid YAML has this text. */
export function equalRaw(given: Parameters): AssertionValidator {
  const value = given.text('value');
  return (context) => {
    const fail = (actual: string): Verdict => {
      const [expected, shown] = [showYaml(value), showYaml(actual)];
      const parts = context.negative ? {} : { actual: shown, diff: unifiedDiff(expected, shown) };
      return failure([context.negative, ' to equal', expected], parts, nowhere);
    };
    const decide = (manifest: TestManifest): Verdict => {
      const actual = uniform(manifest.get('raw'));
      return (actual === value) === context.negative ? fail(actual) : holds;
    };
    return everyDocument(context, decide, () => fail('no manifest found'));
  };
}

/** `matchRegexRaw`: a file that is not valid YAML matches. */
export function matchRegexRaw(given: Parameters): AssertionValidator {
  const pattern = given.text('pattern');
  return (context) => {
    if (pattern === '') return failVerdict("expected field 'pattern' to be filled");
    const fail = (actual: string): Verdict => failure([context.negative, ' to match', pattern], { actual }, nowhere);
    const decide = (manifest: TestManifest): Verdict => {
      const actual = uniform(manifest.get('raw'));
      return compileRegexp(pattern).matchString(actual) === context.negative ? fail(actual) : holds;
    };
    const wrong = context.selected.length === 0 ? undefined : patternFault(pattern);
    return wrong ?? everyDocument(context, decide, () => fail('no manifest found'));
  };
}

/** `hasDocuments`: the template renders, or the selection has, this number of documents. */
export function hasDocuments(given: Parameters): AssertionValidator {
  const [count, isAware] = [given.count('count')?.value ?? 0n, given.flag('filterAware')];
  return (context) => {
    const actual = (isAware ? context.selected : context.documents).length;
    if ((BigInt(actual) === count) !== context.negative) return holds;
    const parts = context.negative ? {} : { actual: String(actual) };
    return failure([context.negative, ' documents count to be', String(count)], parts, nowhere);
  };
}

/** `containsDocument`: every document, or with `any` one of them, has this kind, API version, name and namespace. */
export function containsDocument(given: Parameters): AssertionValidator {
  const [kind, apiVersion, any] = [given.text('kind'), given.text('apiVersion'), given.flag('any')];
  const [name, namespace] = [given.text('name'), given.text('namespace')];
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
export function failedTemplate(given: Parameters): AssertionValidator {
  const [message, pattern] = [given.text('errorMessage'), given.text('errorPattern')];
  const what = pattern === '' ? ' to equal' : ' to match';
  return (context) => {
    const { negative, selected, renderError } = context;
    const fail = (actual: string, document: number): Verdict =>
      failure([negative, what, message || pattern], negative ? {} : { actual }, { document, value: -1 });
    const decide = (actual: string | undefined, document: number): Verdict => {
      if (pattern !== '')
        return actual === undefined || matches(actual, pattern, negative) ? holds : fail(actual, document);
      if (message === '') return holds;
      return (actual === message) === negative ? fail(actual ?? '%!s(<nil>)', document) : holds;
    };
    if (message !== '' && pattern !== '') {
      return failVerdict("single attribute 'errorMessage' or 'errorPattern' supported at the same time");
    }
    if (renderError !== undefined) return decide(renderError, -1);
    if (selected.length === 0 && negative) return holds;
    const rawOf = (manifest: TestManifest): string | undefined => {
      const raw = manifest.get('raw');
      return raw === undefined || raw === null ? undefined : uniformRaw(raw);
    };
    return everyDocument(
      context,
      (manifest, i) => decide(rawOf(manifest), i),
      () => fail('No failed document', -1),
    );
  };
}

function uniformRaw(raw: GoValue): string {
  return typeof raw === 'string' ? raw : showYaml(raw).trimEnd();
}

// A pattern that does not match, or is invalid, is also compared as a literal text.
function matches(actual: string, pattern: string, negative: boolean): boolean {
  const literal = (): boolean => compileRegexp(quoteMeta(pattern)).matchString(actual) !== negative;
  try {
    if (compileRegexp(pattern).matchString(actual) !== negative) return true;
    return /[\\.+*?()|[\]{}^$]/.test(pattern) && literal();
  } catch (error) {
    if (error instanceof GoError) return literal();
    throw error;
  }
}

/** `matchSnapshot`: the value at the path is as recorded. */
export function matchSnapshotAssertion(given: Parameters): AssertionValidator {
  const path = given.text('path');
  const patterns = {
    matches: given.inner('matchRegex', 'pattern'),
    doesNotMatch: given.inner('notMatchRegex', 'pattern'),
  };
  return (context) => {
    const decide = (found: GoValue, document: number, value: number): Verdict => {
      const result = context.compare(found, patterns);
      const where = { document, value };
      if (result.error !== undefined) return failVerdict(result.error, where);
      if (result.passed !== context.negative) return holds;
      if (result.message !== '') return failure([context.negative, result.message, result.cached], {}, where);
      return failure(
        [context.negative, ` to match snapshot ${result.index}`, changeOf(result, context)],
        { path },
        where,
      );
    };
    return unlessEmpty(context, (manifest, i) =>
      everyValue(context, [manifest, i], { path }, (found, at) => decide(found, i, at)),
    );
  };
}

/** `matchSnapshotRaw`: a file that is not valid YAML is as recorded. */
export function matchSnapshotRaw(): AssertionValidator {
  return (context) =>
    unlessEmpty(context, (manifest) => {
      const result = context.compare(uniform(manifest.get('raw')));
      if (result.passed !== context.negative) return holds;
      return failure([context.negative, ` to match snapshot ${result.index}`, changeOf(result, context)], {}, nowhere);
    });
}

// Without a document nothing can differ, and nothing can be different either.
function unlessEmpty(context: Context, decide: (manifest: TestManifest, index: number) => Verdict): Verdict {
  if (context.selected.length === 0) return { passed: !context.negative, info: [] };
  return everyDocument(context, decide, () => holds);
}

function changeOf({ cached, now }: SnapshotComparison, { negative }: Context): string {
  return negative ? cached : unifiedDiff(cached, now);
}
