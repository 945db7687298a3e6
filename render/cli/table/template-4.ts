// The flags of `helm template` 4 that differ from those of Helm 3, as data.
// Mirrors: helm.sh/helm/v4/pkg/cmd, template.go, install.go, flags.go, and pkg/cli, environment.go, v4.2.3.

import type { FlagSpec } from '../flags.ts';
import type { CommandSpec } from './command.ts';
import { otherFlags, templateFlags, templateSpec } from './template.ts';

const replaced: readonly FlagSpec[] = [
  { name: 'dry-run', type: 'string', bare: 'unset', placeholder: 'MODE', offers: ['client', 'server'], help: '' },
  { name: 'wait', type: 'wait', bare: 'watcher', help: '' },
];

// Flags of every command of Helm 4.
const addedToAll: readonly FlagSpec[] = ['color', 'colour', 'content-cache'].map((name) => ({
  name,
  type: 'string',
  help: '',
}));

const added: readonly FlagSpec[] = [
  { name: 'force-conflicts', type: 'bool', help: '' },
  { name: 'force-replace', type: 'bool', help: '' },
  { name: 'rollback-on-failure', type: 'bool', help: '' },
  { name: 'server-side', type: 'bool', help: '' },
];

const behavior = 'legacy-stderr-threshold-behavior';

const names = new Set(replaced.map(({ name }) => name));
const kept = (flags: readonly FlagSpec[]): FlagSpec[] => flags.filter(({ name }) => !names.has(name));

/** The command `template` as Helm 4 reads its flags. */
export const templateSpec4: CommandSpec = asHelm4({
  ...templateSpec,
  flags: kept(templateFlags),
  ignoredFlags: [...kept(otherFlags), ...replaced, ...added],
});

/** Returns a command with the flags that Helm 4 has for every command. */
export function asHelm4(spec: CommandSpec): CommandSpec {
  return {
    ...spec,
    ignoredFlags: [...(spec.ignoredFlags ?? []), ...addedToAll],
    hiddenFlags: [...(spec.hiddenFlags ?? []), { name: behavior, type: 'bool', help: '' }],
    readFirst: [behavior, ...(spec.readFirst ?? []), ...addedToAll.map(({ name }) => name)],
  };
}

/** Reports whether a command line asks for Helm 4 with `--helm`. */
export function selectsHelm4(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  const before = end < 0 ? words : words.slice(0, end);
  return before.some((word, i) => {
    const version = word === '--helm' ? before[i + 1] : /^--helm=(.*)$/.exec(word)?.[1];
    return version !== undefined && /^v?4/.test(version);
  });
}
