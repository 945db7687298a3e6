// HTML pages without scripts.

import { escapeMarkup } from '../../render/core/page/escape.ts';
import type { Reply } from '../app/message.ts';
import type { Call } from '../app/route.ts';

export const htmlType = 'text/html; charset=utf-8';

/** Reports whether the caller is a browser that follows a link or submits a form. */
export function wantsPage({ header }: Pick<Call, 'header'>): boolean {
  return header('accept')?.includes('text/html') ?? false;
}

const style = `
:root{color-scheme:light dark;--line:light-dark(#d0d5dd,#3b4250);--accent:light-dark(#3556c8,#8fa8ff);--soft:light-dark(#5b6472,#a3acba)}
html{background:light-dark(#fff,#14171c);color:light-dark(#1b1f27,#e6e9f0)}
body{font:15px/1.5 system-ui,sans-serif;max-width:38rem;margin:3rem auto;padding:0 1rem}
h1{font-size:1.4rem;margin:0 0 .25rem}
p{margin:.5rem 0}
a{color:var(--accent)}
small,.soft{color:var(--soft)}
label{display:block;margin:.75rem 0}
input:not([type=checkbox]){display:block;width:100%;box-sizing:border-box;font:inherit;padding:.4rem .5rem;border:1px solid var(--line);border-radius:.35rem;background:transparent;color:inherit}
button{font:inherit;padding:.35rem .9rem;border:1px solid var(--accent);border-radius:.35rem;background:transparent;color:var(--accent);cursor:pointer}
button[disabled]{border-color:var(--line);color:var(--soft);cursor:not-allowed}
@media (max-width:560px){button,input:not([type=checkbox]){min-height:44px}}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
ul{list-style:none;padding:0}
li{display:grid;grid-template-columns:2.25rem 1fr auto;gap:.75rem;align-items:center;padding:.5rem 0;border-top:1px solid var(--line)}
img{width:2.25rem;height:2.25rem;border-radius:.35rem}
[role=alert]{border-inline-start:3px solid currentColor;padding-inline-start:.75rem}
`;

// No frames, because a click on a foreign page must not sign in. The response to a form may redirect to another origin, which browsers
// check against `form-action`, so the target is validated instead.
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Replies with a page of HTML, which caches must not store. */
export function pageReply(title: string, body: string, status = 200): Reply {
  const content = [
    '<!doctype html><html lang="en"><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeMarkup(title)}</title><style>${style}</style>`,
    `<main><h1>${escapeMarkup(title)}</h1>`,
    body,
    '</main></html>\n',
  ].join('\n');
  const safety = {
    'Content-Security-Policy': policy,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'same-origin',
    Vary: 'Accept',
  };
  return { status, text: { type: htmlType, content }, headers: safety };
}
