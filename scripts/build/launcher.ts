// Builds the installed program, dist/drydock.cjs, and one file with everything that `template` needs.

import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';

/** Bundles the launcher and the program of `template` into a folder. Returns the source files. */
export async function buildLauncher(options: BuildOptions, folder: string): Promise<Metafile[]> {
  const common: BuildOptions = { ...options, format: 'cjs', charset: 'ascii', metafile: true };
  const command = await build({
    ...common,
    entryPoints: ['render/cli/template-main.node.ts'],
    outfile: join(folder, 'parts/template.cjs'),
    // A second copy of modules that are also in dist/ in readable form: `dist/drydock.js template` reports the same failure with names.
    minify: true,
    lineLimit: 160,
  });
  const launcher = await build({
    ...common,
    entryPoints: ['render/cli/launch.node.ts'],
    outfile: join(folder, 'drydock.cjs'),
    external: ['./drydock.js', './parts/template.cjs'],
  });
  await chmod(join(folder, 'drydock.cjs'), 0o755);
  return [command.metafile as Metafile, launcher.metafile as Metafile];
}
