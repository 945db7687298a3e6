// Charts as they were asked for: each once.

import { ask } from './api.ts';
import type { OrderPackage } from './order/document.ts';

/** The values of a chart, and of those within it. */
export interface ChartValues {
  /** As the chart around it calls its values. */
  readonly name: string;
  readonly values: string;
  readonly schema: unknown;
  readonly charts: readonly ChartValues[];
}

/** A chart with its words. */
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

/** What a chart is asked for by. */
export interface ChartWish {
  readonly name: string;
  readonly version: string;
  readonly source: {
    readonly kind?: string | undefined;
    readonly name: string;
    readonly namespace?: string | undefined;
  };
}

/** Returns what the chart of a package is asked for by. */
export function wishOf({ chart, version, source }: OrderPackage): ChartWish {
  return { name: chart, version, source };
}

const asked = new Map<string, Promise<ShownChart>>();

/** Returns the address of a chart, by which two wishes for the same one are known. */
export function chartPath({ name, version, source }: ChartWish): string {
  const query = new URLSearchParams();
  const words = { version, kind: source.kind ?? '', source: source.name, namespace: source.namespace ?? '' };
  for (const [key, word] of Object.entries(words)) if (word !== '') query.set(key, word);
  return `__drydock/charts/${encodeURIComponent(name)}?${query}`;
}

/** Returns a chart. Rejects with an `ApiFailure` where it is not at hand. */
export function loadChartDetails(wish: ChartWish): Promise<ShownChart> {
  const path = chartPath(wish);
  const known = asked.get(path);
  if (known) return known;
  const answer = ask<ShownChart>('GET', path);
  asked.set(path, answer);
  // What was not there may be there the next time.
  answer.catch(() => asked.delete(path));
  return answer;
}

/** A template of a chart. */
export interface ChartTemplate {
  /** Below the chart, such as `templates/deployment.yaml`. */
  readonly name: string;
  readonly text: string;
}

/** Returns the templates of a chart. Rejects with an `ApiFailure`. */
export async function loadTemplates(wish: ChartWish): Promise<readonly ChartTemplate[]> {
  const { templates } = await ask<{ readonly templates: readonly ChartTemplate[] }>(
    'GET',
    `${chartPath(wish)}&templates=true`,
  );
  return templates;
}

/** Asks for every chart anew: another one may have come under a name that is known. */
export function forgetCharts(): void {
  asked.clear();
}
