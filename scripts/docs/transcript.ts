// Reads console blocks: commands after `$ `, each with the output that the page shows.

import type { Block } from './pages.ts';

/** A command of a console block and the output shown below it. */
export interface Exchange {
  /** The line of the command, from 1. */
  readonly line: number;
  readonly command: string;
  readonly shown: readonly string[];
}

/** Returns the exchanges of a console block. A line after `> ` continues its command. */
export function exchangesOf(block: Block): Exchange[] {
  const exchanges: { line: number; command: string; shown: string[] }[] = [];
  block.lines.forEach((text, i) => {
    const last = exchanges.at(-1);
    if (text.startsWith('$ ')) exchanges.push({ line: block.line + 1 + i, command: text.slice(2), shown: [] });
    else if (last === undefined)
      throw new Error(`${block.page}:${block.line + 1 + i}: a console block must start with "$ "`);
    else if (text.startsWith('> ') && last.shown.length === 0) last.command += `\n${text.slice(2)}`;
    else last.shown.push(text);
  });
  return exchanges;
}

/** Reports whether output matches the page. A line `…` matches any lines, `…` within a line any text. */
export function isAsShown(shown: readonly string[], output: string): boolean {
  const lines = output.replace(/\n+$/, '').split('\n').map(trimmed);
  return matches(shown.map(trimmed), lines.length === 1 && lines[0] === '' ? [] : lines);
}

const trimmed = (line: string): string => line.trimEnd();

function matches(shown: readonly string[], lines: readonly string[]): boolean {
  const [first, ...rest] = shown;
  if (first === undefined) return lines.length === 0;
  if (first.trim() === '…') {
    for (let skip = 0; skip <= lines.length; skip++) if (matches(rest, lines.slice(skip))) return true;
    return false;
  }
  const [line, ...others] = lines;
  return line !== undefined && isLikeLine(first, line) && matches(rest, others);
}

function isLikeLine(shown: string, line: string): boolean {
  if (!shown.includes('…')) return shown === line;
  const parts = shown.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(line);
}
