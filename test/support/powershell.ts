// Parses PowerShell with tree-sitter's grammar, because PowerShell itself may not be installed.

import { createRequire } from 'node:module';
import { Language, type Node, Parser } from 'web-tree-sitter';

/** A parsed script. */
export interface PowerShellScript {
  /** Every syntax error, as `line:column: text`. */
  readonly errors: readonly string[];
  /** The names of the commands it may run, in order. */
  readonly commands: readonly string[];
  /** All tokens of its code without comments, and with a placeholder for each literal string. */
  readonly skeleton: readonly string[];
}

const literals: ReadonlySet<string> = new Set(['verbatim_string_characters', 'verbatim_here_string_characters']);

let parser: Promise<Parser> | undefined;

/** Parses a script. */
export async function parsePowerShell(text: string): Promise<PowerShellScript> {
  parser ??= createParser();
  const tree = (await parser).parse(text);
  if (tree === null) throw new Error('tree-sitter did not parse the script');
  const errors: string[] = [];
  const commands: string[] = [];
  const skeleton: string[] = [];
  const open: Node[] = [tree.rootNode];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const { row, column } = node.startPosition;
    if (node.isError || node.isMissing) errors.push(`${row + 1}:${column + 1}: ${node.text.slice(0, 80)}`);
    if (node.type === 'command_name') commands.push(node.text);
    if (node.type === 'comment') continue;
    if (literals.has(node.type)) skeleton.push('literal');
    else if (node.childCount === 0) skeleton.push(node.text);
    if (literals.has(node.type)) continue;
    open.push(...node.children.filter((child) => child !== null).reverse());
  }
  tree.delete();
  return { errors, commands, skeleton };
}

async function createParser(): Promise<Parser> {
  await Parser.init();
  const require = createRequire(import.meta.url);
  const powershell = new Parser();
  powershell.setLanguage(await Language.load(require.resolve('tree-sitter-powershell/tree-sitter-powershell.wasm')));
  return powershell;
}
