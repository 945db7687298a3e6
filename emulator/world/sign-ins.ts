// Sign-ins through an organization that have begun and not ended: each is found by its state, and ends once.

import { deriveToken } from '../keys/derive.ts';

/** A sign-in that has begun. */
export interface SignIn {
  /** The id of the organization. */
  readonly organization: number;
  /** Where the browser goes at the end. */
  readonly target: string;
}

interface Pending extends SignIn {
  readonly ends: number;
  /** Who agreed, with the code that was given for it. */
  agreed?: { readonly user: number; readonly code: string };
}

/** How long a sign-in may take, in seconds. */
export const signInSeconds = 600;

const mostPending = 1000;

/** Keeps the sign-ins of a world. */
export class SignIns {
  readonly #seed: string;
  readonly #pending = new Map<string, Pending>();
  #count = 0;

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** Begins a sign-in and returns its state; with a thousand of them, the oldest is forgotten. `now` in milliseconds, as below. */
  begin(signIn: SignIn, now: number): string {
    const state = this.#draw('state', now);
    this.#pending.set(state, { ...signIn, ends: now + signInSeconds * 1000 });
    const [oldest] = this.#pending.keys();
    if (this.#pending.size > mostPending && oldest !== undefined) this.#pending.delete(oldest);
    return state;
  }

  /** Returns the sign-in of a state, unless it took too long. */
  find(state: string, now: number): SignIn | undefined {
    const pending = this.#pending.get(state);
    if (pending && pending.ends > now) return pending;
    this.#pending.delete(state);
    return undefined;
  }

  /** Writes down who agreed, and returns the code for it; undefined when there is no such sign-in any more. */
  agree(state: string, user: number, now: number): string | undefined {
    const pending = this.#pending.get(state);
    if (!pending || !this.find(state, now)) return undefined;
    const code = this.#draw('code', now);
    pending.agreed = { user, code };
    return code;
  }

  /** Ends a sign-in: gives it with who agreed when the code is the one that was given, and forgets it in any case. */
  end(state: string, code: string, now: number): (SignIn & { readonly user: number }) | undefined {
    const pending = this.#pending.get(state);
    const isKnown = this.find(state, now) !== undefined;
    this.#pending.delete(state);
    if (!isKnown || pending?.agreed?.code !== code) return undefined;
    return { organization: pending.organization, target: pending.target, user: pending.agreed.user };
  }

  /** Forgets all of them. */
  clear(): void {
    this.#pending.clear();
  }

  // With the time: what a browser kept from before a restart is not given out again.
  #draw(label: string, now: number): string {
    return deriveToken(this.#seed, `sign-in/${label}/${++this.#count}/${now}`);
  }
}
