// `drydock schema`: a schema or a table of a chart's values.

import { statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatValuesTable, valuesSchema } from '../../api/schema.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandContext } from '../io.ts';
import { readCaseOptions } from './case-options.node.ts';
import { locateChart, shownPath } from './read.node.ts';

/** Prints or writes the schema of a chart. Returns 0. Throws UsageError, RenderError. */
export async function schemaCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  const [word, ...others] = flags.args;
  if (word === undefined || others.length > 0)
    throw new UsageError('"drydock schema" takes one chart folder or .tgz archive');
  const path = locateChart(word, io.cwd);
  const isWritten = flags.on('write');
  if (isWritten && flags.on('markdown')) throw new UsageError('--write goes without --markdown');
  if (isWritten && !statSync(path).isDirectory()) throw new UsageError('--write needs a chart folder');
  const { chart, options } = await readCaseOptions(path, flags, io);
  if (flags.on('markdown')) {
    io.stdout(formatValuesTable(chart));
    return 0;
  }
  const text = `${JSON.stringify(valuesSchema(chart, { ...options, strict: flags.on('strict') }), undefined, 2)}\n`;
  if (!isWritten) io.stdout(text);
  else {
    const file = join(path, 'values.schema.json');
    await writeFile(file, text);
    io.stdout(`wrote ${shownPath(file, io)}\n`);
  }
  return 0;
}
