// The command `upgrade-check`, as data.

import type { CommandSpec } from './command.ts';
import { chartFlags } from './explain.ts';
import { globalFlags, jsonFlag, orderFlags } from './shared.ts';

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
    {
      name: 'write',
      type: 'string',
      placeholder: 'FILE',
      offers: 'files',
      help: 'write your values, or the new Order with them, as the new version reads them to this file',
    },
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
