// Ends a long-running command: on Ctrl-C, SIGTERM, the end of the npm that started it, or an abort signal.

import { watchNpm } from './npm.node.ts';

/** A request to stop a command. */
export interface Stop {
  readonly wished: Promise<void>;
  /** Restores the default signal handling: a second Ctrl-C kills a command that does not end. */
  ignore(): void;
}

/** Listens for requests from now on. */
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
