// The files that patterns such as `tests/*_test.yaml` name, as Go finds them.
// Mirrors: Go, path/filepath, match.go, `Glob`; github.com/yargevad/filepathx, `Glob` with its `**`; helm-unittest 1.1.0, files.go.

import { existsSync, readdirSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { compilePattern, dir, isAbs, join } from '../go/path.ts';
import { compareStrings } from '../go/value.ts';

/** Returns the files below a chart that patterns name, in their order. What begins with `/` is a path, not a pattern. */
export function chartFiles(chart: string, patterns: readonly string[], cwd: string): readonly string[] {
  const inner = patterns.filter((pattern, i) => pattern !== patterns[i - 1]);
  return inner.flatMap((pattern) => {
    if (isAbs(pattern)) return [pattern];
    return glob(pattern.includes(`${chart}/`) ? pattern : join(`${chart}/`, pattern), cwd);
  });
}

/** Returns the paths that a pattern names; `**` stands for any folders, and for what lies in them. */
function glob(pattern: string, cwd: string): readonly string[] {
  if (!pattern.includes('**')) return globOnce(pattern, cwd);
  let found: readonly string[] = [''];
  for (const part of pattern.split('**')) {
    const hits = new Set<string>();
    for (const before of found) {
      for (const path of globOnce(before + part, cwd)) for (const below of walk(path, cwd)) hits.add(below);
    }
    found = [...hits];
  }
  return found;
}

function globOnce(pattern: string, cwd: string): readonly string[] {
  if (!/[*?[\\]/.test(pattern)) return existsSync(resolve(cwd, pattern)) ? [pattern] : [];
  const at = pattern.lastIndexOf('/');
  const [folder, name] = [pattern.slice(0, at + 1), pattern.slice(at + 1)];
  const matches = compilePattern(name);
  matches('');
  const folders = at < 0 ? ['.'] : at === 0 ? ['/'] : globOnce(folder.slice(0, -1), cwd);
  return folders.flatMap((path) =>
    namesIn(resolve(cwd, path))
      .filter(matches)
      .map((found) => join(path, found)),
  );
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort(compareStrings);
  } catch {
    return [];
  }
}

function walk(path: string, cwd: string): readonly string[] {
  const isFolder = statSync(resolve(cwd, path), { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder) return [path];
  return [path, ...namesIn(resolve(cwd, path)).flatMap((name) => walk(join(path, name), cwd))];
}

/** Returns the folder of snapshots beside a suite's file. */
export function snapshotFolder(file: string): string {
  return join(dir(file), '__snapshot__');
}
