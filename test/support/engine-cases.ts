// Cases for the engine as data, and the code that runs them in Node and in the page of test/e2e/browser/engine.ts.

import type { loadChart, RenderError, seededHost, TemplateOptions, template } from '../../render/index.ts';

/** The public functions that a case uses. */
export interface Engine {
  readonly loadChart: typeof loadChart;
  readonly template: typeof template;
  readonly seededHost: typeof seededHost;
  readonly RenderError: typeof RenderError;
}

/** One rendering: the files of a chart by path, in base64, and its options. */
export interface EngineCase {
  readonly id: string;
  readonly files: Readonly<Record<string, string>>;
  readonly options: Omit<TemplateOptions, 'host' | 'readFile' | 'onWarning'>;
}

/** Renders each case with a seeded host; returns the output, or `Error: ` and the message. */
export function runCases(engine: Engine, cases: readonly EngineCase[]): string[] {
  return cases.map(({ files, options }) => {
    try {
      const bytes = Object.entries(files).map(
        ([path, text]) => [path, Uint8Array.from(atob(text), (char) => char.charCodeAt(0))] as const,
      );
      return engine.template(engine.loadChart(new Map(bytes), { helm: options.helm }), {
        ...options,
        host: engine.seededHost(),
      });
    } catch (error) {
      if (error instanceof engine.RenderError) return `Error: ${error.message}`;
      throw error;
    }
  });
}
