// Compares consecutive versions of public charts, from the git history of their repositories: `diff` and `snapshot` must report the objects
// that another YAML parser finds different.
// Usage: npm run test:e2e -- version-pairs REPOSITORY... [--pairs N] [--seed N]

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readChartFiles } from '../../../render/chart/directory.node.ts';
import { RenderError } from '../../../render/core/errors.ts';
import { GoError } from '../../../render/go/value.ts';
import { some } from '../../support/chart-values.ts';
import { Dice } from '../../support/dice.ts';
import { chartArguments } from './every-chart.ts';
import { type Rendered, renderFiles, wrongReports } from './second-opinion.ts';

function git(repository: string, ...args: readonly string[]): string {
  return spawnSync('git', ['-C', repository, ...args], { encoding: 'utf8', maxBuffer: 1 << 30 }).stdout;
}

function chartFolders(repository: string): string[] {
  const files = git(repository, 'ls-tree', '-r', '--name-only', 'HEAD').split('\n');
  const folders = files.flatMap((path) => /^(.+)\/Chart\.yaml$/.exec(path)?.[1] ?? []);
  return folders.filter((folder) => !folders.some((other) => folder.startsWith(`${other}/`)));
}

/** Returns the commits in which a chart got another version, latest first. */
function versionsOf(repository: string, folder: string): string[] {
  const lines = ['log', '--first-parent', '--format=%H', '-n', '80', '-G', '^version:', '--', `${folder}/Chart.yaml`];
  return git(repository, ...lines)
    .split('\n')
    .slice(0, -1);
}

/** Renders a chart at a commit; undefined if it fails, for example because of a missing dependency. */
function renderAt(repository: string, commit: string, folder: string): Rendered | undefined {
  const workspace = mkdtempSync(join(tmpdir(), 'drydock-versions-'));
  try {
    const archive = spawnSync('git', ['-C', repository, 'archive', commit, '--', folder], { maxBuffer: 1 << 30 });
    spawnSync('tar', ['-x', '-C', workspace], { input: archive.stdout });
    return renderFiles(readChartFiles(join(workspace, folder)));
  } catch (error) {
    if (!(error instanceof RenderError || error instanceof GoError)) throw error;
    return undefined;
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
}

const { folders, flags } = chartArguments({ pairs: 40 });
const figures = { pairs: 0, same: 0, different: 0, unparsable: 0, missed: 0, invented: 0 };
for (const repository of folders) {
  const dice = new Dice(flags.seed);
  const limit = figures.pairs + flags.pairs;
  const charts = chartFolders(repository);
  for (const folder of some(charts, charts.length, dice)) {
    const versions = versionsOf(repository, folder);
    const pairs = versions.slice(1).map((earlier, at) => [earlier, versions[at]!] as const);
    for (const pair of some(pairs, 3, dice)) {
      if (figures.pairs === limit) break;
      const [before, after] = pair.map((commit) => renderAt(repository, commit, folder));
      if (before === undefined || after === undefined) continue;
      figures.pairs++;
      for (const line of wrongReports(before, after, figures)) console.log(`${folder} ${pair.join('..')}: ${line}`);
    }
  }
}
console.log(JSON.stringify(figures));
process.exit(figures.different === 0 || figures.missed + figures.invented > 0 ? 1 : 0);
