// The numbers and characters of the template language, read as Go's untyped constants.
// Mirrors: Go, text/template/parse, node.go `newNumber`, and text/template, exec.go `idealConstant`, 1.23.

import { formatFloat, parseFloat64, parseInt64, parseUint64, quote, unquote } from '../go/number.ts';
import { isStrayByte } from '../go/utf8.ts';
import { GoError, GoObject, type GoValue, int } from '../go/value.ts';
import type { NumberNode } from './nodes.ts';

/** Go's complex128. A template can write one (`1+2i`) and print it, but do little else. */
class Complex extends GoObject {
  override readonly type = 'complex128';
  override readonly kind = 'complex128';
  readonly real: number;
  readonly imaginary: number;

  constructor(real: number, imaginary: number) {
    super();
    this.real = real;
    this.imaginary = imaginary;
  }

  override get isZero(): boolean {
    return this.real === 0 && this.imaginary === 0;
  }

  override layout(): ReadonlyMap<string, GoValue> {
    return new Map([
      ['real', this.real],
      ['imaginary', this.imaginary],
    ]);
  }

  override string(): string {
    const imaginary = formatFloat(this.imaginary, 'g', -1);
    return `(${formatFloat(this.real, 'g', -1)}${/^[+-]/.test(imaginary) ? '' : '+'}${imaginary}i)`;
  }

  override json(): never {
    throw new GoError('json: unsupported type: complex128');
  }
}

type Kind = 'number' | 'complex' | 'charConstant';

/** Parses a number or character token. Throws `GoError` with the parser's message if it is malformed. */
export function readConstant(offset: number, text: string, kind: Kind): NumberNode {
  if (kind === 'charConstant') return readCharacter(offset, text);
  const complex = kind === 'complex' ? readComplex(text) : readImaginary(text);
  if (complex !== undefined) {
    const float = complex.imaginary === 0 ? complex.real : undefined;
    return node(offset, text, wholeNumber(float), float, complex);
  }
  const integer = attempt(() => parseInt64(text, 0));
  if (integer !== undefined) return node(offset, text, integer, Number(integer), int(integer));
  const unsigned = attempt(() => parseUint64(text, 0));
  // Too large for int: valid as a float64 parameter only.
  if (unsigned !== undefined) return node(offset, text, undefined, Number(unsigned), undefined);
  const float = attempt(() => parseFloat64(text));
  if (float === undefined) throw new GoError(`illegal number syntax: ${quote(text)}`);
  if (!/[.eEpP]/.test(text)) throw new GoError(`integer overflow: ${quote(text)}`);
  return node(offset, text, wholeNumber(float), float, float);
}

function node(
  offset: number,
  text: string,
  integer: bigint | undefined,
  float: number | undefined,
  value: GoValue | undefined,
): NumberNode {
  return { kind: 'number', offset, text, int: integer, float, value };
}

/** A character constant is an int: its code point, or a single byte if it is escaped as one. */
function readCharacter(offset: number, text: string): NumberNode {
  const first = /^'(\\(?:[0-7]{3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)|[^\\'])/u.exec(text)?.[1];
  if (first === undefined) throw new GoError('invalid syntax');
  const code = unquote(`'${first}'`).codePointAt(0)!;
  if (text.length !== first.length + 2) throw new GoError(`malformed character constant: ${text}`);
  const value = isStrayByte(code) ? code - 0xdc00 : code;
  return node(offset, text, BigInt(value), value, int(value));
}

function readImaginary(text: string): Complex | undefined {
  if (!text.endsWith('i')) return undefined;
  const imaginary = attempt(() => parseFloat64(text.slice(0, -1)));
  return imaginary === undefined ? undefined : new Complex(0, imaginary);
}

function readComplex(text: string): Complex {
  // The sign between the two parts is the last sign outside an exponent.
  const parts = text.endsWith('i') ? /^(.*[^eEpP])([+-].*)$/s.exec(text.slice(0, -1)) : null;
  const real = attempt(() => parseFloat64(parts?.[1] ?? ''));
  const imaginary = attempt(() => parseFloat64(parts?.[2] ?? ''));
  if (real === undefined || imaginary === undefined) throw new GoError('syntax error scanning complex number');
  return new Complex(real, imaginary);
}

function wholeNumber(float: number | undefined): bigint | undefined {
  if (float === undefined || !Number.isInteger(float)) return undefined;
  const integer = BigInt(float);
  return BigInt.asIntN(64, integer) === integer ? integer : undefined;
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
