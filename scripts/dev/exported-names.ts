// The names that modules export and import, read from their text: which file defines a name, and which names a file takes from another.

import { posix } from 'node:path';

/** An import of a file: the target below the root, and the names that it takes; undefined for all of them, or none. */
export interface NamedImport {
  readonly target: string;
  readonly names: readonly string[] | undefined;
}

/** Returns the names that a file exports, each as `FILE NAME`; what it exports from another file is a name of both. */
export function exportedNames(file: string, sources: ReadonlyMap<string, string>): string[] {
  const text = sources.get(file) ?? '';
  const whole = [...text.matchAll(/^export\s+(?:type\s+)?\*\s+from\s*'([^']+)'/gm)];
  return [
    ...whole.flatMap(([, specifier = '']) => exportedNames(targetOf(file, specifier), sources)),
    ...clauses(text, 'export').flatMap(({ specifier, names }) =>
      names.flatMap((name) => [`${targetOf(file, specifier)} ${name}`, `${file} ${name}`]),
    ),
    ...declaredNames(text).map((name) => `${file} ${name}`),
  ];
}

/** Returns the relative imports of a file: static ones, `await import()`, `import().then()` and types such as `import('./a.ts').A`. */
export function namedImports(file: string, text: string): NamedImport[] {
  const bare = [...text.matchAll(/^import\s*(?:\*\s*as\s+\w+\s+from\s*)?'(\.[^']+)'/gm)].map(([, specifier = '']) => ({
    specifier,
    names: undefined,
  }));
  const imports = [...clauses(text, 'import'), ...bare, ...dynamicImports(text)];
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
    const names = destructured === undefined ? [/^\)?\.(?!then\b)(\w+)/.exec(after)?.[1]] : listedNames(destructured);
    const known = names.filter((name) => name !== undefined);
    return { specifier: match[1] ?? '', names: known.length === 0 ? undefined : known };
  });
}

interface Clause {
  readonly specifier: string;
  readonly names: readonly string[];
}

// `import { a, type B as C } from './a.ts'` and `export type { A } from './a.ts'`.
function clauses(text: string, word: 'import' | 'export'): Clause[] {
  const pattern = new RegExp(`^${word}\\s+(?:type\\s+)?\\{([^{}]*)\\}\\s*from\\s*'([^']+)'`, 'gm');
  return [...text.matchAll(pattern)].map(([, names = '', specifier = '']) => ({
    specifier,
    names: listedNames(names),
  }));
}

function declaredNames(text: string): string[] {
  const pattern =
    /^export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\*?|class|interface|type|const|let|enum)\s+(\w+)/gm;
  return [...text.matchAll(pattern)].map(([, name = '']) => name);
}

// The names in the file that defines them: `a`, `type B as C`, and `a: b` where a dynamic import is destructured.
function listedNames(text: string): string[] {
  const words = text.split(',').map((word) => word.trim().replace(/^type\s+/, ''));
  return words.flatMap((word) => /^\w+/.exec(word)?.[0] ?? []);
}

function targetOf(file: string, specifier: string): string {
  return posix.join(posix.dirname(file), specifier);
}
