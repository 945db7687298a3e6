// Jobs done by the engine in this thread: a seeded world and the charts at hand. The engine is loaded with the first job.

import type { Chart, Registry, RenderedOrder } from '../../render/index.ts';
import type { Json } from '../store/json.ts';
import type { RenderAnswers, Renderer, RenderJob } from './renderer.ts';

type Engine = typeof import('../../render/index.ts');

/** Says how this thread renders. */
export interface EngineOptions {
  /** Finds charts, before those that ship with drydock. */
  readonly registry?: Registry | undefined;
  /** The longest answer, in bytes. Default: any. */
  readonly outputBytes?: number | undefined;
}

/** Gives a renderer that works in this thread. */
export function createEngine({ registry, outputBytes = Number.POSITIVE_INFINITY }: EngineOptions): Renderer {
  let loaded: Promise<{ readonly engine: Engine; readonly charts: Registry }> | undefined;
  return async <Job extends RenderJob>(job: Job) => {
    loaded ??= load(registry);
    const { engine, charts } = await loaded;
    const answer = await answerOf(job, engine, charts);
    const size = sizeOf(answer);
    if (size <= outputBytes) return answer as RenderAnswers[Job['task']];
    throw new engine.RenderError('LIMIT_REACHED', `the answer has ${size} bytes, the limit is ${outputBytes}`, {
      mend: 'Render fewer packages, or raise the limit.',
    });
  };
}

async function load(registry: Registry | undefined): Promise<{ readonly engine: Engine; readonly charts: Registry }> {
  const engine = await import('../../render/index.ts');
  const samples = engine.memoryRegistry(await loadSamples(engine));
  return { engine, charts: registry === undefined ? samples : engine.chainRegistries([registry, samples]) };
}

async function answerOf(job: RenderJob, engine: Engine, registry: Registry): Promise<RenderAnswers[RenderJob['task']]> {
  if (job.task === 'check') {
    const { order, warnings } = engine.validateOrder(job.order);
    return { name: order.metadata.name, warnings };
  }
  const rendered: RenderedOrder = await engine.renderOrder(job.order, { registry, host: engine.seededHost(job.world) });
  if (job.task === 'manifest') return rendered.manifest();
  if (job.task === 'resources') {
    return rendered.resources({ skipCRDs: job.skipCRDs, format: job.format }) as unknown as Json;
  }
  return job.systems.map((os) => (job.tool === 'pkgmgr3' ? rendered.helmScript(os) : rendered.yamlScript(os)));
}

// In UTF-16 units of its texts: near enough to bytes, and quick.
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, item) => sum + sizeOf(item), 0);
}

// The sample charts, as scripts/sample-charts.ts wrote them: chart to file to text.
async function loadSamples({ loadChart }: Engine): Promise<readonly Chart[]> {
  const { default: charts } = await import('../../fixtures/sample-charts.json', { with: { type: 'json' } });
  return Object.values(charts as Readonly<Record<string, Readonly<Record<string, string>>>>).map((files) =>
    loadChart(files),
  );
}
