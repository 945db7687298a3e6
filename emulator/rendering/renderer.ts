// What the order routes ask of the engine, as plain data: a job goes to whoever renders, here or in another thread.

import type { Json } from '../store/json.ts';

/** Names a system that install scripts are made for. */
export type ScriptSystem = 'linux' | 'darwin' | 'windows';

/** Is what of a world shows in rendered texts: the same order, seed and time give the same bytes. */
export interface OrderWorld {
  readonly seed: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** A thing to be done with an order. */
export type RenderJob =
  | { readonly task: 'check'; readonly order: Json }
  | { readonly task: 'manifest'; readonly order: Json; readonly world: OrderWorld }
  | {
      readonly task: 'resources';
      readonly order: Json;
      readonly world: OrderWorld;
      readonly skipCRDs: boolean;
      readonly format: 'yaml' | 'json';
    }
  | {
      readonly task: 'scripts';
      readonly order: Json;
      readonly world: OrderWorld;
      readonly tool: 'pkgmgr3' | 'yaml';
      readonly systems: readonly ScriptSystem[];
    };

/** An order that stands up to checking: the name it has or gets, and what is odd about it. */
export interface CheckedOrder {
  readonly name: string;
  readonly warnings: readonly { readonly path: string; readonly message: string }[];
}

/** The answers to jobs, by task. */
export interface RenderAnswers {
  readonly check: CheckedOrder;
  readonly manifest: string;
  readonly resources: Json;
  /** One for each system asked for. */
  readonly scripts: readonly string[];
}

/** Does a job. Rejects with a `RenderError`. */
export type Renderer = <Job extends RenderJob>(job: Job) => Promise<RenderAnswers[Job['task']]>;
