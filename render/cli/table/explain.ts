// The command `explain`. A pure table.

import type { FlagSpec } from '../flags.ts';
import type { CommandSpec } from './command.ts';
import { globalFlags, jsonFlag, orderFlags } from './shared.ts';
import { templateFlags } from './template.ts';

const valueFlags = ['values', 'set', 'set-string', 'set-json', 'set-literal', 'set-file', 'is-upgrade'];

/** The flags of a command that renders a chart, beside those of Orders. */
export const chartFlags: readonly FlagSpec[] = [
  ...templateFlags.filter(({ name }) => valueFlags.includes(name)),
  { name: 'namespace', short: 'n', type: 'string', placeholder: 'NAME', help: "namespace of a chart's release" },
  { name: 'release', type: 'string', placeholder: 'NAME', help: "name of a chart's release" },
];

/** The command `explain`. */
export const explainSpec: CommandSpec = {
  name: 'explain',
  operands: 'INPUT [OBJECT [PATH]]',
  summary: 'explain where a rendered line comes from',
  about: [
    'Shows which action of which template wrote a line, through which includes, which values it read and where each was set,',
    'the winning place first, and the conditions for the line. INPUT is an Order or a chart. Without PATH, the',
    'whole object is shown, with the template and line beside each line.',
  ],
  flags: [
    {
      name: 'line',
      type: 'int',
      placeholder: 'N',
      help: 'line of the output of `drydock template`, instead of an object',
    },
    {
      name: 'html',
      type: 'string',
      placeholder: 'FILE',
      offers: 'files',
      help: 'write all objects with the explanation of each line as one HTML page',
    },
    ...chartFlags,
    jsonFlag,
    ...orderFlags,
    ...globalFlags,
  ],
  offers: 'files',
  examples: [
    'drydock explain order.yaml Deployment/shop/web spec.replicas',
    'drydock explain charts/web Deployment/release-name-web -f values/large.yaml',
    'drydock explain charts/web --line 42 --set image.tag=1.2 --json',
    'drydock explain order.yaml --html order.html',
  ],
  notes: ['Exit codes: 0 success, 1 the Order, a chart or its values are invalid, 2 wrong usage.'],
};
