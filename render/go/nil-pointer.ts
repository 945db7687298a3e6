// A typed nil pointer for fields of structs that are printed.
// Mirrors: Go, fmt, print.go `fmtPointer`, 1.23.

import { GoObject } from './value.ts';

/** A nil pointer as a field of a struct that is printed. */
export class NilPointer extends GoObject {
  readonly type: string;
  override readonly kind = 'ptr';

  constructor(type: string) {
    super();
    this.type = type;
  }
}
