// `drydock pin` and `drydock bundle`: pins an Order to its current charts and values, and packs everything into one archive.

import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseDocument } from 'yaml';
import { type RenderedOrder, renderOrder } from '../../api/order.ts';
import { pathOfChart } from '../../chart/registry.node.ts';
import { helmYaml } from '../../codec/yaml/document-options.ts';
import { joinPath } from '../../core/paths.ts';
import type { RenderedPackage } from '../../engine/packages.ts';
import { encodeUtf8 } from '../../go/utf8.ts';
import { type OrderInput, readOrderFile } from '../../inputs/orders.node.ts';
import { expandPatterns } from '../../inputs/patterns.node.ts';
import { schemaUrls } from '../../values/schema/schema.ts';
import { distinctCharts, findLocked, type LockedChart, type LockedSchema } from '../../vendor/lock/lock.ts';
import { archiveDigest } from '../../vendor/lock/locked.ts';
import { archiveOfChart } from '../../vendor/lock/pack.node.ts';
import { packBundle } from '../../vendor/lock/pack.ts';
import { lockHomes } from '../../vendor/lock/registry.node.ts';
import { sealOf } from '../../vendor/lock/seal.ts';
import { sourceKey } from '../../vendor/lock/source.ts';
import { printFailure } from '../failure.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandContext } from '../io.ts';
import { settingsOf } from '../settings.ts';

/** Prints an Order with all charts and values pinned. Returns 0, or 1 if something does not render. Throws UsageError. */
export async function pinCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  return withRendered('pin', flags, io, async (input, rendered) => {
    io.stdout(seal(input.source, rendered, input));
  });
}

/** Writes an Order, its lock file and its charts as one archive. Returns 0, or 1 if something does not render. Throws UsageError. */
export async function bundleCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  const out = flags.text('output') ?? '';
  if (out === '') throw new UsageError('"drydock bundle" needs --output FILE, such as --output order.tgz');
  return withRendered('bundle', flags, io, async (input, rendered) => {
    const archives = new Map<string, Uint8Array>();
    const charts = rendered.packages.map((item) => {
      const data = archiveOfChart(item.chart);
      const { source, asked } = askOf(item);
      const { name: chart, version } = item.chart.metadata;
      const digest = archiveDigest(data);
      const archive = `${chart}-${version}-${digest.slice(7, 15)}.tgz`;
      archives.set(archive, data);
      return { source, name: item.selection.chart.name, asked, version, archive, digest };
    });
    const unique = distinctCharts(charts);
    const schemas = schemasOf(rendered, input);
    for (const { file, data } of schemas) archives.set(file, data);
    const lock = { folder: 'charts', charts: unique, schemas: schemas.map(({ data: _, ...locked }) => locked) };
    const data = packBundle(input.source, lock, archives);
    writeFileSync(resolve(io.cwd, out), data);
    if (!io.quiet)
      io.stdout(`${out}: ${unique.length} ${unique.length === 1 ? 'chart' : 'charts'}, ${archiveDigest(data)}\n`);
  });
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
    const digest = archiveDigest(data);
    return [{ url, file: `schemas/${digest.slice(7, 19)}.json`, digest, data }];
  });
}

async function withRendered(
  command: string,
  flags: ParsedFlags,
  io: CommandContext,
  use: (input: OrderInput, rendered: RenderedOrder) => Promise<void>,
): Promise<number> {
  const [name = '', ...more] = await expandPatterns(flags.args, io.cwd);
  if (name === '' || more.length > 0) {
    throw new UsageError(`"drydock ${command}" takes one argument: the file of an Order, or - for standard input`);
  }
  let input: OrderInput | undefined;
  try {
    input = await readOrderFile(name, settingsOf(flags), io);
    await use(input, await renderOrder(input.text.value, input.options));
    return 0;
  } catch (error) {
    return printFailure(error, input?.text, io);
  }
}

function askOf({ selection }: RenderedPackage): { readonly source: string; readonly asked: string } {
  const { sourceRef, version } = selection.chart;
  return { source: sourceKey(sourceRef.name), asked: version };
}

// The text is preserved, including comments, except for the pinned members.
function seal(text: string, { packages }: RenderedOrder, input: OrderInput): string {
  const document = parseDocument(text, helmYaml);
  for (const item of packages) {
    const path = keysOf(joinPath(item.selection.path, 'chart'));
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
  return text.trimStart().startsWith('{')
    ? `${JSON.stringify(document.toJS(), null, 2)}\n`
    : document.toString({ lineWidth: 0 });
}

function keysOf(path: string): (string | number)[] {
  return [...path.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([word, index]) => (index === undefined ? word : Number(index)));
}

function packageDigest({ chart }: RenderedPackage): string | undefined {
  const path = pathOfChart(chart);
  if (path === undefined || !statSync(path).isFile()) return undefined;
  return `sha256:${createHash('sha256').update(readFileSync(path)).digest('hex')}`;
}

function lockedOf({ selection }: RenderedPackage, { folders }: OrderInput): LockedChart | undefined {
  const { name, version, sourceRef } = selection.chart;
  for (const { lock } of lockHomes(folders)) {
    const locked = findLocked(lock, { name, version, sourceRef });
    if (locked !== undefined) return locked;
  }
  return undefined;
}
