// Requests that wait for each other, by which a proof sees that things are done at once: what is done one after the other never
// meets, and goes on after a minute.

/** Requests of which none is answered before so many different ones wait, whose `METHOD /path` fits a pattern. */
export class Meeting {
  readonly #count: number;
  readonly #pattern: RegExp;
  readonly #met = new Set<string>();
  readonly #timer = setTimeout(() => this.end(false), 60_000);
  /** Whether so many have met, as soon as that is known. */
  readonly ended: Promise<boolean>;
  #tell: (areAll: boolean) => void = () => undefined;

  constructor(count: number, pattern: RegExp) {
    this.#count = count;
    this.#pattern = pattern;
    this.ended = new Promise((resolve) => {
      this.#tell = resolve;
    });
  }

  /** Ends when the request may be answered. */
  async join(request: string): Promise<void> {
    const [found] = this.#pattern.exec(request) ?? [];
    if (found === undefined) return;
    this.#met.add(found);
    if (this.#met.size === this.#count) this.end(true);
    await this.ended;
  }

  /** Answers all that wait. */
  end(areAll: boolean): void {
    clearTimeout(this.#timer);
    this.#tell(areAll);
  }
}
