// What a script for Helm says otherwise to each Helm; another major version is another entry.

import { applyingHelmOptions, helmOptions } from './options.ts';
import type { ScriptOption, Verb } from './steps.ts';

/** Names the Helm that a script runs: a major version, or whichever is there. */
export type ScriptHelm = 3 | 4 | 'any';

/** What a script says to a Helm. */
export interface HelmWords {
  /** How its help calls the Helm that it runs. */
  readonly needed: string;
  /** The same for an uninstallation. */
  readonly uninstalls: string;
  /** The flag that waits until what was installed is ready. */
  readonly wait: string;
  readonly deploy: Verb;
  readonly options: readonly ScriptOption[];
}

/** The words to each Helm. The bare `--wait` is both: Helm 4 takes it for its watcher. */
export const helmWords: Readonly<Record<ScriptHelm, HelmWords>> = {
  3: {
    needed: 'Helm 3.8 or newer',
    uninstalls: 'Helm 3.14 or newer',
    wait: '--wait',
    deploy: 'deploy',
    options: helmOptions,
  },
  4: {
    needed: 'Helm 4',
    uninstalls: 'Helm 4',
    wait: '--wait=watcher',
    deploy: 'deploy_applied',
    options: applyingHelmOptions,
  },
  any: {
    needed: 'Helm 3.8 or newer',
    uninstalls: 'Helm 3.14 or newer',
    wait: '--wait',
    deploy: 'deploy',
    options: helmOptions,
  },
};
