// What is known of a template before it runs: which expressions have no effect but their result, and which branches write the same.

import type { BodyNode, BranchNode, ListNode, Node, OperandNode, PipeNode } from './nodes.ts';

/** Functions that do nothing but give something, and that are asked in conditions. */
const quiet: ReadonlySet<string> = new Set(
  (
    'and or not eq ne lt le gt ge empty default coalesce ternary all any has hasKey contains hasPrefix hasSuffix len ' +
    'int int64 float64 toString toStrings lower upper trim trimPrefix trimSuffix quote squote print printf index get dig ' +
    'first last keys values list dict kindIs kindOf typeIs typeOf deepEqual regexMatch semverCompare until add sub min max'
  ).split(' '),
);

const known = new WeakMap<object, boolean>();

/** Reports whether an operand may be evaluated beside the rendering: it writes nothing, changes nothing and throws no dice. */
export function isQuiet(word: OperandNode): boolean {
  let found = known.get(word);
  if (found === undefined) {
    found =
      word.kind === 'chain' ? isQuiet(word.operand) : word.kind === 'pipe' ? isQuietPipe(word) : isQuietWord(word);
    known.set(word, found);
  }
  return found;
}

function isQuietPipe({ variables, commands }: PipeNode): boolean {
  return variables.length === 0 && commands.every(({ words }) => words.every(isQuiet));
}

function isQuietWord(word: OperandNode): boolean {
  return word.kind !== 'identifier' || quiet.has(word.name);
}

/**
 * Reports whether an `if` that did not hold changed nothing by that: it asks whether a text is a template, which `tpl` would
 * run, and writes the text as it is behind its `else`. `tpl` gives a text without actions as it is.
 */
export function isTemplateOrText(node: BranchNode): boolean {
  let found = known.get(node);
  if (found === undefined) {
    found = node.kind === 'if' && needsBraces(node.pipe) && isOneAction(node.otherwise) && isOnlyTpl(node.list);
    known.set(node, found);
  }
  return found;
}

function needsBraces({ commands }: PipeNode): boolean {
  const [name, needle] = commands.at(-1)?.words ?? [];
  return isNamed(name, 'contains') && needle?.kind === 'string' && needle.value.includes('{{');
}

function isNamed(node: Node | undefined, name: string): boolean {
  return node?.kind === 'identifier' && node.name === name;
}

function isOneAction(list: ListNode | undefined): boolean {
  const nodes = shownOf(list);
  return nodes.length === 1 && nodes[0]?.kind === 'action';
}

function isOnlyTpl(list: ListNode | undefined): boolean {
  return shownOf(list).every((node) => {
    if (node.kind === 'if') return isOnlyTpl(node.list) && isOnlyTpl(node.otherwise);
    return node.kind === 'action' && node.pipe.commands.length === 1 && isNamed(node.pipe.commands[0]?.words[0], 'tpl');
  });
}

// White space between actions is mostly trimmed.
function shownOf(list: ListNode | undefined): readonly BodyNode[] {
  return (list?.nodes ?? []).filter((node) => node.kind !== 'text' || node.text.trim() !== '');
}
