// A self-contained HTML page: one file, no server, and a content security policy that allows only its own parts.

import { sha256 } from '@noble/hashes/sha2.js';
import { encodeBase64 } from '../../go/base64.ts';
import { encodeUtf8 } from '../../go/utf8.ts';
import { type Html, html } from './html.ts';
import { pageStyle } from './style.ts';

/** The parts of a page. */
export interface PageParts {
  readonly title: string;
  readonly body: Html;
  /** Styles in addition to the shared ones. */
  readonly style: string;
  /** A script, and the data that it reads as `JSON.parse(document.getElementById('data').textContent)`. Default: no script. */
  readonly program?: { readonly script: string; readonly data: unknown } | undefined;
}

/** Returns a whole page. Its policy allows only its own style and script, by their digests, so that content from a chart cannot execute. */
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

/** Returns a value as JSON for a `script` element: nothing in it can end the element or begin a comment. */
function jsonInMarkup(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}

// Browsers normalize carriage returns in element text.
function digestOf(text: string): string {
  const digest = sha256(encodeUtf8(text));
  return `sha256-${encodeBase64(digest)}`;
}
