// The commands `values` and `images`. A pure table.

import type { CommandSpec } from './command.ts';
import { chartFlags } from './explain.ts';
import { existingCaseFilesFlag, globalFlags, jsonFlag, maxTimeFlag, orderFlags } from './shared.ts';

/** The command `values`. */
export const valuesSpec: CommandSpec = {
  name: 'values',
  operands: 'INPUT [PATH]',
  summary: 'print the merged values of a chart or an Order, with their origins',
  about: [
    'Prints the values that the templates of a chart, or of each package of an Order, see after everything is merged:',
    "defaults of the chart and its sub-charts, values files, --set, an Order's values and patches. With PATH, such as",
    'cache.resources, only the values below it.',
  ],
  flags: [
    { name: 'origin', type: 'bool', help: 'say in a comment where each value was set' },
    { name: 'defaults-changed', type: 'bool', help: "print only values that differ from the chart's defaults" },
    { name: 'unused', type: 'bool', help: 'print only values that were given and that no template read' },
    ...chartFlags,
    jsonFlag,
    ...orderFlags,
    ...globalFlags,
  ],
  offers: 'files',
  examples: [
    'drydock values charts/web -f values/prod.yaml --origin',
    'drydock values charts/web -f values/prod.yaml --unused',
    'drydock values order.yaml image --origin',
    'drydock values charts/web --json',
  ],
  notes: ['Exit codes: 0 success, 1 the Order, a chart or its values are invalid, 2 wrong usage.'],
};

/** The command `images`. */
export const imagesSpec: CommandSpec = {
  name: 'images',
  operands: 'INPUT',
  summary: 'list every image that a chart can use, or that an Order uses',
  about: [
    'For a chart: the images of its defaults, and those that other values bring in, each with the least values that do; the',
    "values are those of `drydock cases`, with the chart's own names for images. For an Order: the images of its packages.",
  ],
  flags: [
    {
      name: 'format',
      type: 'string',
      placeholder: 'FORMAT',
      words: ['text', 'json', 'cyclonedx'],
      help: 'output format; cyclonedx is a software bill of materials (default text)',
    },
    existingCaseFilesFlag,
    maxTimeFlag,
    jsonFlag,
    ...orderFlags,
    ...globalFlags,
  ],
  offers: 'files',
  examples: [
    'drydock images charts/web',
    'drydock images order.yaml --format cyclonedx > sbom.json',
    'drydock images charts/web --json',
  ],
  notes: ['Exit codes: 0 success, 1 the Order, a chart or its values are invalid, 2 wrong usage.'],
};
