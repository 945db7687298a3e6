// Tests the schemas in editors: the YAML language server opens Orders that name the schema, and VS Code's JSON service the files that
// `drydock init fixtures` writes. Fields are completed and described, and errors marked in their lines. `npm run test:e2e -- editor`

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeSchemas } from '../../../scripts/build/generate/schemas.ts';
import { check, installTools, temporaryFolder } from '../../../scripts/dev/tools/tools.ts';
import { writeFiles } from '../../../scripts/dev/tools/write-files.ts';
import { runInProcess } from '../../support/cli.ts';
import { LanguageClient } from '../../support/language-client.ts';

const folder = temporaryFolder('drydock-editor-');

const head = '# yaml-language-server: $schema=dist/schemas/order.schema.json\nspec:\n  packages:\n    - chart:\n';
const good = `${head}        name: web
        sourceRef: {kind: Local, name: charts/web}
        releaseName: shop
        namespace: shop
        `;
const bad = `${head}        name: web
        sourceRef: {kind: Git, name: charts/web}
        releaseName: Shop
`;

async function checkOrders(): Promise<void> {
  const tools = await installTools('editor', ['yaml-language-server@1.15.0']);
  await writeFiles(folder, { 'good.yaml': good, 'bad.yaml': bad, 'dist/schemas/.keep': '' });
  await writeSchemas(join(folder, 'dist/schemas'));
  const [goodFile, badFile] = [join(folder, 'good.yaml'), join(folder, 'bad.yaml')];
  const client = new LanguageClient(folder, [tools.bin('yaml-language-server'), '--stdio']);
  try {
    await client.start({ yaml: { validate: true, completion: true, hover: true, schemaStore: { enable: false } } });
    await client.open(goodFile);
    check('a valid Order has no errors', (await client.diagnostics(goodFile, () => true)).length === 0);
    const labels = (await client.completion(goodFile, good)).map(({ label }) => label);
    check('fields are completed', labels.includes('values') && labels.includes('waitFors'));
    check('existing fields are not completed', !labels.includes('releaseName'));
    const hover = await client.hover(goodFile, '        releaseN');
    check('a field is described', /The name of the release, unique in its namespace/.test(hover));
    await client.open(badFile);
    const shown = await client.diagnostics(badFile, () => true);
    const wanted = ['Git', 'Shop'].map((word) => bad.split('\n').findIndex((line) => line.includes(word)) + 1);
    check(
      `errors are marked in their lines: ${shown.join(', ')}`,
      wanted.length === shown.length && wanted.every((line, at) => shown[at]?.includes(` ${line}:`)),
    );
  } finally {
    await client.stop();
  }
}

/** The part of VS Code's JSON service that the test uses. */
interface JsonService {
  parseJSONDocument(document: object): object;
  doComplete(document: object, position: object, json: object): Promise<{ readonly items: readonly Completion[] }>;
  doValidation(document: object, json: object): Promise<readonly object[]>;
}

interface Completion {
  readonly label: string;
}

interface JsonModule {
  getLanguageService(options: object): JsonService;
  readonly TextDocument: {
    create(uri: string, language: string, version: number, text: string): { positionAt(offset: number): object };
  };
}

async function checkFixtures(): Promise<void> {
  const tools = await installTools('editor-json', ['vscode-json-languageservice@5.7.2']);
  const { getLanguageService, TextDocument } = tools.load<JsonModule>('vscode-json-languageservice');
  const service = getLanguageService({
    schemaRequestService: (uri: string) => readFile(new URL(uri), 'utf8'),
    workspaceContext: { resolveRelativePath: (path: string, resource: string) => new URL(path, resource).href },
  });
  await runInProcess(['init', 'fixtures'], folder);
  const file = join(folder, 'fixtures/users.json');
  const text = await readFile(file, 'utf8');
  const inspect = async (changed: string): Promise<{ readonly labels: readonly string[]; readonly errors: number }> => {
    const document = TextDocument.create(pathToFileURL(file).href, 'json', 1, changed);
    const json = service.parseJSONDocument(document);
    const { items } = await service.doComplete(document, document.positionAt(changed.indexOf('"": 1') + 1), json);
    return { labels: items.map(({ label }) => label), errors: (await service.doValidation(document, json)).length };
  };
  check('users.json has no errors', (await inspect(text)).errors === 0);
  check('an unknown field is marked', (await inspect(text.replace('"login"', '"emial": 1, "login"'))).errors > 0);
  const { labels } = await inspect(text.replace('"login"', '"": 1, "login"'));
  check('fields of a user are completed', labels.includes('prohibit_login') && !labels.includes('login'));
}

await checkOrders();
await checkFixtures();
