// The command `language-server`. A pure table.

import type { CommandSpec } from './command.ts';
import { caseFilesFlag, caseSetFlag, globalFlags, orderFlags } from './shared.ts';

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
    {
      name: 'stdio',
      type: 'bool',
      help: 'accepted because editors pass it; standard input and output are always used',
    },
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
