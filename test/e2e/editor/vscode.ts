// Packs the VS Code extension and checks its files. Part of `npm run test:e2e -- language-server`.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { packExtension } from '../../../scripts/build/editor/pack-vscode.ts';
import { check } from '../../../scripts/dev/tools/tools.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = temporaryFolder('drydock-vscode-');

const file = join(folder, 'drydock.vsix');
await packExtension(file);
const files = unzipSync(await readFile(file));
const { main, version } = JSON.parse(strFromU8(files['extension/package.json']!)) as {
  readonly main: string;
  readonly version: string;
};
const own = JSON.parse(await readFile('package.json', 'utf8')) as { readonly version: string };
check(`the extension has the version of drydock: ${version}`, version === own.version);
const program = strFromU8(files[join('extension', main)] ?? new Uint8Array());
check('the extension contains its program, which loads vscode', /require\("vscode"\)/.test(program));
check(
  'the extension contains a README and the license',
  'extension/readme.md' in files && 'extension/LICENSE.txt' in files,
);
