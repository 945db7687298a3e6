// The sample Orders of fixtures/orders, read and rendered with the charts of fixtures/charts.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { directoryRegistry } from '../../render/chart/registry.node.ts';
import { emitYaml } from '../../render/codec/yaml/emit.ts';
import { parseYaml } from '../../render/codec/yaml/parse.ts';
import type { GoMap, GoValue } from '../../render/go/value.ts';
import { seededHost } from '../../render/host.ts';
import { readOrder } from '../../render/order/read.ts';
import { type RenderedOrder, type RenderOrderOptions, renderOrder } from '../../render/rendered-order.ts';
import type { ScriptAction } from '../../render/scripts/script.ts';

/** The folder of the sample Orders. */
export const ordersDirectory = fileURLToPath(new URL('../../fixtures/orders', import.meta.url));

/** The folder of the charts. */
export const chartsDirectory = fileURLToPath(new URL('../../fixtures/charts', import.meta.url));

/** Gives the file names of the valid sample Orders. */
export function listOrders(): string[] {
  return readdirSync(ordersDirectory)
    .filter((name) => /\.(ya?ml|json)$/.test(name))
    .sort();
}

/** Gives a sample Order as JSON. */
export function loadOrder(name: string): unknown {
  return readOrder(readFileSync(join(ordersDirectory, name), 'utf8'), name).value;
}

/** Renders an Order with the fixture charts and a seeded world. */
export function renderSample(input: unknown, options: Partial<RenderOrderOptions> = {}): Promise<RenderedOrder> {
  return renderOrder(input, {
    registry: directoryRegistry([chartsDirectory], { isFlat: true }),
    host: seededHost(),
    chartPath: ({ chart }) => join(chartsDirectory, chart.metadata.name),
    ...options,
  });
}

/** Gives what installs and removes an Order by Helm and by kubectl, each with its title. */
export function scriptsOf(rendered: RenderedOrder): [string, string][] {
  return (['install', 'uninstall'] as const).flatMap((action: ScriptAction): [string, string][] => [
    [`helm ${action}`, rendered.helmScript('linux', { action })],
    [`kubectl ${action}`, rendered.yamlScript('linux', { action })],
  ]);
}
/** Gives the objects of a manifest, those of a List one by one. */
export function objectsIn(text: string): GoValue[] {
  // Not trimmed: the last line break of a document may be that of a scalar.
  const documents = `${text.trimEnd()}\n`.split(/^---.*\n/m).filter((document) => document.trim() !== '');
  return documents.flatMap((document) => {
    const value = parseYaml(document);
    if (!(value instanceof Map)) return [];
    const items = value.get('kind') === 'List' ? value.get('items') : [value];
    return items as GoValue[];
  });
}
/** Names an object. */
export function identity(value: GoValue): string {
  const object = value as GoMap;
  const metadata = object.get('metadata') as GoMap;
  return `${object.get('apiVersion')} ${object.get('kind')} ${metadata.get('name')}`;
}

/** An object as text, without the namespace that lists and kubectl scripts fill in, and without their label. */
export function withoutNamespace(value: GoValue): string {
  const object = new Map(value as GoMap);
  const metadata = new Map(object.get('metadata') as GoMap);
  metadata.delete('namespace');
  const labels = new Map((metadata.get('labels') as GoMap | undefined) ?? []);
  labels.delete('applyset.kubernetes.io/part-of');
  metadata.delete('labels');
  if (labels.size > 0) metadata.set('labels', labels);
  return emitYaml(object.set('metadata', metadata));
}
