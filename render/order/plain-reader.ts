// The quick way to the JSON value of an Order's text: of those that are written as most are. It keeps positions where it is
// asked for them, and gives up where two readers of YAML might not agree; syntax.ts then tells faults in full.

import { forbidden, readSource } from '../codec/yaml/reader.ts';
import { depthProblem, YamlScanner } from '../codec/yaml/scanner.ts';
import { shallow } from '../go/steps.ts';
import { GoError } from '../go/value.ts';
import { isDeepText } from './levels.ts';
import type { JsonValue } from './order.ts';
import { fromOne, type PlainFault, Told, Unusual } from './plain-grammar.ts';
import { PlainReader } from './plain-grammar-deep.generated.ts';
import { PlainPlaces } from './plain-places.ts';

/** What the quick way came to: the value, or what ended the reading. */
export type PlainOrder = { readonly value: JsonValue } | PlainFault;

/** How many characters the other reader is given: it takes ten times the time and the memory of this one. */
export const mostOdd = 1_000_000;

/** Reads the text of an Order; undefined where it takes the other reader to tell what it means or what is wrong with it. */
export function readPlainOrder(source: string): PlainOrder | undefined {
  return readWith(source, undefined);
}

/** Gives where everything of an Order's text stands; undefined where it takes the other reader to tell. */
export function placesOfPlainOrder(source: string): PlainPlaces | undefined {
  const places = new PlainPlaces();
  const read = readWith(source, places);
  return read !== undefined && 'value' in read ? places : undefined;
}

function readWith(source: string, places: PlainPlaces | undefined): PlainOrder | undefined {
  const odd = placeOfOddBreak(source);
  if (odd !== undefined) return unlessOther(source, { fault: 'odd', name: '', ...odd });
  const text = readSource(source.endsWith('\n') ? source : `${source}\n`);
  if (text.fault !== undefined) {
    return unlessOther(source, { fault: 'syntax', name: text.fault, ...placeAt(source, source.search(forbidden)) });
  }
  const scanner = new YamlScanner(text);
  scanner.takesJson = true;
  const { depth } = shallow;
  try {
    return { value: new PlainReader(scanner, places).document() };
  } catch (error) {
    if (error instanceof Told) return error.told;
    if (error instanceof Unusual) return unlessOther(source, { fault: 'odd', name: '', ...fromOne(scanner.start) });
    if (error instanceof GoError) return unlessOther(source, syntaxFault(error));
    throw error;
  } finally {
    shallow.depth = depth;
  }
}

// Readers disagree on line breaks beyond those of files, and on a text block that ends without one.
function placeOfOddBreak(source: string): Pick<PlainFault, 'line' | 'column'> | undefined {
  const found = /[\x85\u2028\u2029]|\r(?!\n)/.exec(source) ?? (/[|>]/.test(source) ? /\n[ \t]+$/.exec(source) : null);
  return found === null ? undefined : placeAt(source, found.index);
}

function placeAt(source: string, offset: number): Pick<PlainFault, 'line' | 'column'> {
  const before = source.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

// The other reader recurses, and takes long.
function unlessOther(source: string, fault: PlainFault): PlainFault | undefined {
  if (source.length > mostOdd) return fault;
  if (!isDeepText(source)) return undefined;
  return fault.fault === 'odd' ? { ...fault, fault: 'odd-deep' } : fault;
}

function syntaxFault({ problem, place: { line = 1, column = 1 } }: GoError): PlainFault {
  if (problem === depthProblem) return { fault: 'deep', name: '', line, column };
  return { fault: 'syntax', name: problem, line, column };
}
