// Source maps are for our own code: packages and generated code are in the bundles as they are written. Of our own code they hold
// what runs, each line at its place; what is said of it stands in the types, and would be a twentieth of what is installed. What
// the program alone loads is told by file and line, without its text: nobody steps through it from an application.

import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { decode, encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec';
import type { Metafile, Plugin } from 'esbuild';

interface SourceMap {
  readonly sources: readonly string[];
  readonly sourcesContent?: readonly string[];
  readonly mappings: string;
}

const foreign = /[\\/]node_modules[\\/]|\.generated\.ts$|[\\/]emulator[\\/]store[\\/]compile\.ts$/;

/** Gives the plugin that takes what is not our own code out of the maps that a build wrote. */
export function mapOwnCode(): Plugin {
  return {
    name: 'map-own-code',
    setup(build) {
      const { absWorkingDir = '.', sourcemap } = build.initialOptions;
      if (!sourcemap) return;
      build.onEnd(async ({ metafile }) => {
        const outputs = metafile?.outputs ?? {};
        const texts = loadedByApplications(outputs);
        for (const file of Object.keys(outputs).filter((name) => name.endsWith('.map'))) {
          const path = join(absWorkingDir, file);
          const { sourcesContent, ...map } = ownMap(JSON.parse(await readFile(path, 'utf8')) as SourceMap);
          const hasText = texts.has(file.slice(0, -'.map'.length));
          await writeFile(path, JSON.stringify(hasText ? { ...map, sourcesContent } : map));
        }
      });
    },
  };
}

// The entry points lie beside the program, and what they load in folders below.
function loadedByApplications(outputs: Metafile['outputs']): ReadonlySet<string> {
  const program = Object.keys(outputs).find((file) => outputs[file]?.entryPoint === 'emulator/command/main.node.ts');
  if (program === undefined) throw new Error('the bundles have no program');
  const beside = (file: string): boolean => file !== program && dirname(file) === dirname(program);
  const loaded = new Set(Object.keys(outputs).filter((file) => file.endsWith('.js') && beside(file)));
  for (const file of loaded) for (const { path } of outputs[file]?.imports ?? []) loaded.add(path);
  return loaded;
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
    sourcesContent: kept.map((index) => withoutComments(map.sourcesContent?.[index] ?? '')),
    mappings: encode(lines),
  };
}

const commentLines = /^[ \t]*(?:\/\*\*[\s\S]*?\*\/|\/\/.*)$/gm;

// Lines that hold nothing but a comment become empty, so that all others keep their numbers.
function withoutComments(code: string): string {
  return code.replace(commentLines, (comment) => comment.replace(/[^\n]+/g, ''));
}

// Of several in a row that have no source, or the same line of one, the first says it: columns would make the maps as large again.
function isChange(segment: SourceMapSegment, index: number, line: readonly SourceMapSegment[]): boolean {
  const [, source, row] = segment;
  const [, lastSource, lastRow] = line[index - 1] ?? [];
  return index === 0 ? source !== undefined : source !== lastSource || row !== lastRow;
}
