// Checks that only `drydock vendor` opens connections, using the module graph of all other entry points.

import type { Metafile } from 'esbuild';

const networkSources = /(?:^|\/)render\/(?:fetch\/|vendor\.node\.ts)|(?:^|\/)node_modules\/(?:undici|openpgp)\//;
const networkModules = /^node:(?:https?|http2|net|tls|dns|dgram)(?:\/|$)/;

/** An entry point and its permission. */
export interface Bounds {
  /** The path of its output, such as `dist/index.js`. */
  readonly output: string;
  /** Whether it may import Node's network modules, as a server does. */
  readonly mayListen: boolean;
}

/** Throws if an output, or a chunk that it loads, contains code that fetches or imports a network module of Node. */
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
