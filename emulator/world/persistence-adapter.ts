// How worlds are kept beyond a process or a page: in a log on disk, or in storage shared by the tabs of a browser.

/** Keeps the worlds; the dispatcher passes every call through it. */
export interface PersistenceAdapter {
  /** Applies the changes of others before a call is handled. */
  refresh?(): Promise<void> | undefined;
  /** Handles a call. The promise resolves when its changes are stored, and rejects with a `Problem` if they cannot be. */
  turn<Result>(writes: boolean, run: () => Promise<Result>): Promise<Result>;
}
