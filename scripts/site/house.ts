// The picture of the house: its layers and modules, and who imports whom, read from the imports. `npm run picture` draws it into
// fixtures/house.svg; a test tells whether the picture is that of today's imports.

import { readFile, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { importsOf, isIn, layers, readSources } from '../dev/check-imports.ts';
import { root } from './pages.ts';

const target = join(root, 'fixtures/house.svg');

/** A module, or the files of a layer that stand in none, with what it imports from lower layers. */
interface Module {
  readonly name: string;
  /** From 0, the ground of its half. */
  readonly layer: number;
  readonly imports: Set<string>;
}

/** Gives the picture as it belongs to the imports. */
export async function drawHouse(): Promise<string> {
  const sources = new Map<string, string>();
  for (const half of ['render', 'emulator']) await readSources(root, half, sources);
  const halves = ['render', 'emulator'].map((half) => modulesOf(half, sources));
  return draw(halves.map(withoutDetours));
}

/** Says whether fixtures/house.svg is the picture of the imports. */
export async function isHouseDrawn(): Promise<boolean> {
  return (await readFile(target, 'utf8')) === (await drawHouse());
}

// Files that stand in no module of their layer are one box: `errors.ts, host.ts …`.
function boxOf(place: string, layer: readonly string[]): string {
  if (place.endsWith('/')) return place;
  const half = place.slice(0, place.indexOf('/') + 1);
  const loose = layer.filter((other) => !other.endsWith('/') && other.startsWith(half));
  const names = loose.map((file) => file.slice(half.length).replace(/(?:\.node|\.browser)?\.ts$/, ''));
  return half + (names.length > 3 ? `${names.slice(0, 2).join(', ')} and ${names.length - 2} more` : names.join(', '));
}

function modulesOf(half: string, sources: ReadonlyMap<string, string>): Module[] {
  const own = layers.filter((layer) => layer.some((place) => place.startsWith(`${half}/`)));
  const modules = new Map<string, Module>();
  const byFile = new Map<string, string>();
  for (const [layer, places] of own.entries()) {
    for (const place of places) {
      const name = boxOf(place, places);
      for (const file of sources.keys()) if (isIn(file, place)) byFile.set(file, name);
      const before = modules.get(name);
      modules.set(name, {
        name,
        layer,
        imports: before?.imports ?? new Set(),
      });
    }
  }
  for (const [file, name] of byFile) {
    for (const specifier of importsOf(sources.get(file) ?? '')) {
      const other = specifier.startsWith('.') ? byFile.get(posix.join(posix.dirname(file), specifier)) : undefined;
      if (other !== undefined && other !== name) modules.get(name)?.imports.add(other);
    }
  }
  return [...modules.values()];
}

// Of the imports only those are drawn that no way through other modules says as well.
function withoutDetours(modules: readonly Module[]): Module[] {
  const byName = new Map(modules.map((module) => [module.name, module]));
  const reach = (from: string, seen: Set<string>): Set<string> => {
    for (const next of byName.get(from)?.imports ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      reach(next, seen);
    }
    return seen;
  };
  return modules.map((module) => {
    const others = [...module.imports];
    const kept = others.filter((name) => !others.some((other) => other !== name && reach(other, new Set()).has(name)));
    return { ...module, imports: new Set(kept) };
  });
}

const [boxHeight, layerHeight, gap, margin, halfWidth] = [32, 70, 14, 20, 620];

interface Box {
  readonly module: Module;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

function layOut(modules: readonly Module[], left: number, top: number): Box[] {
  const highest = Math.max(...modules.map(({ layer }) => layer));
  return modules.map((module) => {
    const beside = modules.filter(({ layer }) => layer === module.layer);
    const width = Math.min(220, (halfWidth - gap * (beside.length - 1)) / beside.length);
    const start = left + (halfWidth - width * beside.length - gap * (beside.length - 1)) / 2;
    return {
      module,
      width,
      x: start + beside.indexOf(module) * (width + gap),
      y: top + (highest - module.layer) * layerHeight,
    };
  });
}

function draw(halves: readonly (readonly Module[])[]): string {
  const heights = halves.map((modules) => Math.max(...modules.map(({ layer }) => layer)) + 1);
  const tallest = Math.max(...heights);
  const boxes = halves.map((modules, i) =>
    layOut(modules, margin + i * (halfWidth + 3 * margin), margin + 30 + (tallest - (heights[i] ?? 0)) * layerHeight),
  );
  const [width, height] = [
    2 * halfWidth + 5 * margin,
    margin * 2 + 30 + tallest * layerHeight - (layerHeight - boxHeight),
  ];
  const titles = ['render/', 'emulator/'].map(
    (half, i) => `<text class="half" x="${margin + i * (halfWidth + 3 * margin)}" y="${margin + 10}">${half}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="The layers and modules of render and emulator, and who imports whom">
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

function lines({ module, x, y, width }: Box, half: readonly Box[]): string[] {
  return half
    .filter((other) => module.imports.has(other.module.name) && other.module.layer < module.layer)
    .map((other) => {
      const [fromX, fromY, toX] = [x + width / 2, y + boxHeight, other.x + other.width / 2];
      const bend = Math.max(24, (other.y - fromY) / 2);
      return `<path d="M${round(fromX)} ${fromY}C${round(fromX)} ${round(fromY + bend)} ${round(toX)} ${round(other.y - bend)} ${round(toX)} ${other.y}"/>`;
    });
}

function drawBox({ module, x, y, width }: Box): string {
  const middle = round(x + width / 2);
  const name = module.name.slice(module.name.indexOf('/') + 1);
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
