// Which drydock this is: what another one rendered is not taken for its own.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownVersion, packageFolder } from '../own-files.node.ts';
import { digestOf, digestOfParts } from './digest.node.ts';

let known: string | undefined;

/**
 * Gives the digest of the program that runs: its version and the bytes of its code, so that a build of one's own counts as
 * another. The same on every machine that has the same package.
 */
export function programDigest(): string {
  known ??= digestOfParts([ownVersion(), ...codeOf(fileURLToPath(import.meta.url))]);
  return known;
}

function codeOf(file: string): string[] {
  if (file.endsWith('.ts')) return ['render', 'emulator'].flatMap((room) => sourcesIn(join(packageFolder(), room)));
  // In the package the command and what it loads lie in one folder and in `parts/` below it; a bundle of the command has none.
  const own = dirname(file);
  const root = own.endsWith('parts') ? dirname(own) : own;
  return [root, join(root, 'parts')].filter(existsSync).flatMap((folder) => {
    const names = readdirSync(folder).filter((name) => /\.c?js$/.test(name));
    return names.sort().map((name) => `${name} ${digestOf(readFileSync(join(folder, name)))}`);
  });
}

// Sources are many, and whoever changes one saves it.
function sourcesIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  return names.sort().map((name) => {
    const { size, mtimeMs } = statSync(join(folder, name));
    return `${name} ${size} ${mtimeMs}`;
  });
}
