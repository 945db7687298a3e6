// Opens a chart in headless Neovim, and in Emacs with the configuration of the documentation; packs the extension for VS Code and checks its
// files. `npm run test:e2e -- language-server`

import { chmod, cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { strFromU8, unzipSync } from 'fflate';
import { packExtension } from '../../../scripts/build/editor/pack-vscode.ts';
import { check, temporaryFolder } from '../../../scripts/dev/tools/tools.ts';
import { sourceServer } from '../../support/language-client.ts';

const root = join(import.meta.dirname, '../../..');
const folder = temporaryFolder('drydock-editors-');
const chart = join(folder, 'web');

/** Writes a file to the folder and returns its path. */
async function write(name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}

/** Runs an editor and returns its output. */
async function run(editor: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  const { stdout, stderr } = await execa(editor, args, { cwd: chart, env, timeout: 120_000, reject: false });
  return stdout || stderr;
}

async function checkNeovim(): Promise<void> {
  const args = ['--headless', '-u', 'NONE', '-c', `luafile ${join(root, 'test/e2e/editor/neovim.lua')}`];
  const output = await run('nvim', args, {
    DRYDOCK_SERVER: JSON.stringify(sourceServer),
    DRYDOCK_FILE: join(chart, 'templates/deployment.yaml'),
  });
  const lines = output.split('\n').filter((line) => line.startsWith('{'));
  const answers = lines.map((line) => JSON.parse(line) as { readonly name: string; readonly value: unknown });
  const answer = new Map(answers.map(({ name, value }) => [name, value]));
  const shown = (name: string): string => JSON.stringify(answer.get(name) ?? answer.get('timeout') ?? null);
  check(`Neovim: hover: ${shown('hover')}`, /IfNotPresent.* values\.yaml:8/.test(shown('hover')));
  check(`Neovim: definition: ${shown('definition')}`, /web\/values\.yaml"$/.test(shown('definition')));
  check(`Neovim: completion: ${shown('completion')}`, /"repository","tag"/.test(shown('completion')));
  check(`Neovim: unclosed action: ${shown('broken')}`, /^\["34: unclosed action"\]$/.test(shown('broken')));
  check('Neovim: the diagnostic disappears when the action is closed again', shown('repaired') === '0');
}

async function checkEmacs(): Promise<void> {
  const guide = await readFile(join(root, 'render/docs/editors.md'), 'utf8');
  const [, config = ''] = /```elisp\n(.*?)```/s.exec(guide) ?? [];
  const command = sourceServer.map((word) => `'${word}'`).join(' ');
  await chmod(await write('drydock', `#!/bin/sh\nexec ${command}\n`), 0o755);
  const output = await run('emacs', ['--batch', '-l', join(root, 'test/e2e/editor/emacs.el')], {
    PATH: `${folder}:${process.env.PATH}`,
    EDITOR_CONFIG: await write('config.el', config),
    EDITOR_FILE: join(chart, 'templates/deployment.yaml'),
  });
  const shown = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(output)?.[1] ?? output;
  check(`Emacs: hover: ${shown('hover')}`, /IfNotPresent.* values\.yaml:8/.test(shown('hover')));
  check(`Emacs: definition: ${shown('definition')}`, shown('definition') === 'values.yaml:8');
  check(`Emacs: rename: ${shown('renamed')}`, /\.Values\.image\.policy /.test(shown('renamed')));
  check(`Emacs: unclosed action: ${shown('broken')}`, /^\(34 .*unclosed action\)$/.test(shown('broken')));
}

async function checkExtension(): Promise<void> {
  const file = join(folder, 'drydock.vsix');
  await packExtension(file);
  const files = unzipSync(await readFile(file));
  const { main, version } = JSON.parse(strFromU8(files['extension/package.json']!)) as {
    readonly main: string;
    readonly version: string;
  };
  const own = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { readonly version: string };
  check(`the extension has the version of drydock: ${version}`, version === own.version);
  const program = strFromU8(files[join('extension', main)] ?? new Uint8Array());
  check('the extension contains its program, which loads vscode', /require\("vscode"\)/.test(program));
  check(
    'the extension contains a README and the license',
    'extension/readme.md' in files && 'extension/LICENSE.txt' in files,
  );
}

await cp(join(root, 'fixtures/charts/web'), chart, { recursive: true });
await checkNeovim();
await checkEmacs();
await checkExtension();
