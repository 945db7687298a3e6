// The picture of the house: its floors and rooms, and who imports whom, read from the imports. `npm run picture` draws it into
// fixtures/house.svg; a test tells whether the picture is that of today's imports.

import { readFile, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { collect, floors, importsOf, isIn } from '../floors.ts';
import { root } from './pages.ts';

const target = join(root, 'fixtures/house.svg');

/** A room, or the files of a floor that stand in none, with what it imports from lower floors. */
interface Room {
  readonly name: string;
  /** From 0, the ground of its half. */
  readonly floor: number;
  readonly imports: Set<string>;
}

/** Gives the picture as it belongs to the imports. */
export async function drawHouse(): Promise<string> {
  const sources = new Map<string, string>();
  for (const half of ['render', 'emulator']) await collect(root, half, sources);
  const halves = ['render', 'emulator'].map((half) => roomsOf(half, sources));
  return draw(halves.map(withoutDetours));
}

/** Says whether fixtures/house.svg is the picture of the imports. */
export async function isHouseDrawn(): Promise<boolean> {
  return (await readFile(target, 'utf8')) === (await drawHouse());
}

// Files that stand in no room of their floor are one box: `errors.ts, host.ts …`.
function boxOf(place: string, floor: readonly string[]): string {
  if (place.endsWith('/')) return place;
  const half = place.slice(0, place.indexOf('/') + 1);
  const loose = floor.filter((other) => !other.endsWith('/') && other.startsWith(half));
  const names = loose.map((file) => file.slice(half.length).replace(/(?:\.node|\.browser)?\.ts$/, ''));
  return half + (names.length > 3 ? `${names.slice(0, 2).join(', ')} and ${names.length - 2} more` : names.join(', '));
}

function roomsOf(half: string, sources: ReadonlyMap<string, string>): Room[] {
  const own = floors.filter((floor) => floor.some((place) => place.startsWith(`${half}/`)));
  const rooms = new Map<string, Room>();
  const byFile = new Map<string, string>();
  for (const [floor, places] of own.entries()) {
    for (const place of places) {
      const name = boxOf(place, places);
      for (const file of sources.keys()) if (isIn(file, place)) byFile.set(file, name);
      const before = rooms.get(name);
      rooms.set(name, {
        name,
        floor,
        imports: before?.imports ?? new Set(),
      });
    }
  }
  for (const [file, name] of byFile) {
    for (const specifier of importsOf(sources.get(file) ?? '')) {
      const other = specifier.startsWith('.') ? byFile.get(posix.join(posix.dirname(file), specifier)) : undefined;
      if (other !== undefined && other !== name) rooms.get(name)?.imports.add(other);
    }
  }
  return [...rooms.values()];
}

// Of the imports only those are drawn that no way through other rooms says as well.
function withoutDetours(rooms: readonly Room[]): Room[] {
  const byName = new Map(rooms.map((room) => [room.name, room]));
  const reach = (from: string, seen: Set<string>): Set<string> => {
    for (const next of byName.get(from)?.imports ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      reach(next, seen);
    }
    return seen;
  };
  return rooms.map((room) => {
    const others = [...room.imports];
    const kept = others.filter((name) => !others.some((other) => other !== name && reach(other, new Set()).has(name)));
    return { ...room, imports: new Set(kept) };
  });
}

const [boxHeight, floorHeight, gap, margin, halfWidth] = [32, 70, 14, 20, 620];

interface Box {
  readonly room: Room;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

function layOut(rooms: readonly Room[], left: number, top: number): Box[] {
  const highest = Math.max(...rooms.map(({ floor }) => floor));
  return rooms.map((room) => {
    const beside = rooms.filter(({ floor }) => floor === room.floor);
    const width = Math.min(220, (halfWidth - gap * (beside.length - 1)) / beside.length);
    const start = left + (halfWidth - width * beside.length - gap * (beside.length - 1)) / 2;
    return {
      room,
      width,
      x: start + beside.indexOf(room) * (width + gap),
      y: top + (highest - room.floor) * floorHeight,
    };
  });
}

function draw(halves: readonly (readonly Room[])[]): string {
  const heights = halves.map((rooms) => Math.max(...rooms.map(({ floor }) => floor)) + 1);
  const tallest = Math.max(...heights);
  const boxes = halves.map((rooms, i) =>
    layOut(rooms, margin + i * (halfWidth + 3 * margin), margin + 30 + (tallest - (heights[i] ?? 0)) * floorHeight),
  );
  const [width, height] = [
    2 * halfWidth + 5 * margin,
    margin * 2 + 30 + tallest * floorHeight - (floorHeight - boxHeight),
  ];
  const titles = ['render/', 'emulator/'].map(
    (half, i) => `<text class="half" x="${margin + i * (halfWidth + 3 * margin)}" y="${margin + 10}">${half}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="The floors and rooms of render and emulator, and who imports whom">
<style>
svg{background:#fff;font:13px system-ui,sans-serif}
rect{fill:#eef4fb;stroke:#3b6ea5}
path{fill:none;stroke:#8aa4bf;stroke-width:1.2}
text{fill:#17324d;text-anchor:middle}
.half{font-size:18px;font-weight:600;text-anchor:start}
</style>
${titles.join('\n')}
${boxes.flatMap((half) => half.flatMap((box) => lines(box, half))).join('\n')}
${boxes.flat().map(drawBox).join('\n')}
</svg>
`;
}

function lines({ room, x, y, width }: Box, half: readonly Box[]): string[] {
  return half
    .filter((other) => room.imports.has(other.room.name) && other.room.floor < room.floor)
    .map((other) => {
      const [fromX, fromY, toX] = [x + width / 2, y + boxHeight, other.x + other.width / 2];
      const bend = Math.max(24, (other.y - fromY) / 2);
      return `<path d="M${round(fromX)} ${fromY}C${round(fromX)} ${round(fromY + bend)} ${round(toX)} ${round(other.y - bend)} ${round(toX)} ${other.y}"/>`;
    });
}

function drawBox({ room, x, y, width }: Box): string {
  const middle = round(x + width / 2);
  const name = room.name.slice(room.name.indexOf('/') + 1);
  return `<rect x="${round(x)}" y="${y}" width="${round(width)}" height="${boxHeight}" rx="5"/><text x="${middle}" y="${y + 20}">${name}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (!process.argv.includes('--check')) await writeFile(target, await drawHouse());
  else if (!(await isHouseDrawn())) {
    console.error('fixtures/house.svg: the imports are others: run npm run picture');
    process.exitCode = 1;
  }
}
