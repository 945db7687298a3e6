// A cache of parsed templates: a chart that is rendered again, or a repeated `tpl` text, is not parsed again.

import type { ChartFile } from '../chart/chart.ts';
import { getOrCreate, lazy } from '../core/lazy.ts';
import { LruCache } from '../core/lru-cache.ts';
import { listFuncNames } from '../functions/table.ts';
import { decodeUtf8 } from '../go/utf8.ts';
import type { Helm } from '../helm/helm.ts';
import { helmOf } from '../helm/versions.ts';
import { builtins } from '../template/builtins.ts';
import { type ParsedFile, parseTemplate, renamed, Vocabulary } from '../template/template.ts';

/** The functions that `engine.ts` adds. */
const helmNames = ['include', 'tpl', 'required', 'fail', 'lookup', 'getHostByName'];

/** Parsed templates of one Helm profile. Each profile has its own functions, and Go's parser rejects unknown ones. */
class Trees {
  readonly #vocabulary: Vocabulary;
  /** The names of the functions that templates can call. */
  readonly functions: () => readonly string[];
  // A subchart under two names has its files parsed under two paths.
  readonly #files = new WeakMap<ChartFile, Map<string, ParsedFile>>();
  readonly #bodies = new LruCache<ParsedFile>({ total: 1_500_000, each: 200_000 });
  readonly #texts = new LruCache<ParsedFile>({ total: 600_000, each: 200_000 });

  constructor(helm: Helm) {
    const names = new Set([...listFuncNames(helm), ...helmNames]);
    this.functions = lazy(() => [...new Set([...names, ...builtins.keys()])].sort());
    this.#vocabulary = new Vocabulary((name) => names.has(name), helm.go);
  }

  file(path: string, file: ChartFile): ParsedFile {
    const byPath = getOrCreate(this.#files, file, () => new Map<string, ParsedFile>());
    return getOrCreate(byPath, path, () => this.#shared(path, decodeUtf8(file.data)));
  }

  ofFile(file: ChartFile): readonly ParsedFile[] {
    return [...(this.#files.get(file)?.values() ?? [])];
  }

  // Charts often contain the same library charts and files: each text is parsed once for all paths.
  #shared(path: string, text: string): ParsedFile {
    // A text that defines a template with its own path as its name has another meaning under each path.
    if (text.includes(path)) return parseTemplate(path, text, this.#vocabulary);
    const parsed = this.#bodies.get(text, () => parseTemplate(path, text, this.#vocabulary));
    return parsed.name === path ? parsed : renamed(parsed, path, text);
  }

  text(text: string): ParsedFile {
    return this.#texts.get(text, () => parseTemplate('gotpl', text, this.#vocabulary));
  }
}

const trees = new Map<Helm, Trees>();

function treesFor(helm: Helm): Trees {
  return getOrCreate(trees, helm, () => new Trees(helm));
}

/** Parses a chart's file as the template `path`. Throws TemplateParseError. */
export function parseFile(path: string, file: ChartFile, helm: Helm = helmOf()): ParsedFile {
  return treesFor(helm).file(path, file);
}

/** Returns the parsed trees of a chart's file: one for each path and Helm profile. */
export function treesOf(file: ChartFile): readonly ParsedFile[] {
  return [...trees.values()].flatMap((known) => known.ofFile(file));
}

/** Parses a `tpl` text under the name in Go's errors. Throws TemplateParseError. */
export function parseText(text: string, helm: Helm): ParsedFile {
  return treesFor(helm).text(text);
}

/** Returns the names of the functions that templates may call, sorted. */
export function functionNames(helm: Helm = helmOf()): readonly string[] {
  return treesFor(helm).functions();
}
