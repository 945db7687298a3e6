// Brings a parser of PowerShell onto this machine (tree-sitter's grammar, as WebAssembly): the judge of our .ps1 scripts
// where no PowerShell is installed. Packed and pinned like Helm, so that it is no dependency of anybody.

import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cacheDirectory, filesOfPackage } from '../../tools/pinned-package.ts';

const packages = [
  {
    spec: 'web-tree-sitter@0.27.1',
    integrity: 'sha512-qtx0VyUyNRHtL3ze7+v0hCKB/sLcAmY7ZAVp/ZK/bCj0yED8ptvNrr7Vd7DwDyKDWN9baqcUx4uaD2r2ql+6IA==',
    files: ['web-tree-sitter.js', 'web-tree-sitter.wasm'],
  },
  {
    spec: 'tree-sitter-powershell@0.26.4',
    integrity: 'sha512-5RwNW/qN/cKArZY0znvTOG+OWSau7Agel5K0A8KQ5Nubw/4SyZ5KC02RKCaYcA2ur5UQ8esyxe9+6yXup2MXkw==',
    files: ['tree-sitter-powershell.wasm'],
  },
] as const;

/** A node of a script's tree: the parts of tree-sitter's that are used here. */
export interface Node {
  readonly type: string;
  readonly isError: boolean;
  readonly isMissing: boolean;
  readonly isNamed: boolean;
  readonly hasError: boolean;
  readonly text: string;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly startPosition: { readonly row: number };
  readonly children: readonly Node[];
  readonly namedChildren: readonly Node[];
}
interface TreeSitter {
  readonly Parser: {
    new (): { setLanguage(language: unknown): void; parse(text: string): { readonly rootNode: Node } };
    init(): Promise<void>;
  };
  readonly Language: { load(wasm: Uint8Array): Promise<unknown> };
}

/** Gives a function that gives the tree of a PowerShell script. */
export async function powerShellTree(): Promise<(script: string) => Node> {
  const home = join(cacheDirectory, 'powershell-parser');
  for (const wanted of packages) {
    if (!wanted.files.every((file) => existsSync(join(home, file)))) await unpack(wanted, home);
  }
  await writeFile(join(home, 'package.json'), '{"type":"module"}\n');
  const { Parser, Language } = (await import(pathToFileURL(join(home, 'web-tree-sitter.js')).href)) as TreeSitter;
  await Parser.init();
  const parser = new Parser();
  parser.setLanguage(await Language.load(await readFile(join(home, 'tree-sitter-powershell.wasm'))));
  return (script) => parser.parse(script).rootNode;
}

/** Gives a function that tells the first syntax fault of a PowerShell script; empty when it has none. */
export async function powerShellParser(): Promise<(script: string) => string> {
  const treeOf = await powerShellTree();
  return (script) => {
    const fault = firstFault(treeOf(script));
    return fault === undefined ? '' : `line ${fault.startPosition.row + 1}: ${JSON.stringify(fault.text.slice(0, 80))}`;
  };
}

function firstFault(node: Node): Node | undefined {
  if (node.isError || node.isMissing) return node;
  if (!node.hasError) return undefined;
  for (const child of node.children) {
    const fault = firstFault(child);
    if (fault !== undefined) return fault;
  }
  return node;
}

async function unpack({ spec, integrity, files }: (typeof packages)[number], home: string): Promise<void> {
  const contents = await filesOfPackage(spec, integrity, files);
  await mkdir(home, { recursive: true });
  for (const [at, file] of files.entries()) await writeFile(join(home, file), contents[at] as Uint8Array);
}
