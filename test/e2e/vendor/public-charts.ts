// Tests that `drydock vendor` downloads the same archives of 50 public charts as real Helm and selects the same versions for 100 generated
// ranges each, from a repository and from a registry. `npm run test:e2e -- vendor-public FOLDER…`

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { isVersion } from '../../../render/go/semver.ts';
import { helmBinary } from '../../../scripts/dev/tools/helm-binary.ts';
import { check, temporaryFolder } from '../../../scripts/dev/tools/tools.ts';
import { findCharts } from '../../conformance/charts.ts';
import { evenly } from '../../support/chart-values.ts';
import { createSandbox, run, type Sandbox } from './helm.ts';
import { type Comparison, compareRanges, generatedRanges, generatedVersions } from './ranges.ts';
import { startRegistry, startStatic } from './servers.ts';

// The number of charts, of ranges and versions of each, and of ranges that `helm pull` resolves too.
const [maxCharts, maxRanges, maxVersions, samples] = [50, 100, 14, 5];

interface PublicChart {
  readonly name: string;
  readonly chart: Readonly<Record<string, unknown>>;
  readonly versions: readonly string[];
}

/** Returns charts in folders, each name once, spread evenly over all of them. */
async function chooseCharts(folders: readonly string[], count: number): Promise<readonly PublicChart[]> {
  const found = new Map<string, PublicChart>();
  for (const path of (await Promise.all(folders.map(findCharts))).flat()) {
    const chart = readChart(join(path, 'Chart.yaml'));
    if (chart !== undefined && !found.has(chart.name)) found.set(chart.name, chart);
  }
  return evenly(
    [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    count,
  );
}

function readChart(file: string): PublicChart | undefined {
  try {
    const { dependencies: _dependencies, ...chart } = parse(readFileSync(file, 'utf8'), {
      logLevel: 'silent',
    }) as Record<string, unknown>;
    const { name, version, apiVersion } = chart;
    const isComplete = typeof name === 'string' && /^[a-z][a-z0-9-]*$/.test(name) && typeof apiVersion === 'string';
    if (!isComplete || typeof version !== 'string' || !/^v?\d+\.\d+\.\d+/.test(version) || !isVersion(version))
      return undefined;
    return { name, chart, versions: generatedVersions(name, version, maxVersions) };
  } catch {
    return undefined;
  }
}

/** Packs each version with real Helm, which also writes the index. */
async function pack(sandbox: Sandbox, helm: string, { name, chart, versions }: PublicChart): Promise<string> {
  const source = join(sandbox.root, 'sources', name);
  mkdirSync(join(source, 'templates'), { recursive: true });
  writeFileSync(join(source, 'templates/config.yaml'), 'kind: ConfigMap\napiVersion: v1\nmetadata: {name: config}\n');
  writeFileSync(join(source, 'Chart.yaml'), JSON.stringify(chart));
  const folder = join(sandbox.root, 'repository', name);
  for (const version of versions) {
    const packed = await run(sandbox, [helm, 'package', source, '--version', version, '-d', folder]);
    if (packed.exitCode !== 0) throw new Error(packed.stderr);
  }
  const indexed = await run(sandbox, [helm, 'repo', 'index', folder]);
  if (indexed.exitCode !== 0) throw new Error(indexed.stderr);
  return folder;
}

async function push(sandbox: Sandbox, helm: string, folder: string, target: string): Promise<void> {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.tgz'))) {
    const pushed = await run(sandbox, [helm, 'push', join(folder, file), target, '--plain-http']);
    if (pushed.exitCode !== 0) throw new Error(pushed.stderr);
  }
}

const root = temporaryFolder('drydock-vendor-public-');
const sandbox = createSandbox(root);
const { helm } = await helmBinary(3);
const charts = await chooseCharts(process.argv.slice(2), maxCharts);
check(`the folders contain charts (${charts.length})`, charts.length > 0);
mkdirSync(join(root, 'repository'));
mkdirSync(join(root, 'registry'));
const server = await startStatic(join(root, 'repository'));
const registry = await startRegistry(join(root, 'registry'), 'none');
const total = { compared: 0, found: 0, differing: [] as string[] };
try {
  for (const [index, chart] of charts.entries()) {
    const { name, versions } = chart;
    await push(sandbox, helm, await pack(sandbox, helm, chart), `oci://${registry.host}/charts`);
    const ranges = generatedRanges(name, versions, maxRanges);
    const compare = (source: string): Promise<Comparison> =>
      compareRanges(sandbox, helm, { subject: { name, source, versions }, ranges, samples });
    for (const source of [`http://${server.host}/${name}`, `oci://${registry.host}/charts`]) {
      const { compared, found, differing } = await compare(source);
      total.compared += compared;
      total.found += found;
      total.differing.push(...differing.map((line) => `${name} of ${source}, ${line}`));
      for (const line of differing) console.log(`    ${source} ${name}: ${line}`);
    }
    console.log(
      `    ${index + 1} of ${charts.length}: ${name}, ${total.compared} ranges, ${total.differing.length} differ`,
    );
  }
} finally {
  await Promise.all([server.stop(), registry.stop()]);
}
check(
  `${total.compared} ranges of ${charts.length} charts resolve as with Helm, ${total.found} of them to a version`,
  total.differing.length === 0,
);
