// Source maps are for our own code: packages and generated code are in the bundles as they are written. They tell of a place by
// file and line, for the bundles keep all names. Where a development server reads them, they hold the text of the sources too: without
// it Vite warns of every file.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decode, encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec';
import type { Metafile, Plugin } from 'esbuild';
import { reachedFrom } from '../../emulator/console/bundle.node.ts';

interface SourceMap {
  readonly sources: readonly string[];
  readonly sourcesContent: readonly string[];
  readonly mappings: string;
}

const foreign = /[\\/]node_modules[\\/]|\.generated\.ts$|[\\/]emulator[\\/]store[\\/]compile\.ts$/;

/**
 * Returns the plugin that takes what is not our own code out of the maps that a build wrote, and the text of the sources out of
 * those that no page can load: of outputs which none of `pageEntries` imports.
 */
export function mapOwnCode(pageEntries: readonly string[]): Plugin {
  return {
    name: 'map-own-code',
    setup(build) {
      const { absWorkingDir = '.', sourcemap } = build.initialOptions;
      if (!sourcemap) return;
      build.onEnd(async ({ metafile }) => {
        const pageFiles = filesOfPages(metafile, pageEntries);
        for (const file of Object.keys(metafile?.outputs ?? {}).filter((name) => name.endsWith('.map'))) {
          const path = join(absWorkingDir, file);
          const map = JSON.parse(await readFile(path, 'utf8')) as SourceMap;
          await writeFile(path, JSON.stringify(ownMap(map, pageFiles.has(file.slice(0, -'.map'.length)))));
        }
      });
    },
  };
}

function filesOfPages(metafile: Metafile | undefined, entries: readonly string[]): ReadonlySet<string> {
  const built = entries.filter((entry) => metafile?.outputs[entry]);
  return new Set(metafile && built.length > 0 ? reachedFrom(metafile, built, 'ever') : []);
}

function ownMap({ sourcesContent, ...map }: SourceMap, holdsText: boolean): Omit<SourceMap, 'sourcesContent'> {
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
    ...(holdsText && { sourcesContent: kept.map((index) => sourcesContent[index] ?? '') }),
    mappings: encode(lines),
  };
}

// Of several in a row that have no source, or the same line of one, the first says it: columns would make the maps as large again.
function isChange(segment: SourceMapSegment, index: number, line: readonly SourceMapSegment[]): boolean {
  const [, source, row] = segment;
  const [, lastSource, lastRow] = line[index - 1] ?? [];
  return index === 0 ? source !== undefined : source !== lastSource || row !== lastRow;
}
