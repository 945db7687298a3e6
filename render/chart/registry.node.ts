// Charts in local folders: single charts, mirrors of repositories, OCI layouts.
// Mirrors: helm.sh/helm/v3, pkg/repo, index.go (index.yaml), v3.17.3; the OCI image layout specification 1.0.

import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, join, resolve, sep } from 'node:path';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { parseYamlMap } from '../codec/yaml/parse.ts';
import { RenderError } from '../core/errors.ts';
import { decodeUtf8 } from '../go/utf8.ts';
import { GoError, type GoValue } from '../go/value.ts';
import type { Chart } from './chart.ts';
import { loadChartPath } from './directory.node.ts';
import { loadArchive } from './load.ts';
import { type Candidate, type ChartRef, mirrorPath, notFound, pickCandidate, type Registry } from './registry.ts';

/** Options of a folder registry. */
export interface DirectoryOptions {
  /**
   * Whether charts directly in the folders match every source, by their names alone. Default false: a chart from a URL comes from a mirror
   * of that URL.
   */
  readonly isFlat?: boolean | undefined;
}

/**
 * Returns a registry over folders. In each folder it looks for the mirror of a source: `host/path` of a URL, `namespace/name` and `name` of
 * a repository object, the path of a `Local` one, and the folder itself for `Embed`. Each of these may contain an `index.yaml`, an OCI
 * layout, charts as folders or archives, or be the chart itself. Nothing outside the folders is read.
 */
export function folderRegistry(folders: readonly string[], options: DirectoryOptions = {}): Registry {
  const roots = folders.map((folder) => resolve(folder));
  return {
    resolve: async (ref) => {
      const places = roots.flatMap((root) => placesOf(ref, root, options.isFlat === true));
      return findIn(places, ref);
    },
  };
}

/** Returns a registry over one chart folder or archive, for references to that place. */
export function placeRegistry(path: string): Registry {
  return { resolve: (ref) => findIn([path], ref) };
}

async function findIn(places: readonly string[], ref: ChartRef): Promise<Chart> {
  const versions: string[] = [];
  const names: string[] = [];
  for (const place of places) {
    const { candidates, name } = await listCandidates(place, ref.name);
    const found = pickCandidate(candidates, ref.version);
    if (found !== undefined) return found.load();
    versions.push(...candidates.map(({ version }) => version));
    if (name !== undefined && name !== ref.name) names.push(name);
  }
  throw notFound(ref, { places, versions, names: ref.sourceRef.kind === 'Embed' ? [] : names });
}

const paths = new WeakMap<Chart, string>();

/** Returns the folder or archive of a chart from a `directoryRegistry`; undefined for other charts. */
export function pathOfChart(chart: Chart): string | undefined {
  return paths.get(chart);
}

/** Records the folder or archive of a chart. Returns the chart. */
export function readFrom(chart: Chart, path: string): Chart {
  paths.set(chart, path);
  return chart;
}

function placesOf({ name, sourceRef }: ChartRef, root: string, isFlat: boolean): string[] {
  const { kind = '', namespace = '', name: source } = sourceRef;
  const mirrored = mirrorPath(source);
  const path = mirrored ?? source;
  const below =
    kind === 'Embed' ? [] : [`${path}/${name}`, path, ...(namespace === '' ? [] : [`${namespace}/${path}`])];
  const places = below.map((place) => (mirrored === undefined ? resolve(root, place) : join(root, place)));
  // The path of a Local chart is relative to the folder, or absolute; it must be inside.
  const isInside = (place: string): boolean => isWithin(place, root);
  if (kind === 'Local') return places.slice(1).filter(isInside);
  return [...places.filter(isInside), ...(kind === 'Embed' || isFlat ? [root] : [])];
}

/** Reports whether an existing path is below a folder, after resolving links. */
export function isWithin(path: string, root: string): boolean {
  try {
    const real = realpathSync(path);
    const realRoot = realpathSync(root);
    return real === realRoot || real.startsWith(realRoot + sep);
  } catch {
    return false;
  }
}

interface Found {
  readonly candidates: readonly Candidate[];
  /** The name of the chart at the place itself, or undefined. */
  readonly name?: string;
}

async function listCandidates(place: string, name: string): Promise<Found> {
  if (isFile(place) || existsSync(join(place, 'Chart.yaml'))) return oneChart(place, name);
  if (existsSync(join(place, 'index.yaml'))) return { candidates: fromIndex(place, name) };
  if (existsSync(join(place, 'oci-layout'))) return { candidates: fromLayout(place, name) };
  const single = existsSync(join(place, name, 'Chart.yaml'))
    ? (await oneChart(join(place, name), name)).candidates
    : [];
  return { candidates: [...single, ...fromArchives(place, name)] };
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

async function oneChart(path: string, name: string): Promise<Found> {
  const chart = await loadChartPath(path);
  const { metadata } = chart;
  if (metadata.name !== name) return { candidates: [], name: metadata.name };
  paths.set(chart, path);
  return { candidates: [{ version: metadata.version, load: async () => chart }], name };
}

// Archives are named NAME-VERSION.tgz; the chart inside decides.
function fromArchives(place: string, name: string): Candidate[] {
  if (!existsSync(place)) return [];
  return readdirSync(place).flatMap((file) => {
    const version = file.startsWith(`${name}-`) && file.endsWith('.tgz') ? file.slice(name.length + 1, -4) : '';
    return /^v?[0-9]/.test(version) ? [{ version, load: () => loadPacked(join(place, file)) }] : [];
  });
}

const packed = new Map<string, { readonly stamp: string; readonly chart: Chart }>();

// An archive is read again only if it changes, so that renderings of a chart share cached data.
async function loadPacked(path: string, digest = ''): Promise<Chart> {
  const { mtimeMs, size } = statSync(path);
  const stamp = `${mtimeMs} ${size}`;
  const known = packed.get(path);
  if (known?.stamp === stamp) return known.chart;
  const data = readFileSync(path);
  checkDigest(path, data, digest);
  const chart = loadArchive(data);
  packed.set(path, { stamp, chart });
  paths.set(chart, path);
  return chart;
}

function checkDigest(path: string, data: Uint8Array, digest: string): void {
  const wanted = digest.replace(/^sha256:/, '');
  if (wanted === '' || bytesToHex(sha256(data)) === wanted) return;
  throw new RenderError('CHART_INVALID', `${path} does not have the digest of its index`, {
    place: { file: path },
    hint: 'Fetch the archive again, or correct the index.',
  });
}

function fromIndex(place: string, name: string): Candidate[] {
  const file = join(place, 'index.yaml');
  const entries = tableOf(readYaml(file)).get('entries');
  const versions = tableOf(entries ?? null).get(name);
  return (Array.isArray(versions) ? versions : []).flatMap((entry) => {
    const fields = tableOf(entry);
    const urls = fields.get('urls');
    const url = Array.isArray(urls) ? textOf(urls[0]) : '';
    const path = [url.replace(/^[a-z]+:\/\/[^/]*\//i, ''), basename(url)]
      .map((part) => join(place, decodeURIComponent(part)))
      .find((candidate) => isFile(candidate) && isWithin(candidate, place));
    if (path === undefined) return [];
    return [{ version: textOf(fields.get('version')), load: () => loadPacked(path, textOf(fields.get('digest'))) }];
  });
}

const chartLayer = 'application/vnd.cncf.helm.chart.content.v1.tar+gzip';

// Each manifest of the layout is one version of a chart. A tag cannot contain `+`, which is written as `_`.
function fromLayout(place: string, name: string): Candidate[] {
  const manifests = tableOf(readYaml(join(place, 'index.json'))).get('manifests');
  return (Array.isArray(manifests) ? manifests : []).flatMap((descriptor) => {
    const manifest = readBlob(place, descriptor);
    const layers = manifest.get('layers');
    const layer = (Array.isArray(layers) ? layers : []).find(
      (item) => textOf(tableOf(item).get('mediaType')) === chartLayer,
    );
    if (layer === undefined) return [];
    const notes = new Map([...annotationsOf(manifest), ...annotationsOf(tableOf(descriptor))]);
    const [reference = '', tag = reference] = textOf(notes.get('org.opencontainers.image.ref.name')).split(
      /:(?=[^:/]*$)/,
    );
    const title =
      textOf(notes.get('org.opencontainers.image.title')) || (tag === reference ? name : basename(reference));
    if (title !== name) return [];
    const version = textOf(notes.get('org.opencontainers.image.version')) || tag.replaceAll('_', '+');
    const digest = textOf(tableOf(layer).get('digest'));
    return [{ version, load: () => loadPacked(blobPath(place, digest), digest) }];
  });
}

function annotationsOf(fields: ReadonlyMap<string, GoValue>): ReadonlyMap<string, GoValue> {
  return tableOf(fields.get('annotations') ?? null);
}

function readBlob(place: string, descriptor: GoValue): ReadonlyMap<string, GoValue> {
  return tableOf(readYaml(blobPath(place, textOf(tableOf(descriptor).get('digest')))));
}

function blobPath(place: string, digest: string): string {
  if (!/^sha256:[0-9a-f]{64}$/.test(digest)) throw layoutInvalid(place, `${JSON.stringify(digest)} is not a digest`);
  return join(place, 'blobs', 'sha256', digest.slice('sha256:'.length));
}

// JSON is YAML too.
function readYaml(file: string): GoValue {
  try {
    return parseYamlMap(decodeUtf8(readFileSync(file)));
  } catch (error) {
    throw layoutInvalid(file, error instanceof GoError ? error.message : 'cannot be read');
  }
}

function layoutInvalid(file: string, fault: string): RenderError {
  return new RenderError('CHART_INVALID', `${file}: ${fault}`, {
    place: { file },
    hint: 'Make the mirror again: it needs an index.yaml, or an OCI layout with its blobs.',
  });
}

function tableOf(value: GoValue): ReadonlyMap<string, GoValue> {
  return value instanceof Map ? value : new Map();
}

function textOf(value: GoValue | undefined): string {
  return typeof value === 'string' ? value : value === undefined || value === null ? '' : String(value);
}
