// The sample Orders of fixtures/orders, parsed and rendered with the charts of fixtures/charts.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type RenderedOrder, type RenderOrderOptions, renderOrder } from '../../render/api/order.ts';
import { folderRegistry } from '../../render/chart/registry.node.ts';
import { seededHost } from '../../render/core/host.ts';
import { readOrder } from '../../render/order/read.ts';
import { objectTexts } from './objects.ts';
import type { Run } from './shells.ts';

/** The folder of the sample Orders. */
export const ordersDirectory = fileURLToPath(new URL('../../fixtures/orders', import.meta.url));

/** The folder of the charts. */
export const chartsDirectory = fileURLToPath(new URL('../../fixtures/charts', import.meta.url));

/** Returns the file names of the valid sample Orders. */
export function listOrders(): string[] {
  return readdirSync(ordersDirectory)
    .filter((name) => /\.(ya?ml|json)$/.test(name))
    .sort();
}

/** Returns a sample Order as JSON. */
export function loadOrder(name: string): unknown {
  return readOrder(readFileSync(join(ordersDirectory, name), 'utf8'), name).value;
}

/** Renders an Order with the fixture charts and a seeded host. */
export function renderSample(input: unknown, options: Partial<RenderOrderOptions> = {}): Promise<RenderedOrder> {
  return renderOrder(input, {
    registry: folderRegistry([chartsDirectory], { isFlat: true }),
    host: seededHost(),
    chartPath: ({ chart }) => join(chartsDirectory, chart.metadata.name),
    ...options,
  });
}

/** Returns the Helm script and the kubectl script of an Order, each with its title. */
export function scriptsOf(rendered: RenderedOrder): [string, string][] {
  return [
    ['helm', rendered.helmScript()],
    ['kubectl', rendered.yamlScript()],
  ];
}

/** Returns the objects that a run of an Order's kubectl script applied or created, as JSON and in order, except for its own records. */
export function appliedObjects({ packages }: RenderedOrder, { calls }: Run): string[] {
  const records = packages.map(({ release }) => `\n  name: drydock-${release.name}\n`);
  return calls
    .filter(({ words, document }) => {
      return ['apply', 'create'].includes(words[0] ?? '') && !records.some((record) => document.includes(record));
    })
    .flatMap(({ document }) => objectTexts(document));
}
