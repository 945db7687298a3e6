// Tests fixtures in an editor: VS Code's JSON service opens the files that `drydock init fixtures` writes, reports no errors, completes
// fields and marks unknown ones. Part of `npm run test:e2e -- editor`.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { check, installTools, temporaryFolder } from '../../../scripts/dev/tools/tools.ts';
import { runInProcess } from '../../support/cli.ts';

interface Service {
  parseJSONDocument(document: object): object;
  doComplete(
    document: object,
    position: object,
    json: object,
  ): Promise<{ readonly items: readonly { readonly label: string }[] }>;
  doValidation(document: object, json: object): Promise<readonly { readonly message: string }[]>;
}

interface JsonService {
  getLanguageService(options: object): Service;
  readonly TextDocument: {
    create(uri: string, language: string, version: number, text: string): { positionAt(offset: number): object };
  };
}

const tools = await installTools('editor-json', ['vscode-json-languageservice@5.7.2']);
const { getLanguageService, TextDocument } = tools.load<JsonService>('vscode-json-languageservice');
const service = getLanguageService({
  schemaRequestService: (uri: string) => readFile(new URL(uri), 'utf8'),
  workspaceContext: { resolveRelativePath: (path: string, resource: string) => new URL(path, resource).href },
});

async function inspect(
  file: string,
  text: string,
  offset = 0,
): Promise<{ readonly offers: readonly string[]; readonly errors: readonly string[] }> {
  const document = TextDocument.create(pathToFileURL(file).href, 'json', 1, text);
  const json = service.parseJSONDocument(document);
  const { items } = await service.doComplete(document, document.positionAt(offset), json);
  const errors = await service.doValidation(document, json);
  return { offers: items.map(({ label }) => label), errors: errors.map(({ message }) => message) };
}

const workspace = temporaryFolder('drydock-editor-json-');

await runInProcess(['init', 'fixtures'], workspace);
const folder = join(workspace, 'fixtures');
for (const name of (await readdir(folder)).filter((file) => file.endsWith('.json'))) {
  const text = await readFile(join(folder, name), 'utf8');
  const { errors } = await inspect(join(folder, name), text);
  check(`${name} has no errors${errors.length > 0 ? `: ${errors[0]}` : ''}`, errors.length === 0);
  const wrong = await inspect(join(folder, name), text.replace(/^ {4,6}"\w+":|^ {2}"(?!\$schema)\w+":/m, '"emial":'));
  check(`an unknown field in ${name} is marked`, wrong.errors.length > 0);
}
const users = join(folder, 'users.json');
const text = (await readFile(users, 'utf8')).replace('"login"', '"": 1,\n "login"');
const { offers } = await inspect(users, text, text.indexOf('"": 1') + 1);
check(
  'fields of a user are completed, except existing ones',
  offers.includes('prohibit_login') && !offers.includes('login'),
);
