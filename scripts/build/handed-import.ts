// Node refuses `import()` in code that V8 compiled in an earlier run, and warns of it in other code that it did not load
// itself. A bundle that may be such code imports late by a function that its loader hands in.

import { parseAst } from 'rollup/parseAst';

/** Begins a bundle that is also loaded where nothing is handed in, as by Node's own loader. */
export const ownImport = 'var __import = __import ?? ((path) => import(path));\n';

/** Gives CommonJS code with every `import()` as a call of `__import`. */
export function handImports(code: string): string {
  const starts: number[] = [];
  collectImports(parseAst(code, { allowReturnOutsideFunction: true }), starts);
  let handed = '';
  let at = 0;
  for (const start of starts.sort((a, b) => a - b)) {
    handed += `${code.slice(at, start)}__import`;
    at = start + 'import'.length;
  }
  return handed + code.slice(at);
}

function collectImports(node: unknown, starts: number[]): void {
  if (typeof node !== 'object' || node === null) return;
  const { type, start } = node as { readonly type?: unknown; readonly start?: unknown };
  if (type === 'ImportExpression') starts.push(start as number);
  for (const child of Object.values(node)) collectImports(child, starts);
}
