// Runs a command: argv and streams in, exit code out. Each command is loaded when it is asked for.

import { isMendable, RenderError } from '../../render/core/errors.ts';
import { asLimit } from '../../render/core/limits.ts';
import { GoError } from '../../render/go/value.ts';
import { askMeant } from '../core/suggest.ts';
import { type CommandEntry, commands, findCommand } from './commands.ts';
import { isTooManyFiles, tooManyFiles } from './file-limit.ts';
import { type FlagSpec, type ParsedFlags, parseFlags, readAhead, UsageError } from './flags.ts';
import { formatHelp, formatOverview } from './help.ts';
import type { Command, CommandContext, CommandIo } from './io.ts';
import { whyOf } from './rendering/reasons.ts';
import { styleOf } from './style.ts';
import { type CommandSpec, flagsOf } from './table/command.ts';
import { overviewFlags } from './table/shared.ts';

const runs: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['template', async (): Promise<Command> => (await import('./rendering/template.node.ts')).templateCommand],
  ['lint', async (): Promise<Command> => (await import('./inspecting/lint.node.ts')).lintCommand],
  ['show', async (): Promise<Command> => (await import('./inspecting/show.node.ts')).showCommand],
  ['dependency', async (): Promise<Command> => (await import('./inspecting/dependency.node.ts')).dependencyCommand],
  ['render', async (): Promise<Command> => (await import('./rendering/render.node.ts')).renderCommand],
  ['check', async (): Promise<Command> => (await import('./rendering/check.node.ts')).checkCommand],
  ['coverage', async (): Promise<Command> => (await import('./rendering/coverage.node.ts')).coverageCommand],
  ['diff', async (): Promise<Command> => (await import('./diffing/diff.node.ts')).diffCommand],
  ['explain', async (): Promise<Command> => (await import('./rendering/explain.node.ts')).explainCommand],
  ['impact', async (): Promise<Command> => (await import('./rendering/impact.node.ts')).impactCommand],
  ['import', async (): Promise<Command> => (await import('./rendering/import.node.ts')).importCommand],
  ['snapshot', async (): Promise<Command> => (await import('./snapshots/snapshot.node.ts')).snapshotCommand],
  ['unittest', async (): Promise<Command> => (await import('./unittesting/unittest.node.ts')).unittestCommand],
  ['merge', async (): Promise<Command> => (await import('./snapshots/merge.node.ts')).mergeCommand],
  ['vendor', async (): Promise<Command> => (await import('./vendoring/vendor.node.ts')).vendorCommand],
  ['seal', async (): Promise<Command> => (await import('./rendering/seal.node.ts')).sealCommand],
  ['bundle', async (): Promise<Command> => (await import('./rendering/seal.node.ts')).bundleCommand],
  ['serve', async (): Promise<Command> => (await import('./serving/serve.node.ts')).serveCommand],
  ['demo', async (): Promise<Command> => (await import('./serving/demo.node.ts')).demoCommand],
  ['nats-config', async (): Promise<Command> => (await import('./serving/nats-config.node.ts')).natsConfigCommand],
  ['init', async (): Promise<Command> => (await import('./tools/init.node.ts')).initCommand],
  ['doctor', async (): Promise<Command> => (await import('./tools/doctor.node.ts')).doctorCommand],
  ['completion', async (): Promise<Command> => (await import('./tools/completion.ts')).completionCommand],
  ['version', async (): Promise<Command> => (await import('./tools/version.node.ts')).versionCommand],
  ['help', async (): Promise<Command> => helpCommand],
]);

/** Runs one command. Returns its exit code: 0 fine, 1 the input is at fault, 2 wrong usage. */
export async function runCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  let name = '';
  try {
    const before = parseFlags(overviewFlags, argv, { stopAtWord: true });
    if (before.on('version')) return await runCommand(['version'], io);
    [name = ''] = before.args;
    if (before.help || name === '') return overview(before.help ? 0 : 2, io);
    const entry = entryOf(name);
    const leading = argv.slice(0, argv.length - before.args.length);
    return await runEntry(entry, leading, [before, before.args.slice(1)], io);
  } catch (error) {
    return tellError(error, name, io);
  }
}

async function runEntry(
  entry: CommandEntry,
  leading: readonly string[],
  [before, rest]: readonly [ParsedFlags, readonly string[]],
  io: CommandIo,
): Promise<number> {
  const { name } = entry.heading;
  const spec = await entry.spec(rest);
  // Helm's command line is Helm's: ours for all commands stand before the name of the command.
  const words = spec.isHelms ? rest : [...leading, ...rest];
  const flags = await readFlags(entry, spec, words, io);
  const refused = before.on('no-color') || flags.on('no-color');
  if (flags.help) {
    io.stdout(formatHelp(spec));
    return 0;
  }
  const run = await runs.get(name)?.();
  if (run === undefined) throw new Error(`nothing runs ${name}`);
  return run(flags, contextOf(io, { refused, quiet: flags.on('quiet') }));
}

async function readFlags(
  entry: CommandEntry,
  spec: CommandSpec,
  words: readonly string[],
  io: CommandIo,
): Promise<ParsedFlags> {
  const all = flagsOf(spec);
  if (spec.readFirst !== undefined) {
    const first = all.filter((flag) => spec.readFirst?.includes(flag.name));
    return parseFlags(all, words, { defaults: readAhead(first, words) });
  }
  const flags = parseFlags(all, words);
  if (flags.help || !entry.isConfigured || flags.on('no-config')) return flags;
  const { configuredDefaults } = await import('./config/load.node.ts');
  const configured = await configuredDefaults(spec, { cwd: io.cwd, env: io.env, given: flags.text('config') });
  const defaults = new Map([...helmDefaults(all, io), ...(configured?.defaults ?? [])]);
  return parseFlags(all, words, { ...configured, defaults });
}

// As a plugin of Helm we never see `--namespace`: Helm reads it itself and hands the namespace on, or that of the kubeconfig.
function helmDefaults(flags: readonly FlagSpec[], { env, stderr }: CommandIo): [string, readonly string[]][] {
  const { HELM_PLUGIN_NAME: plugin, HELM_NAMESPACE: namespace = '' } = env;
  const isOurs = plugin === 'drydock' && flags.some(({ name }) => name === 'namespace');
  if (!isOurs || namespace === '' || namespace === 'default') return [];
  stderr(`namespace ${namespace}, from Helm\n`);
  return [['namespace', [namespace]]];
}

// Commands of Helm that drydock does not have, and what there is.
const insteadOf: Readonly<Record<string, string>> = {
  package:
    'drydock takes chart folders as they are. To make an archive, use `helm package`; to pack an Order with its charts, use `drydock bundle`.',
  pull: 'To fetch the charts of Orders and the dependencies of charts, use `drydock vendor`.',
  verify: 'To take only charts that are signed, use `drydock vendor --verify`.',
};

function entryOf(name: string): CommandEntry {
  const entry = findCommand(name);
  if (entry !== undefined) return entry;
  const instead = insteadOf[name];
  if (instead !== undefined) throw new UsageError(`drydock has no command "${name}"`, instead);
  const known = commands.map(({ heading }) => heading.name);
  throw new UsageError(`unknown command "${name}" for "drydock"${askMeant(name, known)}`);
}

function contextOf(io: CommandIo, how: { readonly refused: boolean; readonly quiet: boolean }): CommandContext {
  // Whether a stream is a terminal takes time to find out, and most commands have no need to know.
  const style = (stream: 'stdout' | 'stderr') =>
    styleOf({ isTerminal: io.isTerminal?.[stream] === true, refused: how.refused }, io.env);
  return {
    ...io,
    quiet: how.quiet,
    get out() {
      return style('stdout');
    },
    get err() {
      return style('stderr');
    },
  };
}

function overview(exitCode: number, io: CommandIo): number {
  const headings = commands.map(({ heading }) => heading);
  io.stdout(formatOverview(headings, overviewFlags));
  return exitCode;
}

async function helpCommand({ args }: ParsedFlags, io: CommandIo): Promise<number> {
  const [name, ...more] = args;
  if (more.length > 0) throw new UsageError('"drydock help" takes one argument: the name of a command');
  if (name === undefined) return overview(0, io);
  io.stdout(formatHelp(await entryOf(name).spec()));
  return 0;
}

// Says what a person can mend, and gives the exit code; any other error is thrown on.
function tellError(error: unknown, name: string, io: CommandIo): number {
  // A command of Helm prints what Helm does, to the byte, for every program that reads it. Only a person gets more.
  const isHelms = findCommand(name)?.heading.isHelms === true && io.isTerminal?.stderr !== true;
  const tell = (message: string, mends: readonly (string | undefined)[]): void => tellLine(`Error: ${message}`, mends);
  const tellLine = (line: string, mends: readonly (string | undefined)[]): void => {
    const lines = [line, ...(isHelms ? [] : mends.filter((mend) => mend !== undefined))];
    io.stderr(`${lines.join('\n')}\n${whyOf(error)}`);
  };
  if (error instanceof UsageError) {
    const usage = `Run 'drydock ${findCommand(name) === undefined ? '' : `${name} `}--help' for usage.`;
    tellLine(error.line, [error.mend, usage]);
    return 2;
  }
  if (!(error instanceof Error)) throw error;
  const limit = asLimit(error);
  if (limit !== undefined) tell(limit.message, [limit.mend]);
  else if (error instanceof RenderError) tell(error.message, [whyOf(error) === '' ? error.mend : undefined]);
  else if (isTooManyFiles(error)) tell(tooManyFiles.message, [tooManyFiles.hint]);
  // A folder that cannot be written, a full disk: Node's message names the path.
  else if ('syscall' in error) tell(error.message, ['Name a path that can be read and written.']);
  else if (error instanceof GoError || isMendable(error)) tell(error.message, []);
  else throw error;
  return 1;
}
