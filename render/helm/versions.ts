// The Helms whose output is given. One more is a description of its own, and an entry here.

import { type Check, kind } from '../arguments.ts';
import type { Helm, HelmMajor } from './helm.ts';
import { helm3 } from './helm-3.ts';
import { helm4 } from './helm-4.ts';

const helms: Readonly<Record<HelmMajor, Helm>> = { 3: helm3, 4: helm4 };

/** What a caller may give for a Helm: its major version, 3 or 4. */
export const helmArgument: Check = kind('3 or 4', (value) => value === 3 || value === 4);

/** Gives the Helm of a major version. Default 3. */
export function helmOf(major: HelmMajor = 3): Helm {
  return helms[major];
}
