// The program of `drydock template` alone. The installed launcher starts it for this command, because loading all commands takes longer than
// rendering a small chart.

import { helmEntry } from './entry.ts';
import { templateCommand } from './rendering/template.node.ts';
import { templateSpec } from './table/template.ts';
import { templateSpec4 } from './table/template-4.ts';
import { runOnTerminal } from './terminal.node.ts';

runOnTerminal({ commands: [helmEntry(templateSpec, async () => templateCommand, templateSpec4)] });
