// Requests to the HTTP door of a server in a process of its own: test/fuzz/api.ts makes, sends and judges them.

import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import type { Family } from './family.ts';

const entry = fileURLToPath(new URL('./api.ts', import.meta.url));

/** Requests, good and broken, to a server. */
export const requests: Family = {
  name: 'requests',
  about: 'requests to the HTTP door, good ones and ones broken in every part',
  batch: 5000,
  share: 0.2,
  async run({ family, seed, count }) {
    const { exitCode, all } = await execa(process.execPath, ['--import', 'tsx', entry, `${count}`, `${seed}`], {
      reject: false,
      all: true,
    });
    const [, sent, longest] = /(\d+) requests in \d+ s, longest (\d+) ms/.exec(all) ?? [];
    const findings = exitCode === 0 ? [] : [{ family, seed, kind: 'crashes' as const, text: all.slice(-6000) }];
    return { inputs: Number(sent ?? 0), refused: 0, findings, longestMs: Number(longest ?? 0) };
  },
};
