// The state of an executing template, field access, and arguments converted to the parameter types of Go functions.
// Mirrors: Go, text/template, exec.go `state`, `evalField`, `evalCall`, `validateType` and `evalArg`, 1.23.

import { isBytes } from '../go/realm.ts';
import {
  elementType,
  type GoFunc,
  type GoMap,
  GoObject,
  type GoValue,
  Int,
  methodOf,
  NamedMap,
  nilBytes,
  type ParamType,
  TypedSlice,
  typeOf,
} from '../go/value.ts';
import { type OperandNode, printNode, type Template } from './nodes.ts';

/**
 * A value during execution. null is a nil inside an interface, such as a missing map key. undefined is no value at all, which is what that
 * nil becomes after it passes through a pipeline. Go treats the two differently.
 */
export type Value = GoValue | undefined;

/** Marks the absence of a piped value; undefined is a valid piped value. */
export const none: unique symbol = Symbol('none');
/** A piped value, or `none`. */
export type Final = Value | typeof none;

/** Throws an error with this reason at the current node. */
export type Fail = (reason: string) => never;

/** Returns what is wrong with the number of arguments, or undefined. `piped` is 1 if a value is piped in, else 0. */
export function checkCount(name: string, fn: GoFunc, words: number, piped: number): string | undefined {
  const wanted = fn.params.length;
  if (fn.rest === undefined) {
    if (words + piped === wanted) return undefined;
    return `wrong number of args for ${name}: want ${wanted} got ${words + piped}`;
  }
  // Go does not count the piped argument here.
  return words + piped >= wanted ? undefined : `wrong number of args for ${name}: want at least ${wanted} got ${words}`;
}

/** Returns the type of the parameter at an index. */
export function parameterAt(fn: GoFunc, index: number): ParamType {
  return (index < fn.params.length ? fn.params[index] : fn.rest)!;
}

/**
 * Converts a value to a parameter type, or fails as Go does.
 * Mirrors: `validateType`.
 */
export function fitValue(value: Value, type: ParamType, fail: Fail): unknown {
  if (type === 'any') return value instanceof GoObject ? value.copied() : (value ?? null);
  if (type === 'reflect.Value') return value;
  if (value === undefined) return canBeNil(type) ? null : fail(`invalid value; expected ${type}`);
  const fitted = convert(value, type);
  if (fitted !== undefined) return fitted;
  return fail(`wrong type for value; expected ${type}; got ${value === null ? 'interface {}' : typeOf(value)}`);
}

/** Converts a literal `nil` to a parameter type, or fails. */
export function fitNil(type: ParamType, fail: Fail): undefined | null {
  if (type === 'reflect.Value') return undefined;
  return canBeNil(type) ? null : fail(`cannot assign nil to ${type}`);
}

/** Converts a literal to a parameter type, or fails. The type decides what kind of number it is. */
export function fitLiteral(node: OperandNode, type: ParamType, fail: Fail): unknown {
  switch (type) {
    case 'any':
    case 'reflect.Value':
      return literalValue(node, fail);
    case 'string':
      return node.kind === 'string' ? node.value : fail(`expected string; found ${printNode(node)}`);
    case 'bool':
      return node.kind === 'bool' ? node.value : fail(`expected bool; found ${printNode(node)}`);
    case 'int':
    case 'int64':
    case 'time.Duration': {
      const value = node.kind === 'number' ? node.int : undefined;
      if (value === undefined) return fail(`expected integer; found ${printNode(node)}`);
      return type === 'int' ? Number(value) : value;
    }
    case 'uint32': {
      const value = node.kind === 'number' ? node.int : undefined;
      if (value === undefined || value < 0n) return fail(`expected unsigned integer; found ${printNode(node)}`);
      return Number(BigInt.asUintN(32, value));
    }
    case 'float64': {
      const value = node.kind === 'number' ? node.float : undefined;
      return value ?? fail(`expected float; found ${printNode(node)}`);
    }
    default:
      return fail(`can't handle ${printNode(node)} for arg of type ${type}`);
  }
}

/** Returns the value of a literal without a target type. */
export function literalValue(node: OperandNode, fail: Fail): GoValue {
  if (node.kind === 'string' || node.kind === 'bool') return node.value;
  if (node.kind === 'number') return node.value ?? fail(`${node.text} overflows int`);
  return fail(`can't evaluate command ${printNode(node)}`);
}

function canBeNil(type: ParamType): boolean {
  return type === 'any' || type.startsWith('[') || type.startsWith('map[') || type.startsWith('*');
}

/** Returns undefined if the value is not assignable to the type. */
function convert(value: GoValue, type: ParamType): unknown {
  switch (type) {
    case 'string':
      return typeof value === 'string' ? value : undefined;
    case 'bool':
      return typeof value === 'boolean' ? value : undefined;
    case 'float64':
      return typeof value === 'number' ? value : undefined;
    case 'int':
    case 'uint32':
      return value instanceof Int && value.type === type ? Number(value.value) : undefined;
    case 'int64':
    case 'time.Duration':
      return value instanceof Int && value.type === type ? value.value : undefined;
    case 'map[string]interface {}':
      // A named type is assignable to an unnamed type with the same structure: chartutil.Values is, map[string]string is not.
      return value instanceof Map && elementType(value) === 'interface {}' ? unnamed(value) : undefined;
    case '[]interface {}':
      return Array.isArray(value) && elementType(value) === 'interface {}' ? value : undefined;
    case '[]uint8':
      return isBytes(value) ? value : undefined;
    case '[]string':
      return value instanceof TypedSlice && elementType(value) === 'string' ? value : undefined;
    default:
      // Go dereferences a pointer once if the parameter is a struct.
      return value instanceof GoObject && (value.type === type || value.type === `*${type}`) ? value : undefined;
  }
}

// The function sees the parameter's type, and may return a value of it.
function unnamed(map: GoMap): GoMap {
  return map instanceof NamedMap ? unnamed(map.target) : map;
}

/** Returns Go's zero value for a missing map key, by the type of the map's elements. */
export function zeroElement(map: GoMap): GoValue {
  if (!(map instanceof NamedMap)) return null;
  if (map.element === 'string') return '';
  return map.element === '[]uint8' ? nilBytes : null;
}

/**
 * Returns the static type of a value in Go: `interface {}` for an element of a non-null `holder`, else the value's own type. `name` is the
 * field it came from; the result of a method has a null holder.
 */
export function knownType(value: GoValue, holder: GoValue, name: string | undefined): string {
  const isContainer = holder instanceof Map || Array.isArray(holder) || isBytes(holder);
  if (!isContainer || (name !== undefined && methodOf(holder, name) !== undefined)) return typeOf(value);
  return elementType(holder) === 'interface {}' ? 'interface {}' : typeOf(value);
}

/** One executing template. A `{{template}}` action pushes another frame. */
export interface Frame {
  readonly template: Template;
  dot: Value;
  /** The list or map that dot is an element of, or null. Go sees an element as an interface. */
  holder: GoValue;
  readonly variables: Value[];
  /** The holder of each variable's value. */
  readonly holders: GoValue[];
  readonly depth: number;
}

/** Maximum depth of nested template calls. Go allows 100,000, Helm 1,000 for `include`. */
export const maxCalls = 1000;

/** Returns the first frame of a template. */
export function createFrame(template: Template, dot: Value, depth: number): Frame {
  return { template, dot, holder: null, variables: [dot], holders: [null], depth };
}
