// The product as a stranger has it: packed once, installed from the archive.

import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { root } from './pages.ts';

const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', '--loglevel=error'];

/** Packs the product into a folder; gives the path of the archive. */
export async function packProduct(folder: string): Promise<string> {
  // Packed before, for several proofs in a row.
  const { DRYDOCK_PACKED: packed } = process.env;
  if (packed !== undefined) return packed;
  await execa('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: root, stderr: 'inherit' });
  const archive = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
  if (archive === undefined) throw new Error(`npm pack left no archive in ${folder}`);
  return join(folder, archive);
}

/** Makes a folder an empty ESM project with packages (names, or paths of archives) installed. */
export async function installProject(folder: string, packages: readonly string[]): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}\n');
  await execa('npm', ['install', ...quiet, ...packages], { cwd: folder, stdio: 'inherit' });
}

/** Installs what a project's own package.json names. */
export async function installDependencies(folder: string): Promise<void> {
  await execa('npm', ['install', ...quiet], { cwd: folder, stdio: 'inherit' });
}
