// The real programs that recordings and end-to-end tests use: built once from pinned sources, kept in the user's cache directory.

import { existsSync } from 'node:fs';
import { copyFile, cp, link, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { helmVersions } from '../../render/core/helm-version.ts';
import { helmOf } from '../../render/helm/versions.ts';
import { moduleFolder } from './kube-sources.ts';

/** The Kubernetes version pinned in `kubernetes/go.mod`. */
export const kubernetesVersion = '1.37.2';

const kubernetesPrograms = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubectl'] as const;

/** A program that is available in one pinned version. */
export type PinnedProgram = (typeof kubernetesPrograms)[number] | 'kwok';

/** A program in one version, and how to build it. */
interface Build {
  /** The directory below the cache, such as `helm-3.22.0`. */
  readonly name: string;
  /** The file names of the programs. */
  readonly programs: readonly string[];
  /** Builds the programs into a directory. */
  readonly build: (directory: string) => Promise<void>;
}

const kubernetes: Build = {
  name: `kubernetes-${kubernetesVersion}`,
  programs: kubernetesPrograms,
  build: async (directory) => {
    // A copy outside node_modules and the repository, because `go build` must not change go.mod.
    const source = join(directory, 'source');
    await cp(join(dirname(fileURLToPath(import.meta.url)), 'kubernetes'), source, { recursive: true });
    const version = `v${kubernetesVersion}`;
    const values = {
      'k8s.io/component-base/version.gitVersion': version,
      'k8s.io/component-base/version.gitTreeState': 'clean',
      'k8s.io/client-go/pkg/version.gitVersion': version,
    };
    const binary = join(directory, 'kubernetes');
    await go(['build', ...linking(values), '-o', binary, '.'], { cwd: source });
    await rm(source, { recursive: true });
    for (const name of kubernetesPrograms) await link(binary, join(directory, name));
  },
};

const kwokVersion = '0.8.0';

const kwok: Build = {
  name: `kwok-${kwokVersion}`,
  programs: ['kwok'],
  build: async (directory) => {
    const version = `v${kwokVersion}`;
    await install('sigs.k8s.io/kwok/cmd/kwok', version, {
      directory,
      values: { 'sigs.k8s.io/kwok/pkg/consts.Version': version },
    });
    // Its rules for nodes and pods are data files in its source.
    const stages = join(await moduleFolder(`sigs.k8s.io/kwok@${version}`), 'kustomize/stage');
    for (const folder of ['node/fast', 'pod/fast'])
      for (const file of await readdir(join(stages, folder)))
        if (file.endsWith('.yaml') && file !== 'kustomization.yaml')
          await copyFile(join(stages, folder, file), join(directory, file));
  },
};

/** Returns the kwok stages for nodes and pods. */
export async function kwokStages(): Promise<string[]> {
  const directory = dirname(await reference('kwok'));
  const files = await readdir(directory);
  return files.filter((file) => file.endsWith('.yaml')).map((file) => join(directory, file));
}

// Built like a release in its Makefile: with the Go, commit and Kubernetes version of its profile.
function helm(version: string): Build {
  const module = `helm.sh/helm/v${version.split('.')[0]}`;
  const known = helmVersions.find((one) => one === version);
  const profile = known && helmOf(known);
  const values = {
    [`${module}/internal/version.version`]: `v${version}`,
    [`${module}/internal/version.gitTreeState`]: 'clean',
    [`${module}/internal/version.gitCommit`]: profile?.build.gitCommit ?? '',
    ...(profile?.major === 3 && {
      [`${module}/pkg/chartutil.k8sVersionMajor`]: profile.kubeVersion.major,
      [`${module}/pkg/chartutil.k8sVersionMinor`]: profile.kubeVersion.minor,
      [`${module}/pkg/lint/rules.k8sVersionMajor`]: profile.kubeVersion.major,
      [`${module}/pkg/lint/rules.k8sVersionMinor`]: profile.kubeVersion.minor,
    }),
  };
  return {
    name: `helm-${version}`,
    programs: ['helm'],
    build: (directory) =>
      install(`${module}/cmd/helm`, `v${version}`, { directory, values, toolchain: profile?.build.goVersion }),
  };
}

/** Returns the path of a program, built on first use. Helm is available in any version that the Go module proxy serves. */
export function reference(name: 'helm', version: string): Promise<string>;
export function reference(name: PinnedProgram): Promise<string>;
export async function reference(name: string, version?: string): Promise<string> {
  const build = buildOf(name, version);
  const directory = join(cacheDirectory(), build.name);
  const path = join(directory, name);
  if (existsSync(path)) return path;
  await mkdir(cacheDirectory(), { recursive: true });
  const aside = await mkdtemp(join(cacheDirectory(), `${build.name}.`));
  try {
    await build.build(aside);
    // Concurrent builds have the same result.
    await rename(aside, directory).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
  return path;
}

/** Returns the help text of `npm run reference`. */
export function usage(): string {
  const pinned = [...kubernetesPrograms.map((name) => [name, kubernetesVersion]), ['kwok', kwokVersion]];
  const lines = pinned.map(([name, version]) => `  npm run -s reference -- ${name}   (${version})`);
  return [
    'Prints the path of a real program, built on first use:',
    ...lines,
    '  npm run -s reference -- helm VERSION   such as 3.22.0',
    'Starts a cluster on loopback until it is interrupted, or for the time of a command that finds it by KUBECONFIG:',
    '  npm run -s reference -- cluster [COMMAND [ARGUMENT...]]',
  ].join('\n');
}

function buildOf(name: string, version: string | undefined): Build {
  if (name === 'helm') {
    if (version === undefined || !/^[34]\.\d+\.\d+$/.test(version))
      throw new Error(`helm needs a version such as 3.22.0, not ${JSON.stringify(version ?? '')}`);
    return helm(version);
  }
  const build = [kubernetes, kwok].find(({ programs }) => programs.includes(name));
  if (build === undefined) throw new Error(`no reference program is called ${JSON.stringify(name)}\n${usage()}`);
  return build;
}

function cacheDirectory(): string {
  const base = process.env.XDG_CACHE_HOME;
  return join(base?.startsWith('/') === true ? base : join(homedir(), '.cache'), 'drydock-reference');
}

interface InstallOptions {
  readonly directory: string;
  /** Variables of packages that the linker sets. */
  readonly values: Readonly<Record<string, string>>;
  /** The Go toolchain, such as `go1.26.8`. Default the installed one, or a newer one that the module requires. */
  readonly toolchain?: string | undefined;
}

// The source is verified by the Go checksum database.
async function install(packagePath: string, version: string, options: InstallOptions): Promise<void> {
  const { directory, values, toolchain } = options;
  const env = { GOBIN: directory, ...(toolchain !== undefined && { GOTOOLCHAIN: toolchain }) };
  await go(['install', ...linking(values), `${packagePath}@${version}`], { cwd: directory, env });
}

function linking(values: Readonly<Record<string, string>>): string[] {
  const variables = Object.entries(values).map(([name, value]) => `-X ${name}=${value}`);
  return ['-trimpath', '-ldflags', ['-s', '-w', ...variables].join(' ')];
}

interface GoOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

// A module that needs a newer Go downloads that toolchain.
async function go(args: readonly string[], { cwd, env = {} }: GoOptions): Promise<void> {
  const environment = { CGO_ENABLED: '0', GOTOOLCHAIN: 'auto', GOFLAGS: '-buildvcs=false', ...env };
  await execa('go', args, { cwd, env: environment, stdout: 'inherit', stderr: 'inherit' });
}
