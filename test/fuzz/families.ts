// The list of families.

import { requests } from './api.ts';
import { archives } from './archives.ts';
import { charts } from './charts.ts';
import { drawExpression } from './expressions.ts';
import type { Family } from './family.ts';
import { flags, values } from './flags.ts';
import { orders } from './orders.ts';
import { drawRecorded } from './recorded.ts';
import { rowFamily } from './rows.ts';

/** Every family, in the order of the report. */
export const families: readonly Family[] = [
  rowFamily({ name: 'expressions', about: 'calls of the template functions', batch: 250, share: 3 }, drawExpression),
  rowFamily(
    {
      name: 'recorded',
      about: 'changed rows: control structures, whitespace, YAML, JSON and TOML',
      batch: 250,
      share: 3,
    },
    drawRecorded,
  ),
  charts,
  values,
  flags,
  orders,
  archives,
  requests,
];
