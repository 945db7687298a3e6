// The JSON Schema (draft 2020-12) of a shape: for editors, OpenAPI and other validators.

import { forbiddenClass, type WordRule } from './names.ts';
import type { JsonObject, JsonValue } from './order.ts';
import type { ChoiceShape, ListShape, ObjectShape, Shape, TextShape, WhenShape } from './shape.ts';

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
