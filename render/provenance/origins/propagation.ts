// Propagates origins through template functions.

import { isBytes } from '../../go/realm.ts';
import { decodeUtf8 } from '../../go/utf8.ts';
import type { GoValue } from '../../go/value.ts';
import {
  downgrade,
  exactRead,
  joinReads,
  noOrigin,
  noReads,
  type Origin,
  originOf,
  readsOf,
  type ValueReads,
  withReads,
} from '../../template/origin.ts';
import { bare, type Rules, Trace, type TracedCall } from '../../template/trace.ts';
import { Tracer } from '../../template/traced.ts';
import { documentRules } from './documents.ts';
import { before, objectRules } from './objects.ts';
import { textFunctionRules } from './texts.ts';

// Propagates origins through `.Files`: the files of a chart by name.

type Entry = readonly [name: string, rule: (call: TracedCall) => Origin];

const fileRules: readonly Entry[] = [
  ['Get', (call) => fileOf(call)],
  ['GetBytes', (call) => fileOf(call)],
  ['Lines', (call) => linesOf(call)],
  ['Glob', (call) => globbed(call)],
  ['AsConfig', (call) => originOf(filesOf(call))],
  ['AsSecrets', (call) => originOf(downgrade(filesOf(call), 'computed'))],
];

function fileOf({ args, origins, receiver, result, trace }: TracedCall): Origin {
  const files = bare(receiver);
  const named = downgrade(readsOf(origins[0] ?? noOrigin), 'decides');
  if (!(files instanceof Map)) return originOf(named);
  return originOf(joinReads(readsOf(trace.partOf(files, String(args[0]), textOf(result))), named));
}

function linesOf(call: TracedCall): Origin {
  const { receiver, result, args, trace } = call;
  const files = bare(receiver);
  const text = files instanceof Map ? textOf(files.get(String(args[0])) ?? null) : null;
  const origin = fileOf({ ...call, result: text });
  if (!Array.isArray(result)) return noOrigin;
  const { parts } = trace.make(result);
  for (const at of result.keys()) parts.set(at, origin);
  return noOrigin;
}

// The matching files are still those of the chart.
function globbed({ origins, receiver, result, trace: all }: TracedCall): Origin {
  const place = all.placeOf(bare(receiver));
  const found = bare(result);
  if (place !== undefined && found instanceof Map) all.placeAs(found, place);
  return originOf(downgrade(readsOf(origins[0] ?? noOrigin), 'decides'));
}

function textOf(data: GoValue): GoValue {
  return isBytes(data) ? decodeUtf8(data) : data;
}

function filesOf({ receiver, trace: all }: TracedCall): ValueReads {
  const files = bare(receiver);
  if (!(files instanceof Map)) return new Map();
  const place = all.placeOf(files);
  const texts = [...files].map(([name, data]) => [name, textOf(data)] as const);
  const parts = texts.map(([name, text]) => readsOf(all.partOf(files, name, text)));
  return files.size === 0 && place !== undefined ? exactRead(place) : joinReads(...parts);
}

type PropagationRule = (call: TracedCall) => Origin;

/** Handles the functions of Go, sprig and Helm. Any other function computes its result from all arguments. */
const propagationRules: Rules = {
  prepare: before,
  carry(call) {
    const rule = table.get(call.name) ?? table.get(withoutMust(call.name));
    return (rule ?? made)(call);
  },
};

function withoutMust(name: string): string {
  return name.startsWith('must') ? `${name.charAt(4).toLowerCase()}${name.slice(5)}` : name;
}

// A new value computed from all arguments.
function made({ args, origins, result, trace }: TracedCall): Origin {
  const reads = joinReads(...args.map((arg, at) => trace.whole(arg, origins[at]!)));
  const origin = originOf(downgrade(reads, 'computed'));
  if (typeof result === 'object' && result !== null) trace.make(result, origin);
  return origin;
}

// Returns an argument, selected by the others.
function chosen(call: TracedCall, at: number, deciding: readonly number[]): Origin {
  const { args, origins, trace } = call;
  const reads = deciding.map((i) => downgrade(trace.whole(args[i] ?? null, origins[i]!), 'decides'));
  return withReads(origins[at]!, joinReads(...reads));
}

// False for the function that negates the other.
function denied(call: TracedCall): Origin {
  const { args, origins, trace } = call;
  const origin = { ...made(call) };
  trace.truths.set(origin, trace.truthOf(args[0], origins[0]!));
  return origin;
}

// The content of an object does not affect its type.
function typed({ args, origins, trace }: TracedCall): Origin {
  const reads = args.map((arg, at) => {
    const place = trace.placeOf(bare(arg));
    return joinReads(readsOf(origins[at]!), place === undefined ? noReads : exactRead(place));
  });
  return originOf(downgrade(joinReads(...reads), 'computed'));
}

const choices: readonly (readonly [string, PropagationRule])[] = [
  [
    'default',
    (call) => {
      const isGiven = call.args.length > 1 && call.result === call.args[1];
      if (call.args.length < 2) return call.origins[0]!;
      return isGiven ? chosen(call, 1, []) : chosen(call, 0, [1]);
    },
  ],
  ['ternary', (call) => chosen(call, call.args[2] === true ? 0 : 1, [2])],
  [
    'coalesce',
    (call) => {
      const { args, result } = call;
      const found = args.indexOf(result);
      const before = [...args.keys()].slice(0, found < 0 ? args.length : found);
      return found < 0 ? originOf(readsOf(made(call))) : chosen(call, found, before);
    },
  ],
  ['not', denied],
  ...['typeIs', 'kindIs', 'typeOf', 'kindOf', 'typeIsLike'].map((name) => [name, typed] as const),
  ['required', ({ origins }) => origins[1]!],
  ...['int', 'int64', 'float64', 'toDecimal', 'atoi', 'toString'].map(
    (name) => [name, (call: TracedCall): Origin => standing(call)] as const,
  ),
];

// The whole first argument is in the result.
function standing({ args, origins, trace, result }: TracedCall): Origin {
  const [origin] = origins as readonly [Origin];
  if (args[0] === result) return origin;
  return originOf(trace.standing(args[0], origin));
}

const table: ReadonlyMap<string, PropagationRule> = new Map<string, PropagationRule>([
  ...choices,
  ...textFunctionRules,
  ...documentRules,
  ...objectRules,
  ...fileRules,
  [
    'include',
    ({ trace, result, origins }) => {
      const { last } = trace;
      const text = String(result);
      const chosenBy = downgrade(readsOf(origins[0]!), 'decides');
      if (last?.text !== text) return originOf(chosenBy);
      return { reads: chosenBy, pieces: [{ start: 0, end: text.length, reads: new Map(), text: last, at: 0 }] };
    },
  ],
  [
    'tpl',
    ({ trace, result, args, origins }) => {
      const { last } = trace;
      const text = String(result);
      const source = origins[0]!;
      if (last === undefined) return args[0] === result ? source : originOf(readsOf(source));
      if (last.text !== text) return originOf(readsOf(source));
      return { reads: new Map(), pieces: [{ start: 0, end: text.length, reads: new Map(), text: last, at: 0 }] };
    },
  ],
]);

export function createTrace(): Trace {
  return new Trace({ rules: propagationRules, observe: (running, trace) => new Tracer(running, trace) });
}
