// Runs the files in ci/ of an example as GitHub, GitLab and Kubernetes would: each step in a process with the variables that they set.

import { cp, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { parse } from 'yaml';

type Env = Readonly<Record<string, string>>;

/** A command of a part, with its environment. */
interface Part {
  readonly command: string;
  readonly env: Env;
}

/** The parts of a run, and the job that joins them. */
interface Parts {
  readonly parts: readonly Part[];
  readonly join: string;
}

const readers: Readonly<Record<string, (file: never, workspace: string) => Parts>> = {
  'github.yml': githubParts,
  'gitlab.yml': gitlabParts,
  'kubernetes.yaml': kubernetesParts,
};

/** Runs every file in ci/ of a project. All parts must pass, and joining must fail if a part is missing. Returns the errors. */
export async function runCiFiles(project: string): Promise<string[]> {
  const errors: string[] = [];
  for (const [name, read] of Object.entries(readers)) {
    const workspace = `${project}-${name.replace(/\W/g, '-')}`;
    await cp(project, workspace, { recursive: true });
    await mkdir(join(workspace, 'parts'));
    const { parts, join: joining } = read(
      parse(await readFile(join(workspace, 'ci', name), 'utf8')) as never,
      workspace,
    );
    for (const { command, env } of parts) {
      const { exitCode, all } = await run(command, workspace, env);
      if (exitCode !== 0) errors.push(`${name}: ${command} with ${JSON.stringify(env)}: ${all}`);
    }
    const whole = await run(joining, workspace, {});
    if (whole.exitCode !== 0) errors.push(`${name}: ${joining}: ${whole.all}`);
    for (const file of ['part-1.json', 'parts/part-1.json']) await rm(join(workspace, file), { force: true });
    const alone = await run(joining, workspace, {});
    if (alone.exitCode === 0) errors.push(`${name}: ${joining} succeeds although a part is missing`);
  }
  return errors;
}

async function run(
  command: string,
  cwd: string,
  env: Env,
): Promise<{ readonly exitCode: number | undefined; readonly all: string }> {
  const options = { cwd, env: { CI: 'true', ...env }, all: true, reject: false, timeout: 120_000 } as const;
  const { exitCode, all } = await execa('sh', ['-c', command], options);
  return { exitCode, all: all ?? '' };
}

interface GithubFile {
  readonly jobs: Readonly<Record<string, GithubJob>>;
}

interface GithubJob {
  readonly strategy?: { readonly matrix: { readonly part: readonly number[] } };
  readonly env?: Env;
  readonly steps: readonly { readonly run?: string }[];
}

const isOwn = (command: string): boolean => command !== 'npm ci';
const commandsOf = ({ steps }: GithubJob): string =>
  steps
    .flatMap(({ run: one }) => one ?? [])
    .filter(isOwn)
    .join(' && ');

function githubParts({ jobs }: GithubFile): Parts {
  const { part, whole } = jobs as { readonly part: GithubJob; readonly whole: GithubJob };
  const indexes = part.strategy?.matrix.part ?? [];
  const filled = (text: string, index: number): string =>
    text
      .replace(/\$\{\{ matrix\.part \}\}/, String(index))
      .replace(/\$\{\{ strategy\.job-total \}\}/, String(indexes.length));
  return {
    parts: indexes.map((index) => ({
      command: commandsOf(part),
      env: Object.fromEntries(Object.entries(part.env ?? {}).map(([name, text]) => [name, filled(text, index)])),
    })),
    join: commandsOf(whole),
  };
}

interface GitlabJob {
  readonly parallel?: number;
  readonly script: readonly string[];
}

function gitlabParts({ part, whole }: Readonly<Record<'part' | 'whole', GitlabJob>>): Parts {
  const total = part.parallel ?? 1;
  return {
    parts: Array.from({ length: total }, (_, at) => ({
      command: part.script.filter(isOwn).join(' && '),
      env: { CI_NODE_INDEX: String(at + 1), CI_NODE_TOTAL: String(total) },
    })),
    join: whole.script.filter(isOwn).join(' && '),
  };
}

interface KubernetesJob {
  readonly spec: {
    readonly completions: number;
    readonly template: {
      readonly spec: {
        readonly containers: readonly [
          {
            readonly command: readonly string[];
            readonly env: readonly { readonly name: string; readonly value: string }[];
          },
        ];
      };
    };
  };
}

function kubernetesParts({ spec }: KubernetesJob, workspace: string): Parts {
  const [{ command, env }] = spec.template.spec.containers;
  const own = Object.fromEntries(env.map(({ name, value }) => [name, value]));
  return {
    parts: Array.from({ length: spec.completions }, (_, at) => ({
      command: (command.at(-1) ?? '').replace('/parts/', `${workspace}/parts/`),
      env: { ...own, JOB_COMPLETION_INDEX: String(at) },
    })),
    join: 'npx drydock merge-reports parts/part-*.json',
  };
}
