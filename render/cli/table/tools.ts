// The commands about drydock itself and for editors: `doctor`, `completion`, `version`, `help`, `language-server`, as data.

import type { CommandSpec } from './command.ts';
import { boolFlag, caseFilesFlag, caseSetFlag, globalFlags, jsonFlag, orderFlags } from './shared.ts';

/** The shells that `completion` writes for. */
export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

/** The command `doctor`. */
export const doctorSpec: CommandSpec = {
  name: 'doctor',
  operands: '',
  summary: 'check the tools and files that drydock uses on this machine',
  about: [
    'Checks Node, Helm, kubectl, nats-server, shells, folders, caches and the configuration file.',
    'Only Node is required: each line says what the tool is used for. Nothing is changed or downloaded.',
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
  notes: ['Exit codes: 0 success, 2 wrong usage.'],
};

/** The command `version`. */
export const versionSpec: CommandSpec = {
  name: 'version',
  operands: '',
  summary: 'print the version of drydock and the Helm versions it reproduces',
  about: ['Prints the version of drydock and, where --quiet is not given, what it imitates and what runs it.'],
  flags: [jsonFlag, ...globalFlags],
  offers: 'none',
  examples: ['drydock version', 'drydock version --json', 'drydock --version'],
  notes: ['Exit codes: 0 success, 2 wrong usage.'],
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
  notes: ['Exit codes: 0 success, 2 wrong usage.'],
};

/** The command `language-server`. */
export const languageServerSpec: CommandSpec = {
  name: 'language-server',
  operands: '',
  summary: 'serve editors over the Language Server Protocol',
  about: [
    'Speaks the Language Server Protocol on standard input and output, for charts and Orders: problems found by rendering every',
    'case of a chart, values and their origins on hover, definitions, references, completion, rename, and how many cases reach',
    'a branch. An editor starts it; the page "Editors" says how.',
  ],
  flags: [
    boolFlag('stdio', 'accepted because editors pass it; standard input and output are always used'),
    caseFilesFlag,
    caseSetFlag,
    ...orderFlags.filter(({ name }) => name !== 'seed'),
    ...globalFlags,
  ],
  follows: 'snapshot',
  offers: 'none',
  examples: ['drydock language-server --stdio', 'drydock language-server --helm 4 --charts charts'],
  notes: ['Exit codes: 0 the editor ended the session, 1 it left without doing so, 2 wrong usage.'],
};
