// `.Files`: the files of a chart that are not templates.
// Mirrors: helm.sh/helm/v3/pkg/engine, files.go, v3.17.3.

import type { ChartFile } from '../chart/chart.ts';
import { emitYaml } from '../codec/yaml/emit.ts';
import { encodeBase64 } from '../go/base64.ts';
import { compileGlob } from '../go/glob.ts';
import { base } from '../go/path.ts';
import { decodeUtf8 } from '../go/utf8.ts';
import {
  func,
  GoError,
  type GoFunc,
  type GoMap,
  type GoValue,
  type Methods,
  NamedMap,
  sortedEntries,
  stringSlice,
} from '../go/value.ts';
import type { Helm } from '../helm/helm.ts';

type FileMap = Map<string, Uint8Array>;
type FileRules = Pick<Helm, 'codec' | 'panicsOnEmptyLines'>;

const made = new WeakMap<FileRules, WeakMap<readonly ChartFile[], NamedMap>>();

/** Returns `.Files` of a chart: a map from name to bytes with the methods of Go's type. Created once per list. */
export function filesObject(files: readonly ChartFile[], helm: FileRules): NamedMap {
  const known = made.get(helm) ?? new WeakMap<readonly ChartFile[], NamedMap>();
  made.set(helm, known);
  let object = known.get(files);
  if (object === undefined) {
    object = wrap(new Map(files.map((file) => [file.name, file.data])), helm);
    known.set(files, object);
  }
  return object;
}

function wrap(files: FileMap, helm: FileRules): NamedMap {
  return new NamedMap(files as Map<string, GoValue>, 'engine.files', filesMethods(files, helm), '[]uint8');
}

function filesMethods(files: FileMap, helm: FileRules): Methods {
  const bytesOf = (name: string): Uint8Array => files.get(name) ?? new Uint8Array();
  const emitFiles = (texts: GoMap): string => {
    try {
      return emitYaml(texts, helm.codec.yamlKeys).replace(/\n$/, '');
    } catch (error) {
      if (!(error instanceof GoError)) throw error;
      return ''; // A character that YAML does not know: Helm says nothing of it.
    }
  };
  return new Map<string, GoFunc>([
    ['Get', func(['string'], (name) => decodeUtf8(bytesOf(name)))],
    ['GetBytes', func(['string'], bytesOf)],
    ['Glob', func(['string'], (pattern) => wrap(glob(files, pattern), helm))],
    ['Lines', func(['string'], (name) => stringSlice(lines(files.get(name), helm)))],
    ['AsConfig', func([], () => emitFiles(byBaseName(files, decodeUtf8)))],
    ['AsSecrets', func([], () => emitFiles(byBaseName(files, encodeBase64)))],
  ]);
}

// An invalid pattern matches everything.
function glob(files: FileMap, pattern: string): FileMap {
  let matches: (name: string) => boolean = () => true;
  try {
    matches = compileGlob(pattern);
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
  }
  return new Map([...files].filter(([name]) => matches(name)));
}

function lines(data: Uint8Array | undefined, { panicsOnEmptyLines }: FileRules): string[] {
  if (data === undefined || (data.length === 0 && !panicsOnEmptyLines)) return [];
  if (data.length === 0) throw new GoError('runtime error: index out of range [-1]');
  const text = decodeUtf8(data);
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}

// Go keeps either of two files with the same base name; here the later path wins.
function byBaseName(files: FileMap, read: (data: Uint8Array) => string): GoMap {
  const texts: GoMap = new Map();
  for (const [name, data] of sortedEntries(files)) texts.set(base(name), read(data));
  return texts;
}
