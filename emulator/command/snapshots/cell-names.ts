// What a recorded file is of, in words: a case, and its cell of the matrix.

const cellName =
  /^(.*?)(?:\.kube-((?:(?!\.apis-|\.values-)[^/])+))?(?:\.apis-((?:(?!\.values-)[^/])+))?(?:\.values-([^/]+))?$/;

interface CellName {
  readonly own: string;
  /** Such as `Kubernetes 1.31 and values production`; empty for the first cell. */
  readonly cell: string;
}

function namesOf(file: string): CellName {
  const name = file.replace(/\.yaml$/, '');
  const [, own = name, version, apis, values] = cellName.exec(name) ?? [];
  const parts = [
    ...(version === undefined ? [] : [`Kubernetes ${version}`]),
    ...(apis === undefined ? [] : [`API versions ${apis.replaceAll('_', '/').replaceAll('+', ', ')}`]),
    ...(values === undefined ? [] : [`values ${values.replaceAll('+', ', ')}`]),
  ];
  return parts.length === 0 ? { own: name, cell: '' } : { own, cell: parts.join(' and ') };
}

/** Gives the cell of a recorded file, such as `Kubernetes 1.31 and values production`; empty for the first one. */
export function cellOf(file: string): string {
  return namesOf(file).cell;
}

/** Gives the cases in which an object is another, such as `default with Kubernetes 1.31`; of an Order the cells alone. */
export function casesShown(files: readonly string[], isOrder: boolean): string[] {
  return files
    .map(namesOf)
    .filter(({ cell }) => !isOrder || cell !== '')
    .map(({ own, cell }) => (cell === '' ? own : `${own} with ${cell}`))
    .sort();
}
