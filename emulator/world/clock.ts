// The clock of a world: real time, shifted or frozen. The only file of the emulator that reads the real time.

import { describe } from '../../render/core/arguments.ts';
import { EmulatorError } from '../core/errors.ts';

// Captured once, so that fake timers of a test do not affect the emulator.
const realNow = Date.now;
const realWait = setTimeout;

/** The state of a clock: `offsetMs` from real time while it runs, or the frozen time. */
export type ClockState = { readonly offsetMs: number } | { readonly frozenAt: number };

/** Clock of a world, in milliseconds since 1970. It can be frozen, set and advanced. */
export class Clock {
  /** Called on every change except `restore`. */
  onChange: ((state: ClockState) => void) | undefined;
  #state: ClockState = { offsetMs: 0 };

  /** Returns the world's time. */
  now(): number {
    return 'frozenAt' in this.#state ? this.#state.frozenAt : realNow() + this.#state.offsetMs;
  }

  iso(): string {
    return formatTime(this.now());
  }

  get frozen(): boolean {
    return 'frozenAt' in this.#state;
  }

  /**
   * Sets the time, ISO 8601 or milliseconds since 1970; the clock stays running or frozen. Returns the new time in milliseconds since 1970.
   * Throws an `EmulatorError` (TIME_INVALID) for an invalid time, or one outside the years 1 to 9999.
   */
  set(time: number | string): number {
    const moment = readTime(time);
    this.#change(this.frozen ? { frozenAt: moment } : { offsetMs: moment - realNow() });
    return moment;
  }

  /** Freezes the clock at the current or a given time, and returns it. Throws as `set` does. */
  freeze(time: number | string = this.now()): number {
    const moment = readTime(time);
    this.#change({ frozenAt: moment });
    return moment;
  }

  /** Unfreezes the clock, which continues from its time, and returns it. */
  resume(): number {
    const moment = this.now();
    if (this.frozen) this.#change({ offsetMs: moment - realNow() });
    return moment;
  }

  /** Advances the time by milliseconds, and returns the new time. Throws as `set` does. */
  advance(ms: number): number {
    return this.set(this.now() + ms);
  }

  /** Returns the state, for a snapshot. */
  get state(): ClockState {
    return this.#state;
  }

  restore(state: ClockState): void {
    this.#state = state;
  }

  #change(state: ClockState): void {
    this.#state = state;
    this.onChange?.(state);
  }
}

/** Returns the state of a clock from unknown JSON; undefined if it is invalid, or has an invalid time. */
export function readClockState(value: unknown): ClockState | undefined {
  const { frozenAt, offsetMs } = (value ?? {}) as { readonly frozenAt?: unknown; readonly offsetMs?: unknown };
  if (typeof frozenAt === 'number') return parseTime(frozenAt) === undefined ? undefined : { frozenAt };
  return typeof offsetMs === 'number' && parseTime(realNow() + offsetMs) !== undefined ? { offsetMs } : undefined;
}

export function stopwatch(): number {
  return performance.now();
}

/** Waits for real milliseconds, or until aborted. */
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

/** Calls back after real milliseconds and returns a function that cancels it. */
export function later(ms: number, call: () => void): () => void {
  const timer = realWait(call, ms);
  return () => clearTimeout(timer);
}

/** Formats a time as ISO 8601 in UTC, with milliseconds only if there are any. */
export function formatTime(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z');
}

/** Parses a time: ISO 8601 or milliseconds since 1970; undefined if it is invalid or outside the years 1 to 9999. */
export function parseTime(value: unknown): number | undefined {
  const time = typeof value === 'number' ? value : typeof value === 'string' ? parseText(value) : Number.NaN;
  return time >= firstTime && time <= lastTime ? time : undefined;
}

const isoTime = /^(\d{4}(?:-\d\d(?:-\d\d)?)?)(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

// The platform accepts more than ISO 8601, and reads February 30 as March 1.
function parseText(text: string): number {
  const [, day = ''] = isoTime.exec(text) ?? [];
  const midnight = Date.parse(day);
  return midnight >= firstTime && formatTime(midnight).startsWith(day) ? Date.parse(text) : Number.NaN;
}

/** Parses a time like `parseTime`. Throws an `EmulatorError` (TIME_INVALID) with its path if it is invalid. */
export function readTime(value: unknown, path = ''): number {
  const time = parseTime(value);
  if (time !== undefined) return time;
  const hint = 'give ISO 8601 or milliseconds since 1970, within the years 1 to 9999';
  const sent = typeof value === 'string' || typeof value === 'number' ? JSON.stringify(value) : describe(value);
  throw new EmulatorError('TIME_INVALID', [{ path, message: `${sent} is not a valid time`, hint }]);
}

const firstTime = Date.parse('0001-01-01T00:00:00Z');
const lastTime = Date.parse('9999-12-31T23:59:59.999Z');
