// Assertions of a test: parsing, document selection, evaluation.
// Mirrors: helm-unittest 1.1.0, pkg/unittest, assertion.go.

import { deepEqual } from '../../go/deep-equal.ts';
import { compareStrings, GoError, type GoMap, type GoValue, Int } from '../../go/value.ts';
import { SuiteFields } from '../fields.ts';
import type { TestManifest } from '../yaml.ts';
import {
  containsDocument,
  equalRaw,
  failedTemplate,
  hasDocuments,
  isOf,
  matchRegexRaw,
  matchSnapshotAssertion,
  matchSnapshotRaw,
} from './documents.ts';
import {
  containsAssertion,
  equal,
  exists,
  isNullOrEmpty,
  isSubset,
  isType,
  lengthEqual,
  matchRegex,
  ordered,
} from './values.ts';
import { type AssertionValidator, type Context, valuesAt } from './verdict.ts';

export interface DocumentSelector {
  readonly path: string;
  /** Null for any. */
  readonly value: GoValue;
  readonly matchMany: boolean;
  readonly skipEmptyTemplates: boolean;
}

export interface Assertion {
  /** For example `equal`. */
  readonly type: string;
  readonly not: boolean;
  readonly template: string;
  /** -1 for all documents. */
  readonly documentIndex: number;
  readonly documentSelector: DocumentSelector | undefined;
  /** Whether it is negated: `notEqual` is the negation of `equal`. */
  readonly isAntonym: boolean;
  /** Whether it requires a successful rendering. */
  readonly needsSuccess: boolean;
  readonly validate: AssertionValidator;
}

export interface AssertionResult {
  readonly index: number;
  readonly type: string;
  readonly not: boolean;
  readonly passed: boolean;
  readonly skipReason: string | undefined;
  readonly info: readonly string[];
}

type Make = (given: SuiteFields) => AssertionValidator;

// The name of an assertion, that of its negation, and its constructor.
const pairs: readonly (readonly [name: string, opposite: string, make: Make])[] = [
  ['matchSnapshot', '', matchSnapshotAssertion],
  ['matchSnapshotRaw', '', matchSnapshotRaw],
  ['equal', 'notEqual', equal],
  ['greaterOrEqual', 'notGreaterOrEqual', (given) => ordered(given, 'greater')],
  ['lessOrEqual', 'notLessOrEqual', (given) => ordered(given, 'less')],
  ['equalRaw', 'notEqualRaw', equalRaw],
  ['exists', 'notExists', exists],
  ['isNotNull', 'isNull', exists],
  ['matchRegex', 'notMatchRegex', matchRegex],
  ['matchRegexRaw', 'notMatchRegexRaw', matchRegexRaw],
  ['contains', 'notContains', containsAssertion],
  ['isKind', '', (given) => isOf(given, 'kind')],
  ['isAPIVersion', '', (given) => isOf(given, 'apiVersion')],
  ['hasDocuments', '', hasDocuments],
  ['isSubset', 'isNotSubset', isSubset],
  ['isNullOrEmpty', 'isNotNullOrEmpty', isNullOrEmpty],
  ['isEmpty', 'isNotEmpty', isNullOrEmpty],
  ['failedTemplate', 'notFailedTemplate', failedTemplate],
  ['containsDocument', '', containsDocument],
  ['lengthEqual', 'notLengthEqual', lengthEqual],
  ['isType', 'isNotType', isType],
];

interface Maker {
  readonly make: Make;
  readonly isAntonym: boolean;
}

const makers: ReadonlyMap<string, Maker> = new Map(
  pairs.flatMap(([name, opposite, make]): [string, Maker][] => [
    [name, { make, isAntonym: false }],
    [opposite, { make, isAntonym: true }],
  ]),
);

/** Parses an assertion. Throws GoError. */
export function readAssertion(given: GoMap): Assertion {
  const types = [...given.keys()].filter((key) => key !== '' && makers.has(key));
  const [type, other] = types;
  if (other !== undefined) throw new GoError(`assertion type \`${type}\` and \`${other}\` is declared duplicately`);
  const selector = given.get('documentSelector');
  const documentSelector =
    selector instanceof Map ? readSelector(new SuiteFields(selector, 'documentSelector')) : undefined;
  if (documentSelector?.path === '') throw new GoError("empty 'documentSelector.path' not supported");
  if (type === undefined) {
    const wrong = [...given.keys()].find((key) => !['template', 'documentIndex', 'not'].includes(key));
    throw new GoError(wrong === undefined ? 'no assertion type defined' : `Assertion type \`${wrong}\` is invalid`);
  }
  const { make, isAntonym } = makers.get(type)!;
  const value = given.get(type);
  // Names of parameters are case-insensitive.
  const parameters = value instanceof Map ? new Map([...value].map(([key, item]) => [key.toLowerCase(), item])) : value;
  const validate = make(new SuiteFields(parameters, type));
  const [index, template] = [given.get('documentIndex'), given.get('template')];
  return {
    type,
    not: given.get('not') === true,
    template: typeof template === 'string' ? template : '',
    documentIndex: index instanceof Int ? Number(index.value) : -1,
    documentSelector,
    isAntonym,
    needsSuccess: type !== 'failedTemplate',
    validate,
  };
}

/** Parses a `documentSelector`. Throws GoError. */
export function readSelector(fields: SuiteFields): DocumentSelector {
  return {
    path: fields.text('path'),
    value: fields.get('value'),
    matchMany: fields.flag('matchMany'),
    skipEmptyTemplates: fields.flag('skipEmptyTemplates'),
  };
}

export interface RenderedTest extends Pick<Context, 'compare' | 'renderError' | 'failFast'> {
  readonly manifests: ReadonlyMap<string, readonly TestManifest[]>;
  readonly succeeded: boolean;
  readonly didPostRender: boolean;
  /** Whether an assertion that selects nothing is skipped. */
  readonly skipsEmpty: boolean;
}

/** The defaults of an assertion from its test. */
export interface SelectedValues extends Pick<Assertion, 'documentIndex' | 'documentSelector'> {
  readonly templates: readonly string[];
}

export function decideAssertion(
  assertion: Assertion,
  index: number,
  selection: SelectedValues,
  rendered: RenderedTest,
): AssertionResult {
  const { type, not } = assertion;
  const result = (passed: boolean, info: readonly string[], skipReason?: string): AssertionResult => ({
    index,
    type,
    not,
    passed,
    skipReason,
    info,
  });
  const selected = select(selection, rendered);
  if (typeof selected === 'string') return result(false, ['Error:', selected]);
  if (selected.size === 0 && rendered.skipsEmpty) {
    const reason = "skipped as 'documentSelector.skipEmptyTemplates: true' and 'selectedTemplates: empty'";
    return result(true, [], reason);
  }
  if (selected.size === 0) {
    if (assertion.needsSuccess !== rendered.succeeded) return result(false, ['Error: rendered manifest is empty']);
    const { passed, info } = validate(assertion, [], [], rendered);
    return result(passed, info);
  }
  const info: string[] = [];
  let passed = true;
  for (const template of [...selected.keys()].sort(compareStrings)) {
    const lines = decideTemplate(assertion, template, selected.get(template) ?? [], rendered);
    info.push(...lines);
    passed &&= lines.length === 0;
  }
  return result(passed, info);
}

// Returns the lines of a failure; empty if there is none.
function decideTemplate(
  assertion: Assertion,
  template: string,
  selected: readonly TestManifest[],
  rendered: RenderedTest,
): readonly string[] {
  const documents = rendered.manifests.get(template);
  if (documents === undefined && assertion.needsSuccess) {
    const problem =
      template === ''
        ? 'assertion.template must be given if testsuite.templates is empty'
        : `template "${template}" not exists or not selected in test suite`;
    return ['Error:', `\t${problem}`];
  }
  const heading = `Template:\t${template}`;
  if (assertion.needsSuccess !== rendered.succeeded) {
    const [first] = documents ?? [];
    const raw = first?.get('raw');
    const problem = first === undefined ? 'rendered manifest is empty' : `Invalid rendering: ${raw ?? '%!s(<nil>)'}`;
    return [heading, `Error: ${problem}`];
  }
  const { passed, info } = validate(assertion, documents ?? [], selected, rendered);
  return passed ? [] : [heading, ...info];
}

function validate(
  { validate: decide, not, isAntonym }: Assertion,
  documents: readonly TestManifest[],
  selected: readonly TestManifest[],
  { compare, renderError, failFast }: RenderedTest,
): ReturnType<AssertionValidator> {
  return decide({ documents, selected, negative: not !== isAntonym, compare, renderError, failFast });
}

type Selected = ReadonlyMap<string, readonly TestManifest[]>;

// Returns the documents by template, or what is wrong with the selection.
function select(
  { templates, documentIndex, documentSelector }: SelectedValues,
  rendered: RenderedTest,
): Selected | string {
  const { manifests } = rendered;
  // The output of a post-renderer that drops file names is a single file.
  const [only = ''] = manifests.keys();
  const isOneFile = rendered.didPostRender && manifests.size === 1 && only.endsWith('manifest.yaml');
  const chosen = isOneFile ? [only] : templates;
  const documents = new Map(chosen.map((template) => [template, manifests.get(template) ?? []]));
  if (documentSelector !== undefined && documentSelector.path !== '') return selectBy(documentSelector, documents);
  if (documentIndex === -1) return documents;
  const selected = new Map<string, readonly TestManifest[]>();
  for (const [template, found] of documents) {
    const document = found[documentIndex];
    if (document === undefined) return `document index ${documentIndex} is out of range`;
    selected.set(template, [document]);
  }
  return selected;
}

// A template without a matching document is skipped, as in helm-unittest since July 2026 (pull request 903); 1.1.0 failed.
function selectBy(selector: DocumentSelector, documents: Selected): Selected | string {
  const { path, value, matchMany, skipEmptyTemplates } = selector;
  const selected = new Map<string, readonly TestManifest[]>();
  let count = 0;
  for (const [template, manifests] of documents) {
    const found: TestManifest[] = [];
    for (const manifest of manifests) {
      const values = valuesAt(manifest, path);
      if (values instanceof GoError) return values.message;
      if (values.some((item) => value === null || deepEqual(value, item))) found.push(manifest);
    }
    count += found.length;
    if (!matchMany && count > 1) return 'multiple indexes found';
    if (found.length > 0) selected.set(template, found);
  }
  return count === 0 && !skipEmptyTemplates ? 'document not found' : selected;
}
