// `drydock doctor` and `version`: what is on this machine, and what drydock reproduces.

import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import module from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '../../core/errors.ts';
import { helmNames, newestHelm } from '../../core/helm-version.ts';
import { ownVersion, packageFolder } from '../../core/own-files.node.ts';
import { findConfig } from '../config/load.node.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandContext, CommandIo } from '../program.ts';

/** The state of a thing: `absent` harms nothing, a `note` should be read, with a `fault` drydock does not work. */
type FindingStatus = 'ok' | 'absent' | 'note' | 'fault';

/** One thing that was looked at: what was found, and what that allows. */
interface ToolFinding {
  readonly name: string;
  readonly status: FindingStatus;
  readonly found: string;
  readonly allows: string;
}

/** Looks at Node: its version, its time zones, its cache of compiled code, colors. */
function findRuntime({ env, out }: CommandContext): readonly ToolFinding[] {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isNew = major > 20 || (major === 20 && minor >= 19);
  const zone = env.TZ || Intl.DateTimeFormat().resolvedOptions().timeZone;
  const isZone = isTimeZone(zone.replace(/^:/, ''));
  const cache = (module as { readonly getCompileCacheDir?: () => string | undefined }).getCompileCacheDir?.();
  return [
    {
      name: 'Node',
      status: isNew ? 'ok' : 'fault',
      found: `${process.version} (${process.execPath})`,
      allows: isNew ? 'every command' : 'nothing: drydock needs Node 20.19 or later',
    },
    {
      name: 'time zone',
      status: isZone ? 'ok' : 'note',
      found: zone,
      allows: isZone
        ? 'dates in templates as Helm prints them'
        : 'unknown to Node: dates in templates are in UTC; hint TZ',
    },
    {
      name: 'compile cache',
      status: cache === undefined ? 'absent' : 'ok',
      found: cache ?? (major < 22 ? 'Node keeps one from 22.1 on' : 'not in use'),
      allows: 'a quicker start from the second call on',
    },
    {
      name: 'colors',
      status: out.red('x') === 'x' ? 'absent' : 'ok',
      found: out.red('x') === 'x' ? 'off on this stream' : 'on',
      allows: 'NO_COLOR and --no-color turn them off, FORCE_COLOR on',
    },
  ];
}

function isTimeZone(zone: string): boolean {
  try {
    Intl.DateTimeFormat(undefined, { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

interface Program {
  readonly name: string;
  readonly args: readonly string[];
  readonly allows: string;
  /** The oldest version that does. */
  readonly least?: readonly [number, number];
}

const programs: readonly Program[] = [
  {
    name: 'helm',
    args: ['version', '--short'],
    allows: 'runs what `render --output pkgmgr3` prints; rendering itself needs none',
    least: [3, 8],
  },
  {
    name: 'kubectl',
    args: ['version', '--client'],
    allows: 'runs what `render --output yaml` prints; rendering itself needs none',
    least: [1, 23],
  },
  {
    name: 'nats-server',
    args: ['--version'],
    allows: 'takes the messaging credentials of `serve`: `nats-config` sets it up',
  },
  { name: 'sh', args: ['-c', 'echo found'], allows: 'runs the install scripts for linux and darwin' },
  { name: 'bash', args: ['--version'], allows: '`drydock completion bash`' },
  { name: 'zsh', args: ['--version'], allows: '`drydock completion zsh`' },
  { name: 'fish', args: ['--version'], allows: '`drydock completion fish`' },
  {
    name: process.platform === 'win32' ? 'powershell' : 'pwsh',
    args: ['-NoProfile', '-Command', '$PSVersionTable.PSVersion.ToString()'],
    allows: 'runs the install scripts for windows; `drydock completion powershell`',
  },
];

/** Looks for programs on the PATH and asks each for its version. */
function findPrograms(io: CommandIo): Promise<readonly ToolFinding[]> {
  return Promise.all(programs.map((program) => findProgram(program, io)));
}

async function findProgram({ name, args: ask, allows, least }: Program, { env, cwd }: CommandIo): Promise<ToolFinding> {
  const path = pathOf(name, env.PATH ?? '', env.PATHEXT ?? '');
  if (path === undefined) return { name, status: 'absent', found: 'not on the PATH', allows };
  try {
    const run = promisify(execFile)(path, [...ask], { cwd, env, timeout: 5000 });
    const { stdout, stderr } = await run;
    const line = `${stdout}${stderr}`.trim().split('\n')[0] ?? '';
    const [, major = '0', minor = '0'] = /(?<!\d)(\d+)\.(\d+)/.exec(line) ?? [];
    const isOld = least !== undefined && compare([Number(major), Number(minor)], least) < 0;
    const need = isOld ? ` (needs ${least.join('.')} or later)` : '';
    return { name, status: isOld ? 'note' : 'ok', found: `${line} (${path})`, allows: `${allows}${need}` };
  } catch (error) {
    const [message] = messageOf(error).split('\n');
    return { name, status: 'note', found: `${path} does not answer: ${message}`, allows };
  }
}

function compare([a, b]: readonly [number, number], [c, d]: readonly [number, number]): number {
  return a - c || b - d;
}

function pathOf(name: string, path: string, endings: string): string | undefined {
  const names = process.platform === 'win32' ? endings.split(';').map((ending) => `${name}${ending}`) : [name];
  return path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .flatMap((folder) => names.map((file) => join(folder, file)))
    .find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Looks at the folders that commands read and write, and at the configuration. */
function findFolders({ cwd, env }: CommandIo): readonly ToolFinding[] {
  const charts = join(packageFolder(), 'fixtures/charts');
  return [
    configuration(cwd),
    folder('current folder', cwd, 'commands that write: snapshot --update, --out, --persist'),
    folder('temporary folder', env.TMPDIR || tmpdir(), 'programs that drydock starts'),
    {
      name: 'own charts',
      status: existsSync(charts) ? 'ok' : 'fault',
      found: existsSync(charts) ? `${readdirSync(charts).length} in ${charts}` : `none in ${charts}`,
      allows: 'charts of kind Embed in Orders',
    },
  ];
}

function configuration(cwd: string): ToolFinding {
  const name = 'configuration';
  try {
    const file = findConfig(cwd);
    if (file === undefined) {
      return {
        name,
        status: 'absent',
        found: 'no drydock.config.json, .ts or .js',
        allows: 'saves flags that one repeats',
      };
    }
    return {
      name,
      status: 'ok',
      found: file,
      allows: 'read by all commands that take Orders or charts, but for template',
    };
  } catch (error) {
    return { name, status: 'note', found: messageOf(error), allows: 'commands that read it stop' };
  }
}

function folder(name: string, path: string, allows: string): ToolFinding {
  try {
    accessSync(path, constants.W_OK);
    return { name, status: 'ok', found: `${path} can be written`, allows };
  } catch {
    return { name, status: 'note', found: `${path} cannot be written`, allows };
  }
}

/** Prints what was found. Returns 0 where drydock can work, 1 where it cannot. Throws UsageError. */
export async function doctorCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  if (flags.args.length > 0) throw new UsageError('"drydock doctor" takes no arguments');
  const findings = [...findRuntime(io), ...(await findPrograms(io)), ...findFolders(io)];
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
