// API coverage: counts which operations, documented status codes and query parameters the requests to an emulator exercise.

import { answersOf } from './answers.ts';
import { addressOf, isService, type Route } from './route.ts';

/** Coverage of one status code or query parameter. */
export interface PartCoverage {
  /** Status code or name of the query parameter. */
  readonly name: string;
  readonly count: number;
}

/** Coverage of one operation. */
export interface OperationCoverage {
  /** `operationId` of the operation. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly count: number;
  /** Documented status codes. */
  readonly statuses: readonly PartCoverage[];
  /** Declared query parameters. */
  readonly filters: readonly PartCoverage[];
}

/** Number of items and how many of them are covered. */
export interface CoverageTotal {
  readonly covered: number;
  readonly total: number;
}

/** Coverage of the API by the requests to one or more emulators. */
export interface ApiCoverage {
  readonly format: 'drydock-api-coverage';
  readonly version: 1;
  readonly totals: Readonly<Record<'operations' | 'statuses' | 'filters', CoverageTotal>>;
  readonly operations: readonly OperationCoverage[];
}

/** Creates a counter of an emulator's requests, in all of its worlds. */
export function createCoverage(routes: readonly Route[]) {
  const partsOf = (table: object): { name: string; count: number }[] =>
    Object.keys(table).map((name) => ({ name, count: 0 }));
  const operations = new Map(
    routes.filter(isService).map((route) => {
      const { name, method, query = {} } = route;
      const [statuses, filters] = [partsOf(answersOf(route)), partsOf(query)];
      const operation = { name, method, path: addressOf(route), count: 0, statuses, filters };
      return [name, operation] as const;
    }),
  );
  return {
    /** Counts one request. */
    add: ({ name }: Route, status: number, search: URLSearchParams): void => {
      const operation = operations.get(name);
      if (!operation) return;
      operation.count++;
      for (const part of operation.statuses) if (part.name === String(status)) part.count++;
      for (const part of operation.filters) if (search.has(part.name)) part.count++;
    },
    /** Returns the coverage so far. */
    report: (): ApiCoverage => coverageOf(structuredClone([...operations.values()])),
  };
}

/** Counts the requests to an emulator. */
export type CoverageCounter = ReturnType<typeof createCoverage>;

function coverageOf(operations: readonly OperationCoverage[]): ApiCoverage {
  const totalOf = (parts: readonly { readonly count: number }[]): CoverageTotal => ({
    covered: parts.filter(({ count }) => count > 0).length,
    total: parts.length,
  });
  const totals = {
    operations: totalOf(operations),
    statuses: totalOf(operations.flatMap(({ statuses }) => statuses)),
    filters: totalOf(operations.flatMap(({ filters }) => filters)),
  };
  return { format: 'drydock-api-coverage', version: 1, totals, operations };
}

/** Returns the combined coverage of several emulators, such as those of test files that ran in separate processes. */
export function mergeCoverage(reports: readonly ApiCoverage[]): ApiCoverage {
  const merged = new Map<string, OperationCoverage>();
  for (const operation of reports.flatMap(({ operations }) => operations)) {
    const known = merged.get(operation.name);
    merged.set(operation.name, known === undefined ? operation : addOperation(known, operation));
  }
  return coverageOf([...merged.values()]);
}

function addOperation(one: OperationCoverage, other: OperationCoverage): OperationCoverage {
  return {
    ...one,
    count: one.count + other.count,
    statuses: addParts(one.statuses, other.statuses),
    filters: addParts(one.filters, other.filters),
  };
}

function addParts(one: readonly PartCoverage[], other: readonly PartCoverage[]): readonly PartCoverage[] {
  const counts = new Map<string, number>();
  for (const { name, count } of [...one, ...other]) counts.set(name, (counts.get(name) ?? 0) + count);
  return [...counts].map(([name, count]) => ({ name, count }));
}

/** Returns a one-line summary: `API coverage: 12 of 58 operations, 20 of 262 status codes, 3 of 40 query parameters`. */
export function summarizeCoverage({ totals }: ApiCoverage): string {
  const part = ({ covered, total }: CoverageTotal, what: string): string => `${covered} of ${total} ${what}`;
  return `API coverage: ${[
    part(totals.operations, 'operations'),
    part(totals.statuses, 'status codes'),
    part(totals.filters, 'query parameters'),
  ].join(', ')}`;
}

/** Returns a Markdown report: the totals, then every operation with the parts that are not covered. */
export function formatCoverage(coverage: ApiCoverage): string {
  const rows = coverage.operations.map(({ name, method, path, count, statuses, filters }) => {
    const missed = [...statuses, ...filters].filter((part) => part.count === 0).map((part) => `\`${part.name}\``);
    return `| \`${name}\` | \`${method} ${path}\` | ${count} | ${count === 0 ? 'all' : missed.join(' ')} |`;
  });
  return [
    '# API coverage',
    '',
    `${summarizeCoverage(coverage).replace('API coverage: ', '')}.`,
    '',
    '| operation | address | calls | never exercised |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
