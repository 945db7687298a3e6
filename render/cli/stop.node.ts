// How a command that runs on is ended: Ctrl-C, SIGTERM, the end of the npm that started it, or a signal of the caller.

import { watchNpm } from './npm.node.ts';

/** The wish that a command stop. */
export interface Stop {
  readonly wished: Promise<void>;
  /** Leaves signals to the system again: a second Ctrl-C ends what does not end by itself. */
  ignore(): void;
}

/** Listens for the wish from now on. */
export function listenForStop(signal: AbortSignal | undefined): Stop {
  let wish = (): void => {};
  const wished = new Promise<void>((resolve) => {
    wish = resolve;
  });
  if (signal?.aborted) wish();
  signal?.addEventListener('abort', wish, { once: true });
  process.once('SIGINT', wish);
  process.once('SIGTERM', wish);
  if (process.env.npm_lifecycle_event !== undefined) watchNpm(wish);
  return {
    wished,
    ignore: () => {
      signal?.removeEventListener('abort', wish);
      process.off('SIGINT', wish);
      process.off('SIGTERM', wish);
    },
  };
}
