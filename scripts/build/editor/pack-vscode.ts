// Packs the VS Code extension: `npm run build -- vscode [FILE]`; default: drydock.vsix in the folder of the project.

import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { execa } from 'execa';
import { installTools, temporaryFolder } from '../../dev/tools/tools.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const source = join(root, 'scripts/build/editor/vscode');

/** Packs the extension, with the version of drydock, into a file. */
export async function packExtension(file: string): Promise<void> {
  const tools = await installTools('vsce', ['@vscode/vsce@3.9.2']);
  const folder = temporaryFolder('drydock-vscode-');
  await build({
    entryPoints: [join(source, 'extension.ts')],
    outfile: join(folder, 'extension.js'),
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    external: ['vscode'],
    minifyWhitespace: true,
    logLevel: 'warning',
  });
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { readonly version: string };
  const manifest = JSON.parse(await readFile(join(source, 'manifest.json'), 'utf8')) as object;
  await writeFile(join(folder, 'package.json'), `${JSON.stringify({ ...manifest, version }, undefined, 2)}\n`);
  await copyFile(join(source, 'README.md'), join(folder, 'README.md'));
  await copyFile(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  const flags = ['--no-dependencies', '--allow-missing-repository', '--skip-license', '--out', file];
  await execa(tools.bin('vsce'), ['package', ...flags], { cwd: folder, stdout: 'ignore', stderr: 'inherit' });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = resolve(process.argv[2] ?? 'drydock.vsix');
  await packExtension(file);
  console.log(`packed ${file}`);
}
