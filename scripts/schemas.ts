// Writes the JSON Schemas of everything that people write for drydock, each made from the definition it is checked by.
// `npm run schemas [-- FOLDER]`, default dist/schemas.

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configSchema } from '../emulator/command/config/describe.ts';
import { folderFileSchemas } from '../emulator/command/serving/file-schemas.ts';
import { orderSchema } from '../render/order/validate.ts';
import { lockSchema } from '../render/vendor/lock-fields.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** Gives the schemas by their file names without `.schema.json`, such as `order` and `fixtures/users`. */
export async function jsonSchemas(): Promise<ReadonlyMap<string, JsonSchema>> {
  const schemas: readonly (readonly [string, JsonSchema])[] = [
    ['order', orderSchema()],
    ['lock', lockSchema()],
    ['config', await configSchema()],
    ...folderFileSchemas(),
  ];
  return new Map(
    schemas.map(([name, schema]) => [name, { $schema: dialect, $id: `urn:drydock:schema:${name}`, ...schema }]),
  );
}

/** Writes every schema into a folder, and gives the paths of the files in it. */
export async function writeSchemas(folder: string): Promise<readonly string[]> {
  const files: string[] = [];
  for (const [name, schema] of await jsonSchemas()) {
    const file = `${name}.schema.json`;
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), `${JSON.stringify(schema)}\n`);
    files.push(file);
  }
  return files;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), '../dist/schemas');
  console.log(`${folder}: ${(await writeSchemas(folder)).join(', ')}`);
}
