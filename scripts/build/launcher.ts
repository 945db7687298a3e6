// Makes the program as it is installed: dist/drydock.cjs, and beside it one file of all that `template` runs.

import { createHash } from 'node:crypto';
import { chmod, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';

/** Rooms of the command that `template` runs; it never asks for the others. */
const ownRooms = /[\\/]command[\\/](table[\\/]|rendering[\\/]template\.node\.ts$)/;

/** Bundles the launcher and the file of `template` into a folder; gives what they are made of. */
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
    plugins: [onlyOwnRooms(), ...(options.plugins ?? [])],
  });
  const outputs = Object.values(command.metafile?.outputs ?? {});
  const late = outputs.flatMap(({ imports }) => imports).find(({ kind }) => kind === 'dynamic-import');
  // Node refuses `import()` in code that was kept, and warns of it in other code that it did not load itself.
  if (late !== undefined) throw new Error(`template would import ${late.path} late, which kept code cannot`);
  const text = await readFile(join(folder, 'parts/template.cjs'));
  const launcher = await build({
    ...common,
    entryPoints: ['emulator/command/launch.node.ts'],
    outfile: join(folder, 'drydock.cjs'),
    external: ['./drydock.js'],
    define: { TEMPLATE_DIGEST: JSON.stringify(createHash('sha256').update(text).digest('hex').slice(0, 16)) },
  });
  await chmod(join(folder, 'drydock.cjs'), 0o755);
  return [command.metafile as Metafile, launcher.metafile as Metafile];
}

function onlyOwnRooms(): Plugin {
  return {
    name: 'only-own-rooms',
    setup(setup) {
      setup.onResolve({ filter: /^\.{1,2}\// }, ({ path, kind, resolveDir }) => {
        if (kind !== 'dynamic-import' || ownRooms.test(join(resolveDir, path))) return undefined;
        return { path: basename(path), namespace: 'other-rooms' };
      });
      setup.onLoad({ filter: /.*/, namespace: 'other-rooms' }, () => ({ contents: 'export {};' }));
    },
  };
}
