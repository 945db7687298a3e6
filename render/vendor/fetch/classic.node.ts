// Charts in classic repositories with an index.yaml.
// Mirrors: helm.sh/helm/v3, pkg/repo/chartrepo.go and index.go, and pkg/getter/httpgetter.go, v3.17.3.

import { gunzipSync } from 'node:zlib';
import { type ChartRef, pickCandidate, withVersions } from '../../chart/registry.ts';
import { parseJsonMap } from '../../codec/json.ts';
import { parseYamlMap } from '../../codec/yaml/parse.ts';
import { attempt, orUndefined } from '../../core/catch.ts';
import { codeOf } from '../../core/errors.ts';
import { escapePattern } from '../../core/escape-pattern.ts';
import { getOrCreate, lazy } from '../../core/lazy.ts';
import { asLimit } from '../../core/limits.ts';
import { suggest } from '../../core/suggest.ts';
import { isGzip } from '../../go/compress/gzip.ts';
import { compareVersions, isVersion, parseVersion } from '../../go/semver.ts';
import { sortAsGo } from '../../go/sort.ts';
import { decodeUtf8 } from '../../go/utf8.ts';
import { GoError, type GoValue } from '../../go/value.ts';
import { publicUrl } from '../lock/lock.ts';
import { type Download, download, maxArchiveSize, maxIndexSize } from './download.node.ts';
import { parseUrl, VendorError } from './errors.ts';
import { basicAuthorization, cachedIndex, type HelmHome, type Repository } from './helm-home.node.ts';
import type { RequestSettings, Transport } from './transport.node.ts';

interface IndexEntry {
  readonly version: string;
  /** The URLs of the archive; relative ones start from the repository. */
  readonly urls: readonly string[];
  /** `sha256:…`; undefined if the index has no well-formed digest. */
  readonly digest: string | undefined;
}

interface RepositoryIndex {
  /** Returns the valid versions of a chart, in index order; undefined for an unknown chart. */
  readonly versionsOf: (name: string) => readonly IndexEntry[] | undefined;
  readonly names: () => readonly string[];
}

/** Parses an index when it is used; `url` is its repository in messages, which are of ANSWER_INVALID. */
function readIndex(text: string, url: string): RepositoryIndex {
  const entries = lazy(() => entriesOf(text, url));
  return {
    versionsOf: (name) => {
      const list = partOf(text, name) ?? entries().get(name);
      if (list === undefined) return undefined;
      return Array.isArray(list) ? list.flatMap(readEntry) : [];
    },
    names: () => [...entries().keys()],
  };
}

function entriesOf(text: string, url: string): ReadonlyMap<string, GoValue> {
  let fault = 'has no entries';
  try {
    const index = text.startsWith('{') ? parseJsonMap(text) : parseYamlMap(text);
    const entries = index.get('entries');
    if (entries instanceof Map) return entries;
    // A repository without charts.
    if (index.has('apiVersion') && (entries === null || entries === undefined)) return new Map();
  } catch (error) {
    const limit = asLimit(error);
    if (!(error instanceof GoError) && limit === undefined) throw error;
    fault = limit?.problem ?? (error as Error).message;
  }
  throw new VendorError('ANSWER_INVALID', `${url}: index.yaml is not a repository index: ${fault}`, {
    hint: 'Correct the address: it must be the folder that contains index.yaml.',
  });
}

// Parses the lines of one chart alone if the index has the format that Helm writes: `entries:`, names indented by two, lists below.
function partOf(text: string, name: string): GoValue | undefined {
  const start = /^entries:[ \t]*\r?\n/m.exec(text);
  if (start === null || /^(?:%|---[ \t]*\S)|[&*!]\w+[ \t]*$/m.test(text)) return undefined;
  const after = (pattern: RegExp, from: number): RegExpExecArray | null => {
    pattern.lastIndex = from;
    return pattern.exec(text);
  };
  const line = new RegExp(`^ {2}${escapePattern(name)}:[ \\t]*\\r?$`, 'gm');
  const found = after(line, start.index + start[0].length);
  const otherMember = after(/^[^\s#]/gm, start.index + start[0].length)?.index ?? text.length;
  if (found === null || otherMember < found.index || line.exec(text) !== null) return undefined;
  const end = after(/^ {0,2}[^\s#-]/gm, found.index + found[0].length)?.index ?? text.length;
  try {
    return parseYamlMap(text.slice(found.index, end)).get(name);
  } catch (error) {
    if (error instanceof GoError || asLimit(error) !== undefined) return undefined;
    throw error;
  }
}

// Entries that Helm cannot read as a version of a chart are skipped.
function readEntry(item: GoValue): IndexEntry[] {
  if (!(item instanceof Map)) return [];
  const version = item.get('version');
  const urls = item.get('urls');
  const digest = item.get('digest');
  if (typeof version !== 'string' || !isVersion(version)) return [];
  const hex = typeof digest === 'string' ? /^(?:sha256:)?([0-9a-f]{64})$/i.exec(digest.trim())?.[1] : undefined;
  return [
    {
      version,
      urls: (Array.isArray(urls) ? urls : []).filter((url): url is string => typeof url === 'string' && url !== ''),
      digest: hex === undefined ? undefined : `sha256:${hex.toLowerCase()}`,
    },
  ];
}

/**
 * Returns the URL of a chart from its repository's and its index entry.
 * Mirrors: `ResolveReferenceURL`.
 */
function resolveChartUrl(repository: string, reference: string): string {
  if (/^[a-z][-+.a-z0-9]*:/i.test(reference)) return reference.replaceAll(' ', '%20');
  const base = parseUrl(repository);
  const { search } = base;
  base.pathname = `${base.pathname.replace(/(?<!\/)\/+$/, '')}/`;
  base.search = '';
  const resolved = parseUrl(reference, base);
  if (search !== '') resolved.search = search;
  return resolved.href;
}

function indexUrl(repository: string): string {
  return resolveChartUrl(repository, 'index.yaml');
}

/**
 * Sorts items by version like Helm, the newest first. Of versions that differ only in build metadata, the first is that of Helm's sort.
 * Invalid versions are left out.
 * Mirrors: helm.sh/helm/v3, pkg/repo/index.go (`SortEntries`) and pkg/registry/client.go (`Tags`), v3.17.3.
 */
export function newestFirst<T extends { readonly version: string }>(items: readonly T[]): readonly T[] {
  return sortAsGo(withVersions(items), (a, b) => compareVersions(b.version, a.version) < 0).map(({ item }) => item);
}

const few = 6;
/** Maximum length of a version that is shown: that of a version in an Order. */
const maxShown = 128;

/** Returns a few versions nearest to the requested one, the newest first; the newest ones if the request cannot be parsed. */
function nearestVersions(range: string, versions: readonly string[]): readonly string[] {
  const known = withVersions(versions.filter((text) => text.length <= maxShown).map((version) => ({ version })));
  known.sort((a, b) => compareVersions(b.version, a.version));
  const wanted = orUndefined(() => parseVersion(/v?\d+(?:\.\d+){0,2}(?:-[0-9A-Za-z.-]+)?/.exec(range)?.[0] ?? ''));
  const at = wanted === undefined ? 0 : known.findIndex(({ version }) => compareVersions(version, wanted) <= 0);
  const middle = at < 0 ? known.length : at;
  const start = Math.max(0, Math.min(middle - few / 2, known.length - few));
  return known.slice(start, start + few).map(({ item }) => item.version);
}

export class ClassicSource {
  readonly #transport: Transport;
  readonly #home: HelmHome;
  readonly #indexes = new Map<string, Promise<RepositoryIndex>>();

  constructor(transport: Transport, home: HelmHome) {
    this.#transport = transport;
    this.#home = home;
  }

  /**
   * Returns the version of a chart in an index that matches a request. Helm's cached index is used first, unless a fresh one is required.
   * Rejects with CHART_UNKNOWN, VERSION_UNKNOWN, or why the index is not available.
   */
  async find(
    repository: Repository,
    { name, version }: Pick<ChartRef, 'name' | 'version'>,
    isFresh: boolean,
  ): Promise<IndexEntry> {
    const cached = isFresh ? undefined : cachedIndex(this.#home, repository.name);
    if (cached !== undefined) {
      const known = readIndex(cached, publicUrl(repository.url)).versionsOf(name) ?? [];
      const found = pickCandidate(usable(known), version);
      if (found !== undefined) return foundOf(repository, found);
    }
    const index = await this.#index(repository);
    const entries = index.versionsOf(name);
    if (entries === undefined) throw chartUnknown(repository, name, index.names());
    const found = pickCandidate(usable(entries), version);
    if (found !== undefined) return foundOf(repository, found);
    throw versionUnknown(
      publicUrl(repository.url),
      { name, version },
      entries.map((entry) => entry.version),
    );
  }

  #index(repository: Repository): Promise<RepositoryIndex> {
    return getOrCreate(this.#indexes, repository.url, () => this.#fetchIndex(repository));
  }

  async #fetchIndex(repository: Repository): Promise<RepositoryIndex> {
    const url = indexUrl(repository.url);
    const data = await download(this.#transport, {
      url,
      what: 'index.yaml',
      limit: maxIndexSize,
      ask: async () => askOf(repository, url),
    });
    return readIndex(decodeUtf8(isGzip(data) ? unzip(data, publicUrl(url)) : data), publicUrl(repository.url));
  }

  /** Returns the bytes of an archive, or of another file beside it. */
  async fetch(
    repository: Repository,
    url: string,
    job: Pick<Download, 'what' | 'digest' | 'staging' | 'onBytes'>,
  ): Promise<Uint8Array> {
    return download(this.#transport, { ...job, url, limit: maxArchiveSize, ask: async () => askOf(repository, url) });
  }
}

function unzip(data: Uint8Array, url: string): Uint8Array {
  try {
    return gunzipSync(data, { maxOutputLength: maxIndexSize });
  } catch (error) {
    const isTooLarge = codeOf(error) === 'ERR_BUFFER_TOO_LARGE';
    const [code, why] = isTooLarge
      ? (['TOO_LARGE', 'unpacks to more than any index'] as const)
      : (['ANSWER_INVALID', 'is packed, and cannot be unpacked'] as const);
    throw new VendorError(code, `${url} ${why}`, {
      cause: error,
      hint: 'Report it to the maintainers of the repository.',
    });
  }
}

// The credentials of a repository are sent to its own host only, unless the user allows more.
function askOf({ url, username, password, passCredentialsAll, tls }: Repository, target: string): RequestSettings {
  const own = parseUrl(url);
  const user = username || unescaped(own.username);
  const secret = password || unescaped(own.password);
  const isOwn = parseUrl(target).origin === own.origin;
  const authorization =
    user !== '' && (isOwn || passCredentialsAll) ? basicAuthorization({ username: user, password: secret }) : undefined;
  return { authorization, tls: isOwn ? tls : undefined, namedBy: url };
}

// A percent sign may stand for itself.
function unescaped(text: string): string {
  return attempt(() => decodeURIComponent(text), Error, text);
}

function usable(entries: readonly IndexEntry[]): readonly IndexEntry[] {
  return newestFirst(entries).filter(({ urls }) => urls.length > 0);
}

function foundOf(repository: Repository, { version, urls, digest }: IndexEntry): IndexEntry {
  return { version, digest, urls: urls.map((url) => resolveChartUrl(repository.url, url)) };
}

function chartUnknown({ url }: Repository, name: string, names: readonly string[]): VendorError {
  const meant = suggest(name, names);
  const few = names.length > 12 ? `It has ${names.length} others.` : `It has ${names.join(', ') || 'none'}.`;
  return new VendorError('CHART_UNKNOWN', `${publicUrl(url)} has no chart ${JSON.stringify(name)}`, {
    hint: meant === undefined ? few : `Did you mean ${JSON.stringify(meant)}?`,
  });
}

/** Returns the error for a missing version, with the nearest available ones. */
export function versionUnknown(
  where: string,
  { name, version }: Pick<ChartRef, 'name' | 'version'>,
  versions: readonly string[],
): VendorError {
  const range = version === '' ? 'in any released version' : `in version ${JSON.stringify(version)}`;
  const nearest = nearestVersions(version, versions);
  return new VendorError('VERSION_UNKNOWN', `${where} has no chart ${name} ${range}`, {
    hint: nearest.length === 0 ? 'It has no versions.' : `The nearest are ${nearest.join(', ')}.`,
  });
}
