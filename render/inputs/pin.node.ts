// An Order with its current charts: pinned in its text, or packed with it into one archive.

import { readFileSync, statSync } from 'node:fs';
import { parseDocument } from 'yaml';
import type { RenderedOrder } from '../api/order.ts';
import { chartArgument } from '../chart/check.ts';
import { digestBytes } from '../chart/digest.ts';
import { pathOfChart } from '../chart/registry.node.ts';
import { editedText, helmYaml } from '../codec/yaml/document-options.ts';
import { checkArguments, having, isMembers, kind, listOf } from '../core/arguments.ts';
import { splitPath } from '../core/paths.ts';
import type { RenderedPackage } from '../engine/packages.ts';
import { encodeUtf8 } from '../go/utf8.ts';
import { schemaUrls } from '../values/schema/schema.ts';
import { packBundle } from '../vendor/lock/bundle.ts';
import { archiveOfChart } from '../vendor/lock/folder-dependencies.node.ts';
import { distinctCharts, findLocked, type LockedChart, type LockedSchema, sourceKey } from '../vendor/lock/lock.ts';
import { lockHomes } from '../vendor/lock/registry.node.ts';
import { sealOf } from '../vendor/lock/seal.ts';
import { orderInputArgument } from './input-argument.node.ts';
import type { OrderInput } from './orders.node.ts';

/** An Order with its lock file and charts as one archive. */
export interface OrderBundle {
  readonly data: Uint8Array;
  /** `sha256:…` of the archive. */
  readonly digest: string;
  readonly charts: number;
}

const members = kind('an object', isMembers);
const renderedOrder = having<RenderedOrder>('a rendered Order', {
  packages: listOf(
    having<RenderedPackage>('a rendered package', { chart: chartArgument, selection: members, values: members }),
  ),
});

/**
 * Packs a rendered Order, its lock file, its charts and their schemas into one archive, which `openBundle` opens. Throws CHART_INVALID for
 * a chart without files, ARGUMENT_INVALID.
 * @example
 * const input = await readOrderFile('order.yaml');
 * const { data, digest } = bundleOrder(input, await renderOrder(input.text.value, input.options));
 */
export function bundleOrder(input: OrderInput, rendered: RenderedOrder): OrderBundle {
  checkArguments('bundleOrder', ['input', input, orderInputArgument], ['rendered', rendered, renderedOrder]);
  const archives = new Map<string, Uint8Array>();
  const charts = rendered.packages.map((item) => {
    const data = archiveOfChart(item.chart);
    const { source, asked } = askOf(item);
    const { name: chart, version } = item.chart.metadata;
    const digest = digestBytes(data);
    const archive = `${chart}-${version}-${digest.slice(7, 15)}.tgz`;
    archives.set(archive, data);
    return { source, name: item.selection.chart.name, asked, version, archive, digest };
  });
  const unique = distinctCharts(charts);
  const schemas = schemasOf(rendered, input);
  for (const { file, data } of schemas) archives.set(file, data);
  const lock = { folder: 'charts', charts: unique, schemas: schemas.map(({ data: _, ...locked }) => locked) };
  const data = packBundle(input.source, lock, archives);
  return { data, digest: digestBytes(data), charts: unique.length };
}

// The pinned schemas that charts refer to by URL: a rendering that needed another one has failed.
function schemasOf(
  { packages }: RenderedOrder,
  { options: { schemas = () => undefined } }: OrderInput,
): readonly (LockedSchema & { readonly data: Uint8Array })[] {
  const urls = new Set(packages.flatMap(({ chart }) => [...schemaUrls(chart, schemas)]));
  return [...urls].flatMap((url) => {
    const text = schemas(url);
    if (text === undefined) return [];
    const data = encodeUtf8(text);
    const digest = digestBytes(data);
    return [{ url, file: `schemas/${digest.slice(7, 19)}.json`, digest, data }];
  });
}

function askOf({ selection }: RenderedPackage): { readonly source: string; readonly asked: string } {
  const { sourceRef, version } = selection.chart;
  return { source: sourceKey(sourceRef.name), asked: version };
}

/**
 * Returns the text of an Order with all charts and values pinned. The rest of it is preserved, including comments. `rendered` is the result
 * of rendering it. Throws ARGUMENT_INVALID.
 */
export function pinOrder(input: OrderInput, rendered: RenderedOrder): string {
  checkArguments('pinOrder', ['input', input, orderInputArgument], ['rendered', rendered, renderedOrder]);
  const { packages } = rendered;
  const text = input.source;
  const document = parseDocument(text, helmYaml);
  for (const item of packages) {
    const path = [...splitPath(item.selection.path), 'chart'];
    const archive = packageDigest(item);
    const manifest = lockedOf(item, input)?.manifest;
    document.setIn([...path, 'version'], item.chart.metadata.version);
    document.setIn(
      [...path, 'seal'],
      document.createNode({
        ...sealOf(item.chart, item.values.values),
        ...(archive !== undefined && { archive }),
        ...(manifest !== undefined && { manifest }),
      }),
    );
  }
  return editedText(document, text);
}

function packageDigest({ chart }: RenderedPackage): string | undefined {
  const path = pathOfChart(chart);
  if (path === undefined || !statSync(path).isFile()) return undefined;
  return digestBytes(readFileSync(path));
}

function lockedOf({ selection }: RenderedPackage, { folders }: OrderInput): LockedChart | undefined {
  const { name, version, sourceRef } = selection.chart;
  for (const { lock } of lockHomes(folders)) {
    const locked = findLocked(lock, { name, version, sourceRef });
    if (locked !== undefined) return locked;
  }
  return undefined;
}
