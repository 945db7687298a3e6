// A rendering as one HTML page with an explanation of every line.

import { html } from '../../core/page/html.ts';
import { htmlPage } from '../../core/page/page.ts';
import type { ReportData } from './data.ts';
import { reportScript } from './script.generated.ts';

export function reportPage(data: ReportData): string {
  return htmlPage({
    title: data.title,
    body: html`<div id="report"><p>This page needs JavaScript.</p></div>`,
    style,
    program: { script: reportScript, data },
  });
}

const style = `
html, body { height: 100%; }
#report {
  height: 100vh; display: grid; gap: 0 1rem; padding: 0 1rem;
  grid: 'header header header' auto 'nav main why' minmax(0, 3fr) 'nav main source' minmax(0, 2fr) / 17rem minmax(0, 1fr) minmax(0, 30rem);
}
header { grid-area: header; display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: baseline; padding: .6rem 0; }
header h1 { font-size: 1.1rem; margin: 0; overflow-wrap: anywhere; }
.keys { margin: 0 0 0 auto; font-size: .85rem; }
input { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--dim); border-radius: 4px; padding: .2rem .5rem; width: 18rem; max-width: 100%; }
nav { grid-area: nav; overflow: auto; border-top: 1px solid var(--line); padding-bottom: 1rem; }
nav ul, .setters { list-style: none; margin: 0; padding: 0; }
nav a { display: block; padding: .15rem .4rem; text-decoration: none; overflow-wrap: anywhere; font-size: .9rem; border-radius: 4px; }
nav a:hover, nav a[aria-current] { background: var(--raised); text-decoration: underline; }
nav a[aria-current] { font-weight: 600; }
#report h2 { font-size: .95rem; margin: .6rem 0 .3rem; overflow-wrap: anywhere; }
#report h2 small { font-weight: 400; }
main { grid-area: main; grid-row: span 2; display: flex; flex-direction: column; min-height: 0; border-top: 1px solid var(--line); padding-bottom: 1rem; }
.why { grid-area: why; overflow: hidden; display: flex; flex-direction: column; border-top: 1px solid var(--line); }
.why .body { overflow: auto; padding-right: .5rem; flex: 1; }
.source { grid-area: source; display: flex; flex-direction: column; min-height: 0; border-top: 1px solid var(--line); padding-bottom: 1rem; }
.lines { position: relative; flex: 1; min-height: 4rem; overflow: auto; border: 1px solid var(--line); border-radius: 4px; font: 13px/20px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.row { min-width: max-content; height: 20px; white-space: pre; cursor: pointer; }
.row:hover { background: var(--raised); }
.row[aria-selected='true'] { background: var(--part-back); }
.number { display: inline-block; width: 6ch; padding-right: 1ch; text-align: right; color: var(--dim); user-select: none; }
.exact { color: var(--accent); font-weight: 600; }
.computed { color: var(--accent); text-decoration: underline dotted; }
.asked { margin: 0 0 .5rem; padding: .3rem .5rem; background: var(--raised); overflow: auto; }
.part { border-top: 1px solid var(--line); padding: .4rem 0; font-size: .9rem; }
.part p { margin: 0; overflow-wrap: anywhere; }
.what { font: 600 13px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.value { margin: .3rem 0 0; padding-left: .6rem; border-left: 3px solid var(--line); overflow-wrap: anywhere; }
.setters { padding-left: .8rem; }
.where { font: inherit; color: inherit; background: none; border: 0; padding: 0; text-align: left; overflow-wrap: anywhere; }
button.where { color: var(--accent); text-decoration: underline; cursor: pointer; }
@media (max-width: 70rem) {
  #report { height: auto; display: block; }
  nav { max-height: 14rem; }
  .lines { height: 60vh; }
  .why .body { max-height: 50vh; }
}
`;
