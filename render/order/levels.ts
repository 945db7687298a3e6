// How deep the text of an Order nests, seen before the reader that recurses meets it. It knows the `yaml` package.

import { Lexer } from 'yaml';

/** How many levels deep the reader of the `yaml` package is followed: it calls itself for each. */
export const mostOddLevels = 200;

/**
 * Tells whether a text nests more than `mostOddLevels` deep, by its tokens: brackets, what opens several levels on one
 * line, as in `- - - x`, and lines that begin further right.
 */
export function isDeepText(source: string): boolean {
  const indents: number[] = [];
  let brackets = 0;
  let openers = 0;
  let isFresh = true;
  for (const token of new Lexer().lex(source)) {
    if (token === '{' || token === '[') brackets++;
    if (token === '}' || token === ']') brackets--;
    if (brackets === 0 && /^[-?:]$/.test(token)) openers++;
    else if (!/^[ \t]+$/.test(token)) openers = 0;
    if (isFresh && brackets <= 0 && !/^[\r\n#]/.test(token)) {
      const indent = /^ +$/.test(token) ? token.length : 0;
      while ((indents.at(-1) ?? -1) > indent) indents.pop();
      if ((indents.at(-1) ?? -1) < indent) indents.push(indent);
    }
    isFresh = /^\r?\n$/.test(token);
    if (brackets + openers + indents.length > mostOddLevels) return true;
  }
  return false;
}
