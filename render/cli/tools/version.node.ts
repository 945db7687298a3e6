// `drydock version`: the version of drydock, and of the Helms whose output it gives.

import { helmNames, newestHelm } from '../../core/helm-version.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandContext } from '../io.ts';
import { ownVersion } from '../own-files.node.ts';

/** Prints the version. Returns 0. Throws UsageError. */
export async function versionCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  if (flags.args.length > 0) throw new UsageError('"drydock version" takes no arguments');
  const versions = { version: ownVersion(), helm: newestHelm(3), helm4: newestHelm(4), node: process.versions.node };
  if (flags.on('json')) io.stdout(`${JSON.stringify(versions)}\n`);
  else if (io.quiet) io.stdout(`drydock ${versions.version}\n`);
  else io.stdout(`drydock ${versions.version} (renders as Helm ${helmNames()}; runs on Node ${versions.node})\n`);
  return 0;
}
