// Tests the ways to install and run drydock, each from the packed package: `npm run test:e2e -- channels [WORD…]`. GitHub's action and GitLab's
// job run in a shell, pre-commit and Helm are the real programs, and the executable and the image run if this machine can run them.
// `example` runs the pull request of the example chart repository; with `--record` it writes the comment that the docs show.

import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { execa } from 'execa';
import { parse, parseAllDocuments } from 'yaml';
import { defaultHelm, findHelmVersion } from '../../../../render/core/helm-version.ts';
import { majorOf } from '../../../../render/helm/versions.ts';
import { buildExecutable } from '../../../../scripts/build/channels/executable.ts';
import { buildImage } from '../../../../scripts/build/channels/image.ts';
import { versionedFiles } from '../../../../scripts/dev/release.ts';
import { helmEnvironment, helmProgram } from '../../../../scripts/dev/tools/helm-binary.ts';
import { installProject, packProduct } from '../../../../scripts/dev/tools/product.ts';
import { check, temporaryFolder } from '../../../../scripts/dev/tools/tools.ts';
import { root } from '../../../../scripts/docs/pages.ts';
import { startGitHub, startRegistry, type TestServer } from './servers.ts';

const words = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const isRecording = process.argv.includes('--record');
const example = join(root, 'fixtures/examples/chart-repository');
const workspace = temporaryFolder('drydock-channels-');
const home = join(workspace, 'home');
await mkdir(home);
const archive = await packProduct(workspace);
await mkdir(join(workspace, 'installed'));
await installProject(join(workspace, 'installed'), [archive]);
const installed = join(workspace, 'installed/node_modules/drydock');
const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
const registry: TestServer = await startRegistry(archive, {
  name: 'drydock',
  version: manifest.version,
  ...{ bin: manifest.bin },
});
const env = {
  HOME: home,
  npm_config_registry: registry.url,
  npm_config_cache: join(workspace, 'npm'),
  npm_config_userconfig: '/dev/null',
  npm_config_update_notifier: 'false',
  ...helmEnvironment,
};

const channels: Readonly<Record<string, () => Promise<void>>> = {
  versions: checkVersions,
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

/** Creates a Git repository of the example, with snapshots of its charts (and optionally Orders) on `main`, and checks out a branch. */
async function makeRepository(name: string, record: readonly string[] = ['charts/*']): Promise<string> {
  const folder = join(workspace, name);
  await cp(example, folder, { recursive: true });
  // Recorded again for the inputs that the steps under test compare.
  await rm(join(folder, 'snapshots'), { recursive: true });
  const run = (...command: readonly string[]) => execa(command[0] ?? '', command.slice(1), { cwd: folder, env });
  await run(join(installed, 'dist/drydock.cjs'), 'snapshot', ...record, '--update', '--no-cache');
  await run('git', 'init', '-q', '-b', 'main');
  await run('git', 'config', 'user.email', 'test@example.com');
  await run('git', 'config', 'user.name', 'test');
  await run('git', 'add', '-A');
  await run('git', 'commit', '-qm', 'Record');
  await run('git', 'update-ref', 'refs/remotes/origin/main', 'HEAD');
  await run('git', 'checkout', '-qb', 'change');
  return folder;
}

async function changeValue(folder: string): Promise<void> {
  const values = join(folder, 'charts/guestbook/values.yaml');
  const text = await readFile(values, 'utf8');
  await writeFile(values, text.replace('registry.example.com', 'registry.example.org'));
  check('the example contains the value to change', text !== (await readFile(values, 'utf8')));
  await execa('git', ['commit', '-qam', 'Change a value'], { cwd: folder });
}

async function checkVersions(): Promise<void> {
  for (const file of versionedFiles) {
    const text = await readFile(join(root, file), 'utf8');
    const found = text.match(/(?<![\d.])\d+\.\d+\.\d+(?![\d.])/g) ?? [];
    check(
      `${file} contains no version other than ${manifest.version}`,
      found.length > 0 && found.every((one) => one === manifest.version),
    );
  }
}

interface Step {
  readonly id?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs the steps of the action as a runner's shell would, and returns the exit code of the first failing step and all output. */
async function runAction(folder: string, github: TestServer, given: Readonly<Record<string, string>>) {
  const action = parse(await readFile(join(root, 'action.yml'), 'utf8'));
  const runner = await mkdtemp(join(workspace, 'runner-'));
  const context: Record<string, string> = {
    'runner.temp': runner,
    'github.action_path': root,
    'github.token': 'job-token',
  };
  for (const [name, { default: value = '' }] of Object.entries<{ default?: string }>(action.inputs))
    context[`inputs.${name}`] = value;
  for (const [name, value] of Object.entries(given)) context[`inputs.${name}`] = value;
  const fill = (text: string): string =>
    text.replace(/\$\{\{ ([a-z.A-Z_-]+) \}\}/g, (_, name: string) => fill(context[name] ?? ''));
  const event = join(runner, 'event.json');
  await writeFile(event, JSON.stringify({ pull_request: { number: 7 } }));
  const job = {
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_API_URL: github.url,
    GITHUB_BASE_REF: 'main',
    GITHUB_EVENT_NAME: 'pull_request',
    GITHUB_EVENT_PATH: event,
    GITHUB_OUTPUT: join(runner, 'output'),
    GITHUB_REF: 'refs/pull/7/merge',
    GITHUB_REPOSITORY: 'team/charts',
    GITHUB_SHA: 'f'.repeat(40),
    GITHUB_STEP_SUMMARY: join(runner, 'summary'),
    GITHUB_WORKSPACE: folder,
  };
  let output = '';
  for (const { id, run, env: own = {} } of action.runs.steps as readonly Step[]) {
    if (run === undefined) continue;
    const filled = Object.fromEntries(Object.entries(own).map(([name, value]) => [name, fill(value)]));
    await writeFile(job.GITHUB_OUTPUT, '');
    const flags = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run];
    const { exitCode = -1, all } = await execa('bash', flags, {
      cwd: folder,
      env: { ...env, ...job, ...filled },
      all: true,
      reject: false,
    });
    output += `${all}\n`;
    for (const line of (await readFile(job.GITHUB_OUTPUT, 'utf8')).split('\n')) {
      const [name = '', value = ''] = line.split('=');
      if (id !== undefined) context[`steps.${id}.outputs.${name}`] = value;
    }
    if (exitCode !== 0)
      return { exitCode, output, summary: await readFile(job.GITHUB_STEP_SUMMARY, 'utf8').catch(() => '') };
  }
  return { exitCode: 0, output, summary: await readFile(job.GITHUB_STEP_SUMMARY, 'utf8') };
}

async function checkGitHub(): Promise<void> {
  const github = await startGitHub();
  try {
    const folder = await makeRepository('github');
    const same = await runAction(folder, github, { sarif: 'true' });
    check('the action passes if nothing has changed', same.exitCode === 0);
    for (let id = 0; id < 150; id++) github.comments.push({ id, body: 'another comment' });
    await changeValue(folder);
    const changed = await runAction(folder, github, { sarif: 'true' });
    const own = () => github.comments.filter(({ body }) => body.startsWith('<!-- drydock -->'));
    if (changed.exitCode !== 1) console.error(changed.output);
    check('the action fails if a value has changed', changed.exitCode === 1);
    check('the action writes an annotation', /^::(error|warning|notice) /m.test(changed.output));
    check(
      'the action writes one comment, after a page of other comments',
      own().length === 1 && /registry\.example\.org/.test(own()[0]?.body ?? ''),
    );
    check('the action writes a job summary', /registry\.example\.org/.test(changed.summary));
    const upload = github.calls.filter(({ line }) => line === 'POST /repos/team/charts/code-scanning/sarifs').at(-1);
    const sarif = JSON.parse(gunzipSync(Buffer.from(upload?.body.sarif ?? '', 'base64')).toString());
    check(
      'the action uploads SARIF to code scanning',
      sarif.version === '2.1.0' && upload?.body.ref === 'refs/pull/7/merge',
    );
    await execa('git', ['reset', '-q', '--hard', 'main'], { cwd: folder });
    check('the action passes after the change is reverted', (await runAction(folder, github, {})).exitCode === 0);
    check('the action updates its comment', own().length === 1 && !/registry\.example\.org/.test(own()[0]?.body ?? ''));
    github.isReadOnly = true;
    const fork = await runAction(folder, github, { sarif: 'true' });
    check(
      'a read-only token causes a warning',
      fork.exitCode === 0 && /^::warning::The comment failed: .*403/m.test(fork.output),
    );
    await changeValue(folder);
    const invalid = await runAction(folder, github, { args: '--unknown' });
    check('an unknown flag exits with 2', invalid.exitCode === 2);
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
  const { exitCode = -1, all } = await execa('sh', ['-ec', job.drydock.script.map(fill).join('\n')], {
    cwd: folder,
    env: { ...env, ...variables },
    all: true,
    reject: false,
  });
  if (exitCode > 1) console.error(all);
  return { exitCode, artifacts: job.drydock.artifacts };
}

async function checkGitLab(): Promise<void> {
  const folder = await makeRepository('gitlab');
  check('the GitLab job passes if nothing has changed', (await runGitLab(folder)).exitCode === 0);
  await changeValue(folder);
  const changed = await runGitLab(folder);
  check('the GitLab job fails if a value has changed', changed.exitCode === 1);
  const { reports, paths } = changed.artifacts;
  const quality = JSON.parse(await readFile(join(folder, reports.codequality), 'utf8'));
  const [first] = quality;
  const isComplete = ['description', 'fingerprint', 'severity'].every((name) => typeof first?.[name] === 'string');
  check('the GitLab job writes a code quality report', isComplete && first.location.path.startsWith('charts/'));
  await execa('xmllint', [
    '--noout',
    '--schema',
    join(root, 'fixtures/schemas/junit.xsd'),
    join(folder, reports.junit),
  ]);
  check('the GitLab job writes a JUnit report', /<failure/.test(await readFile(join(folder, reports.junit), 'utf8')));
  check(
    'the GitLab job writes a Markdown report',
    /registry\.example\.org/.test(await readFile(join(folder, paths[0]), 'utf8')),
  );
  await execa('git', ['add', '-f', '.drydock'], { cwd: folder });
  check('the GitLab job rejects a cache that is committed on the branch', (await runGitLab(folder)).exitCode === 1);
}

/** The pull request of the example: its change, the results of its own workflow and job, and the recorded comment. */
async function checkExample(): Promise<void> {
  const inputs = ['charts/*', 'orders/*', '--charts', 'charts'];
  const folder = await makeRepository('example', inputs);
  check('the snapshots of the example are up to date', (await differences('snapshots', folder)) === '');
  await execa('git', ['apply', '--index', join(example, 'pull-request/change.patch')], { cwd: folder });
  await execa(join(installed, 'dist/drydock.cjs'), ['snapshot', ...inputs, '--update', '--no-cache'], {
    cwd: folder,
    env,
  });
  await execa('git', ['add', '-A'], { cwd: folder });
  await execa('git', ['commit', '-qm', 'Raise the cache'], { cwd: folder });
  const workflow = parse(await readFile(join(folder, '.github/workflows/charts.yml'), 'utf8'));
  const step = workflow.jobs.drydock.steps.find(({ uses }: { uses: string }) => uses.startsWith('drydock-offline/'));
  const github = await startGitHub();
  const ran = await runAction(folder, github, step.with);
  await github.close();
  if (ran.exitCode !== 0) console.error(ran.output);
  check("the example's workflow passes, because its change is recorded", ran.exitCode === 0);
  const comment = github.comments[0]?.body.replace(/^<!-- drydock -->\n/, '') ?? '';
  const recorded = join(example, 'pull-request/comment.md');
  if (isRecording) await writeFile(recorded, comment);
  check("the example's comment is the recorded one", comment !== '' && comment === (await readFile(recorded, 'utf8')));
  const [include] = parse(await readFile(join(folder, '.gitlab-ci.yml'), 'utf8')).include;
  const { exitCode, artifacts } = await runGitLab(folder, include.inputs);
  const report = await readFile(join(folder, artifacts.paths[0]), 'utf8');
  check("the example's GitLab job writes the same report", exitCode === 0 && report === comment);
}

/** Returns the differences between a folder of the example and its regenerated version. */
async function differences(name: string, folder: string): Promise<string> {
  const { stdout } = await execa('diff', ['-r', join(example, name), join(folder, name)], { reject: false });
  return stdout;
}

async function checkPreCommit(): Promise<void> {
  const hooks = join(workspace, 'hooks');
  await mkdir(hooks);
  await cp(join(root, '.pre-commit-hooks.yaml'), join(hooks, '.pre-commit-hooks.yaml'));
  const git = (cwd: string, ...argv: readonly string[]) =>
    execa('git', ['-c', 'user.email=a@b', '-c', 'user.name=a', ...argv], { cwd });
  await git(hooks, 'init', '-q');
  await git(hooks, 'add', '-A');
  await git(hooks, 'commit', '-qm', 'Hooks');
  await git(hooks, 'tag', 'v1');
  const folder = await makeRepository('pre-commit');
  const hook = {
    repo: hooks,
    rev: 'v1',
    hooks: [{ id: 'drydock-snapshot' }, { id: 'drydock-check', args: ['--charts', 'charts'] }],
  };
  await writeFile(join(folder, '.pre-commit-config.yaml'), JSON.stringify({ repos: [hook] }));
  await git(folder, 'add', '-A');
  const run = () =>
    execa('pre-commit', ['run', '--all-files'], {
      cwd: folder,
      env: { ...env, PRE_COMMIT_HOME: join(workspace, 'pc') },
      all: true,
      reject: false,
    });
  const same = await run();
  if (same.exitCode !== 0) console.error(same.all);
  check(
    'the pre-commit hook passes if nothing has changed',
    same.exitCode === 0 && /drydock snapshot\.+Passed/.test(same.all ?? ''),
  );
  check('the pre-commit hook checks Orders', /drydock check\.+Passed/.test(same.all ?? ''));
  await changeValue(folder);
  const changed = await run();
  check(
    'the pre-commit hook fails if a value has changed',
    changed.exitCode === 1 && /registry\.example\.org/.test(changed.all ?? ''),
  );
}

async function checkHelmPlugin(): Promise<void> {
  const clone = join(workspace, 'clone');
  await mkdir(clone);
  for (const name of ['plugin.yaml', 'package.json']) await cp(join(root, name), join(clone, name));
  await execa('git', ['init', '-q'], { cwd: clone });
  await execa('git', ['add', '-A'], { cwd: clone });
  await execa('git', ['-c', 'user.email=a@b', '-c', 'user.name=a', 'commit', '-qm', 'Plugin'], { cwd: clone });
  await execa('git', ['tag', `v${manifest.version}`], { cwd: clone });
  const chart = join(root, 'fixtures/charts/web');
  for (const version of (['3', '4'] as const).map((major) => findHelmVersion(major)!)) {
    const helm = await helmProgram(version);
    for (const [kind, source] of [
      ['package', installed],
      ['repository', clone],
    ] as const) {
      const own = Object.fromEntries(
        ['DATA', 'CACHE', 'CONFIG'].map((name) => [`HELM_${name}_HOME`, join(workspace, `${kind}-${version}`, name)]),
      );
      const run = (...argv: readonly string[]) =>
        execa(helm, argv, {
          cwd: workspace,
          env: { ...env, ...own, HELM_NAMESPACE: undefined },
          reject: false,
          stripFinalNewline: false,
        });
      // Helm 4 requires a signature for a clone.
      const flags =
        kind === 'package'
          ? []
          : ['--version', `v${manifest.version}`, ...(majorOf(version) === 4 ? ['--verify=false'] : [])];
      const added = await run('plugin', 'install', kind === 'package' ? source : `file://${source}`, ...flags);
      if (added.exitCode !== 0) console.error(added.stderr);
      check(`Helm ${version} installs the plugin from the ${kind}`, added.exitCode === 0);
      check(
        `helm drydock runs as a plugin of Helm ${version}`,
        (await run('drydock', 'version')).stdout.startsWith(`drydock ${manifest.version} `),
      );
      const words = ['template', 'demo', chart, '--namespace', 'shop'];
      const ours = await run('drydock', ...words, '--helm', version);
      const theirs = await run(...words);
      check(
        `helm drydock template prints the same bytes as Helm ${version}`,
        ours.stdout === theirs.stdout && ours.stdout !== '',
      );
      const snapshots = join(workspace, `${kind}-${version}`, 'snapshots');
      const recorded = await run(
        'drydock',
        'snapshot',
        chart,
        '--namespace',
        'shop',
        '--snapshots',
        snapshots,
        '--update',
        '--no-cache',
      );
      const record = await readFile(join(snapshots, 'web.snap/.record.json'), 'utf8');
      check(
        "the plugin uses the value of Helm's --namespace",
        recorded.exitCode === 0 &&
          record.includes('"namespace":"shop"') &&
          recorded.stderr.includes('namespace shop, from Helm'),
      );
      const { exitCode } = await run(
        'drydock',
        'snapshot',
        chart,
        '--snapshots',
        join(workspace, 'none'),
        '--no-cache',
      );
      check('the plugin passes on the exit code', exitCode === 1);
    }
  }
}

async function checkExecutable(): Promise<void> {
  const file = await buildExecutable('linux-x64', installed, join(workspace, 'executable'));
  const folder = join(workspace, 'elsewhere');
  await mkdir(folder);
  const clean = { HOME: home, PATH: '/usr/bin:/bin' };
  const run = (...argv: readonly string[]) =>
    execa(file, argv, { cwd: folder, env: clean, extendEnv: false, reject: false, stripFinalNewline: false });
  const version = await run('version');
  check('the executable prints its version', version.stdout.startsWith(`drydock ${manifest.version} `));
  const helm = await helmProgram(defaultHelm);
  const chart = join(root, 'fixtures/charts/web');
  const theirs = await execa(helm, ['template', 'demo', chart], { env: helmEnvironment, stripFinalNewline: false });
  check(
    'the executable prints the same bytes as Helm',
    (await run('template', 'demo', chart)).stdout === theirs.stdout,
  );
  const many = await run('snapshot', `${root}/fixtures/charts/{web,umbrella,library-user}`, '--jobs', '2', '--update');
  check('the executable renders in threads', many.exitCode === 0);
  check(
    'the executable unpacks the package into the cache',
    (await readdir(join(home, '.cache/drydock'))).some((name) => name.startsWith('package-')),
  );
  const homeless = await execa(file, ['version'], {
    cwd: folder,
    env: { ...clean, HOME: '', TMPDIR: workspace },
    extendEnv: false,
  });
  const left = (await readdir(workspace)).filter((name) => /^drydock-[A-Za-z0-9]{6}$/.test(name));
  check(
    'the executable runs without a home folder and leaves no files behind',
    homeless.stdout === version.stdout.trimEnd() && left.length === 0,
  );
  console.log(`    ${((await stat(file)).size / 1e6).toFixed(0)} MB`);
}

async function checkImage(): Promise<void> {
  const image = await buildImage(installed, join(workspace, 'image'));
  const { stdout } = await execa('skopeo', ['inspect', '--config', `oci:${image}`]);
  const { config } = JSON.parse(stdout);
  check('the image runs drydock, but not as root', config.Entrypoint[0] === 'drydock' && config.User === '1000:1000');
  const bundle = join(workspace, 'bundle');
  await execa('umoci', ['unpack', '--image', image, bundle]);
  await cp(join(root, 'fixtures/charts/web'), join(bundle, 'rootfs/work/web'), { recursive: true });
  const script = `export ${config.Env.join(' ')}; cd /work; `;
  const run = (command: string) =>
    execa('chroot', ['--userspec=1000:1000', join(bundle, 'rootfs'), '/bin/sh', '-c', `${script}${command}`], {
      stripFinalNewline: false,
    });
  const helm = await helmProgram(defaultHelm);
  const theirs = await execa(helm, ['template', 'demo', join(root, 'fixtures/charts/web')], {
    env: helmEnvironment,
    stripFinalNewline: false,
  });
  check('the image prints the same bytes as Helm', (await run('drydock template demo web')).stdout === theirs.stdout);
  check('the image contains git', (await run('git --version')).stdout.startsWith('git version'));
  const compressed = await execa('du', ['-sm', join(workspace, 'image')]);
  console.log(`    ${compressed.stdout.split('\t')[0]} MB`);
}
