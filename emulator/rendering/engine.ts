// Jobs done by the engine in this thread: a seeded world and the charts at hand.

import type { Registry, RenderedOrder, RenderLimits } from '../../render/index.ts';
import type { Json } from '../store/json.ts';
import type { RenderAnswers, Renderer, RenderJob } from './renderer.ts';

/** The engine, and the sample charts as scripts/sample-charts.ts wrote them: chart to file to text. */
export interface EngineParts {
  readonly engine: typeof import('../../render/index.ts');
  readonly charts: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

type Engine = EngineParts['engine'];

/** Says how this thread renders. */
export interface EngineOptions {
  /** Finds charts, before those that ship with drydock. */
  readonly registry?: Registry | undefined;
  /** The longest answer, in bytes. Default: any. */
  readonly outputBytes?: number | undefined;
  /** How long the templates of an Order may run. Default: any time. */
  readonly milliseconds?: number | undefined;
  /** Gives the engine, when the first job asks for it. */
  readonly load: () => Promise<EngineParts>;
}

/** Gives a renderer that works in this thread. */
export function createEngine({ registry, load, ...limits }: EngineOptions): Renderer {
  const { outputBytes = Number.POSITIVE_INFINITY } = limits;
  let loaded: Promise<{ readonly engine: Engine; readonly charts: Registry }> | undefined;
  return async <Job extends RenderJob>(job: Job) => {
    loaded ??= prepare(load(), registry);
    const { engine, charts } = await loaded;
    const answer = await answerOf(job, { engine, registry: charts, limits });
    const size = sizeOf(answer);
    if (size <= outputBytes) return answer as RenderAnswers[Job['task']];
    throw new engine.RenderError('LIMIT_REACHED', `the answer has ${size} bytes, the limit is ${outputBytes}`, {
      mend: 'Render fewer packages, or raise the limit.',
    });
  };
}

async function prepare(
  parts: Promise<EngineParts>,
  registry: Registry | undefined,
): Promise<{ readonly engine: Engine; readonly charts: Registry }> {
  const { engine, charts } = await parts;
  const samples = engine.memoryRegistry(
    await Promise.all(Object.values(charts).map((files) => engine.loadChart(files))),
  );
  return { engine, charts: registry === undefined ? samples : engine.chainRegistries([registry, samples]) };
}

interface Rendering {
  readonly engine: Engine;
  readonly registry: Registry;
  readonly limits: RenderLimits;
}

async function answerOf(
  job: RenderJob,
  { engine, registry, limits }: Rendering,
): Promise<RenderAnswers[RenderJob['task']]> {
  if (job.task === 'check') {
    const { order, warnings } = engine.validateOrder(job.order);
    return { name: order.metadata.name, warnings };
  }
  const rendered: RenderedOrder = await engine.renderOrder(job.order, {
    registry,
    host: engine.seededHost(job.world),
    limits,
  });
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
