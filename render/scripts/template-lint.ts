// Checks a script template before it is compiled: a value is allowed only where its quoting is effective. Inside "..." or '...', in a
// comment or in a here-document the quotes around a value are plain text, and the shell would interpret the value. Such places are refused,
// so that a template cannot be unsafe by accident.

import type { ShellDialect } from './words.ts';

/** A place of a template where a value would lose its quoting. */
interface TemplateFault {
  /** Line, from 1. */
  readonly line: number;
  readonly message: string;
  readonly hint: string;
}

// The output of helpers is safe where they are meant to be used; blocks, partials and comments print no value.
const silent = /^\{\{\{?~?(?:[#/^>!]|else\b|comment\s|document\s|marker\s)/;
const mustache = /\{\{!--[\s\S]*?--~?\}\}|\{\{\{[\s\S]*?\}\}\}|\{\{[\s\S]*?\}\}/y;

/** Returns all places of a template that print a value inside quotes, a comment or a here-document. */
export function lintTemplate(text: string, dialect: ShellDialect): TemplateFault[] {
  const faults: TemplateFault[] = [];
  const { escapeSign, quotes } = dialects[dialect];
  let inside = '';
  let end = /$/y;
  const matchAt = (pattern: RegExp, at: number): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  for (let at = 0; at < text.length; ) {
    const tag = matchAt(mustache, at)?.[0];
    if (tag !== undefined) {
      if (inside !== '' && !isSafe(tag, inside)) {
        faults.push({
          line: text.slice(0, at).split('\n').length,
          message: `${tag} is ${inside}, where its quoting does not apply`,
          hint:
            inside === 'in a comment' ? `Write {{comment ...}}.` : 'End the quotes before it, as in "$dir"/{{name}}.',
        });
      }
      at += tag.length;
      continue;
    }
    const isEscape = text[at] === escapeSign && (inside === '' || inside === 'in double quotes');
    const closing = inside === '' ? null : matchAt(end, at);
    if (closing !== null && !isEscape) inside = '';
    let length = isEscape ? 2 : Math.max(closing?.[0].length ?? 0, 1);
    for (const quote of inside === '' && closing === null && !isEscape ? quotes : []) {
      const found = matchAt(quote.start, at);
      if (found === null) continue;
      [inside, end, length] = [quote.inside, quote.end(found[2] ?? ''), found[0].length];
      break;
    }
    at += length;
  }
  return faults;
}

function isSafe(tag: string, inside: string): boolean {
  if (inside === 'in a comment') return silent.test(tag) && !/^\{\{\{?~?(?:document|marker)\s/.test(tag);
  return silent.test(tag) && !/^\{\{\{?~?(?:comment|document|marker|>)/.test(tag);
}

/** Where values lose their quoting: how it starts and ends. `end` receives the marker of a here-document. */
interface Quote {
  readonly inside: string;
  readonly start: RegExp;
  readonly end: (marker: string) => RegExp;
}

const dialects: Readonly<Record<ShellDialect, { readonly escapeSign: string; readonly quotes: readonly Quote[] }>> = {
  sh: {
    escapeSign: '\\',
    quotes: [
      {
        inside: 'in a document',
        start: /<<-?\s*(['"]?)([A-Za-z_]+)\1/y,
        end: (marker) => new RegExp(`(?<=\\n)[^\\S\\n]*${marker}[^\\S\\n]*(?=\\n|$)`, 'y'),
      },
      { inside: 'in single quotes', start: /'/y, end: () => /'/y },
      { inside: 'in double quotes', start: /"/y, end: () => /"/y },
      { inside: 'in a comment', start: /(?<=^|\s)#/y, end: () => /\n/y },
    ],
  },
  powershell: {
    escapeSign: '`',
    quotes: [
      { inside: 'in a document', start: /@'/y, end: () => /\n'@/y },
      { inside: 'in a document', start: /@"/y, end: () => /\n"@/y },
      { inside: 'in a comment', start: /<#/y, end: () => /#>/y },
      { inside: 'in a comment', start: /#/y, end: () => /\n/y },
      { inside: 'in single quotes', start: /'/y, end: () => /'/y },
      { inside: 'in double quotes', start: /"/y, end: () => /"/y },
    ],
  },
};
