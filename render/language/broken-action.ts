// Finds the action that an editor marks in a template that does not parse.

import type { TextSpan } from './template-nodes.ts';

/** An action of a template text, with its braces. */
interface ActionSpan extends TextSpan {
  /** Whether it has its closing braces. One without them ends at the end of its line. */
  readonly isClosed: boolean;
  /** The first word, such as `if` or `end`; empty if it is not a word. */
  readonly word: string;
}

/** Returns the actions of a text without its comments. An action that is being typed ends with its line, or at other opening braces. */
export function listActions(text: string): ActionSpan[] {
  const actions: ActionSpan[] = [];
  for (let start = text.indexOf('{{'); start >= 0; ) {
    let end = commentEnd(text, start);
    if (end === undefined) {
      const action = actionAt(text, start);
      actions.push(action);
      end = action.end;
    }
    start = text.indexOf('{{', end);
  }
  return actions;
}

const commentPattern = /\{\{(?:- )?\s*\/\*/y;

// Undefined if no comment starts there. One that is not closed takes the rest.
function commentEnd(text: string, start: number): number | undefined {
  commentPattern.lastIndex = start;
  if (!commentPattern.test(text)) return undefined;
  const closing = /\*\/(?:\s-)?\}\}/g;
  closing.lastIndex = start;
  return closing.test(text) ? closing.lastIndex : text.length;
}

const wordPattern = /\{\{(?:-\s)?\s*([a-z]+)\b/y;

function actionAt(text: string, start: number): ActionSpan {
  wordPattern.lastIndex = start;
  const word = wordPattern.exec(text)?.[1] ?? '';
  // Strings may hold braces; a string in double quotes ends with its line.
  const piece = /"(?:[^"\\\n]|\\.)*"|`[^`]*`|'(?:[^'\\\n]|\\.)*'|\}\}|\{\{|["`']/g;
  piece.lastIndex = start + 2;
  for (let found = piece.exec(text); found !== null; found = piece.exec(text)) {
    if (found[0] === '}}') return { start, end: piece.lastIndex, isClosed: true, word };
    if (found[0] === '{{' || found[0].length === 1) break;
  }
  const line = text.indexOf('\n', start);
  return { start, end: line < 0 ? text.length : line, isClosed: false, word };
}

const openers: ReadonlySet<string> = new Set(['if', 'with', 'range', 'define', 'block']);

/** Returns the action that makes a template invalid. `offset` is where the parser stopped, and `reason` its message. */
export function brokenAction(text: string, offset: number, reason: string): ActionSpan {
  const actions = listActions(text);
  const unclosed = actions.find(({ isClosed }) => !isClosed);
  if (unclosed !== undefined && unclosed.start <= offset) return unclosed;
  // The parser notices a missing `end`, or an extra one, late.
  const unmatched = /^unexpected (?:EOF|\{\{e(?:nd|lse)\}\})/.test(reason) ? unmatchedAction(actions) : undefined;
  const around = actions.findLast(({ start }) => start <= offset);
  return unmatched ?? around ?? { start: 0, end: Math.min(1, text.length), isClosed: true, word: '' };
}

function unmatchedAction(actions: readonly ActionSpan[]): ActionSpan | undefined {
  const open: ActionSpan[] = [];
  for (const action of actions) {
    if (openers.has(action.word)) open.push(action);
    if (action.word === 'else' && open.length === 0) return action;
    if (action.word === 'end' && open.pop() === undefined) return action;
  }
  return open.at(-1);
}
