// Runs a program: arguments and streams in, exit code out.

import { explanationOf, isUserError, RenderError } from '../core/errors.ts';
import { asLimit } from '../core/limits.ts';
import { paintMessages, styleOf } from '../core/style.ts';
import { isError } from '../go/realm.ts';
import { GoError } from '../go/value.ts';
import { isTooManyFiles, tooManyFiles } from './file-limit.ts';
import { type FlagSpec, type ParsedFlags, parseFlags, readAhead, UsageError } from './flags.ts';
import { commandNamed, formatHelp, programHelp } from './help.ts';
import type { CommandContext, CommandEntry, CommandIo, Program } from './program.ts';
import { type CommandSpec, flagsOf } from './table/command.ts';
import { overviewFlags } from './table/shared.ts';

/** Runs a command. Returns its exit code: 0 success, 1 invalid input, 2 wrong usage. */
export async function runProgram(program: Program, argv: readonly string[], io: CommandIo): Promise<number> {
  let entry: CommandEntry | undefined;
  try {
    const before = parseFlags(overviewFlags, argv, { stopAtWord: true });
    if (before.on('version')) return await runProgram(program, ['version'], io);
    const [name = '', ...rest] = before.args;
    if (before.help || name === '') {
      io.stdout(programHelp(program));
      return before.help ? 0 : 2;
    }
    entry = commandNamed(program, name);
    const spec = await entry.spec(rest);
    const isHelms = spec.isHelms === true;
    // Helm's commands have only Helm's flags: our global flags come before the name of the command.
    const words = isHelms ? rest : [...argv.slice(0, argv.length - before.args.length), ...rest];
    const flags = await readFlags(spec, words, entry.isConfigured ? program : undefined, io);
    if (flags.help) {
      io.stdout(formatHelp(spec));
      return 0;
    }
    const run = await entry.load();
    const refused = before.on('no-color') || flags.on('no-color');
    return await run(flags, contextOf(io, { program, refused, quiet: flags.on('quiet'), isHelms }));
  } catch (error) {
    return printError(error, entry, io);
  }
}

// `program` may have a configuration for the command; undefined if there is none.
async function readFlags(
  spec: CommandSpec,
  words: readonly string[],
  program: Program | undefined,
  io: CommandIo,
): Promise<ParsedFlags> {
  const all = flagsOf(spec);
  if (spec.readFirst !== undefined) {
    const first = all.filter((flag) => spec.readFirst?.includes(flag.name));
    return parseFlags(all, words, { defaults: readAhead(first, words) });
  }
  const flags = parseFlags(all, words);
  if (flags.help || program?.configuredDefaults === undefined || flags.on('no-config')) return flags;
  const source = { program, cwd: io.cwd, env: io.env, given: flags.text('config') };
  const configured = await program.configuredDefaults(spec, source);
  const defaults = new Map([...helmDefaults(all, io), ...(configured?.defaults ?? [])]);
  return flags.withDefaults({ ...configured, defaults });
}

// A Helm plugin never sees `--namespace`: Helm parses it and passes the namespace in the environment, or that of the kubeconfig.
function helmDefaults(flags: readonly FlagSpec[], { env, stderr }: CommandIo): [string, readonly string[]][] {
  const { HELM_PLUGIN_NAME: plugin, HELM_NAMESPACE: namespace = '' } = env;
  const isOurs = plugin === 'drydock' && flags.some(({ name }) => name === 'namespace');
  if (!isOurs || namespace === '' || namespace === 'default') return [];
  stderr(`namespace ${namespace}, from Helm\n`);
  return [['namespace', [namespace]]];
}

function contextOf(
  io: CommandIo,
  how: { readonly program: Program; readonly refused: boolean; readonly quiet: boolean; readonly isHelms: boolean },
): CommandContext {
  // Detecting a terminal takes time, and most commands do not need to know.
  const style = (stream: 'stdout' | 'stderr') =>
    styleOf({ isTerminal: io.isTerminal?.[stream] === true, refused: how.refused }, io.env);
  const stderr = (text: string): void => {
    if (!how.quiet || !text.startsWith('Note:')) io.stderr(paintMessages(text, style('stderr')));
  };
  return {
    ...io,
    // A Helm command prints exactly what Helm does.
    stderr: how.isHelms ? io.stderr : stderr,
    program: how.program,
    quiet: how.quiet,
    get out() {
      return style('stdout');
    },
    get err() {
      return style('stderr');
    },
  };
}

// Prints a user error and returns the exit code; rethrows any other error.
function printError(error: unknown, entry: CommandEntry | undefined, io: CommandIo): number {
  // A Helm command prints exactly what Helm does, for programs that parse it. Only a terminal gets more.
  const isHelms = entry?.heading.isHelms === true && io.isTerminal?.stderr !== true;
  const printMessage = (message: string, hints: readonly (string | undefined)[]): void =>
    printLine(`Error: ${message}`, hints);
  const printLine = (line: string, hints: readonly (string | undefined)[]): void => {
    const lines = [line, ...(isHelms ? [] : hints.filter((hint) => hint !== undefined))];
    io.stderr(`${lines.join('\n')}\n${explanationOf(error)}`);
  };
  if (error instanceof UsageError) {
    const usage = `Run 'drydock ${entry === undefined ? '' : `${entry.heading.name} `}--help' for usage.`;
    printLine(error.line, [error.hint, usage]);
    return 2;
  }
  if (!isError(error)) throw error;
  const limit = asLimit(error);
  if (limit !== undefined) printMessage(limit.message, [limit.hint]);
  else if (error instanceof RenderError) printMessage(error.message, [error.explanation ? undefined : error.hint]);
  else if (isTooManyFiles(error)) printMessage(tooManyFiles.message, [tooManyFiles.hint]);
  // An unwritable folder, a full disk: Node's message contains the path.
  else if ('syscall' in error) printMessage(error.message, ['Name a path that can be read and written.']);
  else if (error instanceof GoError || isUserError(error)) printMessage(error.message, []);
  else throw error;
  return 1;
}
