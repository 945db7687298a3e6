// Field access apart from methods: struct fields and map keys, and the type that an error names.
// Mirrors: Go, text/template, exec.go `evalField`, 1.23.

import { isBytes } from '../go/realm.ts';
import { elementType, type GoMap, type GoValue, methodOf, NamedMap, nilBytes, typeOf } from '../go/value.ts';

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
