// Loads the details of charts, each once, until charts are dropped or removed.

import type { ChartValues } from '../../render/language/yaml/known-values.ts';
import { request } from './api.ts';
import type { OrderPackage } from './order/document.ts';

/** A chart with its texts. */
export interface ShownChart extends ChartValues {
  readonly version: string;
  readonly readme: string;
  readonly dependencies: readonly {
    readonly name: string;
    readonly version: string;
    readonly repository: string;
    readonly condition: string;
    readonly alias: string;
    readonly isHere: boolean;
  }[];
}

/** Names a chart of the emulator. */
export interface ChartDetailsRequest {
  readonly name: string;
  readonly version: string;
  readonly source: {
    readonly kind?: string | undefined;
    readonly name: string;
    readonly namespace?: string | undefined;
  };
}

/** Returns the reference of a package's chart. */
export function toChartRequest({ chart, version, source }: OrderPackage): ChartDetailsRequest {
  return { name: chart, version, source };
}

const requests = new Map<string, Promise<unknown>>();

/** Returns the path of a chart, or of one of its subresources, relative to the root of the server. */
export function chartPath({ name, version, source }: ChartDetailsRequest, about = ''): string {
  const query = new URLSearchParams();
  const words = { version, kind: source.kind ?? '', source: source.name, namespace: source.namespace ?? '' };
  for (const [key, word] of Object.entries(words)) if (word !== '') query.set(key, word);
  return `__drydock/charts/${encodeURIComponent(name)}${about}?${query}`;
}

/** Returns a chart. Rejects with an `ApiFailure` if it is not available. */
export function loadChartDetails(request: ChartDetailsRequest): Promise<ShownChart> {
  return requestOnce<ShownChart>(chartPath(request));
}

function requestOnce<Answer>(path: string): Promise<Answer> {
  const known = requests.get(path);
  if (known) return known as Promise<Answer>;
  const answer = request<Answer>('GET', path);
  requests.set(path, answer);
  // A missing chart may be available next time.
  answer.catch(() => requests.delete(path));
  return answer;
}

/** Branch coverage of a chart by its own values, and values that reach more. */
export interface ChartCoverage {
  /** The names of its own cases. */
  readonly cases: readonly string[];
  /** Numbers of branch outcomes. */
  readonly before: number;
  readonly after: number;
  readonly total: number;
  readonly reachable: number;
  readonly isCut: boolean;
  /** Values files. */
  readonly generated: readonly { readonly text: string; readonly reaches: number }[];
  readonly unreached: readonly {
    readonly path: string;
    readonly line: number;
    readonly column: number;
    readonly text: string;
    readonly outcome: string;
    readonly explanation: string;
  }[];
  /** Their number; at most 500 are listed. */
  readonly unreachedCount: number;
  readonly failures: readonly { readonly values: unknown; readonly message: string }[];
  /** Objects that a cluster refuses, and the template line that wrote the field. */
  readonly rejections: readonly {
    readonly values: unknown;
    readonly message: string;
    readonly path: string;
    readonly line: number;
  }[];
  readonly failedCases: readonly { readonly name: string; readonly message: string }[];
}

/** Returns the coverage of a chart, which takes some seconds. Rejects with an `ApiFailure`. */
export function loadChartCoverage(request: ChartDetailsRequest): Promise<ChartCoverage> {
  return requestOnce<ChartCoverage>(chartPath(request, '/coverage'));
}

/** A derived schema for a chart without one. */
export interface DerivedSchema {
  readonly schema: unknown;
  /** The values as a table in Markdown. */
  readonly table: string;
}

/** Returns a schema for the values of a chart, which takes some seconds. Rejects with an `ApiFailure`. */
export function loadChartSchema(request: ChartDetailsRequest): Promise<DerivedSchema> {
  return requestOnce<DerivedSchema>(chartPath(request, '/schema'));
}

/** A template of a chart. */
export interface ChartTemplate {
  /** Relative to the chart, such as `templates/deployment.yaml`. */
  readonly name: string;
  readonly text: string;
}

/** A line of a template to show, from 1. */
export interface TemplateLine {
  readonly path: string;
  readonly line: number;
}

/** Returns the templates of a chart. Rejects with an `ApiFailure`. */
export async function loadTemplates(chart: ChartDetailsRequest): Promise<readonly ChartTemplate[]> {
  const { templates } = await request<{ readonly templates: readonly ChartTemplate[] }>(
    'GET',
    `${chartPath(chart)}&templates=true`,
  );
  return templates;
}

/** Forgets all charts, because dropped ones may have replaced them. */
export function clearChartCache(): void {
  requests.clear();
}
