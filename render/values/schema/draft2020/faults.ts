// Violations as a tree, because one can cause another, with the messages of santhosh-tekuri/jsonschema.
// Mirrors: github.com/santhosh-tekuri/jsonschema/v6, kind/kind.go and the formatting of `ValidationError`, v6.0.2.

import { JsonNumber } from '../../../codec/json.ts';
import { formatFloat, quote } from '../../../go/number.ts';
import { type GoValue, Int } from '../../../go/value.ts';
import { pointerOf } from './address.ts';
import type { Draft2020Number } from './model.ts';
import { floatOf } from './numbers.ts';

/** A violation at a place. */
export interface SchemaViolation {
  /** The path of the value. */
  readonly at: readonly string[];
  readonly message: string;
  readonly causes: readonly SchemaViolation[];
  /** `reference` refers to another schema, `group` contains all violations of one. */
  readonly kind?: 'reference' | 'group';
}

/** Formats violations as nested lists. */
export function formatViolations(faults: readonly SchemaViolation[]): string {
  const lines: string[] = [];
  const left = faults.map((fault) => ({ fault, indent: 0 })).reverse();
  for (let item = left.pop(); item !== undefined; item = left.pop()) {
    const { fault, indent } = item;
    const isPassed = fault.kind === 'reference' && fault.causes.length === 1;
    if (!isPassed) lines.push(`${'  '.repeat(indent)}- at ${quoteName(pointerOf(fault.at))}: ${fault.message}\n`);
    const inner = isPassed ? indent : indent + 1;
    left.push(...fault.causes.map((cause) => ({ fault: cause, indent: inner })).reverse());
  }
  return lines.join('');
}

/** Quotes a text with single quotes, escaped like Go. */
export function quoteName(text: string): string {
  return `'${quote(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** Quotes texts and joins them with commas. */
export function quoteNames(texts: readonly string[]): string {
  return texts.map(quoteName).join(', ');
}

/** Formats a scalar for people. */
export function display(value: GoValue): string {
  if (typeof value === 'string') return quoteName(value);
  if (value === null) return '<nil>';
  if (value instanceof JsonNumber) return value.text;
  return value instanceof Int ? String(value.value) : String(value);
}

/** Reports whether a value is a scalar. */
export function isScalarKind(value: GoValue): boolean {
  return !Array.isArray(value) && !(value instanceof Map);
}

/** Formats a number like golang.org/x/text in English: with thousands separators, large and small ones with an exponent. */
export function printNumber(value: Draft2020Number): string {
  const number = floatOf(value);
  if (!Number.isFinite(number)) return number < 0 ? '-∞' : '∞';
  const text = formatFloat(number, 'g', -1);
  const [mantissa = '', exponent] = text.split('e');
  if (exponent !== undefined) return `${mantissa}×10${superscript(exponent)}`;
  const [whole = '', fraction] = mantissa.split('.');
  const grouped = whole.replace(/\B(?=(?:\d{3}){1,7}$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

function superscript(exponent: string): string {
  const digits = [...exponent.slice(1)].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]).join('');
  return exponent.startsWith('-') ? `⁻${digits}` : digits;
}
