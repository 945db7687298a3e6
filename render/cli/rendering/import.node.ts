// `drydock import`: imports files and repositories of Argo CD, Flux, helmfile or kustomize as an Order.

import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { stringify } from 'yaml';
import { plainValue } from '../../codec/plain.ts';
import { helmYaml } from '../../codec/yaml/document-options.ts';
import { RenderError } from '../../core/errors.ts';
import { findGitRoot } from '../../core/git-root.node.ts';
import { didYouMeanPath, expandPatterns } from '../../core/paths.node.ts';
import { diskTree } from '../../gitops/disk-tree.node.ts';
import { type ImportedOrder, importOrder, importReport, importRepository } from '../../gitops/import/import.ts';
import { readTextFile } from '../../go/os.node.ts';
import type { JsonObject } from '../../order/order.ts';
import { mergeUserValues } from '../../values/user.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import { printFailure } from '../output.ts';
import type { CommandContext } from '../program.ts';

/** Prints the imported Order. Returns 0, or 1 if nothing can be imported. Throws UsageError. */
export async function importCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  if (flags.args.length === 0 || flags.args.includes('')) {
    throw new UsageError(
      '"drydock import" takes files or folders of Argo CD, Flux, helmfile or kustomize, or - for standard input',
    );
  }
  try {
    const imported = await importPaths(flags, io);
    const { order, releases, notes, summary } = imported;
    if (flags.on('json')) io.stdout(`${JSON.stringify({ order, releases, notes, summary }, null, 2)}\n`);
    // For readOrder: texts that YAML 1.1 reads as another type are quoted.
    else io.stdout(stringify(order, { ...helmYaml, lineWidth: 0 }));
    if (!io.quiet) reportNotes(imported, flags, io);
    return 0;
  } catch (error) {
    return printFailure(error, undefined, io);
  }
}

function reportNotes(imported: ImportedOrder, flags: ParsedFlags, io: CommandContext): void {
  for (const line of importReport(imported, { all: flags.on('verbose') })) {
    const [, word = '', rest = line] = /^(note|info|skipped)(:[\s\S]*)$/.exec(line) ?? [];
    io.stderr(`${word === '' ? '' : io.err.yellow(word)}${rest}\n`);
  }
}

async function importPaths(flags: ParsedFlags, io: CommandContext): Promise<ImportedOrder> {
  const valuesFiles = flags.list('state-values-file').map((name) => ({ name, text: readTextFile(name, io.cwd) }));
  const values = plainValue(mergeUserValues({ valuesFiles, set: flags.list('state-values-set') })) as JsonObject;
  const options = { environment: flags.text('environment') ?? 'default', env: io.env, values };
  if (flags.args.includes('-')) {
    if (flags.args.length > 1) throw new UsageError('- for standard input goes alone');
    return importOrder([{ name: '<stdin>', text: await io.stdin() }], options);
  }
  const cwd = realpathSync(io.cwd);
  const paths = (await expandPatterns(flags.args, io.cwd)).map((name) => {
    const path = resolve(io.cwd, name);
    if (existsSync(path)) return realpathSync(path);
    throw new RenderError('ORDER_INVALID', `open ${name}: no such file or directory${didYouMeanPath(name, io.cwd)}`, {
      hint: 'Name a file or folder that exists, or - for standard input.',
    });
  });
  const root = rootOf(paths, cwd);
  const below = (path: string): string => relative(root, path).split(sep).join('/');
  return importRepository(diskTree(root), paths.map(below), {
    ...options,
    folder: isWithin(cwd, root) ? below(cwd) : '',
  });
}

function isWithin(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

// The Git repository, or the nearest folder that contains all of them, preferably the current one.
function rootOf(paths: readonly string[], cwd: string): string {
  const [first = cwd] = paths;
  const folder = statSync(first).isDirectory() ? first : dirname(first);
  const start = [findGitRoot(folder), cwd].find(
    (root) => root !== undefined && paths.every((path) => isWithin(path, root)),
  );
  let root = start ?? folder;
  while (!paths.every((path) => isWithin(path, root))) root = dirname(root);
  return root;
}
