// The sides of a difference: an Order, a chart, YAML in a file or folder, or any of them in a git revision.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseYaml } from '../codec/yaml/parse.ts';
import { withoutMark } from '../codec/yaml/reader.ts';
import { attempt, orUndefined } from '../core/catch.ts';
import { RenderError } from '../core/errors.ts';
import { didYouMeanPath, shownPath } from '../core/paths.node.ts';
import { observeHost, withOtherRandomness } from '../engine/randomness.ts';
import { readTextFile } from '../go/os.node.ts';
import { kubeRangeOf, kubeRangesOfOrder } from '../inputs/kube-ranges.node.ts';
import { readOrderFile } from '../inputs/orders.node.ts';
import { isFolder } from '../inputs/paths.node.ts';
import { checkOut, readRevision, reportMissing } from '../inputs/revisions.node.ts';
import type { RenderSettings, RunIo } from '../inputs/settings.ts';
import { planTraced, renderTraced } from '../inputs/traced.node.ts';
import { seededHostOf } from '../inputs/values.node.ts';
import { splitStream } from '../manifest/objects.ts';
import type { SourcedDocument } from '../manifest/source.ts';
import { formatIssue, readOrder } from '../order/read.ts';
import { type SideRelease, sideRelease } from '../provenance/impact/attribution.ts';
import { isBundle } from '../vendor/lock/bundle.ts';
import { type NormalizedDocuments, normalizeRelease } from './normalize.ts';
import { isApplication } from './plan.node.ts';

/** One side, read or rendered. */
export interface ReadSide extends NormalizedDocuments {
  /** Whether it was rendered: then the namespace of objects without one is known. */
  readonly isRendered: boolean;
  /** Whether values and a release name apply to it. */
  readonly isChart: boolean;
  /** The rendering, for the causes of differences; none for a manifest. */
  readonly releases: readonly SideRelease[];
}

export const emptySide: ReadSide = {
  documents: [],
  originals: new Map(),
  isRendered: true,
  isChart: true,
  releases: [],
};

/** The input that an argument names, on disk while it is used. */
export interface OpenSide {
  readonly word: string;
  /** Its path; `-` for standard input. */
  readonly path: string;
  /** Its path in the working tree, for chart settings. */
  readonly place: string;
  /** The charts in a folder of charts, by folder; undefined for anything else. */
  readonly charts: readonly string[] | undefined;
  readonly remove: () => void;
}

/** Resolves an argument, and writes the files of a revision to disk. Throws CHART_NOT_FOUND, CHART_INVALID. */
export function openSide(word: string, io: RunIo): OpenSide {
  const revision = existsSync(resolve(io.cwd, word)) ? undefined : readRevision(word);
  const own = resolve(io.cwd, word);
  if (revision === undefined) return { word, path: word, place: own, charts: chartsIn(own), remove: () => {} };
  const files = checkOut(revision, io.cwd);
  const { path, tops, copied, remove } = files;
  if (copied.length > 0)
    io.stderr(`Note: ${word} uses ${copied.join(', ')} of the working tree, which git does not track\n`);
  reportMissing(word, files, io);
  const place = join(tops.working, relative(tops.written, path));
  return { word, path, place, charts: chartsIn(path), remove };
}

/** Returns a chart of a folder of charts; undefined if it does not exist. */
export function findSideChart({ word, path, place, charts }: OpenSide, name: string): OpenSide | undefined {
  if (charts?.includes(name) !== true) return undefined;
  return {
    word: `${word.replace(/(?<![\\/])[\\/]+$/, '')}/${name}`,
    path: join(path, name),
    place: join(place, name),
    charts: undefined,
    remove: () => {},
  };
}

function chartsIn(folder: string): readonly string[] | undefined {
  if (!isFolder(folder) || existsSync(join(folder, 'Chart.yaml'))) return undefined;
  const names = readdirSync(folder).filter((name) => isApplication(join(folder, name, 'Chart.yaml')));
  return names.length === 0 ? undefined : names;
}

/** Returns the `kubeVersion` ranges of a side's charts; empty for a manifest, and for unreadable inputs. */
export async function kubeRangesOf(
  { path }: OpenSide,
  settings: RenderSettings,
  io: RunIo,
): Promise<readonly string[]> {
  const full = resolve(io.cwd, path);
  if (path === '-' || !existsSync(full)) return [];
  if (isFolder(full) || /\.(tgz|tar\.gz)$/.test(path)) return [kubeRangeOf(full, io.cwd)];
  try {
    const quiet = { ...io, stderr: () => {} };
    const input = await readOrderFile(path, settings, quiet);
    return (await kubeRangesOfOrder(input)).map(({ range }) => range);
  } catch (error) {
    if (error instanceof RenderError) return [];
    throw error;
  }
}

interface Reading {
  readonly settings: RenderSettings;
  readonly io: RunIo;
}

/** Reads or renders a side. Throws RenderError with the place in it. */
export async function readSide({ path, word }: OpenSide, reading: Reading): Promise<ReadSide> {
  const { io } = reading;
  if (path === '-') return manifestSide([{ path: 'standard input', content: await io.stdin() }]);
  const full = resolve(io.cwd, path);
  const status = statSync(full, { throwIfNoEntry: false });
  if (status === undefined) {
    throw new RenderError('CHART_NOT_FOUND', `there is no ${word}${didYouMeanPath(path, io.cwd)}`, {
      place: { file: word },
      hint: 'Name an Order, a chart, a file or folder of rendered YAML, a revision such as HEAD~1:charts/web, or - for standard input.',
    });
  }
  if (status.isDirectory()) {
    return existsSync(join(full, 'Chart.yaml')) ? chartSide(full, word, reading) : manifestSide(filesBelow(full));
  }
  const data = readFileSync(full);
  if (isBundle(data)) return orderSide(path, reading);
  if (/\.(tgz|tar\.gz)$/.test(path)) return chartSide(full, word, reading);
  const content = readTextFile(full, io.cwd);
  return isOrder(content, word) ? orderSide(path, reading) : manifestSide([{ path: word, content }]);
}

// An Order is a single document that lists packages; its kind may be missing.
function isOrder(content: string, name: string): boolean {
  if (!/^["']?(?:kind["']?:\s*["']?Order\b|spec["']?:)|"packages"/m.test(content)) return false;
  return attempt(
    () => {
      const { value } = readOrder(content, name);
      const { kind, spec } = value as { readonly kind?: unknown; readonly spec?: { readonly packages?: unknown } };
      return kind === 'Order' || (kind === undefined && Array.isArray(spec?.packages));
    },
    RenderError,
    false,
  );
}

function manifestSide(given: readonly SourcedDocument[]): ReadSide {
  // Windows PowerShell redirects output as UTF-16, in which documents cannot be separated.
  const documents = given.map((document) => ({ ...document, content: withoutMark(document.content) }));
  for (const document of documents) refuseText(document);
  return { documents, originals: new Map(), isRendered: false, isChart: false, releases: [] };
}

// Any other text is valid YAML too: a scalar. It would count as a side without objects.
function refuseText({ path, content }: SourcedDocument): void {
  const isPlain = splitStream(content).some((text) => !/^["']?[\w.-]+["']?\s*:|^[ \t]*\{/m.test(text) && isNoMap(text));
  if (!isPlain) return;
  throw new RenderError('MANIFEST_INVALID', `${path} holds a text or a list where an object of Kubernetes should be`, {
    place: { file: path },
    hint: 'Name rendered YAML, or what `kubectl get -o yaml` prints.',
  });
}

function isNoMap(text: string): boolean {
  const value = orUndefined(() => parseYaml(text)) ?? null;
  return value !== null && !(value instanceof Map);
}

function filesBelow(folder: string): SourcedDocument[] {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ya?ml|json)$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return names.map((path) => ({
    path: shownPath(path, { cwd: folder }),
    content: readTextFile(path, folder),
  }));
}

async function chartSide(path: string, word: string, { settings, io }: Reading): Promise<ReadSide> {
  const { host, usedRandom } = observeHost(seededHostOf(settings));
  const { release, capabilities, objects, again } = await renderTraced(path, settings, {
    io,
    host,
    folder: word,
    onWarning: (line) => io.stderr(`${line}\n`),
  });
  const own = sideRelease(release, objects, capabilities.kubeVersion.version);
  const twin = usedRandom() ? again(withOtherRandomness(seededHostOf(settings))) : undefined;
  return {
    ...normalizeRelease(release, twin, settings.skipCrds),
    isRendered: true,
    isChart: true,
    releases: [own],
  };
}

async function orderSide(path: string, { settings, io }: Reading): Promise<ReadSide> {
  const order = await readOrderFile(path, settings, io);
  const { text } = order;
  const options = { ...order.options, host: seededHostOf(settings) };
  try {
    const { rendered, objects } = await planTraced({ ...order, options }, io);
    const releases = rendered.packages.map(({ release }, i) => sideRelease(release, objects[i]!, rendered.kubeVersion));
    const normalized = rendered.packages.map(({ release, chance }) =>
      normalizeRelease(release, chance.again?.(), settings.skipCrds),
    );
    return {
      documents: normalized.flatMap(({ documents }) => documents),
      originals: new Map(normalized.flatMap(({ originals }) => [...originals])),
      isRendered: true,
      isChart: false,
      releases,
    };
  } catch (error) {
    if (!(error instanceof RenderError) || error.issues.length === 0) throw error;
    const issues = error.issues.map((issue) => formatIssue(issue, text.placeOf(issue.path)));
    throw new RenderError(error.code, issues.join('\n'), { cause: error, hint: error.hint });
  }
}
