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
import { drawTime } from './times.ts';
import { drawVersion } from './versions.ts';

/** Every family, in the order of the report. */
export const families: readonly Family[] = [
  rowFamily({ name: 'expressions', about: 'calls of the template functions', batch: 500, share: 5 }, drawExpression),
  rowFamily(
    { name: 'templates', about: 'control structures, definitions, whitespace', batch: 500, share: 4 },
    drawTemplate,
  ),
  rowFamily({ name: 'texts', about: 'reading and writing YAML, JSON and TOML', batch: 250, share: 6 }, drawText, 10),
  rowFamily({ name: 'times', about: 'times, layouts, zones, durations', batch: 300, share: 2 }, drawTime, 4),
  rowFamily(
    { name: 'versions', about: 'versions, constraints, regular expressions', batch: 500, share: 2 },
    drawVersion,
  ),
  charts,
  values,
  flags,
  orders,
  archives,
  requests,
];
