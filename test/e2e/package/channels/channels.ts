// Tests the ways to install and run drydock, each from the packed package: `npm run test:e2e -- channels [WORD…]`. GitHub's action and GitLab's
// job run in a shell, pre-commit and Helm are the real programs, and the executable and the image run if this machine can run them.
// `example` runs the pull request of the example chart repository; with `--record` it writes the comment that the docs show.

import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { execa } from 'execa';
import { parse, parseAllDocuments } from 'yaml';
import { defaultHelm, findHelmVersion, type HelmVersion } from '../../../../render/core/helm-version.ts';
import { majorOf } from '../../../../render/helm/versions.ts';
import { buildExecutable } from '../../../../scripts/build/channels/executable.ts';
import { buildImage } from '../../../../scripts/build/channels/image.ts';
import { askHelm, helmEnvironment, helmProgram } from '../../../../scripts/dev/tools/helm-binary.ts';
import { installProject, packProduct } from '../../../../scripts/dev/tools/product.ts';
import { check, temporaryFolder } from '../../../../scripts/dev/tools/tools.ts';
import { writeFiles } from '../../../../scripts/dev/tools/write-files.ts';
import { root } from '../../../../scripts/docs/pages.ts';
import { startGitHub, startRegistry, type TestServer } from './servers.ts';

const words = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const isRecording = process.argv.includes('--record');
const example = join(root, 'fixtures/examples/chart-repository');
const chart = join(root, 'fixtures/charts/web');
const workspace = temporaryFolder('drydock-channels-');
const home = join(workspace, 'home');
const archive = await packProduct(workspace);
for (const name of ['home', 'installed', 'elsewhere']) await mkdir(join(workspace, name));
await installProject(join(workspace, 'installed'), [archive]);
const installed = join(workspace, 'installed/node_modules/drydock');
const { version, bin } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
const registry: TestServer = await startRegistry(archive, { name: 'drydock', version, bin });
const env = {
  HOME: home,
  npm_config_registry: registry.url,
  npm_config_cache: join(workspace, 'npm'),
  npm_config_userconfig: '/dev/null',
  npm_config_update_notifier: 'false',
  GIT_AUTHOR_NAME: 'test',
  GIT_AUTHOR_EMAIL: 'test@example.com',
  GIT_COMMITTER_NAME: 'test',
  GIT_COMMITTER_EMAIL: 'test@example.com',
  ...helmEnvironment,
};

const channels: Readonly<Record<string, () => Promise<void>>> = {
  github: checkGitHub,
  gitlab: checkGitLab,
  example: checkExample,
  'pre-commit': checkPreCommit,
  'helm-plugin': checkHelmPlugin,
  executable: checkExecutable,
  image: checkImage,
};

try {
  for (const [name, run] of Object.entries(channels)) {
    if (words.length > 0 && !words.includes(name)) continue;
    console.log(`\n== ${name}`);
    await run();
  }
} finally {
  await registry.close();
}

async function git(cwd: string, ...argv: readonly string[]): Promise<void> {
  await execa('git', argv, { cwd, env });
}

/** Creates a Git repository with one commit of all files of a folder. */
async function commitAll(folder: string): Promise<void> {
  await git(folder, 'init', '-q', '-b', 'main');
  await git(folder, 'add', '-A');
  await git(folder, 'commit', '-qm', 'First');
}

/** Creates a Git repository of the example, with snapshots of its charts (and optionally Orders) on `main`, and checks out a branch. */
async function makeRepository(name: string, record: readonly string[] = ['charts/*']): Promise<string> {
  const folder = join(workspace, name);
  await cp(example, folder, { recursive: true });
  // Recorded again for the inputs that the steps under test compare.
  await rm(join(folder, 'snapshots'), { recursive: true });
  await updateSnapshots(folder, record);
  await commitAll(folder);
  await git(folder, 'update-ref', 'refs/remotes/origin/main', 'HEAD');
  await git(folder, 'checkout', '-qb', 'change');
  return folder;
}

async function updateSnapshots(cwd: string, inputs: readonly string[]): Promise<void> {
  await execa(join(installed, 'dist/drydock.cjs'), ['snapshot', ...inputs, '--update', '--no-cache'], { cwd, env });
}

async function changeValue(folder: string): Promise<void> {
  const values = join(folder, 'charts/guestbook/values.yaml');
  const text = await readFile(values, 'utf8');
  await writeFile(values, text.replace('registry.example.com', 'registry.example.org'));
  await git(folder, 'commit', '-qam', 'Change a value');
}

interface Step {
  readonly id?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs the steps of the action as a runner's shell would, and returns the exit code of the first failing step, all output and the summary. */
async function runAction(folder: string, github: TestServer, given: Readonly<Record<string, string>>) {
  const action = parse(await readFile(join(root, 'action.yml'), 'utf8'));
  const runner = await mkdtemp(join(workspace, 'runner-'));
  const context: Record<string, string> = {
    'runner.temp': runner,
    'github.action_path': root,
    'github.token': 'job-token',
  };
  for (const [name, { default: value = '' }] of Object.entries<{ default?: string }>(action.inputs))
    context[`inputs.${name}`] = given[name] ?? value;
  const fill = (text: string): string =>
    text.replace(/\$\{\{ ([a-z.A-Z_-]+) \}\}/g, (_, name: string) => fill(context[name] ?? ''));
  await writeFile(join(runner, 'event.json'), JSON.stringify({ pull_request: { number: 7 } }));
  const job = {
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_API_URL: github.url,
    GITHUB_BASE_REF: 'main',
    GITHUB_EVENT_NAME: 'pull_request',
    GITHUB_EVENT_PATH: join(runner, 'event.json'),
    GITHUB_OUTPUT: join(runner, 'output'),
    GITHUB_REF: 'refs/pull/7/merge',
    GITHUB_REPOSITORY: 'team/charts',
    GITHUB_SHA: 'f'.repeat(40),
    GITHUB_STEP_SUMMARY: join(runner, 'summary'),
    GITHUB_WORKSPACE: folder,
  };
  let output = '';
  let code = 0;
  for (const { id, run, env: own = {} } of action.runs.steps as readonly Step[]) {
    if (run === undefined || code !== 0) continue;
    const filled = Object.fromEntries(Object.entries(own).map(([name, value]) => [name, fill(value)]));
    await writeFile(job.GITHUB_OUTPUT, '');
    const flags = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run];
    const options = { cwd: folder, env: { ...env, ...job, ...filled }, all: true, reject: false } as const;
    const { exitCode = -1, all } = await execa('bash', flags, options);
    code = exitCode;
    output += `${all}\n`;
    for (const line of (await readFile(job.GITHUB_OUTPUT, 'utf8')).split('\n')) {
      const [name = '', value = ''] = line.split('=');
      if (id !== undefined) context[`steps.${id}.outputs.${name}`] = value;
    }
  }
  return { code, output, summary: await readFile(job.GITHUB_STEP_SUMMARY, 'utf8').catch(() => '') };
}

async function checkGitHub(): Promise<void> {
  const github = await startGitHub();
  try {
    const folder = await makeRepository('github');
    for (let id = 0; id < 150; id++) github.comments.push({ id, body: 'another comment' });
    await changeValue(folder);
    const changed = await runAction(folder, github, { sarif: 'true' });
    const own = () => github.comments.filter(({ body }) => body.startsWith('<!-- drydock -->'));
    if (changed.code !== 1) console.error(changed.output);
    check('the action fails if a value has changed', changed.code === 1);
    check('the action writes an annotation', /^::(error|warning|notice) /m.test(changed.output));
    const isReported = own().length === 1 && /registry\.example\.org/.test(own()[0]?.body ?? '');
    check('the action writes one comment, after a page of other comments', isReported);
    check('the action writes a job summary', /registry\.example\.org/.test(changed.summary));
    const upload = github.calls.filter(({ line }) => line === 'POST /repos/team/charts/code-scanning/sarifs').at(-1);
    const sarif = JSON.parse(gunzipSync(Buffer.from(upload?.body.sarif ?? '', 'base64')).toString());
    check('the action uploads SARIF to code scanning', sarif.version === '2.1.0');
    await git(folder, 'reset', '-q', '--hard', 'main');
    check('the action passes after the change is reverted', (await runAction(folder, github, {})).code === 0);
    check('the action updates its comment', own().length === 1 && !/registry\.example\.org/.test(own()[0]?.body ?? ''));
    github.isReadOnly = true;
    const fork = await runAction(folder, github, { sarif: 'true' });
    const isWarned = fork.code === 0 && /^::warning::The comment failed: .*403/m.test(fork.output);
    check('a read-only token causes a warning', isWarned);
  } finally {
    await github.close();
  }
}

/** Runs the GitLab job in a shell, and returns its exit code and its artifacts. */
async function runGitLab(folder: string, given: Readonly<Record<string, string>> = {}) {
  const [head, job] = parseAllDocuments(await readFile(join(root, '.gitlab/drydock.yml'), 'utf8')).map((document) =>
    document.toJS(),
  );
  const inputs = head.spec.inputs as Readonly<Record<string, { default: string }>>;
  const fill = (text: string): string =>
    text.replace(/\$\[\[ inputs\.([a-z]+) \]\]/g, (_, name: string) => given[name] ?? inputs[name]?.default ?? '');
  const variables = {
    CI: 'true',
    GITLAB_CI: 'true',
    CI_PROJECT_DIR: folder,
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
  };
  const options = { cwd: folder, env: { ...env, ...variables }, all: true, reject: false } as const;
  const { exitCode = -1, all } = await execa('sh', ['-ec', job.drydock.script.map(fill).join('\n')], options);
  if (exitCode > 1) console.error(all);
  return { exitCode, artifacts: job.drydock.artifacts };
}

async function checkGitLab(): Promise<void> {
  const folder = await makeRepository('gitlab');
  await changeValue(folder);
  const { exitCode, artifacts } = await runGitLab(folder);
  check('the GitLab job fails if a value has changed', exitCode === 1);
  const { reports, paths } = artifacts;
  const [first] = JSON.parse(await readFile(join(folder, reports.codequality), 'utf8'));
  const isComplete = ['description', 'fingerprint', 'severity'].every((name) => typeof first?.[name] === 'string');
  check('the GitLab job writes a code quality report', isComplete && first.location.path.startsWith('charts/'));
  const schema = join(root, 'fixtures/schemas/junit.xsd');
  await execa('xmllint', ['--noout', '--schema', schema, join(folder, reports.junit)]);
  const [junit, markdown] = await Promise.all(
    [reports.junit, paths[0]].map((path) => readFile(join(folder, path), 'utf8')),
  );
  check('the GitLab job writes a JUnit report', /<failure/.test(junit ?? ''));
  check('the GitLab job writes a Markdown report', /registry\.example\.org/.test(markdown ?? ''));
  await git(folder, 'reset', '-q', '--hard', 'main');
  check('the GitLab job passes after the change is reverted', (await runGitLab(folder)).exitCode === 0);
  await git(folder, 'add', '-f', '.drydock');
  check('the GitLab job rejects a cache that is committed on the branch', (await runGitLab(folder)).exitCode === 1);
}

/** The pull request of the example: its change, the results of its own workflow and job, and the recorded comment. */
async function checkExample(): Promise<void> {
  const inputs = ['charts/*', 'orders/*', '--charts', 'charts'];
  const folder = await makeRepository('example', inputs);
  const { exitCode: differs } = await execa('diff', ['-r', join(example, 'snapshots'), join(folder, 'snapshots')], {
    reject: false,
  });
  check('the snapshots of the example are up to date', differs === 0);
  await git(folder, 'apply', '--index', join(example, 'pull-request/change.patch'));
  await updateSnapshots(folder, inputs);
  await git(folder, 'add', '-A');
  await git(folder, 'commit', '-qm', 'Raise the cache');
  const workflow = parse(await readFile(join(folder, '.github/workflows/charts.yml'), 'utf8'));
  const step = workflow.jobs.drydock.steps.find(({ uses }: { uses: string }) => uses.startsWith('drydock-offline/'));
  const github = await startGitHub();
  const ran = await runAction(folder, github, step.with);
  await github.close();
  if (ran.code !== 0) console.error(ran.output);
  check("the example's workflow passes, because its change is recorded", ran.code === 0);
  const comment = github.comments[0]?.body.replace(/^<!-- drydock -->\n/, '') ?? '';
  const recorded = join(example, 'pull-request/comment.md');
  if (isRecording) await writeFile(recorded, comment);
  check("the example's comment is the recorded one", comment !== '' && comment === (await readFile(recorded, 'utf8')));
  const [include] = parse(await readFile(join(folder, '.gitlab-ci.yml'), 'utf8')).include;
  const { exitCode, artifacts } = await runGitLab(folder, include.inputs);
  const report = await readFile(join(folder, artifacts.paths[0]), 'utf8');
  check("the example's GitLab job writes the same report", exitCode === 0 && report === comment);
}

async function checkPreCommit(): Promise<void> {
  const hooks = join(workspace, 'hooks');
  await writeFiles(hooks, { '.pre-commit-hooks.yaml': await readFile(join(root, '.pre-commit-hooks.yaml'), 'utf8') });
  await commitAll(hooks);
  await git(hooks, 'tag', 'v1');
  const folder = await makeRepository('pre-commit');
  const own = [{ id: 'drydock-snapshot' }, { id: 'drydock-check', args: ['--charts', 'charts'] }];
  const config = { repos: [{ repo: hooks, rev: 'v1', hooks: own }] };
  await writeFile(join(folder, '.pre-commit-config.yaml'), JSON.stringify(config));
  await git(folder, 'add', '-A');
  const options = {
    cwd: folder,
    env: { ...env, PRE_COMMIT_HOME: join(workspace, 'pc') },
    all: true,
    reject: false,
  } as const;
  const same = await execa('pre-commit', ['run', '--all-files'], options);
  if (same.exitCode !== 0) console.error(same.all);
  for (const name of ['snapshot', 'check']) {
    const hasPassed = new RegExp(`drydock ${name}\\.+Passed`).test(same.all);
    check(`the pre-commit hook for ${name} passes if nothing has changed`, same.exitCode === 0 && hasPassed);
  }
  await changeValue(folder);
  const changed = await execa('pre-commit', ['run', '--all-files'], options);
  const isReported = changed.exitCode === 1 && /registry\.example\.org/.test(changed.all);
  check('the pre-commit hook fails if a value has changed', isReported);
}

/** Tests the plugin of both major versions of Helm, installed from the package and from a repository. */
async function checkHelmPlugin(): Promise<void> {
  const clone = join(workspace, 'clone');
  await mkdir(clone);
  for (const name of ['plugin.yaml', 'package.json']) await cp(join(root, name), join(clone, name));
  await commitAll(clone);
  await git(clone, 'tag', `v${version}`);
  for (const helm of (['3', '4'] as const).map((major) => findHelmVersion(major)!)) {
    // Helm 4 requires a signature for a clone.
    const unsigned = majorOf(helm) === 4 ? ['--verify=false'] : [];
    await installPlugin(helm, [`file://${clone}`, '--version', `v${version}`, ...unsigned]);
    const run = await installPlugin(helm, [installed]);
    const words = ['template', 'demo', chart, '--namespace', 'shop'];
    const [ours, theirs] = [await run('drydock', ...words, '--helm', helm), await run(...words)];
    const isSame = ours.stdout === theirs.stdout && ours.stdout !== '';
    check(`helm drydock template prints the same bytes as Helm ${helm}`, isSame);
    const flags = ['--snapshots', await mkdtemp(join(workspace, 'snapshots-')), '--no-cache'];
    const recorded = await run('drydock', 'snapshot', chart, '--namespace', 'shop', ...flags, '--update');
    const isUsed = recorded.exitCode === 0 && recorded.stderr.includes('namespace shop, from Helm');
    check("the plugin uses the value of Helm's --namespace", isUsed);
    const { exitCode } = await run('drydock', 'snapshot', chart, '--snapshots', join(workspace, 'none'), '--no-cache');
    check('the plugin passes on the exit code', exitCode === 1);
  }
}

/** Installs the plugin for a Helm without others, and returns a function that runs this Helm. */
async function installPlugin(version: HelmVersion, source: readonly string[]) {
  const folder = await mkdtemp(join(workspace, 'helm-'));
  const own = ['DATA', 'CACHE', 'CONFIG'].map((name) => [`HELM_${name}_HOME`, join(folder, name)]);
  const options = {
    cwd: workspace,
    env: { ...env, ...Object.fromEntries(own), HELM_NAMESPACE: undefined },
    reject: false,
    stripFinalNewline: false,
  } as const;
  const helm = await helmProgram(version);
  const run = (...argv: readonly string[]) => execa(helm, argv, options);
  const added = await run('plugin', 'install', ...source);
  if (added.exitCode !== 0) console.error(added.stderr);
  const { stdout } = await run('drydock', 'version');
  check(`helm drydock runs as a plugin of Helm ${version} from ${source[0]}`, stdout.startsWith('drydock '));
  return run;
}

/** Returns what the default Helm renders for the chart. */
async function renderedByHelm(): Promise<string> {
  return (await askHelm(await helmProgram(defaultHelm), ['template', 'demo', chart], workspace)).stdout;
}

async function checkExecutable(): Promise<void> {
  const file = await buildExecutable('linux-x64', installed, join(workspace, 'executable'));
  const cwd = join(workspace, 'elsewhere');
  const clean = { HOME: home, PATH: '/usr/bin:/bin' };
  const options = { cwd, env: clean, extendEnv: false, reject: false, stripFinalNewline: false } as const;
  const run = (...argv: readonly string[]) => execa(file, argv, options);
  const { stdout } = await run('template', 'demo', chart);
  check('the executable prints the same bytes as Helm', stdout === (await renderedByHelm()));
  const many = await run('snapshot', `${root}/fixtures/charts/{web,umbrella,library-user}`, '--jobs', '2', '--update');
  check('the executable renders in threads', many.exitCode === 0);
  const cached = await readdir(join(home, '.cache/drydock'));
  check(
    'the executable unpacks the package into the cache',
    cached.some((name) => name.startsWith('package-')),
  );
  const homeless = await execa(file, ['version'], { ...options, env: { ...clean, HOME: '', TMPDIR: workspace } });
  const left = (await readdir(workspace)).filter((name) => /^drydock-[A-Za-z0-9]{6}$/.test(name));
  const isClean = homeless.stdout.startsWith(`drydock ${version} `) && left.length === 0;
  check('the executable runs without a home folder and leaves no files behind', isClean);
}

async function checkImage(): Promise<void> {
  const image = await buildImage(installed, join(workspace, 'image'));
  const { stdout } = await execa('skopeo', ['inspect', '--config', `oci:${image}`]);
  const { config } = JSON.parse(stdout);
  check('the image runs drydock, but not as root', config.Entrypoint[0] === 'drydock' && config.User === '1000:1000');
  const bundle = join(workspace, 'bundle');
  await execa('umoci', ['unpack', '--image', image, bundle]);
  await cp(chart, join(bundle, 'rootfs/work/web'), { recursive: true });
  const script = `export ${config.Env.join(' ')}; cd /work; git --version >&2; drydock template demo web`;
  const args = ['--userspec=1000:1000', join(bundle, 'rootfs'), '/bin/sh', '-ec', script];
  const rendered = await execa('chroot', args, { stripFinalNewline: false });
  check('the image contains git', rendered.stderr.startsWith('git version'));
  check('the image prints the same bytes as Helm', rendered.stdout === (await renderedByHelm()));
}
