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
  summary: 'tell why a line of what is rendered is what it is',
  about: [
    'Tells which action of which template wrote a line, through which others, which values it read and where each was set,',
    'the place that wins first, and for which conditions the line is there. INPUT is an Order or a chart. Without PATH the',
    'whole object is shown, with the template and line beside each line.',
  ],
  flags: [
    {
      name: 'line',
      type: 'int',
      placeholder: 'N',
      help: 'a line of what `drydock template` prints, in place of an object',
    },
    {
      name: 'html',
      type: 'string',
      placeholder: 'FILE',
      offers: 'files',
      help: 'write all objects, with why each line is what it is, as one page of HTML',
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
  notes: ['Exit codes: 0 fine, 1 the Order, a chart or its values are at fault, 2 wrong usage.'],
};
