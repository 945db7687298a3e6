// Coverage as one HTML page: totals, files, and each source with counts per line and unreached outcomes.

import { counted } from '../core/counted.ts';
import { groupBy } from '../core/group-by.ts';
import { type Html, html } from '../core/page/html.ts';
import { htmlPage } from '../core/page/page.ts';
import { coveredLines, type PlacedCoverage } from './formats.ts';
import { type CoverageTotals, type FileCoverage, percentOf, type Share, totalsOf } from './measure.ts';
import { percentText, unreachedOutcomes } from './text.ts';

export function coverageHtml(charts: readonly PlacedCoverage[]): string {
  const body = html`<main>
${charts.map((item, at) => chartPart(item, at))}
</main>
<footer class="dim">Counted by the engine of drydock. What never ran could fail, and nothing would change.</footer>`;
  return htmlPage({ title: `Coverage of ${charts.map(({ coverage }) => coverage.chart).join(', ')}`, body, style });
}

function chartPart({ coverage, folder }: PlacedCoverage, at: number): Html {
  const { chart, cases, totals, files } = coverage;
  const { unread } = coverage.defaults;
  const failed = cases.filter(({ failure }) => failure !== undefined);
  return html`<section aria-labelledby="chart-${at}">
<h1 id="chart-${at}">Coverage of ${chart}</h1>
<p class="dim">${counted(cases.length, 'case')}: ${cases.map(({ name }) => name).join(', ')}</p>
${failed.map(({ name, failure }) => html`<p class="bad">Case ${name} failed: ${failure?.message}</p>\n`)}
<dl class="sums">${sumsOf(totals).map(([name, share]) => html`<div><dt>${name}</dt><dd>${percentText(share)} <span class="dim">${share.covered} of ${share.total}</span></dd></div>`)}</dl>
<table class="files">
<caption>Files</caption>
<thead><tr><th scope="col">File</th><th scope="col">Actions</th><th scope="col">Branches</th><th scope="col">Templates</th></tr></thead>
<tbody>
${files.map((file, index) => fileRow(`${folder}${file.path}`, file, `file-${at}-${index}`))}</tbody>
</table>
${
  unread.length > 0 &&
  html`<h2>Defaults that nothing reads</h2>
<ul>${unread.map(({ path, line, description }) => html`<li><code>${path}</code>, line ${line} of ${folder}values.yaml${description !== undefined && html`: <span class="dim">${description}</span>`}</li>\n`)}</ul>`
}
${files.map((file, index) => sourcePart(`${folder}${file.path}`, file, `file-${at}-${index}`))}
</section>`;
}

function sumsOf({ actions, branches, templates, files }: CoverageTotals): readonly (readonly [string, Share])[] {
  return [
    ['Actions', actions],
    ['Branches', branches],
    ['Named templates', templates],
    ['Files', files],
  ];
}

function fileRow(path: string, file: FileCoverage, id: string): Html {
  const { actions, branches, templates } = totalsOf([file]);
  return html`<tr><th scope="row"><a href="#${id}">${path}</a></th>${[actions, branches, templates].map(
    (share) =>
      html`<td class="${tone(share)}">${share.total > 0 && `${percentText(share)} (${share.covered}/${share.total})`}</td>`,
  )}</tr>\n`;
}

function tone(share: Share): string {
  if (share.total === 0 || percentOf(share) === 100) return '';
  return share.covered === 0 ? 'bad' : 'part';
}

// A completely covered file is collapsed.
function sourcePart(path: string, file: FileCoverage, id: string): Html {
  const { actions, branches, templates } = totalsOf([file]);
  const isWhole = [actions, branches, templates].every((share) => percentOf(share) === 100);
  const lines = coveredLines(file);
  const notes = notesOf(file);
  const rows = file.source
    .replace(/\n$/, '')
    .split(/\r?\n/)
    .map((text, index) => {
      const line = lines.get(index + 1);
      const note = notes.get(index + 1) ?? [];
      return html`<tr id="${id}-${index + 1}" class="${line === undefined ? '' : line.count === 0 ? 'miss' : note.length > 0 ? 'some' : 'hit'}"><td>${index + 1}</td><td>${line?.count}</td><td>${text}${note.length > 0 && html` <span class="note">${note.join('; ')}</span>`}</td></tr>\n`;
    });
  return html`<details id="${id}"${!isWhole && html` open`}>
<summary><h2>${path}</h2></summary>
<table class="source"><thead><tr><th scope="col">Line</th><th scope="col">Runs</th><th scope="col">Source</th></tr></thead><tbody>
${rows}</tbody></table>
</details>
`;
}

function notesOf({ actions, branches, templates }: FileCoverage): ReadonlyMap<number, readonly string[]> {
  const notes = new Map<number, string[]>();
  const add = (line: number, note: string): void => void notes.set(line, [...(notes.get(line) ?? []), note]);
  for (const { line, name, count } of templates) if (count === 0) add(line, `${name} is never called`);
  const silent = groupBy(
    actions.filter(({ count }) => count === 0),
    ({ line }) => line,
  );
  for (const [line, { length }] of silent) add(line, length === 1 ? 'never ran' : `${length} actions never ran`);
  for (const branch of branches) {
    const missed = unreachedOutcomes(branch);
    if (missed.length > 0) add(branch.line, `never ${missed.join(', ')}: ${branch.text}`);
  }
  return notes;
}

const style = `
main, footer { max-width: 76rem; margin: 0 auto; padding: 1rem; }
table { border-collapse: collapse; }
caption { text-align: left; font-weight: 600; padding: .5rem 0; }
.files { width: 100%; }
.files th, .files td { border-bottom: 1px solid var(--line); padding: .2rem .5rem; text-align: right; }
.files th:first-child { text-align: left; overflow-wrap: anywhere; }
.files tbody th { font-weight: 400; }
.sums { display: flex; flex-wrap: wrap; gap: .5rem 2rem; margin: 1rem 0; }
.sums dt { color: var(--dim); }
.sums dd { margin: 0; font-size: 1.2rem; }
.sums dd span { font-size: .9rem; }
.bad { color: var(--bad); }
.part { color: var(--part); }
details { content-visibility: auto; contain-intrinsic-size: auto 3rem; }
summary h2 { display: inline; overflow-wrap: anywhere; }
.source { width: 100%; margin: .5rem 0 1.5rem; border: 1px solid var(--line); font: 13px/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.source th { text-align: left; padding: 0 .75rem; color: var(--dim); font-weight: 400; border-bottom: 1px solid var(--line); }
.source td { padding: 0 .75rem; vertical-align: top; }
.source td:nth-child(1), .source td:nth-child(2) { width: 1%; text-align: right; color: var(--dim); user-select: none; border-right: 1px solid var(--line); }
.source td:nth-child(3) { white-space: pre-wrap; overflow-wrap: anywhere; }
.source .hit td:nth-child(2) { background: var(--good-back); color: var(--good); }
.source .some td { background: var(--part-back); }
.source .some td:nth-child(2) { color: var(--part); font-weight: 700; }
.source .miss td { background: var(--bad-back); }
.source .miss td:nth-child(2) { color: var(--bad); font-weight: 700; }
.note { color: var(--part); font-style: italic; }
.miss .note { color: var(--bad); }
:target, tr:target td { outline: 2px solid var(--accent); }
`;
