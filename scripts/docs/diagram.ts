// Draws the modules and their imports as a Mermaid diagram.

import { dirname, posix } from 'node:path';
import { importsOf, isIn, layers, readSources } from '../dev/check-imports.ts';

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Returns the diagram of the modules below `root`. An import is left out if other imports imply it, so that the layers are visible. */
export async function moduleDiagram(root: string): Promise<string> {
  const sources = new Map<string, string>();
  for (const folder of ['render', 'emulator']) await readSources(root, folder, sources);
  const graph = withoutFiles(graphOf(sources));
  const halves = ['render', 'emulator'].map((half) => {
    const nodes = [...graph.keys()].filter((module) => module.startsWith(`${half}/`));
    const lines = nodes.map((module) => `    ${idOf(module)}["${module.slice(half.length + 1, -1)}"]`);
    return `  subgraph ${half}\n${lines.join('\n')}\n  end`;
  });
  const arrows = [...graph].flatMap(([from, targets]) =>
    [...targets].filter((to) => !isImplied(graph, from, to)).map((to) => `  ${idOf(from)} --> ${idOf(to)}`),
  );
  return ['```mermaid', 'flowchart TD', ...halves, ...arrows, '```'].join('\n');
}

/** Returns which modules and files of the layer table import which others. */
function graphOf(sources: ReadonlyMap<string, string>): Graph {
  const places = layers.flat();
  const placeOf = (file: string): string | undefined => places.find((place) => isIn(file, place));
  // The base folders import each other.
  const isBase = (place: string): boolean => layers[0]?.includes(place) === true;
  const graph = new Map(places.toReversed().map((place) => [place, new Set<string>()]));
  for (const [file, text] of sources) {
    const from = placeOf(file);
    for (const specifier of importsOf(text)) {
      const to = placeOf(posix.join(dirname(file), specifier));
      if (from === undefined || to === undefined || from === to || isBase(from)) continue;
      graph.get(from)?.add(to);
    }
  }
  return graph;
}

/** Returns the graph of the folders: who imports a file, such as an entry point, imports what that file imports. */
function withoutFiles(graph: Graph): Graph {
  const reach = (place: string): readonly string[] =>
    [...(graph.get(place) ?? [])].flatMap((to) => (to.endsWith('/') ? [to] : reach(to)));
  const folders = [...graph.keys()].filter((place) => place.endsWith('/'));
  return new Map(folders.map((place) => [place, new Set(reach(place).filter((to) => to !== place))]));
}

function isImplied(graph: Graph, from: string, to: string): boolean {
  return [...(graph.get(from) ?? [])].some((next) => next !== to && reaches(graph, next, to));
}

function reaches(graph: Graph, from: string, to: string): boolean {
  return [...(graph.get(from) ?? [])].some((next) => next === to || reaches(graph, next, to));
}

const idOf = (module: string): string => module.slice(0, -1).replaceAll('/', '-');
