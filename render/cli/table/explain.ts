// The commands about values: `explain`, `impact`, `values`, `images`, `upgrade-check`, as data.

import type { FlagSpec } from '../flags.ts';
import type { CommandSpec } from './command.ts';
import {
  boolFlag,
  existingCaseFilesFlag,
  fileFlag,
  globalFlags,
  jsonFlag,
  maxTimeFlag,
  orderFlags,
  textFlag,
} from './shared.ts';
import { templateFlags } from './template.ts';

const valueFlags = ['values', 'set', 'set-string', 'set-json', 'set-literal', 'set-file', 'is-upgrade'];

/** The flags of a command that renders a chart, beside those of Orders. */
export const chartFlags: readonly FlagSpec[] = [
  ...templateFlags.filter(({ name }) => valueFlags.includes(name)),
  textFlag('namespace', 'NAME', "namespace of a chart's release", { short: 'n' }),
  textFlag('release', 'NAME', "name of a chart's release"),
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
    textFlag('line', 'N', 'line of the output of `drydock template`, instead of an object', { type: 'int' }),
    fileFlag('html', 'write all objects with the explanation of each line as one HTML page'),
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

/** The command `values`. */
export const valuesSpec: CommandSpec = {
  name: 'values',
  operands: 'INPUT [PATH]',
  summary: 'print the merged values of a chart or an Order, with their origins',
  about: [
    'Prints the values that the templates of a chart, or of each package of an Order, see after everything is merged:',
    "defaults of the chart and its subcharts, values files, --set, an Order's values and patches. With PATH, such as",
    'cache.resources, only the values below it.',
  ],
  flags: [
    boolFlag('origin', 'say in a comment where each value was set'),
    boolFlag('defaults-changed', "print only values that differ from the chart's defaults"),
    boolFlag('unused', 'print only values that were given and that no template read'),
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
    textFlag('format', 'FORMAT', 'output format; cyclonedx is a software bill of materials (default text)', {
      words: ['text', 'json', 'cyclonedx'],
    }),
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

const shared = ['helm', 'charts', 'kube-version', 'api-versions', 'skip-schema-validation'];

/** The command `upgrade-check`. */
export const upgradeCheckSpec: CommandSpec = {
  name: 'upgrade-check',
  operands: 'OLD NEW',
  summary: 'show what an upgrade of a chart does to your values',
  about: [
    'Renders two versions of a chart with your values and shows which of them the new version reads elsewhere, which nothing',
    'reads any more, which defaults changed, and what then changes in the objects. A value has moved where a change of another',
    'one in the new version has the effect that a change of it had in the old one; names alone decide nothing. Of two',
    'versions of an Order, each package that is in both is compared, with the values of the old one.',
  ],
  flags: [
    fileFlag('write', 'write your values, or the new Order with them, as the new version reads them to this file'),
    ...chartFlags,
    ...orderFlags.filter(({ name }) => shared.includes(name)),
    jsonFlag,
    ...globalFlags,
  ],
  offers: 'files',
  examples: [
    'drydock upgrade-check web-1.10.0.tgz web-2.0.0.tgz -f prod.yaml',
    'drydock upgrade-check web-1.10.0.tgz charts/web -f prod.yaml --write prod-2.yaml',
    'drydock upgrade-check old/web new/web -f prod.yaml --json',
    'drydock upgrade-check order.yaml order-next.yaml --charts charts --write order-next.yaml',
  ],
  notes: [
    'Exit codes: 0 your values mean what they meant, 1 some do not or a version does not render them, 2 wrong usage.',
  ],
};
