// Makes the static demo: the console over the emulator and the engine in the page, for any static host, below any path.
// `npm run build:demo [-- FOLDER]`

import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gzipSync } from 'node:zlib';
import { build, type OutputFile } from 'esbuild';
import { bundleConsole } from '../../emulator/console/bundle.node.ts';
import { bundleOptions } from './build.ts';

/** What was made: its files by name, and how much of it a first visit loads before an editor or the engine is wanted. */
export interface Demo {
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Bytes, compressed with gzip. */
  readonly firstView: number;
}

// Nothing is asked of any server, this one included: what the page is made of comes as scripts, styles and workers.
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

/** Bundles the demo. Rejects where the sources do not build. */
export async function bundleDemo(): Promise<Demo> {
  const files = new Map<string, Uint8Array>();
  const page = await bundleConsole(1);
  for (const [name, packed] of page.files) files.set(name, brotliDecompressSync(packed));
  const { outputFiles, metafile } = await build({
    ...bundleOptions,
    entryPoints: { demo: 'emulator/demo/demo.browser.ts', 'in-page': 'emulator/demo/in-page.browser.ts' },
    outdir: 'out',
    format: 'esm',
    minify: true,
    splitting: true,
    chunkNames: 'demo-[hash]',
    metafile: true,
    write: false,
  });
  for (const file of [...outputFiles, await bundleWorker()]) files.set(basename(file.path), file.contents);
  const outputs = Object.entries(metafile.outputs).map(([path, output]) => ({ name: basename(path), ...output }));
  const first = new Set(['demo.js', 'in-page.js']);
  for (const name of first)
    for (const { kind, path } of outputs.find((one) => one.name === name)?.imports ?? [])
      if (kind === 'import-statement') first.add(basename(path));
  for (const name of [page.script, page.style]) first.add(name);
  files.set(
    'index.html',
    encode(
      pageText(
        page,
        [...first].filter((name) => name.endsWith('.js')),
      ),
    ),
  );
  files.set('sw.js', encode(offlineText(files)));
  const sizes = ['index.html', ...first].map((name) => gzipSync(files.get(name) ?? new Uint8Array()).length);
  return { files, firstView: sizes.reduce((sum, size) => sum + size, 0) };
}

// By itself, so that a worker is one file, which comes at once.
async function bundleWorker(): Promise<OutputFile> {
  const entryPoints = { 'render-worker': 'emulator/rendering/render-worker.browser.ts' };
  const { outputFiles } = await build({
    ...bundleOptions,
    entryPoints,
    outdir: 'out',
    format: 'esm',
    minify: true,
    write: false,
  });
  return outputFiles[0] as OutputFile;
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function pageText({ script, style }: { readonly script: string; readonly style: string }, first: string[]): string {
  const early = first.map((name) => `<link rel="modulepreload" href="./${name}">`).join('\n');
  return `<!doctype html>
<html lang="en" data-root="./">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>drydock</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="./${style}">
${early}
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

// Everything is kept at the first visit, and given from there: a new version comes with a new name of the store.
function offlineText(files: ReadonlyMap<string, Uint8Array>): string {
  const hash = createHash('sha256');
  for (const [name, content] of files) hash.update(name).update(content);
  const store = `drydock-demo-${hash.digest('hex').slice(0, 12)}`;
  const names = ['./', ...[...files.keys()].map((name) => `./${name}`)];
  return `${mark}
const store = '${store} ' + registration.scope;
const names = ${JSON.stringify(names)};
addEventListener('install', (event) => {
  event.waitUntil(caches.open(store).then((cache) => cache.addAll(names)).then(() => skipWaiting()));
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

// A folder of something else must not be mixed with it, let alone be emptied.
async function clear(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const worker = await readFile(join(folder, 'sw.js'), 'utf8').catch(() => '');
  if (names.length > 0 && !worker.startsWith(mark))
    throw new Error(`${folder} holds something else: name another folder`);
  for (const name of names) await rm(join(folder, name), { recursive: true });
}

/** Writes the demo into a folder that is new, empty or holds a demo; gives the bytes of its first view. Rejects for another one. */
async function writeDemo(folder: string): Promise<number> {
  const { files, firstView } = await bundleDemo();
  await clear(folder);
  await mkdir(folder, { recursive: true });
  for (const [name, content] of files) await writeFile(join(folder, name), content);
  return firstView;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = resolve(process.argv[2] ?? 'demo');
  const firstView = await writeDemo(folder);
  console.log(`${folder}: put it on any static host. First view ${Math.round(firstView / 1024)} KiB compressed.`);
}
