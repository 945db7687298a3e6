// Writes the folder of a static demo: its page, its files, its content, and a service worker that keeps it all for offline visits.

import { createHash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { filled, isMembers, kind, listOf, optionsOf, text } from '../../render/core/arguments.ts';
import { makeFolder } from '../../render/core/make-folder.node.ts';
import { escapeMarkup } from '../../render/core/page/escape.ts';
import { isBytes } from '../../render/go/realm.ts';
import type { Chart, ChartRef } from '../../render/index.ts';
import { checkArguments } from '../core/arguments.ts';
import { EmulatorError } from '../core/errors.ts';
import { createEmulator, type EmulatorOptions } from '../emulator.ts';
import { besideEntryPoints, loadConsoleFiles } from '../node/console.node.ts';
import type { DemoInput } from './given.ts';

export interface DemoParts {
  /** The console's first script and its style sheet. */
  readonly script: string;
  readonly style: string;
  /** All files by name, including those of the console: `demo.js` and `render-worker.js` are required. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Scripts that are needed soon after the page is shown. */
  readonly early: readonly string[];
}

// The page loads only scripts, styles and workers, and sends no request to any server.
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "worker-src 'self'",
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** A chart that was loaded from disk, or the bytes of a chart archive or of a bundle of `drydock bundle`. */
export type DemoChart =
  | { readonly chart: Chart; readonly sourceRef: ChartRef['sourceRef'] }
  | { readonly name: string; readonly data: Uint8Array };

/** Options for `writeDemo`. */
export interface DemoOptions {
  /** Orders, as text and parsed. The first is shown at the start; all are stored for the first user. */
  readonly orders?: readonly { readonly text: string; readonly value: unknown }[];
  /** Charts for the Orders, and how they refer to each; of the same name and version, the first is used. */
  readonly charts?: readonly DemoChart[];
  /** Folders whose charts are included too. */
  readonly chartFolders?: readonly string[];
  /** Fixtures, scenarios, recordings and settings of the emulator, as JSON. Default: the bundled fixtures. */
  readonly emulator?: EmulatorOptions;
}

/** A written demo. */
export interface WrittenDemo {
  /** The number of files, and their size together. */
  readonly files: number;
  readonly bytes: number;
  /** The number of charts in addition to those bundled with drydock. */
  readonly charts: number;
  /** Charts of `chartFolders` that cannot be read. */
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
}

// The maximum number of charts in a page.
const mostCharts = 100;

function isDemoChart(value: unknown): boolean {
  if (!isMembers(value)) return false;
  const { chart, sourceRef, name, data } = value;
  return (isMembers(chart) && isMembers(chart.metadata) && isMembers(sourceRef)) || (isText(name) && isBytes(data));
}

const isText = (value: unknown): boolean => typeof value === 'string';
const demoOptions = optionsOf<DemoOptions>({
  orders: listOf(kind('an Order', isMembers)),
  charts: listOf(kind('a chart with its sourceRef, or an archive with its name', isDemoChart)),
  chartFolders: listOf(text),
  emulator: kind('an object', isMembers),
});

/**
 * Writes a static site with the console, the emulator and the engine into a folder that is new, empty or holds a demo. Rejects with an
 * `EmulatorError` (ARGUMENT_INVALID for another folder or more than 100 charts, and those of `createEmulator`), a `FixtureError`, or a
 * `RenderError` (CHART_INVALID for a chart that is not from disk) before anything is written, and with the system's error.
 *
 * @example
 * const { files } = await writeDemo('public', { chartFolders: ['charts'], emulator: await readEmulatorOptions('fixtures') });
 */
export async function writeDemo(folder: string, options: DemoOptions = {}): Promise<WrittenDemo> {
  checkArguments('writeDemo', ['folder', folder, filled], ['options', options, demoOptions]);
  const { orders = [], charts = [], chartFolders = [], emulator = {} } = options;
  // A server needs neither, and starts without them.
  const { listCharts } = await import('../rendering/chart-folders.node.ts');
  const { archiveOfChart } = await import('../../render/vendor/lock/folder-dependencies.node.ts');
  const listed = await listCharts(chartFolders);
  const found = listed.flatMap(({ chart, sourceRef }) => (chart ? [{ chart, sourceRef }] : []));
  const packed = packCharts([...charts, ...found], archiveOfChart);
  // Problems are reported here and not by the page.
  createEmulator(emulator);
  const old = await filesOfDemo(folder);
  const files = demoFiles(await loadParts(), { files: packed, orders, options: { ...emulator } });
  for (const name of old) await rm(join(folder, name), { recursive: true });
  for (const [name, content] of files) {
    makeFolder(dirname(join(folder, name)));
    await writeFile(join(folder, name), content);
  }
  return {
    files: files.size,
    bytes: [...files.values()].reduce((sum, content) => sum + content.length, 0),
    charts: packed.length,
    skipped: listed.flatMap(({ sourceRef, fault }) =>
      fault === undefined ? [] : [{ name: sourceRef.name, reason: fault }],
    ),
  };
}

function packCharts(
  charts: readonly DemoChart[],
  archive: (chart: Chart) => Uint8Array,
): NonNullable<DemoInput['files']> {
  const packed: NonNullable<DemoInput['files']>[number][] = [];
  const known = new Set<string>();
  for (const one of charts) {
    if ('data' in one) {
      packed.push({ path: one.name, data: Buffer.from(one.data).toString('base64') });
      continue;
    }
    const { name, version } = one.chart.metadata;
    const path = `${name}-${version}.tgz`;
    // The first chart of a name and version wins, as when an Order is rendered.
    if (known.has(path)) continue;
    known.add(path);
    const data = Buffer.from(archive(one.chart)).toString('base64');
    packed.push({ path, data, sourceRef: withoutEmpty(one.sourceRef) });
  }
  if (packed.length <= mostCharts) return packed;
  const hint = 'pass fewer chart folders: the charts of the Orders are included without them';
  throw invalid(`${packed.length} charts are too many: a demo has at most ${mostCharts}`, hint);
}

function withoutEmpty(sourceRef: ChartRef['sourceRef']): ChartRef['sourceRef'] {
  return Object.fromEntries(Object.entries(sourceRef).filter(([, word]) => word !== '')) as ChartRef['sourceRef'];
}

function invalid(message: string, hint: string): EmulatorError {
  return new EmulatorError('ARGUMENT_INVALID', [{ path: '', message, hint }]);
}

// In the package they are separate bundles beside those of the console; from sources they are bundled now.
async function loadParts(): Promise<DemoParts> {
  const list = besideEntryPoints('demo-files.json');
  if (list === undefined) {
    const bundler = new URL('../../scripts/build/demo.ts', import.meta.url).href;
    const { bundleParts } = (await import(bundler)) as { readonly bundleParts: () => Promise<DemoParts> };
    return bundleParts();
  }
  const { files: names, early } = JSON.parse(await readFile(list, 'utf8')) as { files: string[]; early: string[] };
  const { script, style, early: beside, files: packed } = await loadConsoleFiles();
  const files = new Map<string, Uint8Array>();
  for (const [name, content] of packed) files.set(name, brotliDecompressSync(content));
  for (const name of names) files.set(name, await readFile(new URL(name, list)));
  return { script, style, files, early: [...beside, ...early] };
}

/** Returns all files of a demo by name; `given` is its content beside what ships with drydock. */
export function demoFiles(parts: DemoParts, given: DemoInput = {}): ReadonlyMap<string, Uint8Array> {
  const files = new Map(parts.files);
  files.set('given.js', encode(`export default ${JSON.stringify(given)};\n`));
  files.set('index.html', encode(pageText(parts, given.orders?.[0]?.text)));
  files.set('sw.js', encode(offlineText(files)));
  return files;
}

// Other folders are neither mixed with a demo nor emptied.
async function filesOfDemo(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((failure: NodeJS.ErrnoException) => {
    if (failure.code === 'ENOENT') return [];
    throw failure;
  });
  const worker = await readFile(join(folder, 'sw.js'), 'utf8').catch(() => '');
  if (names.length > 0 && !worker.startsWith(mark))
    throw invalid(`${folder} holds something else`, 'name a folder that is new, empty or holds a demo');
  return names;
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function pageText({ script, style, early }: DemoParts, order: string | undefined): string {
  const links = ['demo.js', script, ...early].map((name) => `<link rel="modulepreload" href="./${name}">`).join('\n');
  const first = order === undefined ? '' : `\n<meta name="drydock-order" content="${escapeMarkup(order)}">`;
  return `<!doctype html>
<html lang="en" data-root="./">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">${first}
<title>drydock</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="./${style}">
${links}
<script type="module" src="./demo.js"></script>
<script type="module" src="./${script}"></script>
</head>
<body>
<div id="console"><noscript>The demo needs JavaScript: charts are rendered in this page, and nothing is sent anywhere.</noscript></div>
</body>
</html>
`;
}

const mark = '// Keeps the demo of drydock for visits without a network.';

// Everything is stored at the first visit and served from there; a new version uses a new cache name.
function offlineText(files: ReadonlyMap<string, Uint8Array>): string {
  const hash = createHash('sha256');
  for (const [name, content] of files) hash.update(name).update(content);
  const store = `drydock-demo-${hash.digest('hex').slice(0, 12)}`;
  const names = ['./', ...[...files.keys()].map((name) => `./${name}`)];
  return `${mark}
const store = '${store} ' + registration.scope;
const names = ${JSON.stringify(names)};
addEventListener('install', (event) => {
  // The browser's own cache may still have files of the version before.
  const files = names.map((name) => new Request(name, { cache: 'no-cache' }));
  event.waitUntil(caches.open(store).then((cache) => cache.addAll(files)).then(() => skipWaiting()));
});
addEventListener('activate', (event) => {
  const isOld = (name) => name.startsWith('drydock-demo-') && name.endsWith(' ' + registration.scope) && name !== store;
  event.waitUntil(
    caches.keys().then((all) => Promise.all(all.filter(isOld).map((name) => caches.delete(name)))).then(() => clients.claim()),
  );
});
addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET' || !event.request.url.startsWith(registration.scope)) return;
  const kept = caches.open(store).then((cache) => cache.match(event.request, { ignoreSearch: true }));
  event.respondWith(kept.then((found) => found ?? fetch(event.request)));
});
`;
}
