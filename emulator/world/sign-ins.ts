// Pending sign-ins through an organization. Each is identified by its state and can be completed once.

import { deriveToken } from '../keys/derive.ts';

/** A pending sign-in. */
export interface SignIn {
  readonly organization: number;
  /** Where the browser is redirected at the end. */
  readonly target: string;
}

interface Pending extends SignIn {
  readonly ends: number;
  /** The user who gave consent, with the code issued for it. */
  agreed?: { readonly user: number; readonly code: string };
}

/** Lifetime of a pending sign-in, in seconds. */
export const signInSeconds = 600;

const mostPending = 1000;

export class SignIns {
  readonly #seed: string;
  readonly #pending = new Map<string, Pending>();
  #count = 0;

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** Starts a sign-in and returns its state; the oldest of a thousand is dropped. `now` in milliseconds, as below. */
  begin(signIn: SignIn, now: number): string {
    const state = this.#draw('state', now);
    this.#pending.set(state, { ...signIn, ends: now + signInSeconds * 1000 });
    const [oldest] = this.#pending.keys();
    if (this.#pending.size > mostPending && oldest !== undefined) this.#pending.delete(oldest);
    return state;
  }

  /** Returns the sign-in of a state, unless it has expired. */
  find(state: string, now: number): SignIn | undefined {
    const pending = this.#pending.get(state);
    if (pending && pending.ends > now) return pending;
    this.#pending.delete(state);
    return undefined;
  }

  /** Records who gave consent and returns the code; undefined if there is no such sign-in. */
  agree(state: string, user: number, now: number): string | undefined {
    const pending = this.#pending.get(state);
    if (!pending || !this.find(state, now)) return undefined;
    const code = this.#draw('code', now);
    pending.agreed = { user, code };
    return code;
  }

  /** Completes a sign-in: returns it with its user if the code is right, and removes it in any case. */
  end(state: string, code: string, now: number): (SignIn & { readonly user: number }) | undefined {
    const pending = this.#pending.get(state);
    const isKnown = this.find(state, now) !== undefined;
    this.#pending.delete(state);
    if (!isKnown || pending?.agreed?.code !== code) return undefined;
    return { organization: pending.organization, target: pending.target, user: pending.agreed.user };
  }

  clear(): void {
    this.#pending.clear();
  }

  // Includes the time, so that a state from before a restart is not issued again.
  #draw(label: string, now: number): string {
    return deriveToken(this.#seed, `sign-in/${label}/${++this.#count}/${now}`);
  }
}
