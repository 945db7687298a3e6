// The commands that pin an Order: `pin` and `bundle`. A pure table.

import type { CommandSpec } from './command.ts';
import { globalFlags, orderFlags } from './shared.ts';

/** The command `pin`. */
export const pinSpec: CommandSpec = {
  name: 'pin',
  formerNames: ['seal'],
  operands: 'ORDER',
  summary: 'print an Order with every chart pinned to a version and a digest',
  about: [
    'Prints the Order with the exact version of every chart, and the digests of the chart, its archive, its manifest in a',
    'registry, and the values. Rendering rejects a pinned Order whose charts or values differ.',
  ],
  flags: [...orderFlags, ...globalFlags],
  offers: 'files',
  examples: ['drydock vendor order.yaml && drydock pin order.yaml > pinned.yaml', 'drydock render pinned.yaml'],
  notes: ['Exit codes: 0 success, 1 the Order, a chart or its values are invalid, 2 wrong usage.'],
};

/** The command `bundle`. */
export const bundleSpec: CommandSpec = {
  name: 'bundle',
  operands: 'ORDER',
  summary: 'pack an Order, its lock and its charts into one archive',
  about: [
    'Packs an Order and everything that rendering it needs into one archive, with the same bytes every time. Every command that takes',
    'an Order also takes the archive, without any other file; so does the library, also in pages.',
  ],
  flags: [
    { name: 'output', short: 'o', type: 'string', placeholder: 'FILE', offers: 'files', help: 'file to write' },
    ...orderFlags,
    ...globalFlags,
  ],
  offers: 'files',
  examples: ['drydock bundle order.yaml --output order.tgz', 'drydock render order.tgz'],
  notes: ['Exit codes: 0 success, 1 the Order, a chart or its values are invalid, 2 wrong usage.'],
};
