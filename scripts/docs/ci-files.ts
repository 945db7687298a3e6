// Runs the files in ci/ of an example as GitHub, GitLab and Kubernetes would: each step in a process with the variables that they set.

import { cp, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { parse } from 'yaml';

type Env = Readonly<Record<string, string>>;

/** The shards of a run, each a command with its environment, and the command that joins them. */
interface Shards {
  readonly shards: readonly (readonly [command: string, env: Env])[];
  readonly join: string;
}

/** A job of GitHub or GitLab, as far as it is used. */
interface Job {
  readonly strategy?: { readonly matrix: { readonly shard: readonly number[] } };
  readonly env?: Env;
  readonly steps?: readonly { readonly run?: string }[];
  readonly parallel?: number;
  readonly script?: readonly string[];
}

interface KubernetesJob {
  readonly spec: { readonly completions: number; readonly template: { readonly spec: PodSpec } };
}

interface PodSpec {
  readonly containers: readonly [
    { readonly command: readonly string[]; readonly env: readonly { readonly name: string; readonly value: string }[] },
  ];
}

const readers: Readonly<Record<string, (file: never, workspace: string) => Shards>> = {
  'github.yml': githubShards,
  'gitlab.yml': gitlabShards,
  'kubernetes.yaml': kubernetesShards,
};

/** Runs every file in ci/ of a project. All shards must pass, and joining must fail if a shard is missing. Returns the errors. */
export async function runCiFiles(project: string): Promise<string[]> {
  const errors: string[] = [];
  for (const [name, read] of Object.entries(readers)) {
    const workspace = `${project}-${name.replace(/\W/g, '-')}`;
    await cp(project, workspace, { recursive: true });
    await mkdir(join(workspace, 'shards'));
    const file = parse(await readFile(join(workspace, 'ci', name), 'utf8')) as never;
    const { shards, join: joining } = read(file, workspace);
    const run = (command: string, env: Env = {}) =>
      execa('sh', ['-c', command], {
        cwd: workspace,
        env: { CI: 'true', ...env },
        all: true,
        reject: false,
        timeout: 120_000,
      });
    for (const [command, env] of [...shards, [joining, {}] as const]) {
      const { exitCode, all } = await run(command, env);
      if (exitCode !== 0) errors.push(`${name}: ${command} with ${JSON.stringify(env)}: ${all}`);
    }
    for (const shard of ['shard-1.json', 'shards/shard-1.json']) await rm(join(workspace, shard), { force: true });
    const { exitCode } = await run(joining);
    if (exitCode === 0) errors.push(`${name}: ${joining} succeeds although a shard is missing`);
  }
  return errors;
}

function commandOf({ steps = [], script = steps.flatMap(({ run = [] }) => run) }: Job): string {
  return script.filter((command) => command !== 'npm ci').join(' && ');
}

function githubShards({ jobs: { shard, whole } }: { readonly jobs: Readonly<Record<'shard' | 'whole', Job>> }): Shards {
  const indexes = shard.strategy?.matrix.shard ?? [];
  const filled = (text: string, index: number): string =>
    text
      .replace(/\$\{\{ matrix\.shard \}\}/, String(index))
      .replace(/\$\{\{ strategy\.job-total \}\}/, String(indexes.length));
  const envOf = (index: number): Env =>
    Object.fromEntries(Object.entries(shard.env ?? {}).map(([name, text]) => [name, filled(text, index)]));
  return { shards: indexes.map((index) => [commandOf(shard), envOf(index)]), join: commandOf(whole) };
}

function gitlabShards({ shard, whole }: Readonly<Record<'shard' | 'whole', Job>>): Shards {
  const total = shard.parallel ?? 1;
  const envOf = (at: number): Env => ({ CI_NODE_INDEX: String(at + 1), CI_NODE_TOTAL: String(total) });
  return {
    shards: Array.from({ length: total }, (_, at) => [commandOf(shard), envOf(at)]),
    join: commandOf(whole),
  };
}

function kubernetesShards({ spec }: KubernetesJob, workspace: string): Shards {
  const [{ command, env }] = spec.template.spec.containers;
  const own = Object.fromEntries(env.map(({ name, value }) => [name, value]));
  const shard = (command.at(-1) ?? '').replace('/shards/', `${workspace}/shards/`);
  return {
    shards: Array.from({ length: spec.completions }, (_, at) => [shard, { ...own, JOB_COMPLETION_INDEX: String(at) }]),
    join: 'npx drydock merge-reports shards/shard-*.json',
  };
}
