// The command `impact`. A pure table.

import type { CommandSpec } from './command.ts';
import { chartFlags } from './explain.ts';
import { globalFlags, jsonFlag, orderFlags } from './shared.ts';

/** The command `impact`. */
export const impactSpec: CommandSpec = {
  name: 'impact',
  operands: 'INPUT PATH ...',
  summary: 'tell which objects and fields a value reaches',
  about: [
    'Renders an Order or a chart and tells for each PATH, such as image.tag, every field in which the value stands, of which',
    'something was made of it, or that it decided; and which parts of the templates it left out, as it is. Of a table all',
    'values in it count.',
  ],
  flags: [...chartFlags, jsonFlag, ...orderFlags, ...globalFlags],
  offers: 'files',
  examples: [
    'drydock impact charts/web image.tag',
    'drydock impact order.yaml ingress replicaCount --json',
    'drydock impact charts/web ingress.enabled -f values/large.yaml',
  ],
  notes: ['Exit codes: 0 fine, 1 a path is no value, the Order, a chart or its values are at fault, 2 wrong usage.'],
};
