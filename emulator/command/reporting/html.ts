// A report as one page of HTML: what differs, old and new side by side, and what is at fault. It runs no program.

import { formatSummary, objectTitle } from '../../../render/diff/text.ts';
import { formatIssue } from '../../../render/order/read.ts';
import { type Html, html } from '../../../render/page/html.ts';
import { htmlPage } from '../../../render/page/page.ts';
import { allIssues } from './issues.ts';
import type { Report, ReportedDifference } from './model.ts';

type Change = ReportedDifference['changes'][number];
type Entry = Change['entries'][number];

/** Gives a report as a page that needs no server and no other file. */
export function formatHtml(report: Report): string {
  const { command = 'check', differences = [], files } = report;
  const told = differences.filter(({ changes, texts }) => changes.length + texts.length > 0);
  const issues = allIssues(report).filter(({ rule }) => rule !== 'difference');
  const isFine = told.length === 0 && issues.length === 0;
  const body = html`<main>
<h1>drydock ${command}</h1>
<p class="dim">${files.length} ${files.length === 1 ? 'input' : 'inputs'}, ${told.length} different, ${issues.length} ${issues.length === 1 ? 'issue' : 'issues'}</p>
${isFine && html`<p class="good">Nothing to tell.</p>`}
${issues.length > 0 && html`<h2>Issues</h2>\n<ul>${issues.map((issue) => html`<li class="${issue.severity === 'error' ? 'bad' : ''}">${formatIssue(issue, issue)}</li>\n`)}</ul>`}
${told.map(differencePart)}
</main>
<footer class="dim">Made by drydock ${report.version}.</footer>`;
  return htmlPage({ title: `drydock ${command}`, body, style });
}

function differencePart(difference: ReportedDifference): Html {
  const { title, changes, texts } = difference;
  return html`<section>
<h2>${title}</h2>
${changes.length > 0 && html`<p class="summary">${formatSummary(difference).trimEnd()}</p>`}
${changes.map(changePart)}
${texts.map(({ title: name, diff }) => html`<h3>${name}</h3>\n${diff !== '' && html`<pre tabindex="0">${diff}</pre>`}`)}
</section>`;
}

const words = {
  added: 'added',
  removed: 'removed',
  changed: 'changed',
  replaced: 'made anew',
  renamed: 'renamed',
} as const;

function changePart(change: Change): Html {
  const { status, source, from, entries, risks, causes = [], files = [] } = change;
  return html`<article class="${status}">
<h3>${objectTitle(change)} <span class="mark">${words[status]}</span>${risks.map((risk) => html` <span class="mark risk">${risk}</span>`)}</h3>
<p class="dim">${source}${from !== undefined && html`; it was ${from.name}`}${files.length > 0 && html`; in ${files.join(', ')}`}</p>
${causes.map(({ text }) => html`<p class="dim">because of ${text}</p>`)}
${
  entries.length > 0 &&
  html`<table>
<thead><tr><th scope="col">Path</th><th scope="col">Before</th><th scope="col">After</th></tr></thead>
<tbody>
${entries.map(entryRow)}</tbody>
</table>`
}
</article>
`;
}

function entryRow({ path, inside, op, before, after, lines, place, causes = [], isImmutable, risks }: Entry): Html {
  const where = inside === undefined ? path : `${path} > ${inside.path}`;
  const marks = [...(isImmutable ? ['immutable'] : []), ...risks];
  const sides =
    lines === undefined
      ? html`<td class="before">${op !== 'add' && textOf(before)}</td><td class="after">${op !== 'remove' && textOf(after)}</td>`
      : html`<td colspan="2" class="lines">${lines}</td>`;
  return html`<tr><th scope="row"><code>${where}</code>${op === 'move' && ' (another order)'}${marks.map((mark) => html` <span class="mark risk">${mark}</span>`)}${place !== undefined && html`<small>${place.file}:${place.line}</small>`}${causes.map(({ text }) => html`<small>because of ${text}</small>`)}</th>${sides}</tr>\n`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
}

const style = `
main, footer { max-width: 80rem; margin: 0 auto; padding: 1rem; }
.summary { white-space: pre-line; }
article { border-left: 3px solid var(--line); padding-left: 1rem; margin: 1rem 0; }
h3 { overflow-wrap: anywhere; margin-bottom: 0; }
.mark { border: 1px solid currentColor; border-radius: .3rem; padding: 0 .3rem; font-size: .8rem; font-weight: 400; }
.risk, .bad { color: var(--bad); }
.good { color: var(--good); }
table { width: 100%; border-collapse: collapse; table-layout: fixed; }
th, td { text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); padding: .3rem .5rem; overflow-wrap: anywhere; font-weight: 400; }
thead th { color: var(--dim); }
td { white-space: pre-wrap; font: 13px/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
small { display: block; color: var(--dim); }
pre { overflow-x: auto; border: 1px solid var(--line); padding: .5rem; }
`;
