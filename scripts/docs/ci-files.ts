// Runs the commands of the files in ci/ of an example as GitHub, GitLab and Kubernetes would: each shard in a process with the variables
// that they set.

import { cp, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';

type Env = Readonly<Record<string, string>>;

/** The variables of a shard, from 1, in each system. The examples have two shards. */
const systems: Readonly<Record<string, (shard: number) => Env>> = {
  'github.yml': (shard) => ({ DRYDOCK_SHARD: String(shard), DRYDOCK_SHARDS: '2' }),
  'gitlab.yml': (shard) => ({ CI_NODE_INDEX: String(shard), CI_NODE_TOTAL: '2' }),
  'kubernetes.yaml': (shard) => ({ JOB_COMPLETION_INDEX: String(shard - 1), DRYDOCK_SHARDS: '2' }),
};

/** Runs every file in ci/ of a project. All shards must pass, and joining must fail if a shard is missing. Returns the errors. */
export async function runCiFiles(project: string): Promise<string[]> {
  const errors: string[] = [];
  for (const [name, variablesOf] of Object.entries(systems)) {
    const workspace = `${project}-${name.replace(/\W/g, '-')}`;
    await cp(project, workspace, { recursive: true });
    await mkdir(join(workspace, 'shards'));
    const text = await readFile(join(workspace, 'ci', name), 'utf8');
    const shard = /npm run shard [^\]\n]*/.exec(text)?.[0].replace('/shards/', `${workspace}/shards/`) ?? 'false';
    // The Job has no command that joins the reports on its volume.
    const joining = /npx drydock merge-reports .*/.exec(text)?.[0] ?? 'npx drydock merge-reports shards/shard-*.json';
    const run = (command: string, env: Env = {}) =>
      execa('sh', ['-c', command], {
        cwd: workspace,
        env: { CI: 'true', ...env },
        all: true,
        reject: false,
        timeout: 120_000,
      });
    for (const [command, env] of [
      [shard, variablesOf(1)],
      [shard, variablesOf(2)],
      [joining, {}],
    ] as const) {
      const { exitCode, all } = await run(command, env);
      if (exitCode !== 0) errors.push(`${name}: ${command} with ${JSON.stringify(env)}: ${all}`);
    }
    for (const file of ['shard-1.json', 'shards/shard-1.json']) await rm(join(workspace, file), { force: true });
    const { exitCode } = await run(joining);
    if (exitCode === 0) errors.push(`${name}: ${joining} succeeds although a shard is missing`);
  }
  return errors;
}
