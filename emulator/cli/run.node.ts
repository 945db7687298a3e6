// Runs the program `drydock`.

import type { CommandIo } from '../../render/cli/program.ts';
import { runProgram } from '../../render/cli/run.node.ts';
import { program } from './program.node.ts';

/** Runs one command. Returns its exit code: 0 success, 1 the input is invalid, 2 wrong usage. */
export function runCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  return runProgram(program, argv, io);
}
