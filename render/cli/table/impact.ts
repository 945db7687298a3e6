// The command `impact`. A pure table.

import type { CommandSpec } from './command.ts';
import { chartFlags } from './explain.ts';
import { globalFlags, jsonFlag, orderFlags } from './shared.ts';

/** The command `impact`. */
export const impactSpec: CommandSpec = {
  name: 'impact',
  operands: 'INPUT PATH ...',
  summary: 'show which objects and fields a value reaches',
  about: [
    'Renders an Order or a chart and shows for each PATH, such as image.tag, every field that contains the value, is derived',
    'from it or depends on it, and which parts of the templates it disables. For a mapping, all values in it count.',
  ],
  flags: [...chartFlags, jsonFlag, ...orderFlags, ...globalFlags],
  offers: 'files',
  examples: [
    'drydock impact charts/web image.tag',
    'drydock impact order.yaml ingress replicaCount --json',
    'drydock impact charts/web ingress.enabled -f values/large.yaml',
  ],
  notes: [
    'Exit codes: 0 success, 1 a path is not a value, or the Order, a chart or its values are invalid, 2 wrong usage.',
  ],
};
