// Serves the console: one page and its files, each sent compressed as stored.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { commonHeaders, type Incoming, type Outgoing } from '../app/message.ts';
import type { ConsoleFiles } from '../console/bundle.node.ts';

/** Returns the response for a request of the console; undefined for all other addresses, immediately for most. */
export type ConsoleAnswer = (incoming: Incoming) => Promise<Outgoing | undefined> | undefined;

const folder = '__drydock/console/';

// Everything from this origin, and no evaluated code. Framing is forbidden, against clickjacking.
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const pageHeaders = {
  ...commonHeaders,
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

/**
 * Returns the handler of the console, whose page is also at `/` with `atRoot`. Its files are read, or bundled from the sources, on the first
 * request for the page.
 */
export function openConsole(basePath: string, atRoot: boolean): ConsoleAnswer {
  let loading: Promise<ConsoleFiles> | undefined;
  const answer = async (place: PlaceOfConsole, incoming: Incoming): Promise<Outgoing | undefined> => {
    if ('location' in place) return { status: 307, headers: { ...commonHeaders, Location: place.location }, body: '' };
    loading ??= loadConsoleFiles();
    const files = await loading.catch((failure: unknown) => {
      loading = undefined;
      throw failure;
    });
    if ('up' in place) return { status: 200, headers: pageHeaders, body: pageText(files, place.up) };
    return fileAnswer(files, place.file, incoming);
  };
  return (incoming) => {
    if (incoming.method !== 'GET' && incoming.method !== 'HEAD') return undefined;
    const place = placeOf(incoming.target, basePath, atRoot);
    return place && answer(place, incoming);
  };
}

/** A page, with the relative path from it to the root; a file; or the intended address, as a redirect. */
type PlaceOfConsole = { readonly up: string } | { readonly file: string } | { readonly location: string };

// The path may begin with a world, which the page then uses.
function placeOf(target: string, basePath: string, atRoot: boolean): PlaceOfConsole | undefined {
  const [path = ''] = target.split('?');
  if (!path.startsWith(basePath)) return undefined;
  const inner = /^((?:\/@[^/]+)?)(\/.*)?$/.exec(path.slice(basePath.length));
  if (!inner) return undefined;
  const [, world = '', rest = ''] = inner;
  if (rest === '' && (basePath !== '' || world !== ''))
    return atRoot ? { location: `${basePath}${world}/` } : undefined;
  if (rest === '/') return atRoot ? { up: './' } : undefined;
  if (!rest.startsWith(`/${folder}`)) return rest === '/__drydock/console' ? { location: `${path}/` } : undefined;
  const file = rest.slice(folder.length + 1);
  return file === '' ? { up: '../../' } : { file };
}

function pageText({ script, style, early }: ConsoleFiles, up: string): string {
  const from = `${up}${folder}`;
  const links = early.map((name) => `<link rel="modulepreload" href="${from}${name}">\n`).join('');
  return `<!doctype html>
<html lang="en" data-root="${up}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>drydock</title>
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M2 3v7a3 3 0 0 0 3 3h6a3 3 0 0 0 3-3V3M5 8h6l-1.2 2.5H6.2z' fill='none' stroke='%234668d8' stroke-width='1.6'/%3E%3C/svg%3E">
<link rel="stylesheet" href="${from}${style}">
${links}<script type="module" src="${from}${script}"></script>
</head>
<body>
<div id="console"><noscript>The console needs JavaScript. The API is described at <a href="${up}api/swagger">api/swagger</a>.</noscript></div>
</body>
</html>
`;
}

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

function fileAnswer({ files }: ConsoleFiles, name: string, incoming: Incoming): Outgoing | undefined {
  const packed = files.get(name);
  const type = types[name.slice(name.lastIndexOf('.') + 1)];
  if (packed === undefined || type === undefined) return undefined;
  const headers = {
    ...commonHeaders,
    'Content-Type': type,
    'Cache-Control': 'max-age=31536000, immutable',
    Vary: 'Accept-Encoding',
  };
  if (!/\bbr\b/.test(incoming.header('accept-encoding') ?? ''))
    return { status: 200, headers, body: brotliDecompressSync(packed) };
  return { status: 200, headers: { ...headers, 'Content-Encoding': 'br' }, body: packed };
}

/** Returns the files of the console: in the package they lie beside the entry points; from sources they are bundled now. */
export async function loadConsoleFiles(): Promise<ConsoleFiles> {
  const shipped = besideEntryPoints('console-files/index.json');
  if (shipped !== undefined) return readFiles(new URL('./', shipped));
  const { bundleConsole } = (await import(new URL('../console/bundle.node.ts', import.meta.url).href)) as {
    bundleConsole: () => Promise<ConsoleFiles>;
  };
  return bundleConsole();
}

/** Returns the URL of a file that ships beside the entry points or above; undefined when run from sources. */
export function besideEntryPoints(name: string): URL | undefined {
  return [`./${name}`, `../${name}`].map((place) => new URL(place, import.meta.url)).find((url) => existsSync(url));
}

function readFiles(place: URL): ConsoleFiles {
  const { script, style, early } = JSON.parse(readFileSync(new URL('index.json', place), 'utf8')) as ConsoleFiles;
  const names = readdirSync(place).filter((name) => name.endsWith('.br'));
  return {
    script,
    style,
    early,
    files: new Map(names.map((name) => [name.slice(0, -'.br'.length), readFileSync(new URL(name, place))])),
  };
}
