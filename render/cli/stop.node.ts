// Ends a long-running command: on Ctrl-C, SIGTERM or an abort signal.

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
  return {
    wished,
    ignore: () => {
      signal?.removeEventListener('abort', wish);
      process.off('SIGINT', wish);
      process.off('SIGTERM', wish);
    },
  };
}
