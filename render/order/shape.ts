// What a document must look like, as data: from one description come the checks with their hints and the JSON Schema.

import { describe, isNested } from '../core/arguments.ts';
import type { Issue } from '../core/errors.ts';
import { joinPath } from '../core/paths.ts';
import { suggest } from '../core/suggest.ts';
import { forbiddenClass, isUrl, type WordRule, wordFault } from './names.ts';
import type { JsonObject, JsonValue } from './order.ts';

/** What every shape may say for people. */
interface Words {
  readonly description?: string;
  readonly examples?: readonly JsonValue[];
}

/** A text. Absent, null and empty are the same, unless empty is legal. */
export interface TextShape extends Words {
  readonly type: 'text';
  readonly rule?: WordRule;
  /** The rule of texts that are meant as URLs. */
  readonly url?: WordRule;
  readonly isRequired?: boolean;
  /** Whether an empty text is one of the legal ones. */
  readonly mayBeEmpty?: boolean;
  /** A warning where there is none. */
  readonly absent?: { readonly message: string; readonly hint: string };
}

interface ChoiceShape extends Words {
  readonly type: 'choice';
  readonly choices: readonly string[];
  /** What a wrong word is not: `an operation`. */
  readonly what: string;
  readonly hint?: string;
  readonly isRequired?: boolean;
  /** A word that is read with a warning. */
  readonly old?: { readonly choice: string; readonly message: string; readonly hint: string };
}

interface FlagShape extends Words {
  readonly type: 'flag';
}

/** An object with known members. Others are warned of. */
export interface ObjectShape extends Words {
  readonly type: 'object';
  readonly title: string;
  readonly members: Readonly<Record<string, Shape>>;
  /** What its members must be to each other. */
  readonly rules?: readonly Rule[];
  /** Present where the object must be there: how to fix its absence. */
  readonly required?: string;
  /** Whether other members mean nothing odd. */
  readonly isOpen?: boolean;
}

interface ListShape extends Words {
  readonly type: 'list';
  readonly item: ObjectShape | TextShape;
  /** Whether it may not be empty, or must be. */
  readonly size?: { readonly is: 'some' | 'none'; readonly message: string; readonly hint: string };
  /** Whether the size is checked only where there is a list. */
  readonly mayBeAbsent?: boolean;
}

/** An object of texts under free keys. */
interface MapShape extends Words {
  readonly type: 'map';
  readonly key: WordRule;
  readonly value: TextShape;
}

/** Any JSON value, or any JSON object. */
interface AnyShape extends Words {
  readonly type: 'any';
  readonly isObject?: boolean;
  /** Whether it must be there; a null is. */
  readonly isRequired?: boolean;
  /** Whether it travels to Helm, which cannot carry every text and number. */
  readonly travels?: boolean;
}

/** A member whose shape another member decides. Where neither shape is given the member is unknown. */
interface WhenShape extends Words {
  readonly type: 'when';
  readonly member: string;
  readonly among: readonly string[];
  readonly chosen: Shape;
  readonly other?: Shape;
}

export type Shape = TextShape | ChoiceShape | FlagShape | ObjectShape | ListShape | MapShape | AnyShape | WhenShape;

/** What the members of an object must be to each other: as a check, and as a JSON Schema beside it. */
export interface Rule {
  readonly check: (members: JsonObject, report: (key: string, message: string, hint: string) => void) => void;
  readonly schema: JsonObject;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// Accessors for documents that may not be checked: a member of another type counts as absent.

/** Returns a string or a number as text; empty if it is absent. */
export function textAt(object: JsonObject, name: string): string {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/** Returns an object; empty if it is absent. */
export function objectAt(object: JsonObject, name: string): JsonObject {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return isObject(value) ? value : {};
}

/** Returns a list; empty if it is absent. */
export function listAt(object: JsonObject, name: string): readonly JsonValue[] {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return Array.isArray(value) ? value : [];
}

/** Returns the strings and numbers of a list as texts. */
export function textsAt(object: JsonObject, name: string): string[] {
  return listAt(object, name).flatMap((item) =>
    typeof item === 'string' || typeof item === 'number' ? `${item}` : [],
  );
}

export function objectsAt(object: JsonObject, name: string): JsonObject[] {
  return listAt(object, name).filter(isObject);
}

/** Returns a member of an object; undefined when absent or null. */
export function memberOf(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? (object[name] ?? undefined) : undefined;
}

/** Reports every fault and oddity of a value, with its path. The value must be free of what `findUnreadable` finds. */
export function checkShape(shape: Shape, value: JsonValue | undefined, path: string, issues: Issue[]): void {
  const report: Report = (message, hint, severity = 'error') =>
    void issues.push({ path, message, severity, ...(hint === undefined ? {} : { hint }) });
  if (shape.type === 'any') checkAny(shape, value, path, issues);
  else if (shape.type === 'text') checkText(shape, value, report);
  else if (shape.type === 'choice') checkChoice(shape, value, report);
  else if (shape.type === 'object' && (value ?? undefined) === undefined) {
    if (shape.required !== undefined) report('is required', shape.required || undefined);
  } else if (shape.type === 'list') checkList(shape, value ?? undefined, path, issues);
  else if (value === undefined || value === null) return;
  else if (shape.type === 'flag') {
    if (typeof value !== 'boolean') report(wrong('true or false', value), 'Write true or false, without quotes.');
  } else if (!isObject(value)) report(wrong('an object', value));
  else if (shape.type === 'map') checkMap(shape, value, path, issues);
  else if (shape.type === 'object') checkObject(shape, value, path, issues);
}

type Report = (message: string, hint?: string, severity?: Issue['severity']) => void;

const wrong = (must: string, value: JsonValue): string => `must be ${must}, not ${describe(value)}`;

function checkText(shape: TextShape, value: JsonValue | undefined, report: Report): void {
  if (value !== undefined && value !== null && typeof value !== 'string') {
    // YAML reads more words as something else than people expect: n, on, 1.10, 1e3.
    report(wrong('a string', value), typeof value === 'object' ? 'Give one text.' : 'Write it in quotes.');
    return;
  }
  const isAbsent = value === undefined || value === null || (value === '' && shape.mayBeEmpty !== true);
  if (isAbsent) {
    if (shape.isRequired === true) report('is required', shape.rule?.hint);
    else if (shape.absent !== undefined) report(shape.absent.message, shape.absent.hint, 'warning');
    return;
  }
  const rule = shape.url !== undefined && isUrl(value) ? shape.url : shape.rule;
  const fault = rule === undefined ? undefined : wordFault(value, rule);
  if (fault !== undefined) report(fault.message, fault.hint);
}

function checkChoice(shape: ChoiceShape, value: JsonValue | undefined, report: Report): void {
  const { choices, old } = shape;
  if (value === undefined || value === null || value === '') {
    if (shape.isRequired === true) report('is required', `Use one of ${choices.join(', ')}.`);
  } else if (typeof value !== 'string') report(wrong('a string', value), shape.hint);
  else if (value === old?.choice) report(old.message, old.hint, 'warning');
  else if (!choices.includes(value)) {
    const meant = suggest(value, choices);
    const hint = shape.hint ?? `Use one of ${choices.join(', ')}.`;
    report(
      `${JSON.stringify(value)} is not ${shape.what}`,
      meant === undefined ? hint : `Use ${JSON.stringify(meant)}.`,
    );
  }
}

function checkObject(shape: ObjectShape, object: JsonObject, path: string, issues: Issue[]): void {
  const known = new Set<string>();
  for (const [name, member] of Object.entries(shape.members)) {
    const chosen = chooseShape(member, object);
    if (chosen === undefined) continue;
    known.add(name);
    const value = Object.hasOwn(object, name) ? object[name] : undefined;
    checkShape(chosen, value, joinPath(path, name), issues);
  }
  for (const { check } of shape.rules ?? []) {
    check(object, (key, message, hint) => {
      issues.push({ path: key === '' ? path : joinPath(path, key), message, severity: 'error', hint });
    });
  }
  if (shape.isOpen === true) return;
  const unknown = Object.keys(object).filter((key) => !known.has(key));
  for (const key of unknown.slice(0, mostUnknown)) issues.push(unknownField(key, joinPath(path, key), known));
  const more = unknown.length - mostUnknown;
  if (more > 0) issues.push({ path, message: `has ${more} more fields that are not known`, severity: 'warning' });
}

// Nobody reads more of one object: they are counted.
const mostUnknown = 10_000;

// A list with so many errors is looked at no further.
const mostErrors = 10_000;

function unknownField(key: string, path: string, known: ReadonlySet<string>): Issue {
  const meant = suggest(key, known);
  const effect = 'It is kept, and has no effect.';
  const hint = meant === undefined ? effect : `Did you mean ${JSON.stringify(meant)}? ${effect}`;
  return { path, message: 'is not a known field', severity: 'warning', hint };
}

function chooseShape(shape: Shape | undefined, object: JsonObject): Shape | undefined {
  if (shape?.type !== 'when') return shape;
  const word = memberOf(object, shape.member);
  return chooseShape(shape.among.includes(typeof word === 'string' ? word : '') ? shape.chosen : shape.other, object);
}

function checkList(shape: ListShape, value: JsonValue | undefined, path: string, issues: Issue[]): void {
  const { size, item } = shape;
  if (value !== undefined && !Array.isArray(value)) {
    issues.push({ path, message: wrong('a list', value), severity: 'error' });
    return;
  }
  const isRequired = value !== undefined || shape.mayBeAbsent !== true;
  if (size !== undefined && isRequired && (size.is === 'some') === ((value?.length ?? 0) === 0)) {
    issues.push({ path, message: size.message, severity: 'error', hint: size.hint });
  }
  // Within a list a null stands for nothing, and so does JavaScript's undefined.
  const must = item.type === 'object' ? 'an object' : 'a string';
  let [errors, looked] = [0, issues.length];
  for (const [index, one] of (value ?? []).entries()) {
    const place = joinPath(path, index);
    if ((one ?? null) === null) issues.push({ path: place, message: wrong(must, null), severity: 'error' });
    else checkShape(item, one, place, issues);
    for (; looked < issues.length; looked++) if (issues[looked]?.severity === 'error') errors++;
    if (errors < mostErrors) continue;
    const left = (value?.length ?? 0) - index - 1;
    if (left > 0) issues.push({ path, message: `has ${left} more items, which were not looked at`, severity: 'error' });
    return;
  }
}

function checkMap({ key, value }: MapShape, object: JsonObject, path: string, issues: Issue[]): void {
  for (const [name, member] of Object.entries(object)) {
    const place = joinPath(path, name);
    const fault = wordFault(name, key);
    if (fault !== undefined) issues.push({ ...fault, path: place, severity: 'error' });
    checkShape(value, member, place, issues);
  }
}

function checkAny(shape: AnyShape, value: JsonValue | undefined, path: string, issues: Issue[]): void {
  if (value === undefined) {
    if (shape.isRequired === true)
      issues.push({ path, message: 'is required', severity: 'error', hint: 'Give a value.' });
  } else if (shape.isObject === true && value !== null && !isObject(value)) {
    issues.push({ path, message: wrong('an object', value), severity: 'error' });
  } else if (shape.travels === true) reportUnsendable(value, path, issues);
}

// YAML readers look for the colon after a key no further than 1,024 bytes.
const longestKey = 1000;

// What a values document cannot carry to Helm: invalid numbers, broken Unicode, and very long keys. Nesting was limited before.
function reportUnsendable(value: JsonValue | undefined, place: string, issues: Issue[]): void {
  const report = (message: string): void => void issues.push({ path: place, message, severity: 'error' });
  if (!isNested<JsonValue>(value)) {
    const fault = unsendable(value);
    if (fault !== undefined) report(fault);
    return;
  }
  const isList = Array.isArray(value);
  for (const name of Object.keys(value)) {
    if (!isList && /\p{Surrogate}/u.test(name)) report('has a key that is not valid Unicode');
    if (!isList && isLongerThan(name, longestKey)) report(`has a key of more than ${longestKey} bytes`);
    const item = (value as Readonly<Record<string, JsonValue>>)[name];
    // Most are right, and have no use for a path.
    if (isNested<JsonValue>(item) || unsendable(item) !== undefined) {
      reportUnsendable(item, joinPath(place, isList ? Number(name) : name), issues);
    }
  }
}

function unsendable(scalar: JsonValue | undefined): string | undefined {
  if (typeof scalar === 'number' && !Number.isFinite(scalar)) return 'is not a finite number';
  return typeof scalar === 'string' && /\p{Surrogate}/u.test(scalar) ? 'is not valid Unicode' : undefined;
}

// A unit of UTF-16 takes three bytes at most.
function isLongerThan(text: string, bytes: number): boolean {
  return text.length * 3 > bytes && new TextEncoder().encode(text).length > bytes;
}

/** Returns the schema of a shape. Members that may be left out may be null too. */
export function schemaOfShape(shape: Shape): JsonObject {
  const { description, examples } = shape;
  const words: JsonObject = {
    ...(description === undefined ? {} : { description }),
    ...(examples === undefined ? {} : { examples: [...examples] }),
  };
  return { ...words, ...bodyOf(shape) };
}

function bodyOf(shape: Shape): JsonObject {
  switch (shape.type) {
    case 'text':
      return textSchema(shape);
    case 'choice':
      return { enum: choicesOf(shape) };
    case 'flag':
      return { type: ['boolean', 'null'] };
    case 'list':
      return listSchema(shape);
    case 'map':
      return {
        type: ['object', 'null'],
        propertyNames: wordSchema(shape.key, false),
        additionalProperties: schemaOfShape(shape.value),
      };
    case 'any':
      return shape.isObject === true ? { type: ['object', 'null'], additionalProperties: true } : {};
    case 'object':
      return objectSchema(shape);
    case 'when':
      return typeInCommon(shape);
  }
}

// What holds whichever shape is meant, so that an editor can say it before the deciding member is written.
function typeInCommon(shape: WhenShape): JsonObject {
  const types = new Set(endsOf(shape).map((end) => end?.type));
  if (types.size !== 1) return {};
  if (types.has('text')) return { type: ['string', 'null'] };
  return types.has('list') ? { type: ['array', 'null'] } : {};
}

function endsOf(shape: Shape | undefined): readonly (Shape | undefined)[] {
  return shape?.type === 'when' ? [...endsOf(shape.chosen), ...endsOf(shape.other)] : [shape];
}

function choicesOf({ choices, isRequired, old }: ChoiceShape): JsonValue[] {
  return [...choices, ...(old === undefined ? [] : [old.choice]), ...(isRequired === true ? [] : ['', null])];
}

function textSchema({ rule, url, isRequired, mayBeEmpty }: TextShape): JsonObject {
  const type: JsonValue = isRequired === true ? 'string' : ['string', 'null'];
  const least: JsonObject = isRequired === true && mayBeEmpty !== true ? { minLength: 1 } : {};
  if (rule === undefined) return { type, ...least };
  const isOptional = isRequired !== true;
  if (url === undefined) return { type, ...least, ...wordSchema(rule, isOptional) };
  return { type, ...least, anyOf: [wordSchema(url, isOptional), wordSchema(rule, isOptional)] };
}

function wordSchema({ pattern, maxLength, holds }: WordRule, isOptional: boolean): JsonObject {
  const source = isOptional ? `^$|${pattern.source}` : pattern.source;
  const limit: JsonObject = Number.isFinite(maxLength) ? { maxLength } : {};
  if (holds !== 'text') return { ...limit, pattern: source };
  return { ...limit, allOf: [{ pattern: source }, { pattern: `^[^${forbiddenClass}]*$` }] };
}

function listSchema({ item, size, mayBeAbsent }: ListShape): JsonObject {
  const limits: JsonObject = size === undefined ? {} : size.is === 'some' ? { minItems: 1 } : { maxItems: 0 };
  const items = schemaOfShape(item);
  // Within a list a null stands for nothing.
  if (item.type === 'text') items.type = 'string';
  const type: JsonValue = size?.is === 'some' && mayBeAbsent !== true ? 'array' : ['array', 'null'];
  return { type, items: item.type === 'object' ? { ...items, type: 'object' } : items, ...limits };
}

function objectSchema({ title, members, rules, required }: ObjectShape): JsonObject {
  const properties: JsonObject = {};
  const needed: string[] = [];
  const conditions: JsonObject[] = [];
  for (const [name, member] of Object.entries(members)) {
    properties[name] = schemaOfShape(member);
    if (isNeeded(member)) needed.push(name);
    if (member.type === 'when') conditions.push(...whenSchema(name, member));
  }
  conditions.push(...(rules ?? []).map(({ schema }) => schema));
  return {
    title,
    type: required === undefined ? ['object', 'null'] : 'object',
    ...(needed.length === 0 ? {} : { required: needed }),
    properties,
    ...(conditions.length === 0 ? {} : { allOf: conditions }),
  };
}

function isNeeded(shape: Shape): boolean {
  if (shape.type === 'object') return shape.required !== undefined;
  if (shape.type === 'list') return shape.size?.is === 'some' && shape.mayBeAbsent !== true;
  return 'isRequired' in shape && shape.isRequired === true;
}

function whenSchema(name: string, { member, among, chosen, other }: WhenShape): JsonObject[] {
  const word: JsonObject = { properties: { [member]: { enum: [...among] } } };
  // An absent word is an empty one.
  const condition: JsonObject = among.includes('')
    ? { properties: { [member]: { enum: [...among, null] } } }
    : { ...word, required: [member] };
  const branch = (shape: Shape): JsonObject => {
    if (shape.type === 'when') return { allOf: whenSchema(name, shape) };
    return { properties: { [name]: schemaOfShape(shape) }, ...(isNeeded(shape) ? { required: [name] } : {}) };
  };
  const otherwise: JsonObject = other === undefined ? {} : { else: branch(other) };
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  return [{ if: condition, then: branch(chosen), ...otherwise }];
}
