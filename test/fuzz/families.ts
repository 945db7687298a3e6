// The list of the families.

import { archives } from './archives.ts';
import { charts } from './charts.ts';
import { drawExpression } from './expressions.ts';
import type { Family } from './family.ts';
import { flags, values } from './flags.ts';
import { orderValues } from './order-values.ts';
import { orders } from './orders.ts';
import { requests } from './requests.ts';
import { rowFamily } from './rows.ts';
import { drawTemplate } from './templates.ts';
import { drawText } from './texts.ts';
import { drawTime } from './times.ts';
import { drawVersion } from './versions.ts';

/** Every family, in the order of the report. */
export const families: readonly Family[] = [
  rowFamily({ name: 'expressions', about: 'calls of the template functions', batch: 500, share: 5 }, drawExpression),
  rowFamily(
    { name: 'templates', about: 'control structures, definitions, white space', batch: 500, share: 4 },
    drawTemplate,
  ),
  rowFamily({ name: 'texts', about: 'YAML, JSON and TOML, read and written', batch: 250, share: 6 }, drawText, 10),
  rowFamily({ name: 'times', about: 'times, layouts, zones, durations', batch: 300, share: 2 }, drawTime, 4),
  rowFamily(
    { name: 'versions', about: 'versions, constraints, regular expressions', batch: 500, share: 2 },
    drawVersion,
  ),
  charts,
  values,
  flags,
  orders,
  orderValues,
  archives,
  requests,
];
