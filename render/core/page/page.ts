// A page of HTML that stands for itself: one file, no server, and a content policy that lets nothing in but its own parts.

import { sha256 } from '@noble/hashes/sha2.js';
import { encodeBase64 } from '../../go/base64.ts';
import { encodeUtf8 } from '../../go/utf8.ts';
import { type Html, html } from './html.ts';
import { pageStyle } from './style.ts';

/** What a page is made of. */
export interface PageParts {
  readonly title: string;
  readonly body: Html;
  /** Rules of its own, behind those that all pages share. */
  readonly style: string;
  /** A program, and the data that it reads as `JSON.parse(document.getElementById('data').textContent)`. Default: none runs. */
  readonly program?: { readonly script: string; readonly data: unknown } | undefined;
}

/**
 * Returns a whole page. Its policy allows the style and the script that stand in it, by their digests, and nothing else: what
 * came from a chart could not run even if it were markup.
 */
export function htmlPage({ title, body, style, program }: PageParts): string {
  const css = `${pageStyle}${style}`;
  const script = program === undefined ? '' : program.script;
  const allowed = [
    `style-src '${digestOf(css)}'`,
    ...(program === undefined ? [] : [`script-src '${digestOf(script)}'`]),
    "base-uri 'none'",
    "form-action 'none'",
  ];
  const head = html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${["default-src 'none'", ...allowed].join('; ')}">
<title>${title}</title>`;
  const end =
    program === undefined
      ? ''
      : `<script type="application/json" id="data">${jsonInMarkup(program.data)}</script>\n<script>${script}</script>\n`;
  return `<!doctype html>
<html lang="en">
<head>
${head.text}
<style>${css}</style>
</head>
<body>
${body.text}
${end}</body>
</html>
`;
}

/** Returns a value as JSON that may stand in an element `script`: nothing in it ends the element or begins a comment. */
function jsonInMarkup(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}

// As a browser reads the text of an element: it knows no carriage returns, and neither do our own texts.
function digestOf(text: string): string {
  const digest = sha256(encodeUtf8(text));
  return `sha256-${encodeBase64(digest)}`;
}
