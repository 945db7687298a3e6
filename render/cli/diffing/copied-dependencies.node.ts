// Untracked dependencies of a chart in a revision: they are copied from the working tree if they match, so that both sides of a comparison
// are equally complete.

import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Chart } from '../../chart/chart.ts';
import { readChartPath } from '../../chart/directory.node.ts';
import { RenderError } from '../../core/errors.ts';
import { parseConstraint, parseVersion, satisfies } from '../../go/semver.ts';
import { GoError } from '../../go/value.ts';
import { missingDependencies } from '../../vendor/lock/dependencies.ts';

/** What was copied from the working tree, and what is missing. */
export interface LentDependencies {
  /** Paths relative to the chart, such as `charts/redis-18.1.0.tgz`. */
  readonly copied: readonly string[];
  /** Dependencies of which the working tree has only another version, such as `redis 18.1.0`. */
  readonly lacking: readonly string[];
}

/**
 * Copies what the chart in a folder lacks: `file://` charts beside it, and archives from the `charts/` folder of the working tree in the
 * version of the lock file, or a matching one.
 */
export function lendDependencies(folder: string, working: string): LentDependencies {
  const chart = tryRead(folder);
  if (chart === undefined) return { copied: [], lacking: [] };
  const copied: string[] = [];
  const lacking: string[] = [];
  const lock = ['Chart.lock', 'requirements.lock'].map((name) => join(folder, name)).find((file) => existsSync(file));
  for (const { dependency, from } of missingDependencies(chart, lock && readFileSync(lock, 'utf8'))) {
    if ('path' in from) {
      const local = join(folder, from.path);
      if (existsSync(local)) cpSync(local, join(folder, 'charts', dependency.name), { recursive: true });
      continue;
    }
    const held = heldIn(join(working, 'charts')).filter(({ name }) => name === dependency.name);
    const found = held.find(({ version }) => isAllowed(version, from.ref.version));
    if (found === undefined) {
      if (held.length > 0) lacking.push(`${dependency.name} ${from.ref.version ?? ''}`.trim());
      continue;
    }
    cpSync(join(working, 'charts', found.entry), join(folder, 'charts', found.entry), { recursive: true });
    copied.push(`charts/${found.entry}`);
  }
  return { copied, lacking };
}

interface HeldChart {
  readonly entry: string;
  readonly name: string;
  readonly version: string;
}

function heldIn(folder: string): HeldChart[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((entry) => {
    const chart = tryRead(join(folder, entry));
    return chart === undefined ? [] : [{ entry, name: chart.metadata.name, version: chart.metadata.version }];
  });
}

// An invalid chart is reported when it is rendered.
function tryRead(path: string): Chart | undefined {
  try {
    return readChartPath(path).load();
  } catch (error) {
    if (error instanceof RenderError) return undefined;
    throw error;
  }
}

function isAllowed(version: string, wanted: string | undefined): boolean {
  try {
    return version === wanted || satisfies(parseVersion(version), parseConstraint(wanted || '*'));
  } catch (error) {
    if (error instanceof GoError) return false;
    throw error;
  }
}
