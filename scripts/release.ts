// A release in one step: `npm run release -- VERSION [--dry-run]`. Changelog, version, pack, commit, tag; it pushes nothing.
// A dry run does all of it in a clone, without the proofs. `--check-tag TAG` tells whether a tag is the version of package.json.

import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { compareVersions, parseVersion } from '../render/go/semver.ts';

const root = join(import.meta.dirname, '..');

/** A reason not to release, told without a stack. */
class Refusal extends Error {}

/** Gives the changelog with what was unreleased under a version. Throws a Refusal when nothing was. */
export function releaseChangelog(text: string, version: string, day: string): string {
  const [before, rest] = text.split('## [Unreleased]\n');
  if (rest === undefined) throw new Refusal('CHANGELOG.md has no "## [Unreleased]": add it above the newest version.');
  const end = rest.search(/^## \[/m);
  const notes = (end === -1 ? rest : rest.slice(0, end)).trim();
  if (!/^- /m.test(notes)) throw new Refusal('CHANGELOG.md says nothing under "Unreleased": write what changed first.');
  const older = end === -1 ? '' : `\n${rest.slice(end)}`;
  return `${before}## [Unreleased]\n\n## [${version}] - ${day}\n\n${notes}\n${older}`;
}

async function release(version: string, isDry: boolean): Promise<void> {
  const { version: present } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  if (!isNewer(version, present)) throw new Refusal(`${version} is no version above ${present}.`);
  const changes = await git(root, 'status', '--porcelain');
  if (changes !== '') throw new Refusal(`commit or stash first:\n${changes}`);
  const tags = await git(root, 'tag', '--list', `v${version}`);
  if (tags !== '') throw new Refusal(`the tag v${version} is there already.`);
  if (!isDry) {
    await run(root, 'bash', '.ci/run');
    await make(root, version);
    console.log(`\nv${version} is committed and tagged. Publish it:\n\n  git push --follow-tags`);
    return;
  }
  const clone = await mkdtemp(join(tmpdir(), 'drydock-release-'));
  try {
    await git(root, 'clone', '--quiet', root, clone);
    await symlink(join(root, 'node_modules'), join(clone, 'node_modules'));
    await make(clone, version);
    console.log(await git(clone, 'show', '--stat', '--format=%s', 'HEAD'));
    console.log('\nA dry run: nothing was changed, and .ci/run was not run.');
  } finally {
    await rm(clone, { recursive: true, force: true });
  }
}

/** Does the release in a folder: changelog and version, an archive to look at, a commit and a tag. */
async function make(folder: string, version: string): Promise<void> {
  const file = join(folder, 'CHANGELOG.md');
  const day = new Date().toISOString().slice(0, 10);
  await writeFile(file, releaseChangelog(await readFile(file, 'utf8'), version, day));
  await run(folder, 'npm', 'version', version, '--no-git-tag-version', '--silent');
  await run(folder, 'npm', 'pack', '--dry-run', '--silent');
  await git(folder, 'add', 'CHANGELOG.md', 'package.json', 'package-lock.json');
  await git(folder, 'commit', '--quiet', '--message', `Release ${version}`);
  await git(folder, 'tag', '--annotate', `v${version}`, '--message', `drydock ${version}`);
}

function isNewer(version: string, present: string): boolean {
  if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version)) return false;
  return compareVersions(parseVersion(version), parseVersion(present)) > 0;
}

async function checkTag(tag: string): Promise<void> {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  if (tag !== `v${version}`) throw new Refusal(`the tag is ${tag}, package.json says ${version}.`);
  const text = await readFile(join(root, 'CHANGELOG.md'), 'utf8');
  if (!text.includes(`## [${version}]`)) throw new Refusal(`CHANGELOG.md has no section [${version}].`);
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
    else await release(word, process.argv.includes('--dry-run'));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
