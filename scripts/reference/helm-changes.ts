// Counts what changes between neighboring Helm versions over public charts, and which changes of Helm cause it:
// `npm run reference -- helm-changes DIR… [--every N] [--seconds N]`. Each `ci/*values.yaml` is a case; prints a Markdown table.

import { mkdir, readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { loadChartPath } from '../../render/chart/directory.node.ts';
import { RenderError } from '../../render/core/errors.ts';
import { type HelmVersion, helmVersions } from '../../render/core/helm-version.ts';
import { seededHost } from '../../render/core/host.ts';
import { template } from '../../render/index.ts';
import { compareHelms, type HelmRendering } from '../../render/provenance/impact/helm-versions.ts';
import { type ConformanceCase, listCases } from '../../test/conformance/charts.ts';
import { cacheDirectory } from '../dev/tools/pinned-package.ts';

/** The differences between two versions, counted in cases. */
interface PairCounts {
  same: number;
  reformatted: number;
  changed: number;
  /** One version rejects the case, or both do with different errors. */
  refused: number;
  readonly causes: Map<string, number>;
}

async function render({ chart: path, valuesFile }: ConformanceCase, version: string): Promise<HelmRendering> {
  try {
    const chart = await loadChartPath(path, { helm: version, onWarning: () => {} });
    const valuesFiles =
      valuesFile === undefined
        ? []
        : [{ name: basename(valuesFile), text: await readFile(join(path, valuesFile), 'utf8') }];
    const text = template(chart, { helm: version, host: seededHost(), releaseName: 'release-name', valuesFiles });
    return { text };
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    return { text: '', error: error.message };
  }
}

async function countPair(one: ConformanceCase, pair: Pair, counts: PairCounts, renderings: Renderings): Promise<void> {
  const [before, after] = pair.map((version) => renderings.get(version)!) as [HelmRendering, HelmRendering];
  const { isMeant, causes } = await compareHelms(pair, [before, after], (version) => render(one, version));
  if (causes.length === 0) counts.same++;
  else if (before.error !== undefined || after.error !== undefined) counts.refused++;
  else if (isMeant) counts.changed++;
  else counts.reformatted++;
  for (const text of causes) counts.causes.set(text, (counts.causes.get(text) ?? 0) + 1);
}

type Pair = readonly [HelmVersion, HelmVersion];
type Renderings = ReadonlyMap<HelmVersion, HelmRendering>;

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { every: { type: 'string', default: '1' }, seconds: { type: 'string', default: '100000' } },
});
const workspace = join(cacheDirectory, 'conformance');
await mkdir(workspace, { recursive: true });
const all = await listCases(
  positionals.map((folder) => resolve(folder)),
  workspace,
);
const pairs = helmVersions.slice(1).map((to, at): Pair => [helmVersions[at]!, to]);
const counted = pairs.map((): PairCounts => ({ same: 0, reformatted: 0, changed: 0, refused: 0, causes: new Map() }));
let cases = 0;
for (const one of all.filter((_, at) => at % Number(flags.every) === 0)) {
  if (performance.now() > Number(flags.seconds) * 1000) break;
  const renderings = new Map<HelmVersion, HelmRendering>();
  for (const version of helmVersions) renderings.set(version, await render(one, version));
  for (const [at, pair] of pairs.entries()) await countPair(one, pair, counted[at]!, renderings);
  cases++;
}
console.log(`${cases} cases\n`);
console.log('| from | to | same bytes | formatting only | meaning | refused | changes, with their cases |');
console.log('|---|---|---:|---:|---:|---:|---|');
for (const [at, [from, to]] of pairs.entries()) {
  const { same, reformatted, changed, refused, causes } = counted[at]!;
  const names = [...causes].sort(([, a], [, b]) => b - a).map(([text, count]) => `${text}: ${count}`);
  console.log(`| ${[from, to, same, reformatted, changed, refused, names.join('; ')].join(' | ')} |`);
}
