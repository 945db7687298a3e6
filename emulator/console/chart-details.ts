// Loads the details of charts, each once, until charts are dropped or removed.

import type { GeneratedCases } from '../../render/index.ts';
import type { ChartValues } from '../../render/language/yaml/known-values.ts';
import { request } from './api.ts';
import type { OrderPackage } from './order/document.ts';

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

export interface ChartDetailsRequest {
  readonly name: string;
  readonly version: string;
  readonly source: {
    readonly kind?: string | undefined;
    readonly name: string;
    readonly namespace?: string | undefined;
  };
}

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

// Each is requested once, until charts are dropped or removed.
function loaderOf<Answer>(about = ''): (chart: ChartDetailsRequest) => Promise<Answer> {
  return (chart) => {
    const path = chartPath(chart, about);
    const known = requests.get(path) as Promise<Answer> | undefined;
    if (known) return known;
    const answer = request<Answer>('GET', path);
    requests.set(path, answer);
    // A missing chart may be available next time.
    answer.catch(() => requests.delete(path));
    return answer;
  };
}

/** Forgets all charts, because dropped ones may have replaced them. */
export function clearChartCache(): void {
  requests.clear();
}

/** Returns a chart. Rejects with an `ApiFailure` if it is not available. */
export const loadChartDetails = loaderOf<ShownChart>();

/** Branch coverage of a chart by its own values, and values that reach more. */
export interface ChartCoverage extends Pick<GeneratedCases, 'reachable' | 'isCut' | 'unreached'> {
  readonly cases: readonly string[];
  /** Numbers of branch outcomes. */
  readonly before: number;
  readonly after: number;
  readonly total: number;
  readonly generated: readonly { readonly text: string; readonly reaches: number }[];
  /** The number of unreached outcomes; at most 500 are listed. */
  readonly unreachedCount: number;
  readonly failures: readonly { readonly values: unknown; readonly message: string }[];
  /** Objects that a cluster refuses, and the template line that wrote the field. */
  readonly rejections: readonly (TemplateLine & { readonly values: unknown; readonly message: string })[];
  readonly failedCases: readonly { readonly name: string; readonly message: string }[];
}

export const loadChartCoverage = loaderOf<ChartCoverage>('/coverage');

export const loadChartSchema = loaderOf<{ readonly schema: unknown }>('/schema');

/** A line of a template to show, from 1. */
export interface TemplateLine {
  readonly path: string;
  readonly line: number;
}

/** Returns the templates of a chart, each with its name, such as `templates/deployment.yaml`. Rejects with an `ApiFailure`. */
export async function loadTemplates(chart: ChartDetailsRequest): Promise<readonly Record<'name' | 'text', string>[]> {
  const path = `${chartPath(chart)}&templates=true`;
  return (await request<{ readonly templates: readonly Record<'name' | 'text', string>[] }>('GET', path)).templates;
}
