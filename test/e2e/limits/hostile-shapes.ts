// Tests that Orders of hostile shape are rendered or rejected within six seconds and 500 MB: 200,000 keys, repeated keys, anchors, aliases,
// tags and merges, in YAML and JSON. hostile-orders.ts does so with a server. Slow runs are repeated, because the machine may be busy.
// Memory is the peak of the process. `npm run test:e2e -- limits`

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { buildProduct } from '../../../scripts/dev/tools/product.ts';
import { check, temporaryFolder } from '../../../scripts/dev/tools/tools.ts';

const size = 200_000;
const maxSeconds = 6;
const maxMegabytes = 500;

const many = (count: number, make: (i: number) => string): string[] => Array.from({ length: count }, (_, i) => make(i));

const head = `apiVersion: releases.x-helm.dev/v1alpha1
kind: Order
metadata:
  name: shop
spec:
  packages:
    - chart:
        name: web
        version: ^1.4.0
        releaseName: r
        namespace: shop
        sourceRef: {kind: Embed, name: web}
`;

/** Returns an Order with the given lines as values. */
function lines(count: number, make: (i: number) => string, first = ''): string {
  return `${head}        values:\n${first}${many(count, (i) => `          ${make(i)}\n`).join('')}`;
}

/** Returns an Order as JSON with the given text as values. */
function json(values: string): string {
  const chart = { name: 'web', version: '^1.4.0', releaseName: 'r', namespace: 'shop', values: 0 };
  const packages = [{ chart: { ...chart, sourceRef: { kind: 'Embed', name: 'web' } } }];
  const order = { apiVersion: 'releases.x-helm.dev/v1alpha1', kind: 'Order', metadata: { name: 'shop' } };
  return JSON.stringify({ ...order, spec: { packages } }).replace('"values":0', () => `"values":${values}`);
}

const anchor = '          a: &a {b: 1}\n';

const shapes: Readonly<Record<string, string>> = {
  'keys.yaml': lines(size, (i) => `k${i}: ${i}`),
  'flow mapping.yaml': `${head}        values: {${many(size, (i) => `k${i}: ${i}`).join()}}\n`,
  'keys of the Order.yaml': head + many(size, (i) => `k${i}: ${i}\n`).join(''),
  'one repeated key.yaml': lines(size, (i) => `a: ${i}`),
  'anchors.yaml': lines(size, (i) => `k${i}: &a${i} ${i}`),
  'aliases.yaml': lines(size, (i) => `k${i}: *a`, anchor),
  'aliases of aliases.yaml': lines(size, (i) => `k${i}: &a${i + 1} [*a${i}]`, '          a: &a0 1\n'),
  'merges.yaml': lines(size / 2, (i) => `k${i}: {<<: *a, c: ${i}}`, anchor),
  'one merge of many aliases.yaml': `${head}        values:\n${anchor}          c: {<<: [${Array(size).fill('*a').join()}]}\n`,
  'tags.yaml': lines(size, (i) => `k${i}: !!str ${i}`),
  'documents.yaml': many(size, (i) => `---\na: ${i}\n`).join(''),
  'keys.json': json(`{${many(size, (i) => `"k${i}":${i}`).join()}}`),
  'duplicate last key.json': json(`{${many(size, (i) => `"k${i}":${i}`).join()},"k0":1}`),
  'long numbers.json': json(`{${many(size, (i) => `"k${i}":1234567890123456789${i}`).join()}}`),
  'truncated.json': json(`{${many(size, (i) => `"k${i}":${i}`).join()}}`).slice(0, -8),
};

// Writes the resource usage of the process on exit.
const usageHook = `process.on('exit', () => require('node:fs').writeFileSync(process.env.USAGE_FILE, JSON.stringify(process.resourceUsage())));`;

interface Usage {
  readonly exitCode: number;
  /** The time that a user would wait on an idle machine. */
  readonly seconds: number;
  readonly megabytes: number;
  readonly message: string;
}

const charts = fileURLToPath(new URL('../../../fixtures/charts', import.meta.url));

async function run(argv: readonly string[]): Promise<Usage> {
  const [hook, report] = [join(folder, 'usage-hook.cjs'), join(folder, 'report.json')];
  const options = { reject: false, all: true, env: { USAGE_FILE: report }, cwd: folder } as const;
  const started = performance.now();
  const { exitCode = -1, all } = await execa(process.execPath, ['--require', hook, command, ...argv], options);
  const elapsed = (performance.now() - started) / 1000;
  const used = JSON.parse(await readFile(report, 'utf8')) as Record<'userCPUTime' | 'systemCPUTime' | 'maxRSS', number>;
  // Other load increases elapsed time, the concurrent garbage collector processor time.
  const seconds = Math.min((used.userCPUTime + used.systemCPUTime) / 1e6, elapsed);
  return { exitCode, seconds, megabytes: used.maxRSS / 1024, message: all.slice(0, 160).split('\n')[0] ?? '' };
}

const folder = temporaryFolder('drydock-shapes-');
const command = await buildProduct();
await writeFile(join(folder, 'usage-hook.cjs'), usageHook);
for (const [name, text] of Object.entries(shapes)) {
  await writeFile(join(folder, name), text);
  // A check takes longer than a rendering, because it also inspects the result.
  for (const verb of name.endsWith('.json') ? ['check', 'render'] : ['check']) {
    const argv = [verb, name, '--charts', charts];
    let usage = await run(argv);
    for (let round = 1; round < 3 && usage.seconds > maxSeconds; round++) usage = await run(argv);
    const { exitCode, seconds, megabytes, message } = usage;
    const figures = `exit ${exitCode}, ${seconds.toFixed(2)} s, ${megabytes.toFixed(0)} MB`;
    check(
      `${verb} ${name}: ${figures}${exitCode === 0 ? '' : `: ${message}`}`,
      (exitCode === 0 || exitCode === 1) && seconds <= maxSeconds && megabytes <= maxMegabytes,
    );
  }
}
