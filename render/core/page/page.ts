// A self-contained HTML page: one file, no server, and a content security policy that allows only its own parts.

import { sha256 } from '@noble/hashes/sha2.js';
import { encodeBase64 } from '../../go/base64.ts';
import { encodeUtf8 } from '../../go/utf8.ts';
import { type Html, html } from './html.ts';

/** The styles shared by all pages. */
const pageStyle = `
:root {
  color-scheme: light dark;
  --paper: #ffffff; --ink: #1c2128; --dim: #57606a; --line: #d0d7de; --raised: #f6f8fa; --accent: #0550ae;
  --good: #116329; --good-back: #dafbe1; --bad: #a40e26; --bad-back: #ffebe9; --part: #7d4e00; --part-back: #fff8c5;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #0d1117; --ink: #e6edf3; --dim: #9ea7b3; --line: #30363d; --raised: #161b22; --accent: #79c0ff;
    --good: #7ee787; --good-back: #12261e; --bad: #ff9b94; --bad-back: #2d1518; --part: #e3b341; --part-back: #272115;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.4rem; margin: 0 0 .25rem; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
a { color: var(--accent); }
code, pre, .mono { font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.dim { color: var(--dim); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
`;

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
