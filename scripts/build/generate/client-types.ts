// Generates the types of the API's operations, emulator/core/api-types.generated.ts, from the routes' OpenAPI document.
// `npm run generate -- client`; openapi-typescript needs another TypeScript than this project, and is installed in a folder of its own.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { openApiDocument } from '../../../emulator/index.ts';
import { installTools, temporaryFolder } from '../../dev/tools/tools.ts';

const target = join(import.meta.dirname, '../../../emulator/core/api-types.generated.ts');
const tools = await installTools('openapi-typescript', ['openapi-typescript@7.13.0', 'typescript@5.9.3']);
const folder = temporaryFolder('drydock-client-');
const file = join(folder, 'openapi.json');
// Examples are documentation of the service; as comments, they would be most of the file.
const document = await openApiDocument({ hosted: true });
const withoutExamples = (key: string, value: unknown): unknown => (/^examples?$/.test(key) ? undefined : value);
await writeFile(file, JSON.stringify(document, withoutExamples));
await execa(tools.bin('openapi-typescript'), [file, '--output', target], { stderr: 'inherit' });
// The reference pages of the library repeat the OpenAPI document of the service.
const types = await readFile(target, 'utf8');
await writeFile(target, types.replace(/^export (?:interface|type) /gm, '/** @hidden */\n$&'));
