// Compares consecutive versions of public charts, from the git history of their repositories: `diff` must report the objects that another
// YAML parser finds different.
// Usage: npm run test:e2e -- version-pairs REPOSITORY... [--pairs N] [--seed N]

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { readChartFiles } from '../../../render/chart/directory.node.ts';
import { RenderError } from '../../../render/core/errors.ts';
import { diffObjects } from '../../../render/diff/difference.ts';
import { GoError } from '../../../render/go/value.ts';
import { Dice } from '../../support/dice.ts';
import { chartArguments } from './every-chart.ts';
import { changedKeys, type Rendered, renderFiles, wrongReports } from './second-opinion.ts';

function git(repository: string, ...args: readonly string[]): string {
  const { status, stdout } = spawnSync('git', ['-C', repository, ...args], { encoding: 'utf8', maxBuffer: 1 << 30 });
  return status === 0 ? stdout : '';
}

/** A version of a chart and its commit. */
interface Version {
  readonly commit: string;
  readonly version: string;
}

function chartFolders(repository: string): string[] {
  const folders = git(repository, 'ls-tree', '-r', '--name-only', 'HEAD')
    .split('\n')
    .filter((path) => path.endsWith('/Chart.yaml'))
    .map((path) => path.slice(0, -'/Chart.yaml'.length));
  return folders.filter((folder) => !folders.some((other) => folder.startsWith(`${other}/`)));
}

/** Returns the versions of a chart, latest first. */
function versionsOf(repository: string, folder: string): Version[] {
  const commits = git(repository, 'log', '--first-parent', '--format=%H', '-n', '80', '--', `${folder}/Chart.yaml`);
  const found = commits.split('\n').flatMap((commit) => {
    const text = commit === '' ? '' : git(repository, 'show', `${commit}:${folder}/Chart.yaml`);
    const version = /^version:.*$/m.test(text) ? versionIn(text) : undefined;
    return version === undefined ? [] : [{ commit, version }];
  });
  return found.filter(({ version }, at) => version !== found[at - 1]?.version);
}

function versionIn(text: string): string | undefined {
  try {
    return String((parse(text) as { version?: unknown }).version);
  } catch {
    return undefined;
  }
}

/** Renders a chart at a commit; undefined if it fails, for example because of a missing dependency. */
function renderAt(repository: string, commit: string, folder: string): Rendered | undefined {
  const workspace = mkdtempSync(join(tmpdir(), 'drydock-versions-'));
  try {
    const archive = spawnSync('git', ['-C', repository, 'archive', commit, '--', folder], { maxBuffer: 1 << 30 });
    const { status } = spawnSync('tar', ['-x', '-C', workspace], { input: archive.stdout });
    if (archive.status !== 0 || status !== 0) return undefined;
    return renderFiles(readChartFiles(join(workspace, folder)));
  } catch (error) {
    if (!(error instanceof RenderError || error instanceof GoError)) throw error;
    return undefined;
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
}

const figures = { pairs: 0, equal: 0, unparsable: 0, missed: 0, invented: 0 };

function check(before: Rendered, after: Rendered): string[] {
  const expected = changedKeys(before, after);
  if (expected === undefined) {
    figures.unparsable++;
    return [];
  }
  figures.pairs++;
  if (expected.size === 0) figures.equal++;
  return wrongReports('diff', diffObjects(before, after, { all: true }), { expected, figures });
}

const { folders, flags } = chartArguments({ pairs: 40 });
const started = performance.now();
for (const repository of folders) {
  const dice = new Dice(flags.seed);
  const charts = chartFolders(repository);
  const limit = figures.pairs + flags.pairs;
  while (charts.length > 0 && figures.pairs < limit) {
    const [folder = ''] = charts.splice(dice.below(charts.length), 1);
    const versions = versionsOf(repository, folder);
    const pairs = Array.from({ length: versions.length - 1 }, (_, at) => at);
    for (let turn = 0; turn < 3 && pairs.length > 0; turn++) {
      const [at = 0] = pairs.splice(dice.below(pairs.length), 1);
      const [later, earlier] = [versions[at]!, versions[at + 1]!];
      const before = renderAt(repository, earlier.commit, folder);
      const after = before && renderAt(repository, later.commit, folder);
      if (before === undefined || after === undefined) continue;
      for (const line of check(before, after))
        console.log(
          `${basename(repository.replace(/\/repo$/, ''))} ${folder} ${earlier.version} → ${later.version}: ${line}`,
        );
    }
  }
}
const took = Math.round((performance.now() - started) / 1000);
console.log(JSON.stringify({ ...figures, seconds: took }));
process.exit(figures.pairs === 0 || figures.missed + figures.invented > 0 ? 1 : 0);
