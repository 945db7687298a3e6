// The commands of rendering: argv and streams in, exit code out; no rendering of its own.

import { UsageError } from './cli/flags.ts';
import type { CliIo, Command } from './cli/io.ts';
import { RenderError } from './errors.ts';

export type { CliIo } from './cli/io.ts';

// Each command is loaded when it is asked for.
const commands: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['template', async () => (await import('./cli/template.node.ts')).templateCommand],
  ['render', async () => (await import('./cli/render.node.ts')).renderCommand],
  ['check', async () => (await import('./cli/check.node.ts')).checkCommand],
  ['snapshot', async () => (await import('./cli/snapshot.node.ts')).snapshotCommand],
]);

/** Runs one command of rendering. Gives its exit code: 0 fine, 1 the input is at fault, 2 wrong usage. */
export async function runCli(argv: readonly string[], io: CliIo): Promise<number> {
  const [name = '', ...rest] = argv;
  // What `template` says is Helm's, to the byte.
  const hint = (text: string | undefined): string => (name === 'template' || text === undefined ? '' : `${text}\n`);
  try {
    const load = commands.get(name);
    if (load === undefined) throw new UsageError(`unknown command "${name}" for "drydock"`);
    return await (await load())(rest, io);
  } catch (error) {
    if (error instanceof UsageError) {
      io.stderr(
        `Error: ${error.message}\n${hint(`Run 'drydock ${commands.has(name) ? `${name} ` : ''}--help' for usage.`)}`,
      );
      return 2;
    }
    if (!(error instanceof RenderError || isSystemError(error))) throw error;
    const mend = error instanceof RenderError ? error.mend : 'Name a path that can be read and written.';
    io.stderr(`Error: ${error.message}\n${hint(mend)}`);
    return 1;
  }
}

// A folder that cannot be written, a full disk: Node's message names the path.
function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error;
}
