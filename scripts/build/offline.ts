// Checks that only `drydock vendor` opens connections, by the modules in the bundles of all other entry points.

import type { Metafile } from 'esbuild';

const networkSources = /(?:^|\/)render\/(?:fetch\/|vendor\.node\.ts)|(?:^|\/)node_modules\/(?:undici|openpgp)\//;
const networkModules = /^node:(?:https?|http2|net|tls|dns|dgram)(?:\/|$)/;

/** What an entry point may do. */
export interface Bounds {
  /** The path of its output, such as `dist/index.js`. */
  readonly output: string;
  /** Whether it may reach for the modules of Node that open connections: a server does. */
  readonly mayListen: boolean;
}

/**
 * Throws where an output, or a part that it loads at its start or later, holds code of the rooms that fetch, or reaches for
 * a module of Node that opens connections.
 */
export function refuseNetwork({ outputs }: Metafile, bounds: readonly Bounds[]): void {
  for (const { output, mayListen } of bounds) {
    const reached = new Set([output]);
    for (const file of reached) {
      const source = Object.keys(outputs[file]?.inputs ?? {}).find((input) => networkSources.test(input));
      if (source !== undefined) throw new Error(`${output} is offline, and ${file} holds ${source}`);
      for (const { path, external } of outputs[file]?.imports ?? []) {
        if (external !== true) reached.add(path);
        else if (!mayListen && networkModules.test(path))
          throw new Error(`${output} is offline, and ${file} imports ${path}`);
      }
    }
  }
}
