// Generates the JSON Schemas of all files that users write for drydock, from the definitions used for validation, and of the input of
// script templates.

import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as ts from '@typescript/typescript6';
import { configSchema } from '../../../emulator/cli/describe-config.node.ts';
import { fixtureFileSchemas } from '../../../emulator/fixture-folder.node.ts';
import { orderSchema } from '../../../render/order/validate.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** Returns the schemas by their file names without `.schema.json`, such as `order` and `fixtures/users`. */
export async function jsonSchemas(): Promise<ReadonlyMap<string, JsonSchema>> {
  const schemas: readonly (readonly [string, JsonSchema])[] = [
    ['order', orderSchema()],
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

// Schemas of TypeScript interfaces and their comments.

/**
 * Returns the schema of an interface of a file; interfaces of the same file that it names become `$defs`.
 * Throws if a member has a type other than string, number, boolean, a list, or an interface of the file.
 */
function interfaceSchema(file: URL, name: string): JsonSchema {
  const source = ts.createSourceFile(file.pathname, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const interfaces = new Map(source.statements.filter(ts.isInterfaceDeclaration).map((item) => [item.name.text, item]));
  const used = new Map<string, JsonSchema>();

  const typeSchema = (type: ts.TypeNode): JsonSchema => {
    if (ts.isTypeOperatorNode(type)) return typeSchema(type.type);
    if (ts.isArrayTypeNode(type)) return { type: 'array', items: typeSchema(type.elementType) };
    const text = type.getText(source);
    if (text === 'string' || text === 'boolean' || text === 'number') return { type: text };
    const found = interfaces.get(text);
    if (found === undefined) throw new Error(`${file.pathname}: no schema for the type ${text}`);
    if (!used.has(text)) {
      used.set(text, {});
      used.set(text, objectSchema(found));
    }
    return { $ref: `#/$defs/${text}` };
  };

  const propertiesOf = (item: ts.InterfaceDeclaration): Record<string, JsonSchema> => {
    const inherited = (item.heritageClauses ?? []).flatMap(({ types }) =>
      types.map((type) => propertiesOf(interfaces.get(type.getText(source))!)),
    );
    const own = item.members
      .filter(ts.isPropertySignature)
      .map((member) => [member.name.getText(source), { ...description(member), ...typeSchema(member.type!) }]);
    return Object.assign({}, ...inherited, Object.fromEntries(own)) as Record<string, JsonSchema>;
  };

  const objectSchema = (item: ts.InterfaceDeclaration): JsonSchema => {
    const properties = propertiesOf(item);
    return {
      ...description(item),
      type: 'object',
      properties,
      required: Object.keys(properties),
      additionalProperties: false,
    };
  };

  const root = objectSchema(interfaces.get(name)!);
  return { title: name, ...root, $defs: Object.fromEntries(used) };
}

function description(node: ts.Node): JsonSchema {
  const words = ts.getJSDocCommentsAndTags(node).map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '');
  const text = words.join(' ').replace(/\s+/g, ' ').trim();
  return text === '' ? {} : { description: text };
}
