// Propagates origins through `.Files`: the files of a chart by name.

import { isBytes } from '../../go/realm.ts';
import { decodeUtf8 } from '../../go/utf8.ts';
import type { GoValue } from '../../go/value.ts';
import {
  downgrade,
  exactRead,
  joinReads,
  nothing,
  type Origin,
  originOf,
  readsOf,
  type ValueReads,
} from '../../template/origin.ts';
import { bare, type TracedCall } from '../../template/trace.ts';

type Entry = readonly [name: string, rule: (call: TracedCall) => Origin];

/** The methods of `.Files`. */
export const fileRules: readonly Entry[] = [
  ['Get', (call) => fileOf(call)],
  ['GetBytes', (call) => fileOf(call)],
  ['Lines', (call) => linesOf(call)],
  ['Glob', (call) => globbed(call)],
  ['AsConfig', (call) => originOf(filesOf(call))],
  ['AsSecrets', (call) => originOf(downgrade(filesOf(call), 'computed'))],
];

function fileOf({ args, origins, receiver, result, trace }: TracedCall): Origin {
  const files = bare(receiver);
  const named = downgrade(readsOf(origins[0] ?? nothing), 'decides');
  if (!(files instanceof Map)) return originOf(named);
  return originOf(joinReads(readsOf(trace.partOf(files, String(args[0]), textOf(result))), named));
}

function linesOf(call: TracedCall): Origin {
  const { receiver, result, args, trace } = call;
  const files = bare(receiver);
  const text = files instanceof Map ? textOf(files.get(String(args[0])) ?? null) : null;
  const origin = fileOf({ ...call, result: text });
  if (!Array.isArray(result)) return nothing;
  const { parts } = trace.make(result);
  for (const at of result.keys()) parts.set(at, origin);
  return nothing;
}

// The matching files are still those of the chart.
function globbed({ origins, receiver, result, trace: all }: TracedCall): Origin {
  const place = all.placeOf(bare(receiver));
  const found = bare(result);
  if (place !== undefined && found instanceof Map) all.placeAs(found, place);
  return originOf(downgrade(readsOf(origins[0] ?? nothing), 'decides'));
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
