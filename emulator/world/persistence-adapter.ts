// What keeps worlds beyond a process or a page: a log on disk, or what the tabs of a browser share.

/** Keeps the worlds; the dispatcher lets every call pass through it. */
export interface PersistenceAdapter {
  /** Takes over what others have written, before a call is looked at. */
  refresh?(): Promise<void> | undefined;
  /** Runs the work of a call. What it writes is kept when the promise resolves. Rejects with a `Problem` when it cannot be. */
  turn<Result>(writes: boolean, run: () => Promise<Result>): Promise<Result>;
}
