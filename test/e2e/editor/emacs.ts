// Opens a chart in Emacs, with the configuration of the documentation. `npm run test:e2e -- language-server`

import { chmod, cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { check } from '../../../scripts/dev/tools/tools.ts';
import { sourceServer } from '../../support/language-client.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = temporaryFolder('drydock-emacs-');
const chart = join(folder, 'web');

/** Writes a file to the folder and returns its path. */
async function write(name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}

await cp(join(root, 'fixtures/charts/web'), chart, { recursive: true });
const guide = await readFile(join(root, 'render/docs/editors.md'), 'utf8');
const [, config = ''] = /```elisp\n(.*?)```/s.exec(guide) ?? [];
const command = sourceServer.map((word) => `'${word}'`).join(' ');
await chmod(await write('drydock', `#!/bin/sh\nexec ${command}\n`), 0o755);
const { stdout, stderr } = await execa('emacs', ['--batch', '-l', join(root, 'test/e2e/editor/emacs.el')], {
  env: {
    PATH: `${folder}:${process.env.PATH}`,
    EDITOR_CONFIG: await write('config.el', config),
    EDITOR_FILE: join(chart, 'templates/deployment.yaml'),
  },
  timeout: 120_000,
  reject: false,
});
const shown = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(stdout)?.[1] ?? `${stdout}${stderr}`;
check(`hover: ${shown('hover')}`, /IfNotPresent.* values\.yaml:8/.test(shown('hover')));
check(`definition: ${shown('definition')}`, shown('definition') === 'values.yaml:8');
check(`rename: ${shown('renamed')}`, /\.Values\.image\.policy /.test(shown('renamed')));
check(`unclosed action: ${shown('broken')}`, /^\(34 .*unclosed action\)$/.test(shown('broken')));
