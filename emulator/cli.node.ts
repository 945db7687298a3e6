// The commands of the emulator: argv and streams in, exit code out.

import { type CommandIo, UsageError } from './cli/io.ts';

type Command = (argv: readonly string[], io: CommandIo) => Promise<number>;

// Each command is loaded when it is asked for.
const commands: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['serve', async (): Promise<Command> => (await import('./cli/serve.node.ts')).runServe],
  ['nats-config', async (): Promise<Command> => (await import('./cli/nats-config.node.ts')).runNatsConfig],
]);

// What a user can mend: the message says how, a stack would not.
const expected = new Set(['FixtureError', 'PersistError', 'ListenError']);

/** Runs one command of the emulator, named first. Gives its exit code: 0 fine, 1 the input is at fault, 2 wrong usage. */
export async function runCli([name = '', ...rest]: readonly string[], io: CommandIo): Promise<number> {
  try {
    const load = commands.get(name);
    if (!load) throw new UsageError(`unknown command "${name}" for "drydock"`);
    return await (await load())(rest, io);
  } catch (failure) {
    if (!(failure instanceof Error)) throw failure;
    if (!(failure instanceof UsageError) && !expected.has(failure.name)) throw failure;
    io.stderr(`Error: ${failure.message}\n`);
    if (!(failure instanceof UsageError)) return 1;
    io.stderr(`Run 'drydock ${name} --help' for usage.\n`);
    return 2;
  }
}
