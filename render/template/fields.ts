// What a field of a value is beside methods: a struct's field or a map's key, and the type that an error gives for it.
// Mirrors: Go, text/template, exec.go `evalField`, 1.23.

import { isBytes } from '../go/realm.ts';
import { elementType, type GoMap, type GoValue, methodOf, NamedMap, nilBytes, typeOf } from '../go/value.ts';

/** Returns Go's zero value for a missing key of a map, by the type of its elements. */
export function zeroElement(map: GoMap): GoValue {
  if (!(map instanceof NamedMap)) return null;
  if (map.element === 'string') return '';
  return map.element === '[]uint8' ? nilBytes : null;
}

/**
 * Returns the type that Go knows for a value: `interface {}` for an element of `holder` when it holds anything,
 * else the value's own. `name` is the field by which it was reached; what a method gives stands alone, as with a null holder.
 */
export function knownType(value: GoValue, holder: GoValue, name: string | undefined): string {
  const isContainer = holder instanceof Map || Array.isArray(holder) || isBytes(holder);
  if (!isContainer || (name !== undefined && methodOf(holder, name) !== undefined)) return typeOf(value);
  return elementType(holder) === 'interface {}' ? 'interface {}' : typeOf(value);
}
