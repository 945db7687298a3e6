// An Order, rendered for its snapshot.

import { dirname, relative, resolve, sep } from 'node:path';
import { type RenderedOrder, renderOrder } from '../api/order.ts';
import { digestChart } from '../chart/digest.ts';
import type { Registry } from '../chart/registry.ts';
import { RenderError } from '../core/errors.ts';
import { withOtherRandomness } from '../engine/randomness.ts';
import type { OrderInput } from '../inputs/orders.node.ts';
import { helmVersionOf, orderOutputs, type RenderSettings, type RunIo } from '../inputs/settings.ts';
import { planTraced } from '../inputs/traced.node.ts';
import { seededHostOf } from '../inputs/values.node.ts';
import type { SourcedDocument } from '../manifest/source.ts';
import { validateOrder } from '../order/validate.ts';
import { sideRelease } from '../provenance/impact/attribution.ts';
import { inputsOf } from '../provenance/impact/inputs.ts';
import { schemasFor } from '../vendor/lock/registry.node.ts';
import { decidingText, digestOfParts, type RunCache } from './cache.node.ts';
import { findingsIn } from './findings.ts';
import { normalizeFiles } from './normalize.ts';
import { orderFiles } from './order-files.ts';
import {
  bareContent,
  type CaseRendering,
  type Rendered,
  type RenderingRun,
  renderCached,
  renderingOf,
  type TracedRelease,
} from './rendering.node.ts';

export async function renderOrderInput(read: OrderInput, input: string, run: RenderingRun): Promise<CaseRendering> {
  const { settings, io, cache } = run;
  const { onWarning = (line: string): void => io.stderr(`${line}\n`) } = run;
  const order = { ...read, options: { ...read.options, registry: onceEach(read.options.registry) } };
  const folder = dirname(resolve(io.cwd, input));
  const key = cache && (await keyOf(order, folder, { settings, io, cache }));
  const unit = await renderCached({
    key,
    cache,
    render: (onLine) => renderUnit(order, folder, { settings, io, onWarning: onLine }),
    onWarning,
    isCached: () => false,
  });
  let releases: readonly TracedRelease[] | undefined;
  return renderingOf([unit], {
    findings: unit.findings.map((finding) => ({ ...finding, case: 'order', cell: '' })),
    cases: [{ name: 'order', valuesFiles: [], status: 'same', message: '', milliseconds: unit.milliseconds }],
    missing: [],
    namespace: '',
    folder: '',
    traced: async (files, document) => {
      releases ??= await tracedReleases(order, { settings, io });
      return releaseOf(releases, files, document);
    },
  });
}

async function renderUnit(
  order: OrderInput,
  folder: string,
  { settings, io, onWarning }: RenderingRun,
): Promise<Rendered> {
  const start = performance.now();
  const options = {
    ...order.options,
    helm: helmVersionOf(settings),
    onWarning,
    chartPath: (item: Parameters<OrderInput['pathOf']>[0]) => shownChart(order.pathOf(item), folder),
  };
  const { outputs } = settings;
  const filesOf = (rendered: RenderedOrder) => orderFiles(rendered, outputs.length === 0 ? orderOutputs : outputs);
  const rendered = await renderOrder(order.text.value, { ...options, host: seededHostOf(settings) });
  const usedRandom = rendered.packages.some(({ chance }) => chance.again !== undefined);
  const other = { ...options, host: withOtherRandomness(seededHostOf(settings)), onWarning: () => {} };
  const normalized = normalizeFiles(filesOf(rendered), {
    twin: usedRandom ? filesOf(await renderOrder(order.text.value, other)) : undefined,
    secretKey: io.env.DRYDOCK_SECRET_KEY || undefined,
    showSecrets: settings.showSecrets,
  });
  const milliseconds = Math.round((performance.now() - start) * 10) / 10;
  const documents = rendered.packages.flatMap(({ release }) => [
    ...release.crds,
    ...release.manifests,
    ...release.hooks,
  ]);
  const traces = async () => (await planAgain(order, settings)).objects;
  const findings = await findingsIn(documents, { settings, kubeVersion: rendered.kubeVersion, traces });
  return { normalized, inputs: () => inputsByRelease(rendered), milliseconds, findings };
}

// A snapshot is compared on other machines, where the same charts are elsewhere.
function shownChart(path: string | undefined, folder: string): string | undefined {
  return path && relative(folder, path).split(sep).join('/');
}

// Each chart is loaded once, however often the Order is rendered.
function onceEach({ resolve: find }: Registry): Registry {
  const found = new Map<string, ReturnType<Registry['resolve']>>();
  return {
    resolve: (ref) => {
      const key = JSON.stringify(ref);
      const chart = found.get(key) ?? find(ref);
      found.set(key, chart);
      return chart;
    },
  };
}

// Everything that decides an Order's output: its text, its current charts, and their relative locations. Undefined for an Order that cannot
// be rendered: the rendering reports why.
async function keyOf(
  order: OrderInput,
  folder: string,
  { settings, io, cache }: RenderingRun & { readonly cache: RunCache },
): Promise<string | undefined> {
  try {
    const { order: valid } = validateOrder(order.text.value);
    const charts: string[] = [];
    for (const selection of valid.spec.packages) {
      const { name, version, sourceRef } = selection.chart;
      const chart = await order.options.registry.resolve({ name, version, sourceRef });
      charts.push(digestChart(chart), shownChart(order.pathOf({ selection, chart }), folder) ?? '');
    }
    const text = JSON.stringify(order.text.value);
    const more = [JSON.stringify(settings.forCharts), schemasFor(order.folders).digest];
    return digestOfParts([cache.program, 'order', text, decidingText(settings, io), ...more, ...charts]);
  } catch (error) {
    if (error instanceof RenderError) return undefined;
    throw error;
  }
}

function inputsByRelease({ packages, kubeVersion, helm }: Pick<RenderedOrder, 'packages' | 'kubeVersion' | 'helm'>) {
  const all = packages.map(({ release }) => {
    return [`${release.namespace}/${release.name}`, inputsOf(release, { kubeVersion, helm })] as const;
  });
  return Object.fromEntries(all);
}

function planAgain(order: OrderInput, settings: RenderSettings, io?: RunIo): ReturnType<typeof planTraced> {
  const host = seededHostOf(settings);
  const options = { ...order.options, host, helm: helmVersionOf(settings), onWarning: () => {} };
  return planTraced({ ...order, options }, io);
}

async function tracedReleases(
  order: OrderInput,
  { settings, io }: Pick<RenderingRun, 'settings' | 'io'>,
): Promise<readonly TracedRelease[]> {
  const { rendered, objects } = await planAgain(order, settings, io);
  return rendered.packages.map(({ release }, i): TracedRelease => {
    return { key: `${release.namespace}/${release.name}`, ...sideRelease(release, objects[i], rendered.kubeVersion) };
  });
}

// By document, or by the folder of a resource: `resources/NAMESPACE/RELEASE/`.
function releaseOf(
  releases: readonly TracedRelease[],
  files: readonly string[],
  document: SourcedDocument | undefined,
): TracedRelease | undefined {
  const content = document && bareContent(document.content);
  const found = releases.find(({ documents }) => documents.some((one) => one.content.trim() === content));
  if (found !== undefined) return found;
  const folders = files.flatMap((file) => /^resources\/([^/]+\/[^/]+)\//.exec(file)?.[1] ?? []);
  return releases.find(({ key }) => folders.includes(key)) ?? (releases.length === 1 ? releases[0] : undefined);
}
