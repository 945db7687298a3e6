// Charts in classic repositories with an index.yaml.
// Mirrors: helm.sh/helm/v3, pkg/repo/chartrepo.go and pkg/getter/httpgetter.go, v3.17.3.

import { gunzipSync } from 'node:zlib';
import { pickCandidate } from '../../chart/registry.ts';
import { codeOf } from '../../core/errors.ts';
import { suggest } from '../../core/suggest.ts';
import { isGzip } from '../../go/compress/gzip.ts';
import { decodeUtf8 } from '../../go/utf8.ts';
import { publicUrl } from '../lock/source.ts';
import { basicAuthorization } from './credentials.node.ts';
import { download, maxArchiveSize, maxIndexSize } from './download.node.ts';
import { VendorError } from './errors.ts';
import { cachedIndex, type HelmHome, type Repository } from './helm-home.node.ts';
import { type IndexEntry, indexUrl, type RepositoryIndex, readIndex, resolveChartUrl } from './index-file.ts';
import { nearestVersions, newestFirst } from './nearest.ts';
import type { Staging } from './staging.node.ts';
import type { RequestSettings, Transport } from './transport.node.ts';
import { parseUrl } from './url.ts';

/** A chart of a repository in the requested version. */
export interface IndexFound {
  readonly version: string;
  /** Its URLs in order of preference. Never empty. */
  readonly urls: readonly string[];
  readonly digest: string | undefined;
}

/** Reads repositories, each index once. */
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
    { name, version }: { readonly name: string; readonly version: string },
    isFresh: boolean,
  ): Promise<IndexFound> {
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
    const { url } = repository;
    let index = this.#indexes.get(url);
    if (index === undefined) {
      index = this.#fetchIndex(repository);
      this.#indexes.set(url, index);
    }
    return index;
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
    job: {
      readonly what: string;
      readonly digest: string | undefined;
      readonly staging: Staging;
      readonly onBytes?: (bytes: number, total: number | undefined) => void;
    },
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
    throw new VendorError(code, `${url} ${why}`, { cause: error, hint: 'Tell those who keep the repository.' });
  }
}

// The credentials of a repository are sent to its own host only, unless the user allows more.
function askOf({ url, username, password, passCredentialsAll, tls }: Repository, target: string): RequestSettings {
  const own = parseUrl(url);
  const user = username || decodeURIComponent(own.username);
  const secret = password || decodeURIComponent(own.password);
  const isOwn = parseUrl(target).origin === own.origin;
  const authorization =
    user !== '' && (isOwn || passCredentialsAll) ? basicAuthorization({ username: user, password: secret }) : undefined;
  return { authorization, tls: isOwn ? tls : undefined, namedBy: url };
}

function usable(entries: readonly IndexEntry[]): readonly IndexEntry[] {
  return newestFirst(entries).filter(({ urls }) => urls.length > 0);
}

function foundOf(repository: Repository, { version, urls, digest }: IndexEntry): IndexFound {
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
  { name, version }: { readonly name: string; readonly version: string },
  versions: readonly string[],
): VendorError {
  const range = version === '' ? 'in any released version' : `in version ${JSON.stringify(version)}`;
  const nearest = nearestVersions(version, versions);
  return new VendorError('VERSION_UNKNOWN', `${where} has no chart ${name} ${range}`, {
    hint: nearest.length === 0 ? 'It has none at all.' : `The nearest are ${nearest.join(', ')}.`,
  });
}
