// The names that modules export and import, read from their text: which file defines a name, and which names a file takes from another.

import { posix } from 'node:path';
import { memo } from '../../render/core/lazy.ts';

/** A name of a file. */
export interface NamedExport {
  readonly file: string;
  readonly name: string;
}

/** An import of a file: the target below the root, and the names that it takes; undefined for all of them, or none. */
export interface NamedImport {
  readonly target: string;
  readonly names: readonly string[] | undefined;
}

export function keyOf({ file, name }: NamedExport): string {
  return `${file} ${name}`;
}

/** Returns a function that returns the exported names of a file, each with the file and the name of its definition. */
export function exportResolver(
  sources: ReadonlyMap<string, string>,
): (file: string) => ReadonlyMap<string, NamedExport> {
  const exportsOf = memo((file: string): ReadonlyMap<string, NamedExport> => {
    const text = sources.get(file) ?? '';
    const originOf = (specifier: string, name: string): NamedExport => {
      const target = targetOf(file, specifier);
      return exportsOf(target).get(name) ?? { file: target, name };
    };
    const from = (word: 'import' | 'export'): [as: string, definition: NamedExport][] =>
      clauses(text, word).flatMap(({ specifier, names }) =>
        names.map(({ name, as }): [string, NamedExport] => [as, originOf(specifier, name)]),
      );
    const imported = new Map(from('import'));
    return new Map([
      ...wholeExports(text).flatMap((specifier) => [...exportsOf(targetOf(file, specifier))]),
      ...from('export'),
      ...localExports(text).map(({ name, as }): [string, NamedExport] => [as, imported.get(name) ?? { file, name }]),
      ...declaredNames(text).map((name): [string, NamedExport] => [name, { file, name }]),
    ]);
  });
  return exportsOf;
}

/** Returns the relative imports of a file: static ones, `await import()`, `import().then()` and types such as `import('./a.ts').A`. */
export function namedImports(file: string, text: string): NamedImport[] {
  const named = clauses(text, 'import').map(({ specifier, names }) => ({
    specifier,
    names: names.map(({ name }) => name),
  }));
  const bare = [...text.matchAll(/^import\s*(?:\*\s*as\s+\w+\s+from\s*)?'(\.[^']+)'/gm)].map(([, specifier = '']) => ({
    specifier,
    names: undefined,
  }));
  const imports = [...named, ...bare, ...dynamicImports(text)];
  return imports
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier, names }) => ({ target: targetOf(file, specifier), names }));
}

function dynamicImports(text: string): { readonly specifier: string; readonly names: readonly string[] | undefined }[] {
  return [...text.matchAll(/(?<!`)\bimport\(\s*'([^'$]+)'\s*\)/g)].map((match) => {
    const before = text.slice(0, match.index);
    const after = text.slice(match.index + match[0].length);
    const destructured =
      /\{([^{}]*)\}\s*=\s*await\s+$/.exec(before)?.[1] ?? /^\.then\(\(\{([^{}]*)\}\)/.exec(after)?.[1];
    const names =
      destructured === undefined
        ? [/^\)?\.(?!then\b)(\w+)/.exec(after)?.[1]]
        : listedNames(destructured, ':').map(({ name }) => name);
    const known = names.filter((name) => name !== undefined);
    return { specifier: match[1] ?? '', names: known.length === 0 ? undefined : known };
  });
}

interface ListedName {
  readonly name: string;
  /** The name in the importing file, or that a file exports. */
  readonly as: string;
}

interface Clause {
  readonly specifier: string;
  readonly names: readonly ListedName[];
}

// `import { a, type B as C } from './a.ts'` and `export type { A } from './a.ts'`.
function clauses(text: string, word: 'import' | 'export'): Clause[] {
  const pattern = new RegExp(`^${word}\\s+(?:type\\s+)?\\{([^{}]*)\\}\\s*from\\s*'([^']+)'`, 'gm');
  return [...text.matchAll(pattern)].map(([, names = '', specifier = '']) => ({
    specifier,
    names: listedNames(names),
  }));
}

function localExports(text: string): ListedName[] {
  const found = text.matchAll(/^export\s+(?:type\s+)?\{([^{}]*)\}\s*;/gm);
  return [...found].flatMap(([, names = '']) => listedNames(names));
}

function wholeExports(text: string): string[] {
  return [...text.matchAll(/^export\s+(?:type\s+)?\*\s+from\s*'([^']+)'/gm)].map(([, specifier = '']) => specifier);
}

function declaredNames(text: string): string[] {
  const pattern =
    /^export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\*?|class|interface|type|const|let|enum)\s+(\w+)/gm;
  return [...text.matchAll(pattern)].map(([, name = '']) => name);
}

function listedNames(text: string, renames: ' as ' | ':' = ' as '): ListedName[] {
  const words = text.split(',').map((word) => word.trim().replace(/^type\s+/, ''));
  return words
    .filter((word) => word !== '')
    .map((word) => {
      const [name = '', as = name] = word.split(renames).map((part) => part.trim());
      return { name, as };
    });
}

function targetOf(file: string, specifier: string): string {
  return posix.join(posix.dirname(file), specifier);
}
