// Runs a command: argv and streams in, exit code out. Each command is loaded when it is asked for.

import { RenderError } from '../../render/errors.ts';
import { UsageError } from './flags.ts';
import type { Command, CommandIo } from './io.ts';

const commands: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['template', async () => (await import('./rendering/template.node.ts')).templateCommand],
  ['render', async () => (await import('./rendering/render.node.ts')).renderCommand],
  ['check', async () => (await import('./rendering/check.node.ts')).checkCommand],
  ['snapshot', async () => (await import('./rendering/snapshot.node.ts')).snapshotCommand],
  ['serve', async () => (await import('./serving/serve.node.ts')).serveCommand],
  ['nats-config', async () => (await import('./serving/nats-config.node.ts')).natsConfigCommand],
]);

// What a user of the emulator can mend; their classes would load the emulator.
const expected = new Set(['FixtureError', 'PersistError', 'ListenError']);

const help = `Usage: drydock COMMAND [arguments]

Renders deploy Orders and Helm charts offline, and stands in for the platform's user API.

Commands:
  template [NAME] CHART   print what \`helm template\` prints
  render ORDER            render an Order: manifest, resources or install scripts
  check ORDER             tell every fault of an Order
  snapshot ORDER|CHART    compare what is rendered with what is recorded
  serve                   serve the emulator of the user API
  nats-config             print the configuration of a nats-server that takes the emulator's credentials

\`drydock COMMAND --help\` tells more.
`;

/** Runs one command. Gives its exit code: 0 fine, 1 the input is at fault, 2 wrong usage. */
export async function runCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const [name, ...rest] = argv;
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    io.stdout(help);
    return name === undefined ? 2 : 0;
  }
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
    if (!(error instanceof Error && (error instanceof RenderError || isSystemError(error) || expected.has(error.name))))
      throw error;
    io.stderr(`Error: ${error.message}\n${hint(mendOf(error))}`);
    return 1;
  }
}

function mendOf(error: Error): string | undefined {
  if (error instanceof RenderError) return error.mend;
  return isSystemError(error) ? 'Name a path that can be read and written.' : undefined;
}

// A folder that cannot be written, a full disk: Node's message names the path.
function isSystemError(error: Error): boolean {
  return 'syscall' in error;
}
