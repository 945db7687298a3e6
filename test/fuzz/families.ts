// The list of families.

import { requests } from './api.ts';
import { archives } from './archives.ts';
import { charts } from './charts.ts';
import { drawExpression } from './expressions.ts';
import type { Family } from './family.ts';
import { flags, values } from './flags.ts';
import { orders } from './orders.ts';
import { rowFamily } from './rows.ts';
import { drawTemplate } from './templates.ts';
import { drawText } from './texts.ts';

/** Every family, in the order of the report. */
export const families: readonly Family[] = [
  rowFamily({ name: 'expressions', about: 'calls of the template functions', batch: 500, share: 9 }, drawExpression),
  rowFamily(
    { name: 'templates', about: 'control structures, definitions, whitespace', batch: 500, share: 4 },
    drawTemplate,
  ),
  rowFamily({ name: 'texts', about: 'reading and writing YAML, JSON and TOML', batch: 250, share: 6 }, drawText, 10),
  charts,
  values,
  flags,
  orders,
  archives,
  requests,
];
