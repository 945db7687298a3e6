// Runs real Helm in a separate folder, without this machine's configuration of Helm and Docker.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { parse } from 'yaml';
import { archiveDigest } from '../../../render/vendor/lock/bundle.ts';

/** The result of a program. */
export interface CommandResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** An isolated environment for programs: a folder for their output, and their variables. */
export interface Sandbox {
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** An archive pulled by Helm. */
export interface Pulled {
  readonly version: string;
  readonly digest: string;
}

/** Creates an environment in a folder, with an empty home folder. */
export function createSandbox(root: string): Sandbox {
  const home = join(root, 'home');
  mkdirSync(home, { recursive: true });
  return { root, env: { PATH: process.env.PATH, HOME: home, CI: undefined } };
}

/** Runs a program for at most a minute. */
export async function run(
  { root, env }: Sandbox,
  [program, ...argv]: readonly [string, ...string[]],
  cwd = root,
): Promise<CommandResult> {
  const ran = await execa(program, argv, { cwd, env, extendEnv: false, reject: false, timeout: 60_000 });
  return { exitCode: ran.exitCode ?? -1, stdout: ran.stdout, stderr: ran.stderr };
}

/** Pulls a chart with real Helm. Returns undefined if Helm fails. */
export async function pull(sandbox: Sandbox, helm: string, words: readonly string[]): Promise<Pulled | undefined> {
  const folder = mkdtempSync(join(sandbox.root, 'pull-'));
  try {
    const { exitCode } = await run(sandbox, [helm, 'pull', ...words, '-d', folder]);
    const [file] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
    if (exitCode !== 0 || file === undefined) return undefined;
    return { version: versionOf(file), digest: archiveDigest(readFileSync(join(folder, file))) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// Both name and version may contain hyphens.
function versionOf(file: string): string {
  return /-(v?\d+(?:\.\d+){0,2}(?:[-+][^/]*)?)\.tgz$/.exec(file)?.[1] ?? '';
}

/** The result of `helm dependency update` for many ranges of one chart. */
export interface Updated {
  /** The resolved version of each range; undefined if there is none. */
  readonly versions: readonly (string | undefined)[];
  /** The digests of the downloaded archives, by version. */
  readonly digests: ReadonlyMap<string, string>;
}

/** A chart in a repository or registry, and ranges of its versions. */
export interface RangeRequest {
  readonly name: string;
  readonly repository: string;
  readonly ranges: readonly string[];
}

/** Resolves many ranges in one process of real Helm, with a chart that has a dependency with its own alias for each range. */
export async function updateDependencies(
  sandbox: Sandbox,
  helm: string,
  { name, repository, ranges }: RangeRequest,
): Promise<Updated> {
  const folder = mkdtempSync(join(sandbox.root, 'parent-'));
  try {
    const missing = new Set<string>();
    // Helm only downloads if every dependency resolves. It lists all unresolved ones of a repository, but only the first of a registry.
    for (;;) {
      const rest = ranges.filter((range) => !missing.has(range));
      if (rest.length === 0) return { versions: ranges.map(() => undefined), digests: new Map() };
      const { exitCode, stderr } = await update(sandbox, { helm, folder }, { name, repository, ranges: rest });
      if (exitCode === 0) return readUpdated(folder, name, { ranges, missing });
      const before = missing.size;
      for (const [, text = ''] of stderr.matchAll(/version ("(?:[^"\\]|\\.)*")\)/g))
        missing.add(JSON.parse(text) as string);
      for (const [, text = ''] of stderr.matchAll(/provided version string (.*)$/gm)) missing.add(text);
      if (missing.size === before) throw new Error(stderr);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function update(
  sandbox: Sandbox,
  { helm, folder }: { readonly helm: string; readonly folder: string },
  { name, repository, ranges }: RangeRequest,
): Promise<CommandResult> {
  const dependencies = ranges.map((version, index) => ({ name, version, repository, alias: `a${index}` }));
  // JSON is YAML.
  const chart = { apiVersion: 'v2', name: 'parent', version: '0.1.0', dependencies };
  writeFileSync(join(folder, 'Chart.yaml'), JSON.stringify(chart));
  const flags = repository.startsWith('oci:') ? ['--plain-http'] : [];
  return run(sandbox, [helm, 'dependency', 'update', folder, ...flags]);
}

function readUpdated(
  folder: string,
  name: string,
  { ranges, missing }: { readonly ranges: readonly string[]; readonly missing: ReadonlySet<string> },
): Updated {
  const lock = parse(readFileSync(join(folder, 'Chart.lock'), 'utf8')) as {
    readonly dependencies: readonly { readonly version: string }[];
  };
  const picked = lock.dependencies.map(({ version }) => version);
  const archives = readdirSync(join(folder, 'charts'));
  return {
    versions: ranges.map((range) => (missing.has(range) ? undefined : picked.shift())),
    digests: new Map(
      archives.map((file) => [
        file.slice(name.length + 1, -'.tgz'.length),
        archiveDigest(readFileSync(join(folder, 'charts', file))),
      ]),
    ),
  };
}
