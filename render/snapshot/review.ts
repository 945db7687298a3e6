// Outcomes of `drydock snapshot` as a review, and the names of the cases that show a change.

import { type Review, reviewOf } from '../diff/review.ts';
import { type Outcome, shownChange } from './outcome.ts';

/** Returns all differences in outcomes, grouped by cause. */
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

interface MatrixEntryName {
  readonly own: string;
  /** Undefined for the first version. */
  readonly version: string | undefined;
  /** The entry's settings other than the version, such as `values production`; empty for none. */
  readonly more: string;
}

// The name of a recorded file: a case, then `.kube-`, `.apis-` and `.values-` of its matrix entry, as far as the matrix has them.
function namesOf(file: string): MatrixEntryName {
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
    ...(apis === undefined ? [] : [`API versions ${apis.replaceAll('_', '/').replaceAll('+', ', ')}`]),
    ...(values === undefined ? [] : [`values ${values.replaceAll('+', ', ')}`]),
  ];
  return { own, version, more: parts.join(' and ') };
}

/**
 * Returns the cases with a change, each once with its matrix entries, such as `default with Kubernetes 1.31, 1.33`; for an Order only the
 * entries. Empty if all have it.
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
  if (isOrder) return orderCells(names);
  const byCase = new Map<string, MatrixEntryName[]>();
  for (const name of names) byCase.set(name.own, [...(byCase.get(name.own) ?? []), name]);
  return [...byCase]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([own, cells]) => {
      const others = cells.filter((cell) => !isFirst(cell));
      if (others.length === 0 || cells.length >= cellsOfCase) return own;
      return `${own}${others.length < cells.length ? ', also' : ''} with ${cellsText(others)}`;
    });
}

function isFirst({ version, more }: MatrixEntryName): boolean {
  return version === undefined && more === '';
}

// A change in the first entry needs no further ones named.
function orderCells(names: readonly MatrixEntryName[]): string[] {
  if (names.length === 0 || names.some(isFirst)) return [];
  return [`order with ${cellsText(names)}`];
}

// Without repetition: `Kubernetes 1.31, 1.33 and values big`, or `values big, also with Kubernetes 1.31, 1.33` with the first version.
function cellsText(cells: readonly MatrixEntryName[]): string {
  const versionsOf = new Map<string, Set<string | undefined>>();
  for (const { more, version } of cells) versionsOf.set(more, (versionsOf.get(more) ?? new Set()).add(version));
  return [...versionsOf]
    .map(([more, all]) => {
      const versions = [...all].filter((version) => version !== undefined).sort();
      const kubernetes = versions.length === 0 ? '' : `Kubernetes ${versions.join(', ')}`;
      if (kubernetes === '' || more === '') return `${kubernetes}${more}`;
      return all.has(undefined) ? `${more}, also with ${kubernetes}` : `${kubernetes} and ${more}`;
    })
    .join('; ');
}
