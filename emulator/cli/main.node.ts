#!/usr/bin/env node

// The program `drydock`.

import { runOnTerminal } from '../../render/cli/terminal.node.ts';
import { program } from './program.node.ts';

runOnTerminal(program);
