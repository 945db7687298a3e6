// Fits arguments to the parameters of Go functions, and words what does not fit.
// Mirrors: Go, text/template, exec.go `evalCall`, `validateType` and `evalArg`, 1.23.

import { isBytes } from '../go/realm.ts';
import {
  elementType,
  type GoFunc,
  type GoMap,
  GoObject,
  type GoValue,
  Int,
  NamedMap,
  type ParamType,
  TypedSlice,
  typeOf,
} from '../go/value.ts';
import { type OperandNode, printNode } from './nodes.ts';

/**
 * A value while a template runs. null is a nil held in an interface, such as a missing map key; undefined is no value at
 * all, which is what becomes of such a nil once it has passed through a pipeline. Go treats the two differently.
 */
export type Value = GoValue | undefined;

/** No piped value. A piped value may well be undefined. */
export const none: unique symbol = Symbol('none');
/** A piped value, or none. */
export type Final = Value | typeof none;

/** Throws with a reason at the node that runs. */
export type Fail = (reason: string) => never;

/** Returns what is wrong with the number of arguments, if anything is; `piped` is 1 if a value is piped in, else 0. */
export function checkCount(name: string, fn: GoFunc, words: number, piped: number): string | undefined {
  const wanted = fn.params.length;
  if (fn.rest === undefined) {
    if (words + piped === wanted) return undefined;
    return `wrong number of args for ${name}: want ${wanted} got ${words + piped}`;
  }
  // Go leaves the piped argument out of this count.
  return words + piped >= wanted ? undefined : `wrong number of args for ${name}: want at least ${wanted} got ${words}`;
}

/** Returns the type of the argument at an index. */
export function parameterAt(fn: GoFunc, index: number): ParamType {
  return (index < fn.params.length ? fn.params[index] : fn.rest)!;
}

/** Returns a value as a parameter of a type takes it, or fails as Go does. Mirrors: `validateType`. */
export function fitValue(value: Value, type: ParamType, fail: Fail): unknown {
  if (type === 'any') return value instanceof GoObject ? value.copied() : (value ?? null);
  if (type === 'reflect.Value') return value;
  if (value === undefined) return canBeNil(type) ? null : fail(`invalid value; expected ${type}`);
  const fitted = convert(value, type);
  if (fitted !== undefined) return fitted;
  return fail(`wrong type for value; expected ${type}; got ${value === null ? 'interface {}' : typeOf(value)}`);
}

/** Returns what a literal `nil` is for a parameter of a type, or fails. */
export function fitNil(type: ParamType, fail: Fail): undefined | null {
  if (type === 'reflect.Value') return undefined;
  return canBeNil(type) ? null : fail(`cannot assign nil to ${type}`);
}

/** Returns a literal as a parameter of a type takes it, or fails: the type decides what a number is. */
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

/** Returns the value of a literal where no type is requested. */
export function literalValue(node: OperandNode, fail: Fail): GoValue {
  if (node.kind === 'string' || node.kind === 'bool') return node.value;
  if (node.kind === 'number') return node.value ?? fail(`${node.text} overflows int`);
  return fail(`can't evaluate command ${printNode(node)}`);
}

function canBeNil(type: ParamType): boolean {
  return type === 'any' || type.startsWith('[') || type.startsWith('map[') || type.startsWith('*');
}

/** Returns undefined when the value's type is not assignable. */
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
      // A named type fits an unnamed one of the same make: chartutil.Values does, map[string]string does not.
      return value instanceof Map && elementType(value) === 'interface {}' ? unnamed(value) : undefined;
    case '[]interface {}':
      return Array.isArray(value) && elementType(value) === 'interface {}' ? value : undefined;
    case '[]uint8':
      return isBytes(value) ? value : undefined;
    case '[]string':
      return value instanceof TypedSlice && elementType(value) === 'string' ? value : undefined;
    default:
      // A pointer is followed once where the struct itself is requested.
      return value instanceof GoObject && (value.type === type || value.type === `*${type}`) ? value : undefined;
  }
}

// The parameter's type is the one that the function sees and may give back.
function unnamed(map: GoMap): GoMap {
  return map instanceof NamedMap ? unnamed(map.target) : map;
}
