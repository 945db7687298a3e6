// Runs the real Helm 4 for every row of fixtures/codec/schema-4.json, a schema and values, and records the results.
// `npm run reference -- record-schemas`. Rows that vary between six runs, and those that need the network, are removed.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readRecorded } from '../../test/support/recorded.ts';
import { askBounded, helmBinary } from '../dev/tools/helm-binary.ts';
import { writeFiles } from '../dev/tools/write-files.ts';

type SchemaRow = readonly [schema: string, values: string, stderr: string];

const file = fileURLToPath(new URL('../../fixtures/codec/schema-4.json', import.meta.url));
const { helm } = await helmBinary(4);
const workspace = await mkdtemp(join(tmpdir(), 'drydock-schemas-'));

async function ask(schema: string, values: string): Promise<string> {
  const folder = await mkdtemp(join(workspace, 'row-'));
  await writeFiles(folder, {
    'Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n',
    'given.yaml': values,
    'values.schema.json': schema,
    'templates/none.yaml': '',
  });
  const { stderr } = await askBounded(helm, ['template', 'r', folder, '-f', join(folder, 'given.yaml')], {
    cwd: workspace,
  });
  await rm(folder, { recursive: true });
  return stderr;
}

const rows: SchemaRow[] = [];
for (const [schema, values] of readRecorded<SchemaRow>('schema-4')) {
  const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(() => ask(schema, values)));
  const [answer] = answers as [string];
  if (answers.every((other) => other === answer) && !/dial tcp/.test(answer)) rows.push([schema, values, answer]);
}
await writeFile(file, `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`);
await rm(workspace, { recursive: true });
console.log(`${rows.length} rows`);
