// The engine behind the order routes, loaded when the first order comes: a seeded world and the charts at hand.

import type { Chart, Registry } from '../render/index.ts';
import type { Json } from './store/json.ts';

/** Says where the charts of orders come from. */
export interface RendererOptions {
  /** Finds charts, before those that ship with drydock. */
  readonly registry?: Registry;
}

/** Names a system that install scripts are made for. */
export type ScriptSystem = 'linux' | 'darwin' | 'windows';

/** Is a rendered order, ready to be written down in each form. */
export interface OrderOutput {
  manifest(): string;
  resources(options: { readonly skipCRDs: boolean; readonly format: 'yaml' | 'json' }): Json;
  script(kind: 'pkgmgr3' | 'yaml', os: ScriptSystem): string;
}

/** Is an order that stands up to checking: the name it has or gets, and what is odd about it. */
export interface CheckedOrder {
  readonly name: string;
  readonly warnings: readonly { readonly path: string; readonly message: string }[];
}

/** Checks and renders orders. Both throw render failures. */
export interface Renderer {
  validate(order: Json): CheckedOrder;
  /** The same order, seed and time (milliseconds since 1970) give the same bytes. */
  render(order: Json, world: { readonly seed: string; readonly now: number }): Promise<OrderOutput>;
}

type Engine = typeof import('../render/index.ts');

/** Gives the way to the renderer; the engine is loaded once, when it is first asked for. */
export function loadRenderer(options: RendererOptions): () => Promise<Renderer> {
  let renderer: Promise<Renderer> | undefined;
  return () => {
    renderer ??= createRenderer(options);
    return renderer;
  };
}

async function createRenderer({ registry }: RendererOptions): Promise<Renderer> {
  const engine = await import('../render/index.ts');
  const samples = engine.memoryRegistry(await loadSamples(engine));
  const charts = registry ? engine.chainRegistries([registry, samples]) : samples;
  return {
    validate: (order) => validate(engine, order),
    render: async (order, { seed, now }) => {
      const rendered = await engine.renderOrder(order, { registry: charts, host: engine.seededHost({ seed, now }) });
      return {
        manifest: () => rendered.manifest(),
        resources: (view) => rendered.resources(view) as unknown as Json,
        script: (kind, os) => (kind === 'pkgmgr3' ? rendered.helmScript(os) : rendered.yamlScript(os)),
      } satisfies OrderOutput;
    },
  };
}

function validate(engine: Engine, input: Json): CheckedOrder {
  const { order, warnings } = engine.validateOrder(input);
  return { name: order.metadata.name, warnings };
}

// The sample charts, as scripts/sample-charts.ts wrote them: chart to file to text.
async function loadSamples({ loadChart }: Engine): Promise<readonly Chart[]> {
  const { default: charts } = await import('../fixtures/seed/charts.json', { with: { type: 'json' } });
  const encoder = new TextEncoder();
  return Object.values(charts as Readonly<Record<string, Readonly<Record<string, string>>>>).map((files) =>
    loadChart(new Map(Object.entries(files).map(([path, text]) => [path, encoder.encode(text)]))),
  );
}
