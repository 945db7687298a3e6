// `drydock version`: the version of drydock, and of the Helm whose output it gives.

import { helmVersion } from '../../../render/helm-version.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandContext } from '../io.ts';
import { ownVersion } from '../own-files.node.ts';

/** Prints the version. Gives 0. Throws UsageError. */
export async function versionCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  if (flags.args.length > 0) throw new UsageError('"drydock version" takes no arguments');
  const versions = { version: ownVersion(), helm: helmVersion.slice(1), node: process.versions.node };
  if (flags.on('json')) io.stdout(`${JSON.stringify(versions)}\n`);
  else if (io.quiet) io.stdout(`drydock ${versions.version}\n`);
  else io.stdout(`drydock ${versions.version} (renders as Helm ${versions.helm}; runs on Node ${versions.node})\n`);
  return 0;
}
