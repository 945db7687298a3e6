// What a configuration file may say, made from the tables of flags: a part for each command, and what all of them share.

import type { FlagSpec } from '../flags.ts';
import type { Program } from '../io.ts';
import type { CommandSpec } from '../table/command.ts';
import { globalFlags, orderFlags } from '../table/shared.ts';
import { snapshotSpec } from '../table/snapshot.ts';

/** A member of a configuration: its name and the flag that it stands for. */
export interface ConfigMember {
  readonly key: string;
  readonly flag: FlagSpec;
}

/** The part of a configuration that is for one command. */
export interface ConfigSection {
  /** Such as `natsConfig`. */
  readonly key: string;
  /** Earlier names of the section, which still work. */
  readonly formerKeys: readonly string[];
  readonly spec: CommandSpec;
  readonly members: readonly ConfigMember[];
  /** Whether it may name the inputs that the command line names otherwise. */
  readonly hasInputs: boolean;
  /** The names of the settings of the emulator that it may hold, all in one member, `settings`. */
  readonly settings: readonly string[];
}

// They say where a configuration is, or what one call is for.
const ownWords = new Set(['config', 'no-config', 'stdio']);

/** What is at the top of a configuration: it counts for each command that has the flag. */
export const sharedMembers: readonly ConfigMember[] = [...orderFlags, ...globalFlags]
  .filter(({ name }) => !ownWords.has(name))
  .map(memberOf);

/** The member of a configuration that sets members for some charts alone, by path or pattern. */
export const chartSettingsKey = 'chartSettings';

const chartFlags = new Set([
  ...['values', 'set', 'with-values', 'namespace', 'release', 'kube-version', 'api-versions', 'with-api-versions'],
  ...['skip-schema-validation', 'skip-crds', 'validate'],
]);

/** The members that may be set for some charts alone: they mean what they mean to `snapshot`. */
export const chartMembers: readonly ConfigMember[] = snapshotSpec.flags
  .filter(({ name }) => chartFlags.has(name))
  .map(memberOf);

/** Returns the part of a command. */
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

/** Returns the sections of all commands that may have one. */
export async function allSections({ commands }: Program): Promise<readonly ConfigSection[]> {
  const configured = commands.filter(({ isConfigured }) => isConfigured);
  return Promise.all(configured.map(async ({ spec }) => sectionOf(await spec())));
}

/** Returns the names of the sections, for which no command is loaded. */
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
