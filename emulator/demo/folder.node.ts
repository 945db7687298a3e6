// The folder of a static demo: its page, its files, its content, and a service worker that keeps it all for offline visits. The caller
// provides the files.

import { createHash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { markFailures } from '../../render/core/errors.ts';
import { makeFolder } from '../../render/core/make-folder.node.ts';
import type { DemoInput } from './given.ts';

/** The files of a demo. */
export interface DemoParts {
  /** The console's first script and its style sheet. */
  readonly script: string;
  readonly style: string;
  /** All files by name, including those of the console: `demo.js` and `render-worker.js` are required. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Scripts that are needed soon after the page is shown. */
  readonly early: readonly string[];
}

/** Thrown for a folder that holds something else. */
class DemoError extends Error {
  override readonly name = 'DemoError';
}

markFailures(DemoError, 'user');

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

/** Returns all files of a demo by name; `given` is its content beside what ships with drydock. */
export function demoFiles(parts: DemoParts, given: DemoInput = {}): ReadonlyMap<string, Uint8Array> {
  const files = new Map(parts.files);
  files.set('given.js', encode(`export default ${JSON.stringify(given)};\n`));
  files.set('index.html', encode(pageText(parts, given.orders?.[0]?.text)));
  files.set('sw.js', encode(offlineText(files)));
  return files;
}

/** Writes the files of a demo into a folder that is new, empty or holds a demo. Throws a `DemoError` otherwise. */
export async function writeDemo(folder: string, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  await clear(folder);
  for (const [name, content] of files) {
    makeFolder(dirname(join(folder, name)));
    await writeFile(join(folder, name), content);
  }
}

// Other folders are neither mixed with a demo nor emptied.
async function clear(folder: string): Promise<void> {
  const names = await readdir(folder).catch((failure: NodeJS.ErrnoException) => {
    if (failure.code === 'ENOENT') return [];
    throw failure;
  });
  const worker = await readFile(join(folder, 'sw.js'), 'utf8').catch(() => '');
  if (names.length > 0 && !worker.startsWith(mark))
    throw new DemoError(`${folder} holds something else: name a folder that is new, empty or holds a demo`);
  for (const name of names) await rm(join(folder, name), { recursive: true });
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function pageText({ script, style, early }: DemoParts, order: string | undefined): string {
  const links = ['demo.js', script, ...early].map((name) => `<link rel="modulepreload" href="./${name}">`).join('\n');
  const first = order === undefined ? '' : `\n<meta name="drydock-order" content="${escaped(order)}">`;
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

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
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
