// Runs a program: arguments and streams in, exit code out.

import { explanationOf, isUserError, RenderError } from '../core/errors.ts';
import { asLimit } from '../core/limits.ts';
import { paintMessages, styleOf } from '../core/style.ts';
import { isError } from '../go/realm.ts';
import { GoError } from '../go/value.ts';
import { isTooManyFiles, tooManyFiles } from './file-limit.ts';
import { type FlagSpec, type ParsedFlags, parseFlags, readAhead, UsageError } from './flags.ts';
import { commandNamed, formatHelp, programHelp } from './help.ts';
import { type CommandContext, type CommandEntry, type CommandIo, findCommand, type Program } from './program.ts';
import { type CommandSpec, flagsOf } from './table/command.ts';
import { overviewFlags } from './table/shared.ts';

/** Runs a command. Returns its exit code: 0 success, 1 invalid input, 2 wrong usage. */
export async function runProgram(program: Program, argv: readonly string[], io: CommandIo): Promise<number> {
  let name = '';
  try {
    const before = parseFlags(overviewFlags, argv, { stopAtWord: true });
    if (before.on('version')) return await runProgram(program, ['version'], io);
    [name = ''] = before.args;
    if (before.help || name === '') {
      io.stdout(programHelp(program));
      return before.help ? 0 : 2;
    }
    const entry = commandNamed(program, name);
    const leading = argv.slice(0, argv.length - before.args.length);
    return await runEntry(program, entry, { leading, before, rest: before.args.slice(1) }, io);
  } catch (error) {
    return printError(error, findCommand(program, name), io);
  }
}

interface CommandLine {
  readonly leading: readonly string[];
  readonly before: ParsedFlags;
  readonly rest: readonly string[];
}

async function runEntry(
  program: Program,
  entry: CommandEntry,
  { leading, before, rest }: CommandLine,
  io: CommandIo,
): Promise<number> {
  const spec = await entry.spec(rest);
  // Helm's commands have only Helm's flags: our global flags come before the name of the command.
  const words = spec.isHelms ? rest : [...leading, ...rest];
  const flags = await readFlags({ program, entry, spec }, words, io);
  const refused = before.on('no-color') || flags.on('no-color');
  if (flags.help) {
    io.stdout(formatHelp(spec));
    return 0;
  }
  const run = await entry.load();
  return run(flags, contextOf(io, { program, refused, quiet: flags.on('quiet'), isHelms: spec.isHelms === true }));
}

interface CommandOfProgram {
  readonly program: Program;
  readonly entry: CommandEntry;
  readonly spec: CommandSpec;
}

async function readFlags(
  { program, entry, spec }: CommandOfProgram,
  words: readonly string[],
  io: CommandIo,
): Promise<ParsedFlags> {
  const all = flagsOf(spec);
  if (spec.readFirst !== undefined) {
    const first = all.filter((flag) => spec.readFirst?.includes(flag.name));
    return parseFlags(all, words, { defaults: readAhead(first, words) });
  }
  const flags = parseFlags(all, words);
  const { configuredDefaults } = program;
  if (flags.help || !entry.isConfigured || flags.on('no-config') || configuredDefaults === undefined) return flags;
  const configured = await configuredDefaults(spec, {
    program,
    cwd: io.cwd,
    env: io.env,
    given: flags.text('config'),
  });
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
