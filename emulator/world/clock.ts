// The clock of a world: real time, moved or frozen. The one file of the emulator that asks for the real time.

import { describe } from '../../render/core/arguments.ts';
import { EmulatorError } from '../core/errors.ts';

// Taken once, so that the fake timers of a test do not stop the emulator's own.
const realNow = Date.now;
const realWait = setTimeout;

/** The state of a clock: `offsetMs` from real time while it runs, or the time at which it is stopped. */
export type ClockState = { readonly offsetMs: number } | { readonly frozenAt: number };

/** Clock of a world, in milliseconds since 1970. It can be frozen, set and advanced. */
export class Clock {
  /** Called with every change but a `restore`. */
  onChange: ((state: ClockState) => void) | undefined;
  #state: ClockState = { offsetMs: 0 };

  /** Returns the world's time. */
  now(): number {
    return 'frozenAt' in this.#state ? this.#state.frozenAt : realNow() + this.#state.offsetMs;
  }

  /** Returns the world's time as ISO 8601 in UTC. */
  iso(): string {
    return formatTime(this.now());
  }

  /** Reports whether the clock is stopped. */
  get frozen(): boolean {
    return 'frozenAt' in this.#state;
  }

  /**
   * Sets the time, ISO 8601 or milliseconds since 1970; the clock goes on running, or standing, from there. Returns that
   * moment in milliseconds since 1970, which a running clock has left when it is read again.
   * Throws an `EmulatorError` (TIME_INVALID) when it is none, or outside the years 1 to 9999.
   */
  set(time: number | string): number {
    const moment = readTime(time);
    this.#change(this.frozen ? { frozenAt: moment } : { offsetMs: moment - realNow() });
    return moment;
  }

  /** Stops the clock, at its own time or at a given one, and gives that moment. Throws as `set` does. */
  freeze(time: number | string = this.now()): number {
    const moment = readTime(time);
    this.#change({ frozenAt: moment });
    return moment;
  }

  /** Lets a standing clock run on from its time, and gives that moment. */
  resume(): number {
    const moment = this.now();
    if (this.frozen) this.#change({ offsetMs: moment - realNow() });
    return moment;
  }

  /** Moves the time by so many milliseconds, and returns the moment it moved to. Throws as `set` does. */
  advance(ms: number): number {
    return this.set(this.now() + ms);
  }

  /** Returns the state, for a snapshot. */
  get state(): ClockState {
    return this.#state;
  }

  /** Takes the state of a snapshot. */
  restore(state: ClockState): void {
    this.#state = state;
  }

  #change(state: ClockState): void {
    this.#state = state;
    this.onChange?.(state);
  }
}

/** Returns the state of a clock from unknown JSON; undefined when it is none, or names a time that no clock can be set to. */
export function readClockState(value: unknown): ClockState | undefined {
  const { frozenAt, offsetMs } = (value ?? {}) as { readonly frozenAt?: unknown; readonly offsetMs?: unknown };
  if (typeof frozenAt === 'number') return parseTime(frozenAt) === undefined ? undefined : { frozenAt };
  return typeof offsetMs === 'number' && parseTime(realNow() + offsetMs) !== undefined ? { offsetMs } : undefined;
}

/** Returns the milliseconds of a real stopwatch, for durations. */
export function stopwatch(): number {
  return performance.now();
}

/** Waits so many real milliseconds, or until the signal. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      callOff();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const callOff = later(signal?.aborted ? 0 : ms, end);
    signal?.addEventListener('abort', end);
  });
}

/** Calls back after so many real milliseconds and returns the way to call it off. */
export function later(ms: number, call: () => void): () => void {
  const timer = realWait(call, ms);
  return () => clearTimeout(timer);
}

/** Returns a time as ISO 8601 in UTC, with milliseconds only where there are any. */
export function formatTime(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z');
}

/** Reads a time: ISO 8601 or milliseconds since 1970; undefined when it is neither, or not of the years 1 to 9999. */
export function parseTime(value: unknown): number | undefined {
  const time = typeof value === 'number' ? value : typeof value === 'string' ? parseText(value) : Number.NaN;
  return time >= firstTime && time <= lastTime ? time : undefined;
}

const isoTime = /^(\d{4}(?:-\d\d(?:-\d\d)?)?)(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

// The platform reads more than ISO 8601, and takes the 30th of February for the 1st of March.
function parseText(text: string): number {
  const [, day = ''] = isoTime.exec(text) ?? [];
  const midnight = Date.parse(day);
  return midnight >= firstTime && formatTime(midnight).startsWith(day) ? Date.parse(text) : Number.NaN;
}

/** Reads a time as `parseTime` does. Throws an `EmulatorError` (TIME_INVALID) that names its place when it is none. */
export function readTime(value: unknown, path = ''): number {
  const time = parseTime(value);
  if (time !== undefined) return time;
  const hint = 'give ISO 8601 or milliseconds since 1970, within the years 1 to 9999';
  const sent = typeof value === 'string' || typeof value === 'number' ? JSON.stringify(value) : describe(value);
  throw new EmulatorError('TIME_INVALID', [{ path, message: `${sent} is not a valid time`, hint }]);
}

const firstTime = Date.parse('0001-01-01T00:00:00Z');
const lastTime = Date.parse('9999-12-31T23:59:59.999Z');
