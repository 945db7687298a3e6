// Static properties of templates: which expressions have no side effects, and which branches write the same text.

import type { BodyNode, BranchNode, ListNode, Node, OperandNode, PipeNode } from './nodes.ts';

/** Functions without side effects that appear in conditions. */
const quiet: ReadonlySet<string> = new Set(
  (
    'and or not eq ne lt le gt ge empty default coalesce ternary all any has hasKey contains hasPrefix hasSuffix len ' +
    'int int64 float64 toString toStrings lower upper trim trimPrefix trimSuffix quote squote print printf index get dig ' +
    'first last keys values list dict kindIs kindOf typeIs typeOf deepEqual regexMatch semverCompare until add sub min max'
  ).split(' '),
);

const known = new WeakMap<object, boolean>();

/** Reports whether an operand can be evaluated in addition to the rendering: it writes nothing, changes nothing and uses no randomness. */
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
 * Reports whether an `if` with a false condition has the same outcome as one with a true condition: the condition checks for template
 * syntax before `tpl`, and the `else` writes the text unchanged, as `tpl` would.
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

// White space between actions is usually trimmed.
function shownOf(list: ListNode | undefined): readonly BodyNode[] {
  return (list?.nodes ?? []).filter((node) => node.kind !== 'text' || node.text.trim() !== '');
}
