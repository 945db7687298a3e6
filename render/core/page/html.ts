// Markup that is safe by construction: values in a template literal are escaped unless they are markup.

import { escapeMarkup } from './escape.ts';

/** A piece of markup, created by `html` only. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What can be inserted into markup: texts are escaped, lists are concatenated, `undefined` and `false` are empty. */
export type HtmlPart = Html | string | number | false | undefined | readonly HtmlPart[];

/** Returns markup with its values escaped for elements and double-quoted attributes. */
export function html(texts: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return new Html(texts.map((text, at) => (at === 0 ? text : `${markupOf(parts[at - 1])}${text}`)).join(''));
}

function markupOf(part: HtmlPart): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  return typeof part === 'object' ? part.map(markupOf).join('') : escapeHtml(String(part));
}

/**
 * Escapes a text for markup. Control characters, which are invalid in markup, become their Unicode pictures, and bidirectional controls
 * become their code points, so that source code is shown in logical order.
 */
export function escapeHtml(text: string): string {
  return escapeMarkup(text)
    .replaceAll("'", '&#39;')
    .replaceAll('\r', '&#13;')
    .replace(controls, (char) => String.fromCodePoint(0x2400 + char.charCodeAt(0)))
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, (char) => `[U+${char.charCodeAt(0).toString(16).toUpperCase()}]`);
}

// All control characters except tab and line feed. A carriage return is escaped first.
const controls = /[\u0000-\u0008\u000b-\u001f]/g;
