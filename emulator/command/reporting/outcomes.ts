// Outcomes of `drydock snapshot` as a review, and the names of the cases that show a change.

import { type Review, reviewOf } from '../../../render/diff/review.ts';
import { type Outcome, shownChange } from '../snapshots/outcome.ts';

/** Returns what differs in all outcomes, grouped by cause. */
export function reviewOutcomes(outcomes: readonly Outcome[]): Review {
  return reviewOf(
    outcomes.map((outcome) => {
      const { input, folder, sources } = outcome;
      const { status, meaning } = shownChange(outcome);
      const casesOf = (files: readonly string[]): readonly string[] =>
        status === 'both' ? casesShown(files, outcome) : [];
      const { objects: changes, summary } = meaning;
      return { title: input, folder, status, changes, casesOf, summary, sources };
    }),
  );
}

interface CellName {
  readonly own: string;
  /** Such as `Kubernetes 1.31 and values production`; empty for the first cell. */
  readonly cell: string;
}

// The name of a recorded file: a case, then `.kube-`, `.apis-` and `.values-` of its cell, each only where the matrix has it.
function namesOf(file: string): CellName {
  const name = file.replace(/\.yaml$/, '').replace(/\.crds(?=\.|$)/, '');
  let own = name;
  const cut = (mark: string): string | undefined => {
    const at = own.indexOf(mark, own.lastIndexOf('/') + 1);
    if (at < 0) return undefined;
    const part = own.slice(at + mark.length);
    own = own.slice(0, at);
    return part;
  };
  const [values, apis, version] = [cut('.values-'), cut('.apis-'), cut('.kube-')];
  const parts = [
    ...(version === undefined ? [] : [`Kubernetes ${version}`]),
    ...(apis === undefined ? [] : [`API versions ${apis.replaceAll('_', '/').replaceAll('+', ', ')}`]),
    ...(values === undefined ? [] : [`values ${values.replaceAll('+', ', ')}`]),
  ];
  return parts.length === 0 ? { own: name, cell: '' } : { own, cell: parts.join(' and ') };
}

/**
 * Returns the cases that show a change, each once with its cells, such as `default with Kubernetes 1.31, 1.33`; of an Order the cells
 * alone. Returns none where all show it.
 */
function casesShown(
  files: readonly string[],
  { cases, manifests: all }: Pick<Outcome, 'cases' | 'manifests'>,
): string[] {
  const isOrder = cases.some(({ name }) => name === 'order');
  const names = files.map(namesOf);
  if (!isOrder && files.length >= all) return [];
  const rendered = cases.filter(({ status }) => status !== 'fault').length;
  const cellsOfCase = rendered === 0 ? 1 : all / rendered;
  const byCase = new Map<string, string[]>();
  for (const { own, cell } of names) byCase.set(own, [...(byCase.get(own) ?? []), cell]);
  if (isOrder) return orderCells(names);
  return [...byCase]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([own, cells]) => {
      const others = cells.filter((cell) => cell !== '');
      if (others.length === 0 || cells.length >= cellsOfCase) return own;
      return `${own}${others.length < cells.length ? ', also' : ''} with ${shortCells(others).join(', ')}`;
    });
}

// What the first cell shows, too, needs no cells named.
function orderCells(names: readonly CellName[]): string[] {
  if (names.some(({ cell }) => cell === '')) return [];
  const cells = [...new Set(names.map(({ cell }) => cell))].sort();
  return cells.length === 0 ? [] : [`order with ${shortCells(cells).join(', ')}`];
}

// The words that cells share are there once.
function shortCells(cells: readonly string[]): string[] {
  return cells.map((cell, at) => {
    const before = cells[at - 1] ?? '';
    const [word = ''] = /^(?:Kubernetes|API versions|values) /.exec(cell) ?? [];
    return word !== '' && before.startsWith(word) ? cell.slice(word.length) : cell;
  });
}
