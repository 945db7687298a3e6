// `drydock init`: a starter folder of fixtures, or msw's worker script in the public folder of an application.

import { readFile, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { type ParsedFlags, UsageError } from '../../render/cli/flags.ts';
import type { CommandContext } from '../../render/cli/program.ts';
import { markFailures } from '../../render/core/errors.ts';
import { makeFolder } from '../../render/core/make-folder.node.ts';
import { didYouMeanPath } from '../../render/core/paths.node.ts';
import { seed } from '../seed.ts';
import { fixtureFileSchemas } from '../server.node.ts';

/** Thrown if nothing can be written: files exist, or the source is missing. */
export class InitError extends Error {
  override readonly name = 'InitError';
}

markFailures(InitError, 'user');

interface Draft {
  readonly path: string;
  readonly text: string;
}

/** Writes the files and prints their names. Returns 0. Throws UsageError and InitError, with nothing written. */
export async function initCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  const [what, ...rest] = flags.args;
  if (what === undefined) throw new UsageError('"drydock init" takes "fixtures", or the folder of your pages');
  const isFixtures = what.replace(/(?<![\\/])[\\/]+$/, '') === 'fixtures';
  if (rest.length > (isFixtures ? 1 : 0)) throw new UsageError(`"drydock init ${what}" takes no "${rest.at(-1)}"`);
  const folder = isFixtures ? (rest[0] ?? 'fixtures') : what;
  const full = resolve(io.cwd, folder);
  const drafts = isFixtures ? draftFixtures() : [await draftWorker(full, io)];
  await write(drafts, full, flags.on('force'));
  if (io.quiet) return 0;
  const next = isFixtures
    ? `drydock serve --fixtures ${folder} --watch`
    : 'startWorker() of drydock/emulator/browser finds it at /mockServiceWorker.js';
  const places = new Set(drafts.map(({ path }) => path.replace(/\/.*/, '/')));
  const names = [...places].map((path) => `  ${path}\n`).join('');
  io.stdout(`written into ${folder}:\n${names}\nnext: ${next}\n`);
  return 0;
}

// Checks every file before writing the first.
async function write(drafts: readonly Draft[], folder: string, force: boolean): Promise<void> {
  const there: string[] = [];
  for (const { path, text } of drafts) {
    const before = await readFile(join(folder, path), 'utf8').catch((failure: NodeJS.ErrnoException) => {
      if (failure.code === 'ENOENT') return undefined;
      if (failure.code === 'ENOTDIR') throw new InitError(`${folder}: it is not a folder`);
      throw failure;
    });
    if (before !== undefined && before !== text) there.push(path);
  }
  if (there.length > 0 && !force) {
    const verb = there.length === 1 ? 'is' : 'are';
    throw new InitError(
      `${there.join(', ')} ${verb} in ${folder} already, and nothing was written: name another folder, or write over with --force`,
    );
  }
  for (const { path, text } of drafts) {
    makeFolder(dirname(join(folder, path)));
    await writeFile(join(folder, path), text);
  }
}

const starterScenarios = {
  'address-book-down': {
    description: 'Addresses cannot be listed twice, then they can',
    faults: [{ route: 'GET /user/emails', status: 503, message: 'Down for maintenance', times: 2 }],
  },
};

function draftFixtures(): readonly Draft[] {
  const named = (schema: string, members: object): string =>
    `${JSON.stringify({ $schema: `./schemas/${schema}.schema.json`, ...members }, null, 2)}\n`;
  const kinds = Object.entries(seed).map(([kind, rows]) => ({
    path: `${kind}.json`,
    text: named(`fixtures/${kind}`, { [kind]: rows as unknown }),
  }));
  const schemas = [...fixtureFileSchemas()].map(([name, schema]) => ({
    path: `schemas/${name}.schema.json`,
    text: `${JSON.stringify(schema, null, 2)}\n`,
  }));
  return [
    ...kinds,
    { path: 'settings.json', text: named('settings', { pageSize: 30 }) },
    { path: 'scenarios.json', text: named('scenarios', starterScenarios) },
    ...schemas,
  ];
}

async function draftWorker(folder: string, { cwd }: CommandContext): Promise<Draft> {
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory()) {
    throw new InitError(
      `${folder}: there is no such folder${didYouMeanPath(folder, cwd)}; name the one that your pages are served from`,
    );
  }
  // The script must match the msw that the pages import, so it is the project's.
  const { resolve: find } = createRequire(join(cwd, 'package.json'));
  try {
    return { path: 'mockServiceWorker.js', text: await readFile(find('msw/mockServiceWorker.js'), 'utf8') };
  } catch {
    throw new InitError(`msw 2 is not installed in ${cwd}: run npm install --save-dev msw there`);
  }
}
