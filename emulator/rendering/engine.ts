// Runs jobs with the engine in this thread.

import { isBytes } from '../../render/go/realm.ts';
import type { Chart, Registry, RenderedOrder, SchemaSource } from '../../render/index.ts';
import { isObject, type JsonObject, orderLevels, parseJsonText } from '../store/json.ts';
import { chartJson, coverageAnswer, formatCharts, type ListedChart, schemaAnswer } from './catalog.ts';
import { type DraftRendering, type KeptDrafts, previewAnswer } from './preview.ts';
import { parseOrderText } from './read-order.ts';
import type { OrderSource, RenderAnswers, Renderer, RenderJob, ScriptSystem, UploadedChart } from './renderer.ts';

/** The engine, and the sample charts from scripts/build/generate/generate.ts: chart to file to text. */
export interface EngineParts {
  readonly engine: typeof import('../../render/index.ts');
  readonly charts: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly unpack: typeof import('./unpack.ts').unpackFiles;
}

type Engine = EngineParts['engine'];

/** Options for rendering in this thread. */
export interface OrderEngineOptions {
  /** Finds charts, before the bundled ones. */
  readonly registry?: Registry | undefined;
  /** Finds the schemas that charts refer to by URL, after those of uploads. Default: none. */
  readonly schemas?: SchemaSource | undefined;
  /** Lists the charts of folders, for the catalog. Default: none. */
  readonly list?: (() => Promise<readonly ListedChart[]>) | undefined;
  /** Returns the uploaded charts, which take precedence over all others. */
  readonly uploads: () => readonly UploadedChart[];
  /** Called with each chart before it is rendered. */
  readonly onChart?: ((name: string) => void) | undefined;
  /** Maximum size of an answer, in bytes. Default: no limit. */
  readonly outputBytes?: number | undefined;
  /** Time limit for the templates of an Order. Default: none. */
  readonly milliseconds?: number | undefined;
  /** Returns the engine, on the first job. */
  readonly load: () => Promise<EngineParts>;
}

/** Returns a renderer in this thread. */
export function createEngine({
  registry,
  schemas: pinned,
  list,
  uploads,
  onChart,
  load,
  ...limits
}: OrderEngineOptions): Renderer {
  const { outputBytes = Number.POSITIVE_INFINITY } = limits;
  let loaded: Promise<Loaded> | undefined;
  const kept: KeptDrafts = {};
  return async <Job extends RenderJob>(job: Job) => {
    loaded ??= prepare(load(), registry);
    const { engine, charts, samples, unpack } = await loaded;
    if (job.task === 'unpack') return (await unpack(job.body)) as RenderAnswers[Job['task']];
    const uploaded = uploads();
    const own = engine.memoryRegistry(uploaded.map(({ chart }) => chart));
    const found = uploaded.length === 0 ? charts : engine.chainRegistries([own, charts]);
    const observed: Registry = {
      resolve: (ref) => {
        onChart?.(ref.name);
        return found.resolve(ref);
      },
    };
    const schemas: SchemaSource = (url) =>
      uploaded.find((one) => one.schemas?.[url] !== undefined)?.schemas?.[url] ?? pinned?.(url);
    const answer = await answerOf(job, {
      engine,
      registry: observed,
      schemas,
      limits,
      samples,
      list,
      uploads: uploaded,
      kept,
    });
    if (!isBytes(answer) || answer.length <= outputBytes) return answer as RenderAnswers[Job['task']];
    const size = answer.length;
    throw new engine.RenderError('LIMIT_REACHED', `the answer has ${size} bytes, the limit is ${outputBytes}`, {
      hint: 'Render fewer packages, or raise the limit.',
    });
  };
}

interface Loaded {
  readonly engine: Engine;
  readonly charts: Registry;
  /** The bundled charts. */
  readonly samples: readonly Chart[];
  readonly unpack: EngineParts['unpack'];
}

async function prepare(parts: Promise<EngineParts>, registry: Registry | undefined): Promise<Loaded> {
  const { engine, charts, unpack } = await parts;
  const samples = await Promise.all(Object.values(charts).map((files) => engine.loadChart(files)));
  const own = engine.memoryRegistry(samples);
  return { engine, samples, unpack, charts: registry === undefined ? own : engine.chainRegistries([registry, own]) };
}

interface Rendering extends DraftRendering {
  readonly samples: readonly Chart[];
  readonly list: OrderEngineOptions['list'];
  readonly uploads: readonly UploadedChart[];
}

/** Time limit for the search of values, in seconds: less than that of a rendering. */
const longestSearch = 5;

async function answerOf(
  job: Exclude<RenderJob, { task: 'unpack' }>,
  rendering: Rendering,
): Promise<RenderAnswers[RenderJob['task']]> {
  if (job.task === 'check') return parseOrderText(job.body, rendering.engine);
  if (job.task === 'charts') {
    const found = [...rendering.uploads, ...((await rendering.list?.()) ?? [])];
    return jsonBytes(formatCharts(rendering.samples, found));
  }
  if (job.task === 'chart') {
    const chart = await rendering.registry.resolve(job.ref);
    return jsonBytes(chartJson(chart, job));
  }
  if (job.task === 'chart-coverage' || job.task === 'chart-schema') {
    const chart = await rendering.registry.resolve(job.ref);
    const answerTo = job.task === 'chart-coverage' ? coverageAnswer : schemaAnswer;
    return jsonBytes(answerTo(chart, rendering.engine, longestSearch));
  }
  if ('draft' in job) {
    const answer = await previewAnswer(job, rendering);
    return typeof answer === 'string' ? bytesOf(answer) : jsonBytes(answer);
  }
  const rendered = await render(job, rendering);
  if (job.task === 'manifest') return bytesOf(rendered.manifest());
  if (job.task === 'resources') return jsonBytes(rendered.resources({ skipCRDs: job.skipCRDs, format: job.format }));
  const { tool } = job;
  const scriptFor = (os: ScriptSystem): string => (tool === 'helm' ? rendered.helmScript(os) : rendered.yamlScript(os));
  if (job.task === 'script') return bytesOf(scriptFor(job.os));
  return jsonBytes(job.places.map((place) => ({ ...place, script: scriptFor(place.os) })));
}

// An Order is rendered with the world's state at the time it was stored; a script for a cluster has real randomness.
function render(job: OrderSource & { readonly task: string }, rendering: Rendering): Promise<RenderedOrder> {
  const { order, seed, helm } = job;
  const { engine, registry, schemas, limits } = rendering;
  const document = parseJsonText(order, orderLevels) as JsonObject;
  const { metadata } = document;
  const created = isObject(metadata) ? Date.parse(String(metadata.creationTimestamp)) : Number.NaN;
  const seeded = engine.seededHost({ seed, now: Number.isNaN(created) ? 0 : created });
  const { now, timeZone, lookup } = seeded;
  const { randomBytes, randomPrime } = engine.realHost();
  const isScript = job.task === 'script' || job.task === 'scripts';
  const host = isScript ? { now, timeZone, lookup, randomBytes, randomPrime } : seeded;
  return engine.renderOrder(document, { registry, schemas, host, limits, helm });
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

// With a final newline, like every JSON response.
function jsonBytes(value: unknown): Uint8Array {
  return bytesOf(`${JSON.stringify(value)}\n`);
}
