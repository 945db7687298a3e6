// The program of `drydock template` alone. The installed launcher starts it for this command, because loading all commands takes longer than
// rendering a small chart.

import { helmEntry } from './program.ts';
import { templateCommand } from './rendering/template.node.ts';
import { templateSpec, templateSpec4 } from './table/template.ts';
import { runOnTerminal } from './terminal.node.ts';

runOnTerminal({ commands: [helmEntry(templateSpec, async () => templateCommand, templateSpec4)] });
