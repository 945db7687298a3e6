// The command `schema`. A pure table.

import { casesSpec } from './cases.ts';
import type { CommandSpec } from './command.ts';
import { globalFlags } from './shared.ts';

const shared = ['values', 'max-time', 'helm', 'kube-version', 'api-versions'];

/** The command `schema`. */
export const schemaSpec: CommandSpec = {
  name: 'schema',
  operands: 'CHART',
  summary: "generate a values.schema.json, or a table of a chart's values",
  about: [
    'Prints a JSON Schema for the values of a chart: types from the defaults and from what its templates take, descriptions from the',
    'comments in values.yaml (helm-docs and Bitnami). It accepts every case of the chart and every case that `drydock cases`',
    'generates, and refuses types on which the templates fail.',
  ],
  flags: [
    {
      name: 'write',
      type: 'bool',
      help: "write it to the chart's values.schema.json",
    },
    { name: 'strict', type: 'bool', help: 'refuse keys that neither values.yaml nor the templates know' },
    { name: 'markdown', type: 'bool', help: 'print a Markdown table of the values instead' },
    ...casesSpec.flags.filter(({ name }) => shared.includes(name)),
    ...globalFlags,
  ],
  offers: 'files',
  examples: [
    'drydock schema charts/web --write',
    'drydock schema charts/web --strict > values.schema.json',
    'drydock schema charts/web --markdown',
  ],
  notes: ['Exit codes: 0 success, 1 the chart is invalid, 2 wrong usage.'],
};
