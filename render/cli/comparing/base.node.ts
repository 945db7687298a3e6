// The settings of a revision that `snapshot --against` compares with: the command line with the revision's own configuration.

import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { BaseFolder } from '../../snapshot/base.node.ts';
import type { BaseInputs } from '../../snapshot/input.node.ts';
import { configuredDefaults, findConfig } from '../config/load.node.ts';
import type { ParsedFlags, ReadFlagsOptions } from '../flags.ts';
import type { CommandContext } from '../program.ts';
import { renderSettings } from '../settings.ts';
import { snapshotSpec } from '../table/snapshot.ts';

/** Returns the inputs and settings of a revision with a configuration of its own; undefined for one without. Throws UsageError, ConfigError. */
export async function configureBase(
  { cwd, path: root, top, inputs }: BaseFolder,
  flags: ParsedFlags,
  io: CommandContext,
): Promise<BaseInputs | undefined> {
  if (flags.on('no-config')) return undefined;
  const own = configFile(flags.text('config'), io.cwd);
  const isOutside = own !== undefined && relative(top, own).startsWith('..');
  if (isOutside) return undefined;
  const other = own === undefined ? configFile(undefined, cwd) : join(root, relative(top, own));
  const file = other?.startsWith(root) && existsSync(other) ? other : undefined;
  if (own === undefined && file === undefined) return undefined;
  if (own !== undefined && file !== undefined && readFileSync(own).equals(readFileSync(file))) return undefined;
  const source = { program: io.program, env: io.env };
  const read = async (
    at: string,
    given: string | undefined,
    allowsMissingCharts: boolean,
  ): Promise<ReadFlagsOptions> => {
    if (given === undefined) return {};
    return (await configuredDefaults(snapshotSpec, { ...source, cwd: at, given, allowsMissingCharts })) ?? {};
  };
  const [mine, theirs] = [await read(io.cwd, own, false), await read(cwd, file, true)];
  const areConfigured = mine.defaultArgs?.join('\0') === flags.args.join('\0');
  return {
    inputs: areConfigured ? (theirs.defaultArgs ?? []) : inputs,
    settings: renderSettings(flags.withDefaults(theirs)),
  };
}

function configFile(given: string | undefined, cwd: string): string | undefined {
  return given === undefined ? findConfig(cwd) : resolve(cwd, given);
}
