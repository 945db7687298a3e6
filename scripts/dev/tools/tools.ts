// Third-party programs for tests and benchmarks: installed from the npm registry, never dependencies of the product.

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { cacheDirectory } from './pinned-package.ts';

/** A folder with installed packages. */
export interface Tools {
  readonly folder: string;
  /** Returns the path of a command of a package. */
  bin(name: string): string;
  /** Loads a package. */
  load<Module>(name: string): Module;
}

/** Installs exact versions of packages (`nats@2.29.3`) into a separate folder, once. Install scripts do not run. */
export async function installTools(name: string, packages: readonly string[]): Promise<Tools> {
  const folder = join(cacheDirectory, name);
  const complete = join(folder, `complete-${packages.join('+').replace(/[^\w.+-]/g, '_')}`);
  if (!existsSync(complete)) {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'package.json'), '{"private":true}\n');
    const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error', '--save-exact'];
    await execa('npm', ['install', ...flags, ...packages], { cwd: folder, stdout: 'ignore', stderr: 'inherit' });
    await writeFile(complete, '');
  }
  const require = createRequire(join(folder, 'package.json'));
  return {
    folder,
    bin: (command) => join(folder, 'node_modules', '.bin', command),
    load: <Module>(id: string) => require(id) as Module,
  };
}

/** Creates a folder for temporary files, which is removed when the process ends. */
export function temporaryFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/** Returns a free port. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** Waits until a condition is true, up to a number of seconds. */
export async function until(what: string, isDone: () => Promise<boolean>, seconds = 10): Promise<void> {
  const end = Date.now() + seconds * 1000;
  while (!(await isDone().catch(() => false))) {
    if (Date.now() > end) throw new Error(`timed out after ${seconds} seconds: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Prints the message if the condition is true; otherwise throws it. */
export function check(message: string, holds: boolean): void {
  if (!holds) throw new Error(`check failed: ${message}`);
  console.log(`ok  ${message}`);
}

/** Serves content on loopback by path, such as `/page.js`. `policy` is the content security policy of `/`. */
export async function serveContent(
  content: Readonly<Record<string, string | Uint8Array>>,
  policy = '',
): Promise<{ readonly url: string; close(): void }> {
  const types: Readonly<Record<string, string>> = { js: 'text/javascript', json: 'application/json' };
  const server = createHttpServer(({ url: path = '/' }, response) => {
    const data = content[path];
    if (data === undefined) return void response.writeHead(404).end();
    if (path === '/' && policy !== '') response.setHeader('Content-Security-Policy', policy);
    response.setHeader('Content-Type', types[path.split('.').at(-1) ?? ''] ?? 'text/html').end(data);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}/`, close };
}
