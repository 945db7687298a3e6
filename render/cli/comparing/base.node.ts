// The settings of a revision that `snapshot --against` compares with: the command line with the revision's own configuration.

import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { parseBool } from '../../go/number.ts';
import type { RevisionFiles } from '../../inputs/revisions.node.ts';
import type { BaseRevision } from '../../snapshot/input.node.ts';
import { configuredDefaults, findConfig } from '../config/load.node.ts';
import type { ParsedFlags, ReadFlagsOptions } from '../flags.ts';
import type { CommandContext } from '../program.ts';
import { renderSettings } from '../settings.ts';
import { snapshotSpec } from '../table/snapshot.ts';

/** Returns the inputs and settings of a revision. Throws UsageError, ConfigError. */
export async function configureBase(
  cwd: string,
  { path: root, tops: { working: top } }: RevisionFiles,
  { flags, io }: { readonly flags: ParsedFlags; readonly io: CommandContext },
): Promise<Pick<BaseRevision, 'inputs' | 'settings'>> {
  const moved = { inputs: flags.args.map((path) => movedPath(path, top, root)), settings: renderSettings(flags) };
  if (flags.on('no-config')) return moved;
  const own = configFile(flags.text('config'), io.cwd);
  const isOutside = own !== undefined && relative(top, own).startsWith('..');
  if (isOutside) return moved;
  const other = own === undefined ? configFile(undefined, cwd) : join(root, relative(top, own));
  const file = other?.startsWith(root) && existsSync(other) ? other : undefined;
  if (own === undefined && file === undefined) return moved;
  if (own !== undefined && file !== undefined && readFileSync(own).equals(readFileSync(file))) return moved;
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
    inputs: areConfigured ? (theirs.defaultArgs ?? []) : moved.inputs,
    settings: renderSettings(withDefaults(flags, theirs)),
  };
}

// The command line, with the defaults of another configuration.
function withDefaults(flags: ParsedFlags, { defaults, chartSettings = [] }: ReadFlagsOptions): ParsedFlags {
  const texts = (name: string) => (flags.isGiven(name) ? flags.list(name) : defaults?.get(name));
  return {
    args: flags.args,
    chartSettings,
    help: false,
    given: () => flags.given(),
    isGiven: (name) => flags.isGiven(name),
    has: (name) => texts(name) !== undefined,
    text: (name) => texts(name)?.at(-1),
    on: (name) => parseBool(texts(name)?.at(-1) ?? 'false'),
    list: (name) => texts(name) ?? [],
  };
}

function configFile(given: string | undefined, cwd: string): string | undefined {
  return given === undefined ? findConfig(cwd) : resolve(cwd, given);
}

function movedPath(path: string, top: string, root: string): string {
  const full = resolve(top, path);
  return full === path && (full === top || full.startsWith(top + sep)) ? join(root, relative(top, full)) : path;
}
