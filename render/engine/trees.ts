// Parsed templates, kept: a chart rendered again, or a `tpl` text met again, is not parsed again.

import type { ChartFile } from '../chart/chart.ts';
import { seededHost } from '../core/host.ts';
import { lazy } from '../core/lazy.ts';
import { LruCache } from '../core/lru-cache.ts';
import { createFuncMap } from '../functions/table.ts';
import { decodeUtf8 } from '../go/utf8.ts';
import { type FuncMap, func, type GoFunc } from '../go/value.ts';
import type { Helm } from '../helm/helm.ts';
import { helmOf } from '../helm/versions.ts';
import { builtins } from '../template/builtins.ts';
import { type ParsedFile, parseTemplate, renamed, Vocabulary } from '../template/template.ts';

/** The functions that `late.ts` adds. */
const helmNames = ['include', 'tpl', 'required', 'fail', 'lookup', 'getHostByName'];

/** What was parsed for one Helm: each knows functions of its own, and Go's parser refuses the others. */
class Trees {
  readonly #vocabulary: Vocabulary;
  /** The names of the functions that templates may call. */
  readonly functions: () => readonly string[];
  // A sub-chart that is used under two names has its files parsed under two paths.
  readonly #files = new WeakMap<ChartFile, Map<string, ParsedFile>>();
  readonly #bodies = new LruCache<ParsedFile>({ total: 1_500_000, each: 200_000 });
  readonly #texts = new LruCache<ParsedFile>({ total: 600_000, each: 200_000 });

  constructor(helm: Helm) {
    // All renderings have the same ones; only what they do depends on the host.
    const late = helmNames.map((name): [string, GoFunc] => [name, func([], () => null)]);
    const funcs: FuncMap = new Map([...createFuncMap(seededHost(), helm), ...late]);
    this.functions = lazy(() => [...new Set([...funcs.keys(), ...builtins.keys()])].sort());
    this.#vocabulary = new Vocabulary((name) => funcs.has(name), helm.go);
  }

  file(path: string, file: ChartFile): ParsedFile {
    let byPath = this.#files.get(file);
    if (byPath === undefined) {
      byPath = new Map();
      this.#files.set(file, byPath);
    }
    let parsed = byPath.get(path);
    if (parsed === undefined) {
      parsed = this.#shared(path, decodeUtf8(file.data));
      byPath.set(path, parsed);
    }
    return parsed;
  }

  ofFile(file: ChartFile): readonly ParsedFile[] {
    return [...(this.#files.get(file)?.values() ?? [])];
  }

  // Charts bring the same library charts and the same files again and again: each text is parsed once, under any path.
  #shared(path: string, text: string): ParsedFile {
    // A text that may define a template of its own path's name means something else under each path.
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
  let known = trees.get(helm);
  if (known === undefined) {
    known = new Trees(helm);
    trees.set(helm, known);
  }
  return known;
}

/** Parses a chart's file as the template `path`. Throws TemplateParseError. */
export function parseFile(path: string, file: ChartFile, helm: Helm = helmOf()): ParsedFile {
  return treesFor(helm).file(path, file);
}

/** Returns what a chart's file was parsed into: one tree for each path, and each Helm, that it was parsed for. */
export function treesOf(file: ChartFile): readonly ParsedFile[] {
  return [...trees.values()].flatMap((known) => known.ofFile(file));
}

/** Parses a `tpl` text, under the name that Go's errors call it by. Throws TemplateParseError. */
export function parseText(text: string, helm: Helm): ParsedFile {
  return treesFor(helm).text(text);
}

/** Returns the names of the functions that templates may call, sorted. */
export function functionNames(helm: Helm = helmOf()): readonly string[] {
  return treesFor(helm).functions();
}
