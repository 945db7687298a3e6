// `drydock doctor` and `version`: what is on this machine, and what drydock reproduces.

import { helmNames, newestHelm } from '../../core/helm-version.ts';
import { ownVersion } from '../../core/own-files.node.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandContext } from '../io.ts';
import { findFolders, findPrograms, findRuntime, type ToolFinding } from './findings.node.ts';

/** Prints what was found. Returns 0 where drydock can work, 1 where it cannot. Throws UsageError. */
export async function doctorCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  if (flags.args.length > 0) throw new UsageError('"drydock doctor" takes no arguments');
  const findings = [...findRuntime(io), ...(await findPrograms(io)), ...findFolders(io)];
  const isFine = findings.every(({ status }) => status !== 'fault');
  if (flags.on('json')) io.stdout(`${JSON.stringify({ version: ownVersion(), ok: isFine, findings }, null, 2)}\n`);
  else io.stdout(format(io.quiet ? findings.filter(({ status }) => status === 'fault') : findings, io));
  return isFine ? 0 : 1;
}

function format(findings: readonly ToolFinding[], { out, quiet }: CommandContext): string {
  const signs = {
    ok: out.green('ok     '),
    absent: out.dim('absent '),
    note: out.yellow('note   '),
    fault: out.red('fault  '),
  };
  const width = Math.max(0, ...findings.map(({ name }) => name.length));
  const lines = findings.map(
    ({ name, status, found, allows }) =>
      `${signs[status]} ${out.bold(name.padEnd(width))}  ${found}\n${' '.repeat(width + 10)}${out.dim(allows)}\n`,
  );
  return `${quiet ? '' : `drydock ${ownVersion()}\n\n`}${lines.join('')}`;
}

/** Prints the version. Returns 0. Throws UsageError. */
export async function versionCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  if (flags.args.length > 0) throw new UsageError('"drydock version" takes no arguments');
  const versions = { version: ownVersion(), helm: newestHelm(3), helm4: newestHelm(4), node: process.versions.node };
  if (flags.on('json')) io.stdout(`${JSON.stringify(versions)}\n`);
  else if (io.quiet) io.stdout(`drydock ${versions.version}\n`);
  else io.stdout(`drydock ${versions.version} (renders as Helm ${helmNames()}; runs on Node ${versions.node})\n`);
  return 0;
}
