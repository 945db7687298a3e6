// `drydock template`: the output of `helm template` on both streams.
// Mirrors: helm.sh/helm/v3/cmd/helm, template.go and install.go, v3.17.3.

import { appendFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { formatPartial, type Release } from '../../api/chart.ts';
import { codeOf, explanationOf, RenderError } from '../../core/errors.ts';
import { helmVersionsOf } from '../../core/helm-version.ts';
import { type Host, realHost, seededHost } from '../../core/host.ts';
import { makeFolder } from '../../core/make-folder.node.ts';
import { ReleaseError } from '../../engine/release.ts';
import { systemReason } from '../../go/os.node.ts';
import { dir } from '../../go/path.ts';
import { encodeUtf8 } from '../../go/utf8.ts';
import { checkKubeSettings, renderChartPath } from '../../inputs/template.node.ts';
import { PostRenderError } from '../../output/post-renderer.node.ts';
import type { TemplateView } from '../../output/template.ts';
import { compareHelms, type HelmRendering } from '../../provenance/impact/helm-versions.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandIo } from '../program.ts';
import { renderSettings, surroundings } from '../settings.ts';
import { type BegunCommand, beginCommand, checkChartFlags, checkVerifiable, namespaceOf } from './helm-flags.node.ts';

/** What Helm adds to an error if it has partial output. */
const debugHint = '\n\nUse --debug flag to render out invalid YAML';

/**
 * Renders a chart like `helm template`. With several versions, the output of the first is printed, semantic differences of the others are
 * listed on standard error, and the exit code is 1 if there are any. Throws UsageError, RenderError, or PostRenderError.
 */
export async function templateCommand(flags: ParsedFlags, io: CommandIo): Promise<number> {
  const [first, ...others] = helmVersionsOf(renderSettings(flags));
  if (others.length === 0) return templateAs(first, flags, io, () => realHost(io.env.TZ));
  if (flags.text('output-dir')) throw new UsageError('--output-dir goes with one --helm');
  const hostOf = twinHosts(io.env.TZ);
  let printed = '';
  const keep = (text: string): void => {
    printed += text;
    io.stdout(text);
  };
  const code = await templateAs(first, flags, { ...io, stdout: keep }, hostOf);
  if (code !== 0) return code;
  const renderWith = (version: string): Promise<HelmRendering> => renderAside(version, flags, io, hostOf);
  let isMeant = false;
  for (const version of others) {
    const renderings = [{ text: printed }, await renderWith(version)] as const;
    const found = await compareHelms([first, version], renderings, renderWith);
    io.stderr(found.text);
    isMeant ||= found.isMeant;
  }
  return isMeant ? 1 : 0;
}

// Equivalent hosts: random values and the time are the same for every version.
function twinHosts(zone: string | undefined): () => Host {
  const [seed, now] = [crypto.randomUUID(), Date.now()];
  const real = realHost(zone);
  return () => {
    const { randomBytes, beginTemplate } = seededHost({ seed });
    return { ...real, now: () => now, randomBytes, beginTemplate };
  };
}

// Renders without printing.
async function renderAside(
  version: string,
  flags: ParsedFlags,
  io: CommandIo,
  hostOf: () => Host,
): Promise<HelmRendering> {
  let [text, faults] = ['', ''];
  const aside = {
    ...io,
    stdout: (part: string): void => {
      text += part;
    },
    stderr: (part: string): void => {
      faults += part;
    },
  };
  const code = await templateAs(version, flags, aside, hostOf).catch((error: unknown) => {
    if (!(error instanceof RenderError || error instanceof UsageError)) throw error;
    faults += error.message;
    return 1;
  });
  return code === 0 ? { text } : { text: '', error: faults };
}

async function templateAs(version: string, flags: ParsedFlags, io: CommandIo, hostOf: () => Host): Promise<number> {
  const command = beginCommand(flags, io, version);
  const program = flags.text('post-renderer');
  const postRender = program ? command.how.findPostRenderer(program, flags, io) : undefined;
  if (flags.args.length === 0) {
    throw new UsageError(
      '"drydock template" requires at least 1 argument\n\nUsage:  drydock template [NAME] [CHART] [flags]',
    );
  }
  const debug = flags.has('debug') ? flags.on('debug') : /^(1|t|T|TRUE|true|True)$/.test(io.env.HELM_DEBUG ?? '');
  const view = { ...viewOf(flags), postRender };
  try {
    print(await render(command, flags, io, hostOf()), { view, flags }, io);
    return 0;
  } catch (error) {
    if (!(error instanceof ReleaseError || error instanceof PostRenderError || error instanceof OutputDirError)) {
      throw error;
    }
    const partial = error instanceof ReleaseError ? error : { partial: '', hooks: [] };
    if (debug) showPartial(() => io.stdout(formatPartial(partial, { ...view, helm: version })), command);
    io.stderr(`Error: ${error.message}${debug ? '' : debugHint}\n${explanationOf(error)}`);
    return 1;
  }
}

// Without `reportsErrorFirst`, an unmatched --show-only is reported instead of the error of the rendering.
function showPartial(show: () => void, { line }: BegunCommand): void {
  try {
    show();
  } catch (missing) {
    if (!line.reportsErrorFirst || !(missing instanceof RenderError)) throw missing;
  }
}

function viewOf(flags: ParsedFlags): TemplateView {
  return {
    includeCrds: flags.on('include-crds'),
    noHooks: flags.on('no-hooks'),
    skipTests: flags.on('skip-tests'),
    showOnly: flags.list('show-only'),
  };
}

// The order of these steps is Helm's: it determines which of several errors is reported.
async function render(
  { version, line, how }: BegunCommand,
  flags: ParsedFlags,
  io: CommandIo,
  host: Host,
): Promise<Release> {
  const given = { ...renderSettings(flags), helm: [version], namespace: namespaceOf(flags, io) };
  checkKubeSettings(given);
  checkChartFlags(flags, line, io.cwd);
  how.checkDryRun(flags, io);
  const { name, nameTemplate, chart } = nameAndChart(flags);
  return renderChartPath(chart, {
    ...surroundings(io),
    settings: { ...given, release: name },
    nameTemplate,
    enableDns: flags.on('enable-dns'),
    subchartNotes: flags.on('render-subchart-notes'),
    updateDependencies: flags.on('dependency-update'),
    explain: flags.on('explain'),
    host,
    onLocate: (path) => checkVerifiable(flags, path),
    onUpdate: (count) => io.stdout(`Saving ${count} charts\nDeleting outdated charts\n`),
    onLoad: (loaded) => how.checkModes(flags, loaded, io),
  });
}

interface NameAndChart {
  readonly name: string;
  /** Overrides the name, unless it is empty. */
  readonly nameTemplate?: string;
  readonly chart: string;
}

function nameAndChart(flags: ParsedFlags): NameAndChart {
  const [first = '', second, ...more] = flags.args;
  if (more.length > 0) {
    throw new UsageError(`expected at most two arguments, unexpected arguments: ${more.join(', ')}`);
  }
  const nameTemplate = flags.text('name-template') ?? '';
  if (second === undefined) return { name: 'release-name', nameTemplate, chart: first };
  for (const [flag, given] of [
    ['generate-name', flags.on('generate-name')],
    ['name-template', nameTemplate !== ''],
  ] as const) {
    if (given) throw new UsageError(`cannot set --${flag} and also specify a name`);
  }
  return { name: first, chart: second };
}

function print(
  release: Release,
  { view, flags }: { readonly view: TemplateView; readonly flags: ParsedFlags },
  io: CommandIo,
): void {
  const folder = flags.text('output-dir');
  if (!folder) {
    io.stdout(release.text(view));
    return;
  }
  writeOutputDir(release, view, { folder, withReleaseName: flags.on('release-name') }, io);
  // Nothing is left to print, but `--show-only` is checked.
  io.stdout(release.text({ ...view, noHooks: true, postRender: () => '' }));
}

// `--output-dir`: one file for each template.
// Mirrors: helm.sh/helm/v3/pkg/action, action.go, `writeToFile`, v3.17.3.

/** The failure to write a file, with the message of Go's os package. */
class OutputDirError extends Error {
  override readonly name = 'OutputDirError';
}

/**
 * Writes a release into a folder, all documents of a template into one file, and lists the files on standard output. Throws OutputDirError.
 */
function writeOutputDir(
  release: Release,
  view: TemplateView,
  target: { readonly folder: string; readonly withReleaseName: boolean },
  io: CommandIo,
): void {
  const { folder } = target;
  const named = target.withReleaseName ? join(folder, release.name) : folder;
  const written = new Set<string>();
  for (const { kind, path, text } of release.documents(view)) {
    const file = `${kind === 'crd' ? folder : named}/${path}`;
    const folderOfFile = dir(file);
    if (!attempt('stat', folderOfFile, () => exists(resolve(io.cwd, folderOfFile)))) {
      attempt('mkdir', folderOfFile, () => makeFolder(folderOfFile, io.cwd));
    }
    const write = written.has(file) ? appendFileSync : writeFileSync;
    attempt('open', file, () => write(resolve(io.cwd, file), encodeUtf8(text)));
    written.add(file);
    io.stdout(`wrote ${file}\n`);
  }
}

// Some Node versions report a file in the path as a missing entry, where Go names it.
function exists(path: string): boolean {
  try {
    statSync(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

function attempt<T>(operation: string, path: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    const { path: culprit, syscall } = error as NodeJS.ErrnoException;
    const place = syscall === 'mkdir' ? culprit : path;
    throw new OutputDirError(`${operation} ${place}: ${systemReason(error)}`, { cause: error });
  }
}
