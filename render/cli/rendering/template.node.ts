// `drydock template`: the output of `helm template` on both streams.
// Mirrors: helm.sh/helm/v3/cmd/helm, template.go and install.go, v3.17.3.

import { appendFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Chart } from '../../chart/chart.ts';
import { loadChartPath } from '../../chart/directory.node.ts';
import { codeOf, explanationOf, RenderError } from '../../core/errors.ts';
import { type Host, realHost, seededHost } from '../../core/host.ts';
import { makeFolder } from '../../core/make-folder.node.ts';
import { shownPath } from '../../core/paths.node.ts';
import { renderNameTemplate } from '../../engine/name-template.ts';
import { ReleaseError, type RenderedRelease, runInstall } from '../../engine/release.ts';
import { systemReason } from '../../go/os.node.ts';
import { dir } from '../../go/path.ts';
import { encodeUtf8 } from '../../go/utf8.ts';
import type { Helm } from '../../helm/helm.ts';
import { helmOf } from '../../helm/versions.ts';
import { locateChart } from '../../inputs/files.node.ts';
import { helmVersionsOf } from '../../inputs/settings.ts';
import { explainChart } from '../../inputs/traced.node.ts';
import { capabilitiesOf, readUserValues } from '../../inputs/values.node.ts';
import { formatSource, type SourcedDocument } from '../../manifest/source.ts';
import { PostRenderError, postRender } from '../../output/post-renderer.node.ts';
import { formatView, listDocuments, listHooks, type TemplateView } from '../../output/template.ts';
import { compareHelms, type HelmRendering } from '../../provenance/impact/helm-versions.ts';
import { mergeUserValues } from '../../values/user.ts';
import { packFolderDependencies } from '../../vendor/lock/folder-dependencies.node.ts';
import { schemasFor } from '../../vendor/lock/registry.node.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandIo } from '../program.ts';
import { renderSettings } from '../settings.ts';
import { checkChartFlags, checkVerifiable, helmFlags, namespaceOf } from './helm-flags.node.ts';

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
  const { randomPrime: _, ...real } = realHost(zone);
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
  const helm = helmOf(version);
  const how = helmFlags[helm.major];
  how.begin(flags, io, helm.command);
  const postRenderer = flags.text('post-renderer');
  const program = postRenderer ? how.findPostRenderer(postRenderer, io) : undefined;
  if (flags.args.length === 0) {
    throw new UsageError(
      '"drydock template" requires at least 1 argument\n\nUsage:  drydock template [NAME] [CHART] [flags]',
    );
  }
  const debug = flags.has('debug') ? flags.on('debug') : /^(1|t|T|TRUE|true|True)$/.test(io.env.HELM_DEBUG ?? '');
  const view = viewOf(flags);
  try {
    const release = await render(helm, flags, io, hostOf());
    print(release, { view, flags, program }, io);
    return 0;
  } catch (error) {
    if (!(error instanceof ReleaseError || error instanceof PostRenderError || error instanceof OutputDirError)) {
      throw error;
    }
    const { partial, hooks } = error instanceof ReleaseError ? error : { partial: '', hooks: [] };
    const shown = { documents: partial, hooks: listHooks(hooks, view) };
    if (debug) showPartial(() => io.stdout(formatView(shown, view, helm)), helm);
    io.stderr(`Error: ${error.message}${debug ? '' : debugHint}\n${explanationOf(error)}`);
    return 1;
  }
}

// Without `reportsErrorFirst`, an unmatched --show-only is reported instead of the error of the rendering.
function showPartial(show: () => void, { command }: Helm): void {
  try {
    show();
  } catch (missing) {
    if (!command.reportsErrorFirst || !(missing instanceof RenderError)) throw missing;
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
async function render(helm: Helm, flags: ParsedFlags, io: CommandIo, host: Host): Promise<RenderedRelease> {
  const settings = renderSettings(flags);
  const capabilities = capabilitiesOf(settings, helm);
  checkChartFlags(flags, helm, io.cwd);
  helmFlags[helm.major].checkDryRun(flags, io);
  const { name, chart: word } = nameAndChart(flags, host, io);
  const path = locateChart(word, io.cwd);
  checkVerifiable(flags, path);
  const given = await readUserValues(settings, io, helm);
  const values = mergeUserValues(given, helm);
  const onWarning = (line: string): void => io.stderr(`${line}\n`);
  const load = (): Promise<Chart> => loadChartPath(path, { helm: helm.name, onWarning });
  let chart = await load();
  if (flags.on('dependency-update') && lacksDependency(chart) && (await updateDependencies(path, io)))
    chart = await load();
  helmFlags[helm.major].checkModes(flags, chart, io);
  const options = {
    helm,
    name,
    namespace: namespaceOf(flags, io),
    values,
    capabilities,
    isUpgrade: settings.isUpgrade,
    skipSchemaValidation: settings.skipSchemaValidation,
    schemas: schemasFor([path, io.cwd]).source,
    enableDns: flags.on('enable-dns'),
    subchartNotes: flags.on('render-subchart-notes'),
    host,
    onWarning,
  };
  try {
    return runInstall(chart, options);
  } catch (error) {
    throw flags.on('explain') ? explainChart(error, { chart, options, folder: shownPath(path, io), given }) : error;
  }
}

const lacksDependency = ({ metadata, children }: Chart): boolean =>
  metadata.dependencies.some(({ name }) => !children.some((child) => child.metadata.name === name));

// Only from folders: `template` opens no connections.
async function updateDependencies(path: string, io: CommandIo): Promise<boolean> {
  const count = await packFolderDependencies(path);
  if (count === undefined) return false;
  io.stdout(`Saving ${count} charts\nDeleting outdated charts\n`);
  return true;
}

function nameAndChart(
  flags: ParsedFlags,
  host: Host,
  io: CommandIo,
): { readonly name: string; readonly chart: string } {
  const [first = '', second, ...more] = flags.args;
  if (more.length > 0) {
    throw new UsageError(`expected at most two arguments, unexpected arguments: ${more.join(', ')}`);
  }
  const template = flags.text('name-template') ?? '';
  if (second === undefined) {
    return { name: template === '' ? 'release-name' : renderNameTemplate(template, host, io.env), chart: first };
  }
  for (const [flag, given] of [
    ['generate-name', flags.on('generate-name')],
    ['name-template', template !== ''],
  ] as const) {
    if (given) throw new UsageError(`cannot set --${flag} and also specify a name`);
  }
  return { name: first, chart: second };
}

function print(
  release: RenderedRelease,
  how: { readonly view: TemplateView; readonly flags: ParsedFlags; readonly program: string | undefined },
  io: CommandIo,
): void {
  const { view, flags, program } = how;
  const folder = flags.text('output-dir');
  if (folder) {
    writeOutputDir(release, view, { folder, withReleaseName: flags.on('release-name') }, io);
    io.stdout(formatView({ documents: '', hooks: [] }, view, release.helm));
    return;
  }
  const manifests = listDocuments(release, view).map(formatSource).join('');
  const documents =
    program === undefined ? manifests : postRender(program, flags.list('post-renderer-args'), manifests, io);
  io.stdout(formatView({ documents, hooks: listHooks(release.hooks, view) }, view, release.helm));
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
  release: RenderedRelease,
  view: TemplateView,
  target: { readonly folder: string; readonly withReleaseName: boolean },
  io: CommandIo,
): void {
  const { folder } = target;
  const named = target.withReleaseName ? join(folder, release.name) : folder;
  const written = new Set<string>();
  const crds = new Set<SourcedDocument>(release.crds);
  for (const document of [...listDocuments(release, view), ...listHooks(release.hooks, view)]) {
    const file = `${crds.has(document) ? folder : named}/${document.path}`;
    const folderOfFile = dir(file);
    if (!attempt('stat', folderOfFile, () => exists(resolve(io.cwd, folderOfFile)))) {
      attempt('mkdir', folderOfFile, () => makeFolder(folderOfFile, io.cwd));
    }
    const write = written.has(file) ? appendFileSync : writeFileSync;
    attempt('open', file, () => write(resolve(io.cwd, file), encodeUtf8(formatSource(document))));
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
