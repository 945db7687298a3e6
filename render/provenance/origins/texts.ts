// Propagates origins through text functions: moved, cut, quoted or joined texts are in the result.

import { formatValue } from '../../go/format.ts';
import type { GoValue } from '../../go/value.ts';
import {
  assemble,
  downgrade,
  joinReads,
  noOrigin,
  noReads,
  type Origin,
  originOf,
  readsOf,
  type Segment,
  slice,
  type ValueReads,
} from '../../template/origin.ts';
import type { Trace, TracedCall } from '../../template/trace.ts';

type Entry = readonly [name: string, rule: (call: TracedCall) => Origin];

/** Returns the origin of an argument's text; for an object, of everything in it. */
function textOrigin({ args, origins, trace }: TracedCall, at: number): Origin {
  const value = args[at] ?? null;
  const origin = origins[at] ?? noOrigin;
  return typeof value === 'string' ? origin : originOf(trace.standing(value, origin));
}

// Arguments other than the text decide how much of it is in the result.
function others({ args, origins, trace }: TracedCall, at: number): ValueReads {
  const reads = origins.map((origin, i) =>
    i === at ? noReads : downgrade(trace.whole(args[i] ?? null, origin), 'decides'),
  );
  return joinReads(...reads);
}

// For a text that is only moved or cut: the result is a part of it, or the text is a part of the result.
function part(at: number | 'last', find: (text: string, result: string) => number): (call: TracedCall) => Origin {
  return (call) => {
    const index = at === 'last' ? call.args.length - 1 : at;
    const text = call.args[index];
    const origin = textOrigin(call, index);
    const result = String(call.result);
    if (typeof text !== 'string') return originOf(joinReads(readsOf(origin), others(call, index)));
    if (text === result) return origin;
    const start = find(text, result);
    if (start < 0 || text.slice(start, start + result.length) !== result) return aligned(call, index);
    return assemble([{ origin, start, end: start + result.length, to: 0 }], others(call, index));
  };
}

/** Returns the origin of a text derived from another one, line by line where lines are unchanged. */
export function aligned(call: TracedCall, at: number): Origin {
  const origin = textOrigin(call, at);
  const text = String(call.args[at]);
  const result = String(call.result);
  const whole = others(call, at);
  if (origin.pieces === undefined || !result.includes('\n')) return originOf(joinReads(readsOf(origin), whole));
  const lines = originLines(text);
  const segments: Segment[] = [];
  let next = 0;
  for (const { line, start } of originLines(result)) {
    const found = lines.findIndex((one, i) => i >= next && one.line.trim() === line.trim());
    if (found < 0) {
      segments.push({ origin: originOf(readsOf(origin)), start: 0, end: line.length, to: start });
      continue;
    }
    next = found + 1;
    const { line: own, start: from } = lines[found]!;
    const [inner, outer] = [own.search(/\S|$/), line.search(/\S|$/)];
    segments.push({ origin, start: from + inner, end: from + inner + line.trim().length, to: start + outer });
  }
  return assemble(segments, whole);
}

interface Line {
  readonly line: string;
  readonly start: number;
}

export function originLines(text: string): readonly Line[] {
  let start = 0;
  return text.split('\n').map((line) => {
    const found = { line, start };
    start += line.length + 1;
    return found;
  });
}

function indented(call: TracedCall): Origin {
  const [count, text] = call.args as readonly [unknown, GoValue];
  const origin = textOrigin(call, 1);
  if (typeof text !== 'string') return originOf(readsOf(origin));
  const spaces = Number(count);
  let to = call.name === 'nindent' ? 1 + spaces : spaces;
  const segments = originLines(text).map(({ line, start }): Segment => {
    const segment = { origin, start, end: start + line.length, to };
    to += line.length + 1 + spaces;
    return segment;
  });
  return assemble(segments);
}

// Concatenated texts with separators: each is searched for after the previous one.
function joined(call: TracedCall, shown: readonly (readonly [text: string, origin: Origin])[]): Origin {
  const result = String(call.result);
  const segments: Segment[] = [];
  let from = 0;
  for (const [text, origin] of shown) {
    if (text === '') continue;
    const to = result.indexOf(text, from);
    if (to < 0) return originOf(joinReads(...shown.map(([, one]) => readsOf(one))));
    segments.push({ origin, start: 0, end: text.length, to });
    from = to + text.length;
  }
  return assemble(segments);
}

function shownOf(call: TracedCall, from = 0): (readonly [string, Origin])[] {
  return call.args.slice(from).map((arg, i) => [formatValue(arg), textOrigin(call, from + i)] as const);
}

function quoted(call: TracedCall): Origin {
  const present = shownOf(call).filter((_, at) => call.args[at] !== null);
  const isPlain = present.every(([text]) => /^[^"\\\n\t\r]*$/.test(text));
  return isPlain ? joined(call, present) : originOf(joinReads(...present.map(([, origin]) => readsOf(origin))));
}

// Each verb produces the text up to what follows it in the format.
function formatted(call: TracedCall): Origin {
  const [format, ...args] = call.args;
  const result = String(call.result);
  if (typeof format !== 'string') return originOf(readsOf(textOrigin(call, 0)));
  const origins = args.map((_, at) => textOrigin(call, at + 1));
  const formatOrigin = call.origins[0] ?? noOrigin;
  const parts = format.split(/(%[-+# 0]*(?:[1-9]\d*)?(?:\.\d+)?[a-zA-Z%])/);
  const segments: Segment[] = [];
  let [at, offset, next] = [0, 0, 0];
  const whole = (): Origin => originOf(joinReads(readsOf(formatOrigin), ...origins.map(readsOf)));
  for (const [i, one] of parts.entries()) {
    const isVerb = i % 2 === 1;
    if (!isVerb || one === '%%') {
      const text = isVerb ? '%' : one;
      if (!result.startsWith(text, at)) return whole();
      if (formatOrigin !== noOrigin)
        segments.push({ origin: formatOrigin, start: offset, end: offset + text.length, to: at });
      at += text.length;
    } else {
      const arg = args[next] ?? null;
      const plain = /^%[svd]$/.test(one) ? formatValue(arg) : undefined;
      const rest = (parts[i + 1] ?? '') + (parts[i + 2] === '%%' ? '%' : '');
      const end =
        plain !== undefined && result.startsWith(plain, at)
          ? at + plain.length
          : endBefore(result, at, { rest, isLast: i >= parts.length - 2 && rest === '' });
      if (end < 0) return whole();
      const isText = plain === arg;
      const own = origins[next] ?? noOrigin;
      segments.push({ origin: isText ? own : originOf(readsOf(own)), start: 0, end: end - at, to: at });
      at = end;
      next++;
    }
    offset += one.length;
  }
  return at === result.length ? assemble(segments) : whole();
}

function endBefore(
  result: string,
  at: number,
  { rest, isLast }: { readonly rest: string; readonly isLast: boolean },
): number {
  if (isLast) return result.length;
  return rest === '' ? -1 : result.indexOf(rest, at);
}

function replaced(call: TracedCall): Origin {
  const [old, replacement, text] = call.args;
  if (typeof old !== 'string' || typeof text !== 'string' || typeof replacement !== 'string' || old === '')
    return aligned(call, 2);
  const origin = textOrigin(call, 2);
  const segments: Segment[] = [];
  let [from, to] = [0, 0];
  for (const kept of text.split(old)) {
    segments.push({ origin, start: from, end: from + kept.length, to });
    from += kept.length + old.length;
    to += kept.length;
    if (from <= text.length) segments.push({ origin: textOrigin(call, 1), start: 0, end: replacement.length, to });
    to += replacement.length;
  }
  return assemble(segments, downgrade(readsOf(call.origins[0] ?? noOrigin), 'decides'));
}

// The items of a list, joined.
function joinedItems(call: TracedCall): Origin {
  const { args, trace } = call;
  const list = args[1] ?? null;
  const separator = textOrigin(call, 0);
  if (!Array.isArray(list)) return originOf(readsOf(textOrigin(call, 1)));
  const lead = downgrade(readsOf(call.origins[1] ?? noOrigin), 'computed');
  const shown = list
    .map((item, at) => [item === null ? '' : formatValue(item), itemOrigin(trace, list, at)] as const)
    .filter(([text]) => text !== '');
  const { reads, pieces } = joined(call, shown);
  return { reads: joinReads(reads, lead, downgrade(readsOf(separator), 'computed')), pieces };
}

function itemOrigin(trace: Trace, list: readonly GoValue[], at: number): Origin {
  const item = list[at] ?? null;
  const origin = trace.partOf(list as GoValue[], at, item);
  return typeof item === 'string' ? origin : originOf(trace.standing(item, origin));
}

// Parts of a text as a list, or as a dict of `_0`, `_1`.
function split(call: TracedCall): Origin {
  const { args, result, trace } = call;
  const at = args.length - 1;
  const text = args[at];
  const origin = textOrigin(call, at);
  if (typeof result !== 'object' || result === null) return originOf(readsOf(origin));
  const made = trace.make(result);
  let from = 0;
  const items = Array.isArray(result) ? [...result.entries()] : [...(result as Map<string, GoValue>)];
  for (const [key, item] of items) {
    const start = typeof text === 'string' && typeof item === 'string' ? text.indexOf(item, from) : -1;
    const own = start < 0 ? originOf(readsOf(origin)) : slice(origin, start, start + String(item).length);
    if (start >= 0) from = start + String(item).length;
    made.parts.set(key, own);
  }
  return originOf(downgrade(joinReads(readsOf(origin), others(call, at)), 'computed'));
}

const sameLength = (text: string, result: string): number => (text.length === result.length ? 0 : -1);

// Letters that only change case stay in place.
function recased(call: TracedCall): Origin {
  const origin = textOrigin(call, 0);
  const [text] = call.args;
  if (typeof text === 'string' && sameLength(text, String(call.result)) === 0) return origin;
  return aligned(call, 0);
}

const cutAtEnd = part('last', (_text, result) => (result === '' ? -1 : 0));
const cutAtStart = part('last', (text, result) => text.length - result.length);
const within = part('last', (text, result) => text.indexOf(result));
const last = (call: TracedCall): Origin => aligned(call, call.args.length - 1);
const first = (call: TracedCall): Origin => aligned(call, 0);

function each(names: string, rule: (call: TracedCall) => Origin): readonly Entry[] {
  return names.split(' ').map((name) => [name, rule] as const);
}

/** The functions that move, cut, quote and join texts. */
export const textFunctionRules: readonly Entry[] = [
  ...each('indent nindent', indented),
  ...each('trim trimAll trimall substr regexFind', within),
  ...each('trimSuffix', cutAtEnd),
  ...each('trimPrefix', cutAtStart),
  ...each('trunc', (call) => (Number(call.args[0]) < 0 ? cutAtStart(call) : cutAtEnd(call))),
  ...each('quote squote', quoted),
  ...each('printf', formatted),
  ...each('print println cat', (call) => joined(call, shownOf(call))),
  ...each('replace', replaced),
  ...each('join', joinedItems),
  ...each('split splitn splitList regexSplit regexFindAll', split),
  ...each('lower upper title untitle swapcase', recased),
  ...each('nospace wrap wrapWith snakecase camelcase kebabcase abbrev abbrevboth repeat plural', last),
  ...each('html js urlquery base dir clean ext osBase osDir osClean osExt trimall toToml', last),
  ...each('regexReplaceAll regexReplaceAllLiteral', replacedByPattern),
  ...each('htpasswd', first),
];

// `regexReplaceAll PATTERN TEXT REPLACEMENT`: text and replacement are in the result.
function replacedByPattern(call: TracedCall): Origin {
  const own = aligned(call, 1);
  const put = readsOf(textOrigin(call, 2));
  const pattern = downgrade(readsOf(call.origins[0] ?? noOrigin), 'decides');
  // For `aligned` the replacement only decides.
  return { reads: joinReads(own.reads, put, pattern), pieces: own.pieces };
}
