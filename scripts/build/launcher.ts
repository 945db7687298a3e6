// Makes the program as it is installed: dist/drydock.cjs, and beside it one file of all that `template` runs.

import { createHash } from 'node:crypto';
import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { onlyRooms } from './only-rooms.ts';

/** Rooms of the command that `template` runs; it never asks for the others. */
const ownRooms = /[\\/]command[\\/](table[\\/]|rendering[\\/]template\.node\.ts$)/;

/** Bundles the launcher and the file of `template` into the folder that has `cjs/drydock.cjs`; gives what they are made of. */
export async function buildLauncher(options: BuildOptions, folder: string): Promise<Metafile[]> {
  const common: BuildOptions = {
    ...options,
    format: 'cjs',
    // Read as bytes of one each, which V8 keeps as they are.
    charset: 'ascii',
    metafile: true,
  };
  const command = await build({
    ...common,
    entryPoints: ['emulator/command/main.node.ts'],
    outfile: join(folder, 'parts/template.cjs'),
    // A second copy of what lies beside it to be read: `dist/drydock.js template` tells of the same fault by names.
    minify: true,
    lineLimit: 160,
    plugins: [onlyRooms(ownRooms), ...(options.plugins ?? [])],
  });
  const outputs = Object.values(command.metafile?.outputs ?? {});
  const late = outputs.flatMap(({ imports }) => imports).find(({ kind }) => kind === 'dynamic-import');
  // It is loaded without the `import` that `serve` is handed: Node refuses its own in code that was kept.
  if (late !== undefined) throw new Error(`template would import ${late.path} late, which kept code cannot`);
  const digestOf = async (file: string): Promise<string> => {
    const bytes = await readFile(join(folder, file));
    return JSON.stringify(createHash('sha256').update(bytes).digest('hex').slice(0, 16));
  };
  const launcher = await build({
    ...common,
    entryPoints: ['emulator/command/launch.node.ts'],
    outfile: join(folder, 'drydock.cjs'),
    external: ['./drydock.js'],
    define: {
      TEMPLATE_DIGEST: await digestOf('parts/template.cjs'),
      WHOLE_DIGEST: await digestOf('cjs/drydock.cjs'),
    },
  });
  await chmod(join(folder, 'drydock.cjs'), 0o755);
  return [command.metafile as Metafile, launcher.metafile as Metafile];
}
