// Makes a release: `npm run release -- VERSION [--dry-run]`. Updates changelog and version, packs, commits and tags; pushes nothing.
// A dry run does so in a clone, without .ci/run. `--check-tag TAG` fails if a tag is not the version of package.json;
// `--assets FOLDER` writes what the release workflow attaches to the release on GitHub.

import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { compareVersions, parseVersion } from '../../render/go/semver.ts';
import { buildExecutable, executablePlatforms } from '../build/channels/executable.ts';
import { buildImage } from '../build/channels/image.ts';
import { temporaryFolder } from './tools/tools.ts';

const root = join(import.meta.dirname, '../..');

/** The files that contain the version besides package.json: install instructions, and pages and examples that show it. */
const versionedFiles = [
  'action.yml',
  '.gitlab/drydock.yml',
  '.pre-commit-hooks.yaml',
  'plugin.yaml',
  'fixtures/examples/chart-repository/.github/workflows/charts.yml',
  'fixtures/examples/chart-repository/.gitlab-ci.yml',
  ...['github-actions', 'gitlab', 'pre-commit', 'helm-plugin', 'executable'].map((page) => `render/docs/${page}.md`),
];

/** A reason not to release, printed without a stack trace. */
class Refusal extends Error {}

/** Returns the text of a file of `versionedFiles` with a new version. Throws a Refusal if it does not contain the current one. */
function withVersion(file: string, text: string, [current, version]: readonly [string, string]): string {
  const [first, ...rest] = text.split(current);
  if (rest.length === 0)
    throw new Refusal(`${file} does not contain ${current}: update it, or remove it from versionedFiles`);
  return [first, ...rest].join(version);
}

/** Returns the changelog with the unreleased entries under a version. Throws a Refusal if there are none. */
export function releaseChangelog(text: string, version: string, day: string): string {
  const [before, rest] = text.split('## [Unreleased]\n');
  if (rest === undefined) throw new Refusal('CHANGELOG.md has no "## [Unreleased]": add it above the newest version');
  const end = rest.search(/^## \[/m);
  const notes = (end === -1 ? rest : rest.slice(0, end)).trim();
  if (!/^- /m.test(notes)) throw new Refusal('CHANGELOG.md has no entries under "Unreleased": add what changed first');
  const older = end === -1 ? '' : `\n${rest.slice(end)}`;
  return `${before}## [Unreleased]\n\n## [${version}] - ${day}\n\n${notes}\n${older}`;
}

async function release(version: string, isDry: boolean): Promise<void> {
  const { version: current } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  if (!isNewer(version, current)) throw new Refusal(`${version} is not a version after ${current}`);
  const changes = await git(root, 'status', '--porcelain');
  if (changes !== '') throw new Refusal(`commit or stash first:\n${changes}`);
  const tags = await git(root, 'tag', '--list', `v${version}`);
  if (tags !== '') throw new Refusal(`tag v${version} already exists`);
  if (!isDry) {
    await run(root, 'bash', '.ci/run');
    await createRelease(root, [current, version]);
    console.log(`\nv${version} is committed and tagged. Publish it:\n\n  git push --follow-tags`);
    return;
  }
  const clone = temporaryFolder('drydock-release-');
  await git(root, 'clone', '--quiet', root, clone);
  await symlink(join(root, 'node_modules'), join(clone, 'node_modules'));
  await createRelease(clone, [current, version]);
  console.log(await git(clone, 'show', '--stat', '--format=%s', 'HEAD'));
  console.log('\nDry run: nothing was changed, and .ci/run was not run.');
}

/** Creates the release in a folder: changelog and versions, a packed archive, a commit and a tag. */
async function createRelease(folder: string, versions: readonly [current: string, next: string]): Promise<void> {
  const [, version] = versions;
  const file = join(folder, 'CHANGELOG.md');
  const day = new Date().toISOString().slice(0, 10);
  await writeFile(file, releaseChangelog(await readFile(file, 'utf8'), version, day));
  await run(folder, 'npm', 'version', version, '--no-git-tag-version', '--silent');
  for (const name of versionedFiles) {
    const path = join(folder, name);
    await writeFile(path, withVersion(name, await readFile(path, 'utf8'), versions));
  }
  // Pages that print the version of the command or of the API.
  await run(folder, 'npm', 'run', '--silent', 'docs', '--', 'reference');
  await run(folder, 'npm', 'pack', '--dry-run', '--silent');
  await git(folder, 'add', '--update');
  await git(folder, 'commit', '--quiet', '--message', `Release ${version}`);
  await git(folder, 'tag', '--annotate', `v${version}`, '--message', `drydock ${version}`);
}

function isNewer(version: string, current: string): boolean {
  if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version)) return false;
  return compareVersions(parseVersion(version), parseVersion(current)) > 0;
}

async function checkTag(tag: string): Promise<void> {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  if (tag !== `v${version}`) throw new Refusal(`the tag is ${tag}, but package.json has version ${version}`);
  const text = await readFile(join(root, 'CHANGELOG.md'), 'utf8');
  if (!text.includes(`## [${version}]`)) throw new Refusal(`CHANGELOG.md has no section [${version}]`);
}

/** Writes the assets of the release: schemas, executables, the image, the notes, and the checksums of all of them. */
async function writeAssets(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await run(root, 'npm', 'run', '--silent', 'build');
  for (const name of await readdir(join(root, 'dist/schemas')))
    await cp(join(root, 'dist/schemas', name), join(folder, name));
  for (const platform of executablePlatforms) await buildExecutable(platform, root, folder);
  const image = await buildImage(root, join(root, 'build/image'));
  // An image has the name `FOLDER:TAG`.
  const layers = ['--directory', image.slice(0, image.lastIndexOf(':')), '.'];
  await run(root, 'tar', '--create', '--file', join(folder, 'drydock-image-linux-x64.tar'), ...layers);
  const names = (await readdir(folder)).sort();
  const sums = await Promise.all(
    names.map(async (name) => {
      const digest = createHash('sha256')
        .update(await readFile(join(folder, name)))
        .digest('hex');
      return `${digest}  ${name}\n`;
    }),
  );
  await writeFile(join(folder, 'SHA256SUMS'), sums.join(''));
}

async function git(cwd: string, ...argv: readonly string[]): Promise<string> {
  return (await execa('git', argv, { cwd })).stdout;
}

async function run(cwd: string, command: string, ...argv: readonly string[]): Promise<void> {
  await execa(command, argv, { cwd, stdio: 'inherit' });
}

if (process.argv[1] === import.meta.filename) {
  const words = process.argv.slice(2).filter((word) => !word.startsWith('-'));
  const [word] = words;
  try {
    if (word === undefined || words.length > 1) throw new Refusal('usage: npm run release -- VERSION [--dry-run]');
    if (process.argv.includes('--check-tag')) await checkTag(word);
    else if (process.argv.includes('--assets')) await writeAssets(resolve(word));
    else await release(word, process.argv.includes('--dry-run'));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
