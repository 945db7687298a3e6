// Tests the emulator in a Vite and React application with StrictMode, in headless Chromium: hot updates, lazy imports, reloads and a
// second tab keep the state, and requests to other servers are not intercepted. `npm run test:e2e -- vite-app`

import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { launchChromium } from '../../../scripts/dev/tools/chromium.ts';
import { buildProduct } from '../../../scripts/dev/tools/product.ts';
import { check, freePort, installTools, temporaryFolder, until } from '../../../scripts/dev/tools/tools.ts';
import { writeFiles } from '../../../scripts/dev/tools/write-files.ts';
import { listen } from '../../support/loopback.ts';

/** The methods of Vite that the test uses. */
interface Vite {
  createServer(options: object): Promise<{ listen(): Promise<unknown>; close(): Promise<void> }>;
}

const root = join(import.meta.dirname, '../../..');

const main = `import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.jsx';
window.loaded = Math.random();
createRoot(document.querySelector('main')).render(<StrictMode><App /></StrictMode>);
`;

const app = `import { lazy, Suspense, useEffect, useState } from 'react';
import { startWorker } from 'drydock/emulator/browser';
const Lazy = lazy(() => import('./lazy.jsx'));
export function App() {
  const [login, setLogin] = useState('');
  useEffect(() => {
    const started = startWorker();
    started.then(async ({ emulator }) => {
      window.emulator = emulator;
      const headers = { Authorization: 'token ' + emulator.users()[0].token };
      window.call = (path, init) => fetch(path, { ...init, headers });
      setLogin((await (await window.call('/api/v1/user')).json()).login);
    });
    return () => void started.then(({ stop }) => stop());
  }, []);
  return <><h1>first {login}</h1>{login && <Suspense><Lazy /></Suspense>}</>;
}
`;

async function makeApp(folder: string, modules: string): Promise<void> {
  await symlink(modules, join(folder, 'node_modules'));
  const worker = createRequire(import.meta.url).resolve('msw/mockServiceWorker.js');
  await writeFiles(folder, {
    'index.html': '<!doctype html><main></main><script type="module" src="/main.jsx"></script>',
    'main.jsx': main,
    'app.jsx': app,
    'lazy.jsx': 'export default function Lazy() { return <p>lazy content</p>; }\n',
    'public/avatars/bob': 'a file of the application',
    'public/mockServiceWorker.js': await readFile(worker, 'utf8'),
  });
}

const shows = (page: Page, text: string): Promise<void> =>
  until(
    `"${text}" in the page`,
    () => page.evaluate<boolean>(`document.body.innerText.includes(${JSON.stringify(text)})`),
    30,
  );

const status = (page: Page, path: string, method = 'GET'): Promise<number> =>
  page.evaluate<number>(`window.call(${JSON.stringify(path)}, { method: '${method}' }).then(({ status }) => status)`);

const text = (page: Page, address: string): Promise<string> =>
  page.evaluate<string>(`fetch(${JSON.stringify(address)}).then((answer) => answer.text())`);

async function checkApp(page: Page, url: string, folder: string, weather: string): Promise<void> {
  await page.goto(url);
  await shows(page, 'first ada');
  check('the emulator runs after StrictMode has run the effect twice', true);
  await shows(page, 'lazy content');
  check('a lazy import is not intercepted', true);
  await text(page, '/api/v1/version');
  const count = await page.evaluate<number>(`window.emulator.countRequests({ path: '/api/v1/version' })`);
  check('a request is logged once after two starts', count === 1);
  for (const [address, part] of [
    [`${weather}/api/v1/weather`, 'sunny'],
    ['/avatars/bob', 'a file of the application'],
    ['/@vite/client', 'import'],
  ] as const)
    check(`${address} is not intercepted`, (await text(page, address)).includes(part));

  const eve = '/api/v1/user/following/eve';
  check('a change is stored', (await status(page, eve)) === 404 && (await status(page, eve, 'PUT')) === 204);
  const loaded = await page.evaluate<number>('window.loaded');
  await writeFile(join(folder, 'app.jsx'), app.replace('first', 'second'));
  await shows(page, 'second ada');
  check('a hot update does not reload the page', (await page.evaluate<number>('window.loaded')) === loaded);
  check('a hot update keeps the state', (await status(page, eve)) === 204);
  await page.reload();
  await shows(page, 'second ada');
  check('a reload keeps the state', (await status(page, eve)) === 204);

  const other = await page.context().newPage();
  await other.goto(url);
  await shows(other, 'second ada');
  check('a second tab sees the state', (await status(other, eve)) === 204);
  await status(other, eve, 'DELETE');
  check('the first tab sees a change of the second', (await status(page, eve)) === 404);
  await status(page, eve, 'PUT');
  await page.evaluate('window.emulator.reset()');
  await until('the reset in the other tab', async () => (await status(other, eve)) === 404);
  check('a reset reaches the other tab', true);
  await other.close();
}

await buildProduct();
const tools = await installTools('vite-app', [
  'vite@6.4.1',
  '@vitejs/plugin-react@4.7.0',
  'react@19.2.0',
  'react-dom@19.2.0',
  'msw@2.15.0',
]);
const modules = join(tools.folder, 'node_modules');
// As npm would install the package.
await rm(join(modules, 'drydock'), { recursive: true, force: true });
await mkdir(join(modules, 'drydock'));
for (const name of ['package.json', 'dist'])
  await cp(join(root, name), join(modules, 'drydock', name), { recursive: true });

const folder = temporaryFolder('drydock-vite-');
await makeApp(folder, modules);
const require = createRequire(join(tools.folder, 'package.json'));
const load = async <Module>(name: string): Promise<Module> =>
  (await import(pathToFileURL(require.resolve(name)).href)) as Module;
const { createServer: createVite } = await load<Vite>('vite');
const { default: react } = await load<{ default: () => unknown }>('@vitejs/plugin-react');
const port = await freePort();
const vite = await createVite({
  root: folder,
  configFile: false,
  logLevel: 'error',
  cacheDir: join(folder, '.vite'),
  plugins: [react()],
  server: { port, host: '127.0.0.1', fs: { strict: false } },
});
await vite.listen();
// Another service with paths like the emulator's.
const weather = await listen(
  createServer((_request, response) => {
    response.writeHead(200, { 'Access-Control-Allow-Origin': '*', 'Content-Type': 'text/plain' }).end('sunny');
  }),
);
const browser = await launchChromium();
try {
  const page = await (await browser.newContext()).newPage();
  page.on('pageerror', (error) => console.log(`    page: ${error.message}`));
  await checkApp(page, `http://127.0.0.1:${port}/`, folder, `http://${weather.host}`);
} finally {
  await browser.close();
  await vite.close();
  await weather.stop();
}
