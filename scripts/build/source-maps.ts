// Source maps are for our own code: packages and generated code are in the bundles as they are written. They tell of a place by
// file and line: the bundles keep all names, and the text of the sources would be a fifth of what is installed.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decode, encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec';
import type { Plugin } from 'esbuild';

interface SourceMap {
  readonly sources: readonly string[];
  readonly mappings: string;
}

const foreign = /[\\/]node_modules[\\/]|\.generated\.ts$|[\\/]emulator[\\/]store[\\/]compile\.ts$/;

/** Returns the plugin that takes what is not our own code out of the maps that a build wrote. */
export function mapOwnCode(): Plugin {
  return {
    name: 'map-own-code',
    setup(build) {
      const { absWorkingDir = '.', sourcemap } = build.initialOptions;
      if (!sourcemap) return;
      build.onEnd(async ({ metafile }) => {
        for (const file of Object.keys(metafile?.outputs ?? {}).filter((name) => name.endsWith('.map'))) {
          const path = join(absWorkingDir, file);
          await writeFile(path, JSON.stringify(ownMap(JSON.parse(await readFile(path, 'utf8')) as SourceMap)));
        }
      });
    },
  };
}

function ownMap(map: SourceMap): SourceMap {
  const kept = map.sources.flatMap((source, index) => (foreign.test(source) ? [] : [index]));
  const places = new Map(kept.map((index, place) => [index, place]));
  const moved = (segment: SourceMapSegment): SourceMapSegment => {
    const place = segment.length === 1 ? undefined : places.get(segment[1]);
    // A segment without a source ends the one before it.
    if (segment.length === 1 || place === undefined) return [segment[0]];
    return segment.length === 4
      ? [segment[0], place, segment[2], segment[3]]
      : [segment[0], place, segment[2], segment[3], segment[4]];
  };
  const lines = decode(map.mappings).map((line) => line.map(moved).filter(isChange));
  return {
    ...map,
    sources: kept.map((index) => map.sources[index] ?? ''),
    mappings: encode(lines),
  };
}

// Of several in a row that have no source, or the same line of one, the first says it: columns would make the maps as large again.
function isChange(segment: SourceMapSegment, index: number, line: readonly SourceMapSegment[]): boolean {
  const [, source, row] = segment;
  const [, lastSource, lastRow] = line[index - 1] ?? [];
  return index === 0 ? source !== undefined : source !== lastSource || row !== lastRow;
}
