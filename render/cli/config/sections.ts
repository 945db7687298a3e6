// The members of a configuration file, derived from the flag tables: a section for each command, and shared members.

import type { FlagSpec } from '../flags.ts';
import type { Program } from '../io.ts';
import type { CommandSpec } from '../table/command.ts';
import { globalFlags, orderFlags } from '../table/shared.ts';
import { snapshotSpec } from '../table/snapshot.ts';

/** A member of a configuration: its name and its flag. */
export interface ConfigMember {
  readonly key: string;
  readonly flag: FlagSpec;
}

/** The section of a command. */
export interface ConfigSection {
  /** For example `natsConfig`. */
  readonly key: string;
  /** Earlier names of the section, which still work. */
  readonly formerKeys: readonly string[];
  readonly spec: CommandSpec;
  readonly members: readonly ConfigMember[];
  /** Whether it can contain the command's inputs. */
  readonly hasInputs: boolean;
  /** The names of emulator settings that it can contain, in the member `settings`. */
  readonly settings: readonly string[];
}

// They select a configuration, or apply to a single call.
const ownWords = new Set(['config', 'no-config', 'stdio']);

/** The top-level members: each applies to all commands with the flag. */
export const sharedMembers: readonly ConfigMember[] = [...orderFlags, ...globalFlags]
  .filter(({ name }) => !ownWords.has(name))
  .map(memberOf);

/** The member that sets other members for some charts only, by path or pattern. */
export const chartSettingsKey = 'chartSettings';

const chartFlags = new Set([
  ...['values', 'set', 'with-values', 'namespace', 'release', 'kube-version', 'api-versions', 'with-api-versions'],
  ...['skip-schema-validation', 'skip-crds', 'validate'],
]);

/** The members that can be set for some charts only; they mean the same as for `snapshot`. */
export const chartMembers: readonly ConfigMember[] = snapshotSpec.flags
  .filter(({ name }) => chartFlags.has(name))
  .map(memberOf);

/** Returns the section of a command. */
export function sectionOf(spec: CommandSpec): ConfigSection {
  return {
    key: camelCase(spec.name),
    formerKeys: (spec.formerNames ?? []).map(camelCase),
    spec,
    members: spec.flags.filter((flag) => !ownWords.has(flag.name) && flag.isSetting !== true).map(memberOf),
    hasInputs: spec.offers === 'files',
    settings: spec.settings ?? [],
  };
}

/** Returns the sections of all commands that can have one. */
export async function allSections({ commands }: Program): Promise<readonly ConfigSection[]> {
  const configured = commands.filter(({ isConfigured }) => isConfigured);
  return Promise.all(configured.map(async ({ spec }) => sectionOf(await spec())));
}

/** Returns the names of the sections without loading the commands. */
export function sectionKeys({ commands }: Program): readonly string[] {
  return commands
    .filter(({ isConfigured }) => isConfigured)
    .flatMap(({ heading }) => [heading.name, ...(heading.formerNames ?? [])].map(camelCase));
}

function memberOf(flag: FlagSpec): ConfigMember {
  return { key: camelCase(flag.name), flag };
}

function camelCase(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
