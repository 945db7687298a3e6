// Fetches a chart from any kind of source: resolves its version, downloads and verifies its archive.

import { digestBytes } from '../../chart/digest.ts';
import { loadArchive } from '../../chart/load.ts';
import type { ChartRef } from '../../chart/registry.ts';
import { RenderError } from '../../core/errors.ts';
import { lazy } from '../../core/lazy.ts';
import { suggest } from '../../core/suggest.ts';
import { archivePath, type LockedChart, ociAddress, publicUrl, sourceKey, sourceOrigin } from '../lock/lock.ts';
import { ClassicSource } from './classic.node.ts';
import type { Download, Staging } from './download.node.ts';
import { VendorError } from './errors.ts';
import {
  cachedArchive,
  type HelmHome,
  helmHome,
  type Repository,
  readRepositories,
  repositoryAt,
} from './helm-home.node.ts';
import { OciSource } from './oci.node.ts';
import type { Transport } from './transport.node.ts';

/** What is known of a chart before its archive is downloaded. */
export interface Resolved {
  readonly version: string;
  /** Its URLs; `oci://…` for a registry. Never empty. */
  readonly urls: readonly string[];
  /** The URL of the repository for a source that is a name; else undefined. */
  readonly named: string | undefined;
  /** The digest of the archive, if known. */
  readonly digest: string | undefined;
  readonly manifest?: string | undefined;
  /** The digest of the provenance file in a registry. */
  readonly provenance?: string | undefined;
  /** The repository that it is fetched from; undefined for a registry. */
  readonly repository: Repository | undefined;
}

interface Brought {
  readonly data: Uint8Array;
  readonly digest: string;
  readonly url: string;
  /** Whether it was in Helm's cache. */
  readonly isCached: boolean;
}

interface BringOptions extends Pick<Download, 'onBytes'> {
  readonly name: string;
  readonly staging: Staging;
}

export class Sources {
  readonly #transport: Transport;
  readonly #home: HelmHome;
  /** The repositories known to Helm. */
  readonly #repositories: () => readonly Repository[];
  readonly #classic: ClassicSource;
  readonly #oci: OciSource;

  constructor(transport: Transport) {
    const home = helmHome(transport.env);
    this.#transport = transport;
    this.#home = home;
    this.#repositories = lazy(() => readRepositories(home.repositoryConfig));
    this.#classic = new ClassicSource(transport, home);
    this.#oci = new OciSource(transport, home);
  }

  /**
   * Returns the version that matches a reference. `isFresh` queries the server even if Helm has a cached index. Rejects with VendorError.
   */
  async resolve(ref: ChartRef, isFresh: boolean, locked?: LockedChart): Promise<Resolved> {
    const origin = sourceOrigin(ref);
    if (origin.kind === 'oci') return this.#resolveOci(origin.url, ref, undefined);
    const isNamed = origin.kind === 'named';
    const repository = isNamed ? this.#named(origin.repository, locked) : this.#repository(ref.sourceRef.name);
    const named = isNamed ? publicUrl(repository.url) : undefined;
    if (/^oci:/i.test(repository.url)) return this.#resolveOci(ociAddress(repository.url, ref.name, false), ref, named);
    const { version, urls, digest } = await this.#classic.find(repository, ref, isFresh);
    const [first = ''] = urls;
    if (!/^oci:/i.test(first)) return { version, urls, digest, named, repository };
    // An index can refer to a registry, with the tag after the name.
    const [, address = first, tag = version] = /^(.*[^/]):([^/:]+)$/.exec(first) ?? [];
    await this.#transport.checkNamed(address.replace(/^oci:/i, 'https:'), repository.url);
    return { ...(await this.#resolveOci(address, { name: ref.name, version: tag }, named)), version };
  }

  /** Returns the lock entry of a chart, to download exactly that archive. */
  pinned(ref: ChartRef, locked: LockedChart): Resolved {
    const url = locked.url ?? '';
    const isOci = url.startsWith('oci://');
    const origin = sourceOrigin(ref);
    const repository = isOci
      ? undefined
      : this.#repository(locked.repository ?? (origin.kind === 'index' ? ref.sourceRef.name : url));
    const { version, digest, manifest } = locked;
    return { version, urls: [url], named: locked.repository, digest, manifest, repository };
  }

  /** Downloads the archive. Rejects with VendorError. */
  async bring(found: Resolved, options: BringOptions): Promise<Brought> {
    const { digest } = found;
    const [first = ''] = found.urls;
    if (digest !== undefined) {
      const data = cachedArchive(this.#home, { ...found, name: options.name, digest });
      if (data !== undefined) return { data, digest, url: first, isCached: true };
      const kept = options.staging.kept(digest);
      if (kept !== undefined && digestBytes(kept) === digest)
        return { data: kept, digest, url: first, isCached: false };
    }
    const { data, url } = await this.#fetch(found, options);
    checkChart(data, publicUrl(url), options.name);
    return { data, digest: digestBytes(data), url, isCached: false };
  }

  /** Downloads the provenance file of an archive. Rejects with VendorError. */
  async bringProvenance(found: Resolved, { name, staging }: BringOptions): Promise<Uint8Array> {
    const [url = ''] = found.urls;
    const what = 'provenance file';
    if (found.repository !== undefined) {
      return this.#classic.fetch(found.repository, `${url}.prov`, { what, digest: undefined, staging });
    }
    const { provenance } =
      found.provenance === undefined && found.manifest !== undefined
        ? await this.#oci.findByDigest(url, { name, version: found.version }, found.manifest)
        : found;
    if (provenance !== undefined) return this.#oci.fetch(url, provenance, { what, staging });
    throw new VendorError('NOT_VERIFIED', `${url}: ${name} ${found.version} has no provenance file`, {
      hint: 'Ask the maintainers of the chart to sign it (helm package --sign), or omit --verify.',
    });
  }

  async #fetch(found: Resolved, options: BringOptions): Promise<{ readonly data: Uint8Array; readonly url: string }> {
    const { name, staging, onBytes } = options;
    const job = { what: `${name} ${found.version}`, staging, onBytes };
    const [first = ''] = found.urls;
    const { repository } = found;
    if (repository === undefined) {
      if (found.digest === undefined) throw new Error(`${first} was resolved without a digest`);
      return { data: await this.#oci.fetch(first, found.digest, job), url: first };
    }
    let failure: unknown;
    for (const url of found.urls) {
      try {
        return { data: await this.#classic.fetch(repository, url, { ...job, digest: found.digest }), url };
      } catch (error) {
        if (!(error instanceof VendorError)) throw error;
        failure ??= error;
      }
    }
    throw failure;
  }

  async #resolveOci(
    url: string,
    chart: Pick<ChartRef, 'name' | 'version'>,
    named: string | undefined,
  ): Promise<Resolved> {
    return { ...(await this.#oci.find(url, chart)), urls: [publicUrl(url)], named, repository: undefined };
  }

  // Like Helm, the credentials of a known repository with the same URL are used; a given URL may contain them.
  #repository(url: string): Repository {
    const known = repositoryAt(this.#repositories(), url);
    const given = Object.values(this.#transport.options.repositories ?? {}).find(
      (other) => sourceKey(other) === sourceKey(url),
    );
    const other = {
      name: '',
      url: given ?? url,
      username: '',
      password: '',
      passCredentialsAll: false,
      tls: undefined,
    };
    return this.#withPassing(known ?? other);
  }

  #named(source: string, locked: LockedChart | undefined): Repository {
    const name = source.replace(/^(?:@|alias:)/, '');
    const given = new Map(Object.entries(this.#transport.options.repositories ?? {}));
    const url = given.get(name);
    if (url !== undefined) return this.#repository(url);
    const known = this.#repositories().find((repository) => repository.name === name);
    if (known !== undefined) return this.#withPassing(known);
    if (locked?.repository !== undefined) return this.#repository(locked.repository);
    const names = [...given.keys(), ...this.#repositories().map((repository) => repository.name)];
    const meant = suggest(name, names);
    throw new VendorError('REPOSITORY_UNKNOWN', `there is no repository ${JSON.stringify(name)}`, {
      hint:
        meant === undefined
          ? `Give its URL (--repo ${name}=https://charts.example.com), or add it to Helm (helm repo add ${name} URL).`
          : `Did you mean ${JSON.stringify(meant)}? Otherwise give its URL (--repo ${name}=URL).`,
    });
  }

  #withPassing(repository: Repository): Repository {
    const isPassing = this.#transport.options.passCredentials === true;
    return { ...repository, passCredentialsAll: repository.passCredentialsAll || isPassing };
  }
}

export function lockedOf(
  ref: ChartRef,
  found: Resolved,
  { digest, url }: Pick<Brought, 'digest' | 'url'>,
): LockedChart {
  const address = publicUrl(url);
  const source = sourceKey(ref.sourceRef.name);
  const folder =
    found.repository === undefined ? address.replace(/\/[^/]*$/, '') : (found.named ?? publicUrl(ref.sourceRef.name));
  return {
    source,
    name: ref.name,
    asked: ref.version,
    version: found.version,
    ...(found.named !== undefined && { repository: found.named }),
    url: address,
    archive: archivePath(folder, { name: ref.name, version: found.version }),
    digest,
    ...(found.manifest !== undefined && { manifest: found.manifest }),
  };
}

/** Checks that bytes are the archive of a chart with this name, as rendering does. Throws ANSWER_INVALID. */
function checkChart(data: Uint8Array, url: string, name: string): void {
  try {
    const { metadata } = loadArchive(data);
    if (metadata.name === name) return;
    throw new VendorError('ANSWER_INVALID', `${url} contains the chart ${metadata.name}, not ${name}`, {
      hint: `Use the name ${JSON.stringify(metadata.name)}.`,
    });
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    throw new VendorError('ANSWER_INVALID', `${url} cannot be read as a chart: ${error.message}`, {
      cause: error,
      hint: 'Report it to the maintainers of the repository.',
    });
  }
}
