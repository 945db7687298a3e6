// The licenses of the packages whose code is in the bundles.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

/** Returns the license notices of every package with a file among the inputs of a bundle, by name. Throws if a license is missing. */
export async function thirdPartyNotices(root: string, inputs: readonly string[]): Promise<string> {
  const folders = new Set<string>();
  for (const input of inputs) {
    const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
    if (folder !== undefined) folders.add(folder);
  }
  const notices = await Promise.all([...folders].sort().map((folder) => noticeOf(join(root, folder))));
  return `The files of this folder hold code of these packages.\n\n${notices.join('\n\n')}\n`;
}

async function noticeOf(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
  const file = (await readdir(folder)).find((one) => /^licen[cs]e/i.test(one));
  if (license === undefined) throw new Error(`${name} names no license`);
  const text = file === undefined ? `License: ${license}` : (await readFile(join(folder, file), 'utf8')).trim();
  return `${'='.repeat(80)}\n${name} ${version} (${license})\n\n${text}`;
}
