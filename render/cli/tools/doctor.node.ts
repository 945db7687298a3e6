// `drydock doctor` and `version`: what is on this machine, and what drydock reproduces.

import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import module from 'node:module';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { codeOf, messageOf } from '../../core/errors.ts';
import { helmNames, newestHelm } from '../../core/helm-version.ts';
import { ownVersion } from '../../core/own-files.node.ts';
import { findConfig } from '../config/load.node.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandContext, CommandIo } from '../program.ts';

/** One thing that was looked at: what was found, and what that allows. */
interface ToolFinding {
  readonly name: string;
  /** `absent` is harmless, a `note` is worth reading, and with a `fault` drydock cannot work. */
  readonly status: 'ok' | 'absent' | 'note' | 'fault';
  readonly found: string;
  readonly allows: string;
}

function findRuntime(): readonly ToolFinding[] {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isNew = major > 20 || (major === 20 && minor >= 19);
  const cache = (module as { readonly getCompileCacheDir?: () => string | undefined }).getCompileCacheDir?.();
  return [
    {
      name: 'Node',
      status: isNew ? 'ok' : 'fault',
      found: `${process.version} (${process.execPath})`,
      allows: isNew ? 'every command' : 'nothing: drydock needs Node 20.19 or later',
    },
    {
      name: 'compile cache',
      status: cache === undefined ? 'absent' : 'ok',
      found: cache ?? (major < 22 ? 'Node keeps one from 22.1 on' : 'not in use'),
      allows: 'a quicker start from the second call on',
    },
  ];
}

// Each program, the arguments that make it print its version, and what it is used for.
const programs: readonly (readonly [name: string, args: readonly string[], allows: string])[] = [
  ['helm', ['version', '--short'], 'runs what `render --output pkgmgr3` prints; rendering itself needs none'],
  ['kubectl', ['version', '--client'], 'runs what `render --output yaml` prints; rendering itself needs none'],
  ['nats-server', ['--version'], 'takes the messaging credentials of `serve`: `nats-config` sets it up'],
  ['sh', ['-c', 'echo found'], 'runs the install scripts for linux and darwin'],
  ['bash', ['--version'], '`drydock completion bash`'],
  ['zsh', ['--version'], '`drydock completion zsh`'],
  ['fish', ['--version'], '`drydock completion fish`'],
  [
    process.platform === 'win32' ? 'powershell' : 'pwsh',
    ['-NoProfile', '-Command', '$PSVersionTable.PSVersion.ToString()'],
    'runs the install scripts for windows; `drydock completion powershell`',
  ],
];

async function findProgram([name, args, allows]: (typeof programs)[number], { env }: CommandIo): Promise<ToolFinding> {
  try {
    // Windows also looks for programs in the current folder, which may be anybody's checkout.
    const cwd = dirname(process.execPath);
    const { stdout, stderr } = await promisify(execFile)(name, [...args], { cwd, env, timeout: 5000 });
    return { name, status: 'ok', found: `${stdout}${stderr}`.trim().split('\n')[0] ?? '', allows };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { name, status: 'absent', found: 'not on the PATH', allows };
    const [message] = messageOf(error).split('\n');
    return { name, status: 'note', found: `it does not answer: ${message}`, allows };
  }
}

function findConfiguration(cwd: string): ToolFinding {
  const name = 'configuration';
  const allows = 'read by all commands that take Orders or charts, but for template';
  try {
    const file = findConfig(cwd);
    if (file !== undefined) return { name, status: 'ok', found: file, allows };
    return {
      name,
      status: 'absent',
      found: 'no drydock.config.json, .ts or .js',
      allows: 'saves flags that one repeats',
    };
  } catch (error) {
    return { name, status: 'note', found: messageOf(error), allows: 'commands that read it stop' };
  }
}

function findCurrentFolder(cwd: string): ToolFinding {
  const [name, allows] = ['current folder', 'commands that write: snapshot --update, --out, --persist'];
  try {
    accessSync(cwd, constants.W_OK);
    return { name, status: 'ok', found: `${cwd} can be written`, allows };
  } catch {
    return { name, status: 'note', found: `${cwd} cannot be written`, allows };
  }
}

/** Prints what was found. Returns 0 where drydock can work, 1 where it cannot. Throws UsageError. */
export async function doctorCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  if (flags.args.length > 0) throw new UsageError('"drydock doctor" takes no arguments');
  const findings = [
    ...findRuntime(),
    ...(await Promise.all(programs.map((program) => findProgram(program, io)))),
    findConfiguration(io.cwd),
    findCurrentFolder(io.cwd),
  ];
  const isFine = findings.every(({ status }) => status !== 'fault');
  if (flags.on('json')) io.stdout(`${JSON.stringify({ version: ownVersion(), ok: isFine, findings }, null, 2)}\n`);
  else io.stdout(format(io.quiet ? findings.filter(({ status }) => status === 'fault') : findings, io));
  return isFine ? 0 : 1;
}

function format(findings: readonly ToolFinding[], { out, quiet }: CommandContext): string {
  const signs = {
    ok: out.green('ok     '),
    absent: out.dim('absent '),
    note: out.yellow('note   '),
    fault: out.red('fault  '),
  };
  const width = Math.max(0, ...findings.map(({ name }) => name.length));
  const lines = findings.map(
    ({ name, status, found, allows }) =>
      `${signs[status]} ${out.bold(name.padEnd(width))}  ${found}\n${' '.repeat(width + 10)}${out.dim(allows)}\n`,
  );
  return `${quiet ? '' : `drydock ${ownVersion()}\n\n`}${lines.join('')}`;
}

/** Prints the version. Returns 0. Throws UsageError. */
export async function versionCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  if (flags.args.length > 0) throw new UsageError('"drydock version" takes no arguments');
  const versions = { version: ownVersion(), helm: newestHelm(3), helm4: newestHelm(4), node: process.versions.node };
  if (flags.on('json')) io.stdout(`${JSON.stringify(versions)}\n`);
  else if (io.quiet) io.stdout(`drydock ${versions.version}\n`);
  else io.stdout(`drydock ${versions.version} (renders as Helm ${helmNames()}; runs on Node ${versions.node})\n`);
  return 0;
}
