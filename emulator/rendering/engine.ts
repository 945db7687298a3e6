// Runs jobs with the engine in this thread.

import sampleFiles from '../../fixtures/sample-charts.json' with { type: 'json' };
import { withFewPrimes } from '../../render/engine/randomness.ts';
import { isBytes } from '../../render/go/realm.ts';
import {
  type Chart,
  type CoverageCase,
  chainRegistries,
  formatCase,
  generateCases,
  loadChart,
  memoryRegistry,
  type Registry,
  RenderError,
  type RenderedOrder,
  realHost,
  renderOrder,
  type SchemaSource,
  seededHost,
  valuesSchema,
} from '../../render/index.ts';
import { isObject, type JsonObject, orderLevels, parseJsonText } from '../store/json.ts';
import { chartJson, formatCharts, type ListedChart } from './catalog.ts';
import { type DraftRendering, type KeptDrafts, previewAnswer } from './preview.ts';
import { parseOrderText } from './read-order.ts';
import type { OrderSource, RenderAnswers, Renderer, RenderJob, ScriptSystem, UploadedChart } from './renderer.ts';
import { unpackFiles } from './unpack.ts';

export interface InThreadOptions {
  /** Finds charts, before the bundled ones. */
  readonly registry?: Registry | undefined;
  /** Finds the schemas that charts refer to by URL, after those of uploads. Default: none. */
  readonly schemas?: SchemaSource | undefined;
  /** Lists the charts of folders, for the catalog. Default: none. */
  readonly list?: (() => Promise<readonly ListedChart[]>) | undefined;
  /** Called with each chart before it is rendered. */
  readonly onChart?: ((name: string) => void) | undefined;
  /** Maximum size of an answer, in bytes. Default: no limit. */
  readonly outputBytes?: number | undefined;
  /** Time limit for the templates of an Order. Default: none. */
  readonly milliseconds?: number | undefined;
}

export function createEngine({ registry, schemas: pinned, list, onChart, ...limits }: InThreadOptions): Renderer {
  const { outputBytes = Number.POSITIVE_INFINITY } = limits;
  const samples = Object.values(sampleFiles).map((files) => loadChart(files));
  const others = [...(registry === undefined ? [] : [registry]), memoryRegistry(samples)];
  const kept: KeptDrafts = {};
  return async <Job extends RenderJob>(job: Job) => {
    const { uploads = [] } = job;
    const found = chainRegistries([memoryRegistry(uploads.map(({ chart }) => chart)), ...others]);
    const observed: Registry = {
      resolve: (ref) => {
        onChart?.(ref.name);
        return found.resolve(ref);
      },
    };
    const schemas: SchemaSource = (url) =>
      uploads.find((one) => one.schemas?.[url] !== undefined)?.schemas?.[url] ?? pinned?.(url);
    const answer = await answerOf(job, { registry: observed, schemas, limits, samples, list, uploads, kept });
    if (!isBytes(answer) || answer.length <= outputBytes) return answer as RenderAnswers[Job['task']];
    const size = answer.length;
    throw new RenderError('LIMIT_REACHED', `the answer has ${size} bytes, the limit is ${outputBytes}`, {
      hint: 'Render fewer packages, or raise the limit.',
    });
  };
}

interface Rendering extends DraftRendering {
  readonly samples: readonly Chart[];
  readonly list: InThreadOptions['list'];
  readonly uploads: readonly UploadedChart[];
}

async function answerOf(job: RenderJob, rendering: Rendering): Promise<RenderAnswers[RenderJob['task']]> {
  const { registry, samples, uploads, list } = rendering;
  if (job.task === 'unpack') return unpackFiles(job.body);
  if (job.task === 'check') return parseOrderText(job.body);
  if (job.task === 'charts') return jsonBytes(formatCharts(samples, [...uploads, ...((await list?.()) ?? [])]));
  if (job.task === 'chart') return jsonBytes(chartJson(await registry.resolve(job.ref), job));
  if (job.task === 'chart-coverage') return jsonBytes(coverageOf(await registry.resolve(job.ref)));
  if (job.task === 'chart-schema') return jsonBytes(schemaOf(await registry.resolve(job.ref)));
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
function render(
  { order, seed, helm, task }: OrderSource & { readonly task: string },
  { registry, schemas, limits }: Rendering,
): Promise<RenderedOrder> {
  const document = parseJsonText(order, orderLevels) as JsonObject;
  const { metadata } = document;
  const created = isObject(metadata) ? Date.parse(String(metadata.creationTimestamp)) : Number.NaN;
  const seeded = seededHost({ seed, now: Number.isNaN(created) ? 0 : created });
  const { now, timeZone, lookup } = seeded;
  const { randomBytes } = realHost();
  const isScript = task === 'script' || task === 'scripts';
  const host = isScript ? { now, timeZone, lookup, randomBytes } : withFewPrimes(seeded);
  return renderOrder(document, { registry, schemas, host, limits, helm });
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

// With a final newline, like every JSON response.
function jsonBytes(value: unknown): Uint8Array {
  return bytesOf(`${JSON.stringify(value)}\n`);
}

/** Time limit for the search of values, in seconds: less than that of a rendering. */
const longestSearch = 5;

/** Maximum number of listed unreached outcomes. */
const mostUnreached = 500;

/** Returns the outcomes of branches that a chart's `ci/*values.yaml`, or its defaults, reach, and values that reach more. */
function coverageOf(chart: Chart): object {
  const cases = casesOf(chart);
  const found = generateCases(chart, { cases, maxSeconds: longestSearch });
  const { before, after, reachable, isCut, failures, rejections, failedCases } = found;
  return {
    cases: cases.map(({ name }) => name),
    before: before.covered,
    after: after.covered,
    total: after.total,
    reachable,
    isCut,
    generated: found.cases.map((one) => ({ text: formatCase(one), reaches: one.reaches.length })),
    unreached: found.unreached.slice(0, mostUnreached),
    unreachedCount: found.unreached.length,
    failures: failures.map(({ values, error }) => ({ values, message: error.message })),
    rejections: rejections.map(({ values, issue, others }) => {
      const { file, line = 1 } = issue.writtenAt ?? { file: issue.source, line: issue.line };
      const more = others.length === 0 ? '' : ` and ${others.length} more`;
      const message = `${issue.object}${more}: ${issue.message}`;
      return { values, message, path: file.slice(file.indexOf('/') + 1), line };
    }),
    failedCases: failedCases.map(({ at, error }) => ({ name: cases[at]?.name ?? '', message: error.message })),
  };
}

/** Returns as JSON a schema for a chart's values, derived from defaults, comments and templates. */
function schemaOf(chart: Chart): object {
  return { schema: valuesSchema(chart, { cases: casesOf(chart), maxSeconds: longestSearch }) };
}

function casesOf({ files }: Chart): CoverageCase[] {
  const cases = files.flatMap(({ name, data }): CoverageCase[] => {
    const [, file] = /^ci\/([^/]*values)\.ya?ml$/.exec(name) ?? [];
    return file === undefined ? [] : [{ name: file, valuesFiles: [new TextDecoder().decode(data)] }];
  });
  return cases.length > 0 ? cases : [{ name: 'defaults' }];
}
