// A report as one HTML page without scripts: differences side by side, and errors.

import { counted } from '../core/counted.ts';
import { type Html, html } from '../core/page/html.ts';
import { htmlPage } from '../core/page/page.ts';
import { formatGroupTitle, formatReviewCounts, type ReviewBlock, type ReviewGroup } from '../diff/review.ts';
import { objectTitle, restartsText, risksText } from '../diff/text.ts';
import { formatIssue } from '../order/read.ts';
import { allIssues, groupSummary } from './issues.ts';
import type { Report } from './model.ts';

type Change = ReviewBlock['objects'][number]['change'];
type Entry = Change['entries'][number];

export function formatHtml(report: Report): string {
  const { command = 'check', difference, files } = report;
  const { review, texts = [], notes = [], against = '' } = difference ?? {};
  const issues = allIssues({ ...report, difference: undefined });
  const changed = review?.inputs.length ?? 0;
  const isFine = changed === 0 && texts.length === 0 && issues.length === 0;
  const body = html`<main>
<h1>drydock ${command}</h1>
<p class="dim">${counted(files.length, 'input')}, ${changed} different, ${counted(issues.length, 'issue')}${against !== '' && html`; compared with ${against}`}</p>
${isFine && html`<p class="good">Nothing differs.</p>`}
${review !== undefined && changed > 0 && html`<p class="summary">${[formatReviewCounts(review), risksText(review.summary)].filter((line) => line !== '').join('\n')}</p>`}
${notes.map((note) => html`<p>${note}</p>\n`)}
${issues.length > 0 && html`<h2>Issues</h2>\n<ul>${issues.map((issue) => html`<li class="${issue.severity === 'error' ? 'bad' : ''}">${formatIssue(issue, issue)}</li>\n`)}</ul>`}
${(review?.groups ?? []).map(groupPart)}
${texts.map(({ title: name, diff }) => html`<h3>${name}</h3>\n${diff !== '' && html`<pre tabindex="0">${diff}</pre>`}`)}
</main>
<footer class="dim">Made by drydock ${report.version}.</footer>`;
  return htmlPage({ title: `drydock ${command}`, body, style });
}

function groupPart(group: ReviewGroup): Html {
  const { marks, blocks, restarts } = group;
  return html`<section>
<h2>${formatGroupTitle(group)}${marks.map((mark) => html` <span class="mark risk">${mark}</span>`)}</h2>
<p class="dim">${groupSummary(group)}${restarts.length > 0 && html`: ${restartsText(restarts)}`}</p>
${blocks.map(blockPart)}
</section>`;
}

// Objects with the same changes share one table of entries.
function blockPart({ objects }: ReviewBlock): Html {
  const { status, entries } = objects[0]!.change;
  return html`<article class="${status}">
${objects.map(({ input, change }) => objectHead(input, change))}
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

function objectHead(input: string, change: Change): Html {
  const { status, source, from, risks, cases = [] } = change;
  return html`<h3>${objectTitle(change)} <span class="mark">${status}</span>${risks.map((risk) => html` <span class="mark risk">${risk}</span>`)}</h3>
<p class="dim">${input}: ${source}${from !== undefined && html`; it was ${from.name}`}${cases.length > 0 && html`; in ${cases.join(', ')}`}</p>
`;
}

function entryRow(entry: Entry): Html {
  const { path, inside, op, before, after, lines, place, isImmutable, risks } = entry;
  const where = inside === undefined ? path : `${path} > ${inside.path}`;
  const marks = [...(isImmutable ? ['immutable'] : []), ...risks];
  const sides =
    lines === undefined
      ? html`<td class="before">${op !== 'add' && textOf(before)}</td><td class="after">${op !== 'remove' && textOf(after)}</td>`
      : html`<td colspan="2" class="lines">${lines}</td>`;
  return html`<tr><th scope="row"><code>${where}</code>${op === 'move' && ' (reordered)'}${marks.map((mark) => html` <span class="mark risk">${mark}</span>`)}${place !== undefined && html`<small>${place.file}:${place.line}</small>`}</th>${sides}</tr>\n`;
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
