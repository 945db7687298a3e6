// The digest of this program: renderings of another version are not reused.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownVersion, packageFolder } from '../../core/own-files.node.ts';
import { contentDigest, digestOfParts } from './digest.node.ts';

let known: string | undefined;

/**
 * Returns the digest of the running program: its version and code, so that a local build counts as another program. It is the same on every
 * machine with the same package.
 */
export function programDigest(): string {
  known ??= digestOfParts([ownVersion(), ...codeOf(fileURLToPath(import.meta.url))]);
  return known;
}

function codeOf(file: string): string[] {
  if (file.endsWith('.ts')) return ['render', 'emulator'].flatMap((room) => sourcesIn(join(packageFolder(), room)));
  // In the package the command and what it loads are in one folder and in `parts/` below it; a bundle of the command has none.
  const own = dirname(file);
  const root = own.endsWith('parts') ? dirname(own) : own;
  return [root, join(root, 'parts')].filter(existsSync).flatMap((folder) => {
    const names = readdirSync(folder).filter((name) => /\.c?js$/.test(name));
    return names.sort().map((name) => `${name} ${contentDigest(readFileSync(join(folder, name)))}`);
  });
}

// There are many sources; size and modification time are enough.
function sourcesIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  return names.sort().map((name) => {
    const { size, mtimeMs } = statSync(join(folder, name));
    return `${name} ${size} ${mtimeMs}`;
  });
}
