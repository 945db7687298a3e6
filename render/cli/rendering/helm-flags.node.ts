// The flags of `helm template` that control how it runs, on a machine without a cluster.
// Mirrors: helm.sh/helm/v3/cmd/helm, install.go, v3.17.3; helm.sh/helm/v4/pkg/cmd, helpers.go, install.go, template.go, v4.2.3.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Chart } from '../../chart/chart.ts';
import { catchGoError } from '../../core/catch.ts';
import { RenderError } from '../../core/errors.ts';
import { helmVersionOf } from '../../core/helm-version.ts';
import { parseBool, quote } from '../../go/number.ts';
import { systemReason } from '../../go/os.node.ts';
import { slogLine } from '../../go/slog.ts';
import { GoError } from '../../go/value.ts';
import type { HelmCommandLine } from '../../helm/helm.ts';
import { describeCommandLine } from '../../helm/versions.ts';
import { createPostRenderer, type PostRenderer } from '../../output/post-renderer.node.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandIo } from '../program.ts';
import { renderSettings } from '../settings.ts';

/** How a Helm version handles these flags. Each step throws UsageError. */
interface HelmFlags {
  /** Checks the flags before anything is read, and warns about deprecated ones. */
  readonly begin: (flags: ParsedFlags, io: CommandIo, line: HelmCommandLine) => void;
  readonly findPostRenderer: (word: string, flags: ParsedFlags, io: CommandIo) => PostRenderer;
  /** Checks the dry run mode, before the chart is located. */
  readonly checkDryRun: (flags: ParsedFlags, io: CommandIo) => void;
  /** Checks the settings for the loaded chart. Throws VALUES_INVALID if a cluster is needed. */
  readonly checkModes: (flags: ParsedFlags, chart: Chart, io: CommandIo) => void;
}

// The messages of both on a machine without a cluster.
const unreachable = 'Get "http://localhost:8080/version": dial tcp 127.0.0.1:8080: connect: connection refused';

function noCluster(message: string, chart: Chart, flag: string): RenderError {
  return new RenderError('VALUES_INVALID', message, {
    place: { file: chart.metadata.name },
    hint: `Leave ${flag} out: drydock has no cluster to ask.`,
  });
}

const modes3 = ['', 'false', 'true', 'none', 'client', 'server'];

const helm3Flags: HelmFlags = {
  begin: () => {},
  findPostRenderer: (word, flags, { cwd, env }) => {
    try {
      return createPostRenderer(word, { args: flags.list('post-renderer-args'), cwd, env });
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      throw new UsageError(`invalid argument ${quote(word)} for "--post-renderer" flag: ${error.message}`);
    }
  },
  checkDryRun: () => {},
  checkModes: (flags, chart) => {
    if (!modes3.includes(flags.text('dry-run') ?? '')) {
      throw new UsageError('Invalid dry-run flag. Flag must one of the following: false, true, none, client, server');
    }
    if (flags.on('validate')) throw noCluster(`Kubernetes cluster unreachable: ${unreachable}`, chart, '--validate');
  },
};

const noEffect = "this flag has no effect for 'helm template' and will be removed in Helm 5";
const deprecated: ReadonlyMap<string, string> = new Map([
  ['atomic', 'use --rollback-on-failure instead'],
  ['force', 'use --force-replace instead'],
  ['validate', "use '--dry-run=server' instead"],
]);

const deprecatedNotes: ReadonlyMap<string, string> = new Map([
  ['hide-notes', noEffect],
  ['render-subchart-notes', noEffect],
]);

const oldWaits: ReadonlyMap<string, string> = new Map([
  ['true', 'watcher'],
  ['false', 'hookOnly'],
]);

const exclusive = [
  ['force', 'force-conflicts'],
  ['force-replace', 'force-conflicts'],
  ['validate', 'dry-run'],
] as const;

function warnDeprecated(flags: ParsedFlags, io: CommandIo, { deprecatesNotes }: HelmCommandLine): void {
  for (const name of flags.given()) {
    const advice = deprecated.get(name) ?? (deprecatesNotes ? deprecatedNotes.get(name) : undefined);
    if (advice !== undefined) io.stderr(`Flag --${name} has been deprecated, ${advice}\n`);
    if (name !== 'wait') continue;
    for (const text of flags.list(name)) {
      const now = oldWaits.get(text);
      const advised = `--wait=${text} is deprecated (boolean value) and can be replaced with --wait=${now}`;
      if (now !== undefined) io.stderr(`${slogLine('WARN', advised)}\n`);
    }
  }
}

function checkExclusive(flags: ParsedFlags): void {
  for (const group of exclusive) {
    if (!group.every((name) => flags.isGiven(name))) continue;
    const [names, set] = [group.join(' '), [...group].sort().join(' ')];
    throw new UsageError(
      `if any flags in the group [${names}] are set none of the others can be; [${set}] were all set`,
    );
  }
}

function checkDryRun4(flags: ParsedFlags, io: CommandIo): void {
  const mode = flags.text('dry-run') ?? 'client';
  const warn = (line: string): void => io.stderr(`${slogLine('WARN', line)}\n`);
  const refuse = (modes: string): never => {
    throw new UsageError(`invalid dry-run value (${quote(mode)}). Must be ${modes}`);
  };
  if (mode === 'client' || mode === 'server') return;
  if (mode === 'unset') {
    warn("--dry-run is deprecated and should be replaced with '--dry-run=client'");
    return;
  }
  if (mode === 'none') refuse('"server" or "client"');
  const isOn = catchGoError(
    () => parseBool(mode),
    () => refuse('"none", "server", or "client"'),
  );
  if (!isOn) refuse('"server" or "client"');
  warn(`boolean '--dry-run=${mode}' flag is deprecated and must be replaced with '--dry-run=client'`);
}

const helm4Flags: HelmFlags = {
  begin: (flags, io, line) => {
    for (const mode of ['color', 'colour'].map((name) => flags.text(name))) {
      if (mode === undefined || ['never', 'auto', 'always'].includes(mode)) continue;
      const error = `invalid color mode ${quote(mode)}: must be one of: never, auto, always`;
      throw new UsageError(error, undefined, slogLine('WARN', 'command failed', { error }));
    }
    warnDeprecated(flags, io, line);
    checkExclusive(flags);
  },
  // Helm 4 has plugins, and there are none here.
  findPostRenderer: (word) => {
    const reason = `plugin: {Name:${word} Type:postrenderer/v1} not found`;
    throw new UsageError(`invalid argument ${quote(word)} for "--post-renderer" flag: ${reason}`);
  },
  checkDryRun: checkDryRun4,
  checkModes: (flags, chart, io) => {
    if (!flags.on('validate') && flags.text('dry-run') !== 'server') return;
    const message = `cluster reachability check failed: kubernetes cluster unreachable: ${unreachable}`;
    io.stderr(`${slogLine('ERROR', message)}\n`);
    throw noCluster(message, chart, flags.on('validate') ? '--validate' : '--dry-run=server');
  },
};

const helmFlags: Readonly<Record<HelmCommandLine['major'], HelmFlags>> = { 3: helm3Flags, 4: helm4Flags };

/** A command of a Helm version whose flags were checked. */
export interface BegunCommand {
  readonly version: string;
  readonly line: HelmCommandLine;
  readonly how: HelmFlags;
}

/** Checks the flags before anything is read, for a Helm version, by default the one of the flags. Throws UsageError. */
export function beginCommand(
  flags: ParsedFlags,
  io: CommandIo,
  version = helmVersionOf(renderSettings(flags)),
): BegunCommand {
  const line = describeCommandLine(version);
  const how = helmFlags[line.major];
  how.begin(flags, io, line);
  return { version, line, how };
}

/**
 * Checks Helm's flags for remote charts and verification. Throws GoError with Helm's message.
 * Mirrors: helm.sh/helm/v3, internal/tlsutil, tls.go, and pkg/downloader, chart_downloader.go, `VerifyChart`, v3.17.3.
 */
export function checkChartFlags(flags: ParsedFlags, { major }: HelmCommandLine, cwd: string): void {
  const file = flags.text('ca-file') ?? '';
  if (file === '') return;
  try {
    readFileSync(resolve(cwd, file));
  } catch (error) {
    const shown = major === 3 ? file : `${quote(file)}: open ${file}: ${systemReason(error)}`;
    throw new GoError(`missing registry client: can't create TLS config for client: can't read CA file: ${shown}`);
  }
}

/** Refuses a chart that `--verify` cannot accept. Throws GoError with Helm's message. */
export function checkVerifiable(flags: ParsedFlags, path: string): void {
  if (!flags.on('verify')) return;
  if (statSync(path).isDirectory()) throw new GoError('unpacked charts cannot be verified');
  if (!/\.(?:tgz|tar\.gz)$/.test(path)) throw new GoError('chart must be a tgz file');
  const file = `${path}.prov`;
  if (!existsSync(file)) {
    throw new GoError(`could not load provenance file ${file}: stat ${file}: no such file or directory`);
  }
  throw new GoError('--verify checks no signatures here; `drydock vendor --verify` does');
}

/** Returns the namespace of a command line or the environment. Default `default`. */
export function namespaceOf(flags: ParsedFlags, io: CommandIo): string {
  return (flags.has('namespace') ? flags.text('namespace') : io.env.HELM_NAMESPACE) || 'default';
}
