// The flags of `helm template` 4, where they are not those of Helm 3. A pure table.
// Mirrors: helm.sh/helm/v4/pkg/cmd, template.go, install.go, flags.go, and pkg/cli, environment.go, v4.2.3.

import type { FlagSpec } from '../flags.ts';
import type { CommandSpec } from './command.ts';
import { otherFlags, templateFlags, templateSpec } from './template.ts';

const replaced: readonly FlagSpec[] = [
  { name: 'dry-run', type: 'string', bare: 'unset', placeholder: 'MODE', offers: ['client', 'server'], help: '' },
  { name: 'wait', type: 'wait', bare: 'watcher', help: '' },
];

const added: readonly FlagSpec[] = [
  { name: 'color', type: 'string', help: '' },
  { name: 'colour', type: 'string', help: '' },
  { name: 'content-cache', type: 'string', help: '' },
  { name: 'force-conflicts', type: 'bool', help: '' },
  { name: 'force-replace', type: 'bool', help: '' },
  { name: 'rollback-on-failure', type: 'bool', help: '' },
  { name: 'server-side', type: 'bool', help: '' },
];

const behavior = 'legacy-stderr-threshold-behavior';

const names = new Set(replaced.map(({ name }) => name));
const kept = (flags: readonly FlagSpec[]): FlagSpec[] => flags.filter(({ name }) => !names.has(name));

/** The command `template` as Helm 4 reads its flags. */
export const templateSpec4: CommandSpec = {
  ...templateSpec,
  flags: kept(templateFlags),
  ignoredFlags: [...kept(otherFlags), ...replaced, ...added],
  hiddenFlags: [...(templateSpec.hiddenFlags ?? []), { name: behavior, type: 'bool', help: '' }],
  readFirst: [behavior, ...(templateSpec.readFirst ?? []), 'color', 'colour', 'content-cache'],
};

/** Returns the command `template` as it is read by the Helm that its words select with `--helm`. */
export function templateSpecFor(words: readonly string[]): CommandSpec {
  const end = words.indexOf('--');
  const before = end < 0 ? words : words.slice(0, end);
  const isFour = before.some((word, i) => {
    const version = word === '--helm' ? before[i + 1] : /^--helm=(.*)$/.exec(word)?.[1];
    return version !== undefined && /^v?4/.test(version);
  });
  return isFour ? templateSpec4 : templateSpec;
}
