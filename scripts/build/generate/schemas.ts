// Generates the JSON Schemas of all files that users write for drydock, from the definitions used for validation, and of the input of
// script templates.

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { configSchema } from '../../../emulator/cli/describe-config.node.ts';
import { fixtureFileSchemas } from '../../../emulator/fixture-folder.node.ts';
import { orderSchema } from '../../../render/order/validate.ts';
import { lockSchema } from '../../../render/vendor/lock/lock.ts';
import { interfaceSchema } from './type-schema.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** Returns the schemas by their file names without `.schema.json`, such as `order` and `fixtures/users`. */
export async function jsonSchemas(): Promise<ReadonlyMap<string, JsonSchema>> {
  const schemas: readonly (readonly [string, JsonSchema])[] = [
    ['order', orderSchema()],
    ['lock', lockSchema()],
    ['config', await configSchema()],
    ['script', interfaceSchema(new URL('../../../render/scripts/model.ts', import.meta.url), 'ScriptModel')],
    ...fixtureFileSchemas(),
  ];
  return new Map(
    schemas.map(([name, schema]) => [name, { $schema: dialect, $id: `urn:drydock:schema:${name}`, ...schema }]),
  );
}

const releases = 'https://github.com/drydock-offline/drydock/releases/latest/download';

/** Entries for a catalog in the form of SchemaStore's, which maps files to schemas in editors. A release contains the schemas. */
export const schemaCatalog = {
  $schema: 'https://json.schemastore.org/schema-catalog.json',
  version: 1,
  schemas: [
    {
      name: 'drydock Order',
      description: 'Which charts to install, in which order, and what to wait for',
      fileMatch: ['*.order.yaml', '*.order.yml', '*.order.json'],
      url: `${releases}/order.schema.json`,
    },
    {
      name: 'drydock configuration',
      description: 'Default flags and inputs of drydock',
      fileMatch: ['drydock.config.json'],
      url: `${releases}/config.schema.json`,
    },
    {
      name: 'drydock lock file',
      description: 'The charts that drydock vendor fetched',
      fileMatch: ['drydock.lock'],
      url: `${releases}/lock.schema.json`,
    },
  ],
};

/** Writes every schema and the catalog into a folder, and returns the paths of the schemas in it. */
export async function writeSchemas(folder: string): Promise<readonly string[]> {
  const files: string[] = [];
  for (const [name, schema] of await jsonSchemas()) {
    const file = `${name}.schema.json`;
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), `${JSON.stringify(schema)}\n`);
    files.push(file);
  }
  await writeFile(join(folder, 'catalog.json'), `${JSON.stringify(schemaCatalog)}\n`);
  return files;
}
