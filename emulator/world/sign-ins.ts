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

/** Creates the pending sign-ins of a world. Times are in milliseconds. */
export function createSignIns(seed: string) {
  const pending = new Map<string, Pending>();
  let count = 0;
  // Includes the time, so that a state from before a restart is not issued again.
  const draw = (label: string, now: number): string => deriveToken(seed, `sign-in/${label}/${++count}/${now}`);
  const find = (state: string, now: number): Pending | undefined => {
    const found = pending.get(state);
    if (found && found.ends > now) return found;
    pending.delete(state);
    return undefined;
  };
  return {
    /** Starts a sign-in and returns its state; the oldest of a thousand is dropped. */
    begin: (signIn: SignIn, now: number): string => {
      const state = draw('state', now);
      pending.set(state, { ...signIn, ends: now + signInSeconds * 1000 });
      const [oldest] = pending.keys();
      if (pending.size > mostPending && oldest !== undefined) pending.delete(oldest);
      return state;
    },
    /** Returns the sign-in of a state, unless it has expired. */
    find: (state: string, now: number): SignIn | undefined => find(state, now),
    /** Records who gave consent and returns the code; undefined if there is no such sign-in. */
    agree: (state: string, user: number, now: number): string | undefined => {
      const found = find(state, now);
      if (!found) return undefined;
      const code = draw('code', now);
      found.agreed = { user, code };
      return code;
    },
    /** Completes a sign-in: returns it with its user if the code is right, and removes it in any case. */
    end: (state: string, code: string, now: number): (SignIn & { readonly user: number }) | undefined => {
      const found = find(state, now);
      pending.delete(state);
      if (found?.agreed?.code !== code) return undefined;
      return { organization: found.organization, target: found.target, user: found.agreed.user };
    },
    clear: (): void => pending.clear(),
  };
}

export type SignIns = ReturnType<typeof createSignIns>;
