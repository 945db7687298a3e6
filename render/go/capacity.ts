// The capacity of slices: Go can reslice beyond the length, so that `slice .Values.three 0 4` returns four items, the last one nil.
// Mirrors: Go, runtime, slice.go `growslice` and sizeclasses.go, 1.23.

import { elementType, type GoValue, int } from './value.ts';

type Items = readonly GoValue[];

// Only lists that did not grow item by item are recorded; parsers and most functions append items.
const noted = new WeakMap<Items, Items>();

/** Records the items between a list's length and its capacity. Returns the list. */
export function withRoom<List extends Items>(list: List, room: Items): List {
  noted.set(list, room);
  return list;
}

/** Records that a list's capacity is its length. Returns the list. */
export function exact<List extends Items>(list: List): List {
  noted.set(list, none);
  return list;
}

/** Records the capacity of a list, in items. Returns the list. */
export function withCapacity<List extends Items>(list: List, capacity: number): List {
  return withRoom(list, zeros(list, capacity - list.length));
}

/** Returns the items after a list's end: zero values, or the items that a shorter slice leaves out. */
export function roomBehind(list: Items): Items {
  const known = noted.get(list);
  if (known !== undefined) return known;
  const { length } = list;
  let capacity = 0;
  while (capacity < length) capacity = grown(capacity, capacity + 1, elementType(list) === 'int');
  return zeros(list, capacity - length);
}

/** Returns the capacity, in items, of a list that grows to a length. Integers take less space than other items. */
export function grown(capacity: number, length: number, isInts = false): number {
  let wanted = capacity;
  if (length > 2 * capacity) wanted = length;
  else if (capacity < 256) wanted = 2 * capacity;
  else while (wanted < length) wanted += Math.floor((wanted + 768) / 4);
  return isInts ? Math.floor(sizeOfBlock(wanted * 8, 0) / 8) : Math.floor(sizeOfBlock(wanted * 16, 8) / 16);
}

const none: Items = [];

function zeros(list: Items, count: number): Items {
  const type = elementType(list);
  return new Array<GoValue>(Math.max(0, count)).fill(type === 'string' ? '' : type === 'int' ? int(0) : null);
}

// Go's allocator uses these block sizes; larger blocks are multiples of 8 KiB pages.
const blocks = [
  8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240, 256, 288, 320, 352, 384, 416, 448, 480,
  512, 576, 640, 704, 768, 896, 1024, 1152, 1280, 1408, 1536, 1792, 2048, 2304, 2688, 3072, 3200, 3456, 4096, 4864,
  5120, 5376, 6144, 6528, 6784, 6912, 8192, 9472, 9728, 10240, 10880, 12288, 13568, 14336, 16384, 18432, 19072, 20480,
  21760, 24576, 27264, 28672, 32768,
];

// `header` is the part of a small block above 512 bytes that the allocator uses to record pointers.
function sizeOfBlock(bytes: number, header: number): number {
  const taken = bytes > 512 ? header : 0;
  const block = bytes <= 32760 ? blocks.find((size) => size >= bytes + taken) : undefined;
  return block === undefined ? Math.ceil(bytes / 8192) * 8192 : block - taken;
}
