// Markup that is safe by construction: values in a template are text, unless they are markup themselves.

import { escapeMarkup } from './escape.ts';

/** A piece of markup. Only `html` makes one. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What may be put into markup: texts are escaped, lists are put one after the other, `undefined` and `false` are nothing. */
export type HtmlPart = Html | string | number | false | undefined | readonly HtmlPart[];

/** Returns markup; what is put into it is escaped for texts and for attributes in double quotes. */
export function html(texts: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return new Html(texts.map((text, at) => (at === 0 ? text : `${markupOf(parts[at - 1])}${text}`)).join(''));
}

function markupOf(part: HtmlPart): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  return typeof part === 'object' ? part.map(markupOf).join('') : escapeHtml(String(part));
}

/**
 * Escapes a text for markup. Control characters, which markup may not hold, become their pictures, and marks that turn the
 * direction of a text become their code points, so that a source is in the order in which it is read.
 */
export function escapeHtml(text: string): string {
  return escapeMarkup(text)
    .replaceAll("'", '&#39;')
    .replaceAll('\r', '&#13;')
    .replace(controls, (char) => String.fromCodePoint(0x2400 + char.charCodeAt(0)))
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, (char) => `[U+${char.charCodeAt(0).toString(16).toUpperCase()}]`);
}

// All below a blank but tab and line end. A carriage return is escaped before.
const controls = /[\u0000-\u0008\u000b-\u001f]/g;
