// Builds the package, packs it, and installs the archive as a user would.

import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';

const root = fileURLToPath(new URL('../../..', import.meta.url));

// CI builds and packs once for all end-to-end tests; dist/ then matches the archive.
const { DRYDOCK_PACKED: packed } = process.env;

/** Builds dist/ with its types and schemas. Returns the path of the command. */
export async function buildProduct(): Promise<string> {
  if (packed === undefined) await execa('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' });
  return join(root, 'dist/drydock.cjs');
}

const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', '--loglevel=error'];

/** Packs the product into a folder, unless CI already packed it. Returns the path of the archive. */
export async function packProduct(folder: string): Promise<string> {
  if (packed !== undefined) return packed;
  await execa('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: root, stderr: 'inherit' });
  const archive = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
  if (archive === undefined) throw new Error(`npm pack wrote no archive to ${folder}`);
  return join(folder, archive);
}

/** Creates an empty ESM project in a folder and installs packages (names, or paths of archives). */
export async function installProject(folder: string, packages: readonly string[]): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}\n');
  await execa('npm', ['install', ...quiet, ...packages], { cwd: folder, stdio: 'inherit' });
}

/** Installs the dependencies of a project's own package.json. */
export async function installDependencies(folder: string): Promise<void> {
  await execa('npm', ['install', ...quiet], { cwd: folder, stdio: 'inherit' });
}
