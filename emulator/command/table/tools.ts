// The commands about drydock itself: `doctor`, `completion`, `version`, `help`. A pure table.

import type { CommandSpec } from './command.ts';
import { globalFlags, jsonFlag } from './shared.ts';

/** The shells that `completion` writes for. */
export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

/** The command `doctor`. */
export const doctorSpec: CommandSpec = {
  name: 'doctor',
  operands: '',
  summary: 'tell what drydock finds on this machine, and what that allows',
  about: [
    'Looks at Node, Helm, kubectl, nats-server, shells, folders, caches and the configuration file.',
    'Nothing of it but Node has to be there: the lines say what each is good for. Nothing is changed or fetched.',
  ],
  flags: [jsonFlag, ...globalFlags],
  offers: 'none',
  examples: ['drydock doctor', 'drydock doctor --json'],
  notes: ['Exit codes: 0 drydock can work here, 1 it cannot, 2 wrong usage.'],
};

/** The command `completion`. */
export const completionSpec: CommandSpec = {
  name: 'completion',
  operands: 'SHELL',
  summary: 'print a completion script for bash, zsh, fish or PowerShell',
  about: ['Prints a script with which a shell completes commands, flags, their values and files.'],
  flags: [...globalFlags],
  offers: shells,
  examples: [
    'drydock completion bash > ~/.local/share/bash-completion/completions/drydock',
    'drydock completion zsh > ~/.zfunc/_drydock',
    'drydock completion fish > ~/.config/fish/completions/drydock.fish',
    'drydock completion powershell >> $PROFILE',
  ],
  notes: ['Exit codes: 0 fine, 2 wrong usage.'],
};

/** The command `version`. */
export const versionSpec: CommandSpec = {
  name: 'version',
  operands: '',
  summary: 'print the version of drydock, and of the Helm whose output it gives',
  about: ['Prints the version of drydock and, where --quiet is not given, what it imitates and what runs it.'],
  flags: [jsonFlag, ...globalFlags],
  offers: 'none',
  examples: ['drydock version', 'drydock version --json', 'drydock --version'],
  notes: ['Exit codes: 0 fine, 2 wrong usage.'],
};

/** The command `help`. */
export const helpSpec: CommandSpec = {
  name: 'help',
  operands: '[COMMAND]',
  summary: 'print the help of a command',
  about: ['Prints what a command does and its flags, as COMMAND --help does.'],
  flags: [...globalFlags],
  offers: 'none',
  examples: ['drydock help', 'drydock help render'],
  notes: ['Exit codes: 0 fine, 2 wrong usage.'],
};
