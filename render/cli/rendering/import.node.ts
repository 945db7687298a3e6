// `drydock import`: imports files and repositories of Argo CD, Flux, helmfile or kustomize as an Order.

import { formatDocument } from '../../api/yaml.ts';
import { type ImportedOrder, importReport } from '../../gitops/import/import.ts';
import { importPaths } from '../../inputs/import.node.ts';
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
    const imported = await importPaths(flags.args, {
      cwd: io.cwd,
      env: io.env,
      stdin: io.stdin,
      environment: flags.text('environment'),
      stateValuesFiles: flags.list('state-values-file'),
      stateValuesSet: flags.list('state-values-set'),
    });
    const { order, releases, notes, summary } = imported;
    if (flags.on('json')) io.stdout(`${JSON.stringify({ order, releases, notes, summary }, null, 2)}\n`);
    else io.stdout(formatDocument(order));
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
