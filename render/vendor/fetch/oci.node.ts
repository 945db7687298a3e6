// Charts in OCI registries: tags, manifests, layers, and authentication.
// Mirrors: the OCI distribution specification 1.1; helm.sh/helm/v3, pkg/registry and pkg/downloader, v3.17.3.

import { digestBytes } from '../../chart/digest.ts';
import { type ChartRef, pickCandidate } from '../../chart/registry.ts';
import { isMembers } from '../../core/arguments.ts';
import { memo } from '../../core/lazy.ts';
import { isVersion } from '../../go/semver.ts';
import { decodeUtf8 } from '../../go/utf8.ts';
import { newestFirst, versionUnknown } from './classic.node.ts';
import { type Download, download, maxArchiveSize, retryAfterOf } from './download.node.ts';
import { hostOf, parseUrl, statusFailure, VendorError } from './errors.ts';
import { basicAuthorization, type Credential, credentialFor, type HelmHome } from './helm-home.node.ts';
import { type Answer, literalAddress, type RequestSettings, reachOf, type Transport } from './transport.node.ts';

interface OciFound {
  readonly version: string;
  /** The digest of the manifest. */
  readonly manifest: string;
  /** The digest of the archive. */
  readonly digest: string;
  /** The digest of the provenance file, if any. */
  readonly provenance: string | undefined;
}

const chartLayers = ['application/vnd.cncf.helm.chart.content.v1.tar+gzip', 'application/tar+gzip'];
const provenanceLayer = 'application/vnd.cncf.helm.chart.provenance.v1.prov';
const configType = 'application/vnd.cncf.helm.config.v1+json';
const manifestTypes = [
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
  'application/vnd.oci.image.index.v1+json',
].join(', ');

const maxManifestSize = 4 * 1024 * 1024;
const maxPages = 1000;

interface Place {
  readonly host: string;
  /** The path of the repository, such as `charts/web`. */
  readonly path: string;
  readonly url: string;
}

interface Whole extends Pick<Answer, 'status' | 'headers'> {
  readonly text: string;
  readonly digest: string;
}

export class OciSource {
  readonly #transport: Transport;
  readonly #authorizations = new Map<string, string>();
  // The hint for a token service that did not receive the existing credentials.
  readonly #withheld = new Map<string, VendorError>();
  readonly #credentialOf: (host: string) => Promise<Credential | undefined>;

  constructor(transport: Transport, home: HelmHome) {
    this.#transport = transport;
    this.#credentialOf = memo((host) => credentialFor(host, home, transport.env));
  }

  /** Returns the version of a chart in a registry that matches a request. Rejects with CHART_UNKNOWN, VERSION_UNKNOWN and others. */
  async find(url: string, { name, version }: Pick<ChartRef, 'name' | 'version'>): Promise<OciFound> {
    const place = placeOf(url);
    // Helm uses a full version as the name of a tag.
    const isTag = isVersion(version);
    const tags = isTag ? [] : await this.#tags(place);
    const picked = isTag
      ? version
      : pickCandidate(newestFirst(tags.map((tag) => ({ version: tag }))), version)?.version;
    if (picked === undefined) throw versionUnknown(url, { name, version }, tags);
    const found = await this.#manifest(place, picked.replaceAll('+', '_'));
    if (found === undefined) throw versionUnknown(url, { name, version }, await this.#tags(place));
    return { ...found, version: picked };
  }

  /** Returns the content of a manifest by digest. Rejects with VERSION_UNKNOWN if it does not exist any more. */
  async findByDigest(url: string, chart: Pick<ChartRef, 'name' | 'version'>, digest: string): Promise<OciFound> {
    const found = await this.#manifest(placeOf(url), digest);
    if (found === undefined) throw versionUnknown(url, chart, []);
    return { ...found, version: chart.version };
  }

  async fetch(url: string, digest: string, job: Pick<Download, 'what' | 'staging' | 'onBytes'>): Promise<Uint8Array> {
    const place = placeOf(url);
    const blob = this.#address(place, `blobs/${digest}`);
    // A request without a body determines the required authentication, so that the download itself has it.
    if (!this.#authorizations.has(scopeOf(place))) {
      const probe = await this.#transport.retry(() => this.#ask(place, blob, { method: 'HEAD' }));
      probe.discard();
    }
    return download(this.#transport, {
      ...job,
      url: blob,
      digest,
      limit: maxArchiveSize,
      ask: async () => ({
        authorization: this.#authorizations.get(scopeOf(place)),
        namedBy: this.#origin(place),
      }),
    });
  }

  // Only tags that are full versions count; `_` stands for the `+` that tags cannot contain.
  async #tags(place: Place): Promise<readonly string[]> {
    const tags: string[] = [];
    let next: string | undefined = this.#address(place, 'tags/list?n=1000');
    const pages = new Set<string>();
    while (next !== undefined && pages.size < maxPages) {
      const at: string = next;
      pages.add(at);
      const { status, headers, text } = await this.#read(place, at, {});
      if (status === 404) throw chartUnknown(place);
      if (status !== 200) throw statusFailure(status, at, 'list of tags');
      const list = (parseJson(text, at) as { readonly tags?: unknown }).tags;
      tags.push(...(Array.isArray(list) ? list : []).filter((tag): tag is string => typeof tag === 'string'));
      const link = /<([^<>]+)>\s*;\s*rel="?next"?/i.exec(headers.get('link') ?? '')?.[1];
      next = link === undefined ? undefined : parseUrl(link, at).href;
      if (next !== undefined && (pages.has(next) || new URL(next).origin !== new URL(at).origin)) next = undefined;
    }
    return tags.map((tag) => tag.replaceAll('_', '+')).filter(isStrictVersion);
  }

  async #manifest(place: Place, reference: string): Promise<Omit<OciFound, 'version'> | undefined> {
    const url = this.#address(place, `manifests/${reference}`);
    const { status, headers, text, digest } = await this.#read(place, url, { headers: { accept: manifestTypes } });
    if (status === 404) return undefined;
    if (status !== 200) throw statusFailure(status, url, `manifest ${reference}`);
    const expected = reference.startsWith('sha256:') ? reference : headers.get('docker-content-digest');
    if (expected?.startsWith('sha256:') && expected !== digest) {
      throw new VendorError('DIGEST_DIFFERS', `${place.url}: the manifest has digest ${digest}, expected ${expected}`, {
        hint: 'It was changed: ask the administrator of the registry.',
      });
    }
    return readManifest(parseJson(text, url), digest, place);
  }

  #read(place: Place, url: string, options: RequestSettings): Promise<Whole> {
    const tooLarge = `${place.url}: what ${place.host} answers is larger than any manifest`;
    return this.#readWhole(() => this.#ask(place, url, options), { url, what: 'manifest', tooLarge });
  }

  // Small responses, which are read entirely.
  #readWhole(
    send: () => Promise<Answer>,
    { url, what, tooLarge }: { readonly url: string; readonly what: string; readonly tooLarge: string },
  ): Promise<Whole> {
    return this.#transport.retry(async () => {
      const answer = await send();
      const { status, headers } = answer;
      try {
        const chunks: Uint8Array[] = [];
        let size = 0;
        for await (const chunk of answer.body) {
          chunks.push(chunk);
          size += chunk.length;
          if (size > maxManifestSize) throw new VendorError('TOO_LARGE', tooLarge, {});
        }
        if (status >= 500 || status === 429) throw statusFailure(status, url, what, retryAfterOf(headers));
        const data = Buffer.concat(chunks);
        return { status, headers, text: decodeUtf8(data), digest: digestBytes(data) };
      } finally {
        answer.discard();
      }
    });
  }

  // The first request is anonymous; the required authentication is then obtained and kept.
  async #ask(place: Place, url: string, options: RequestSettings): Promise<Answer> {
    const scope = scopeOf(place);
    const known = { ...options, namedBy: this.#origin(place) };
    const answer = await this.#transport.send(url, { ...known, authorization: this.#authorizations.get(scope) });
    if (answer.status !== 401) return refuse(answer, place, options);
    answer.discard();
    const challenge = answer.headers.get('www-authenticate') ?? '';
    const authorization = await this.#authorize(place, challenge);
    if (authorization === undefined) throw statusFailure(401, url, place.path);
    this.#authorizations.set(scope, authorization);
    const second = await this.#transport.send(url, { ...known, authorization });
    if (second.status !== 401) return refuse(second, place, options);
    second.discard();
    throw this.#withheld.get(scope) ?? statusFailure(401, url, place.path);
  }

  async #authorize(place: Place, challenge: string): Promise<string | undefined> {
    const credential = await this.#credentialOf(place.host);
    if (/^basic\b/i.test(challenge)) return credential?.username ? basicAuthorization(credential) : undefined;
    if (!/^bearer\b/i.test(challenge)) return undefined;
    const values = new Map(
      [...challenge.matchAll(/(?<!\w)(\w+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key.toLowerCase(), value]),
    );
    return this.#token(place, values, credential);
  }

  async #token(
    place: Place,
    challenge: ReadonlyMap<string, string>,
    credential: Credential | undefined,
  ): Promise<string | undefined> {
    const realm = challenge.get('realm') ?? '';
    if (!/^https?:\/\//i.test(realm)) return undefined;
    const service = challenge.get('service') ?? '';
    const scope = challenge.get('scope') ?? `repository:${place.path}:pull`;
    const target = parseUrl(realm);
    if (target.protocol === 'http:' && this.#transport.options.plainHttp !== true) return undefined;
    const isTrusted = this.#isTrusted(target, place);
    const known = isTrusted ? credential : undefined;
    if (credential !== undefined && !isTrusted) this.#withheld.set(scopeOf(place), credentialsWithheld(target, place));
    const request = tokenRequest(target, { service, scope }, known);
    const { status, text } = await this.#readWhole(
      () => this.#transport.send(request.url, { ...request.options, namedBy: this.#origin(place) }),
      { url: request.url, what: 'token', tooLarge: `${hostOf(request.url)} sends a token without end` },
    );
    if (status === 401 || status === 403)
      throw this.#withheld.get(scopeOf(place)) ?? statusFailure(status, place.url, place.path);
    if (status !== 200) throw statusFailure(status, realm, 'token');
    const { token, access_token: access } = parseJson(text, realm) as {
      readonly token?: unknown;
      readonly access_token?: unknown;
    };
    const found = [token, access].find((value) => typeof value === 'string' && /^[!-~]+$/.test(value));
    return found === undefined ? undefined : `Bearer ${String(found)}`;
  }

  // A registry names its token service in a response. Credentials are sent there if it is the registry's own host or one that the user
  // allows, over HTTPS. A plain-HTTP registry has its token service at its own address, or beside it on the loopback.
  #isTrusted(realm: URL, place: Place): boolean {
    const registry = new URL(this.#origin(place));
    if (realm.protocol === 'http:') {
      return realm.origin === registry.origin || (isLoopback(realm) && isLoopback(registry));
    }
    const allowed = [...(wellKnownTokenHosts.get(place.host) ?? []), ...(this.#transport.options.tokenHosts ?? [])];
    return realm.hostname === registry.hostname || allowed.includes(realm.host) || allowed.includes(realm.hostname);
  }

  #address(place: Place, rest: string): string {
    return `${this.#origin(place)}/v2/${place.path}/${rest}`;
  }

  #origin({ host }: Place): string {
    const api = host === 'docker.io' || host === 'index.docker.io' ? 'registry-1.docker.io' : host;
    return `${this.#transport.options.plainHttp === true ? 'http' : 'https'}://${api}`;
  }
}

// An identity token is exchanged in a form; a user and a password are sent in a header.
function tokenRequest(
  realm: URL,
  grant: { readonly service: string; readonly scope: string },
  credential: Credential | undefined,
): { readonly url: string; readonly options: RequestSettings } {
  if (credential !== undefined && credential.identityToken !== '') {
    const form = {
      grant_type: 'refresh_token',
      refresh_token: credential.identityToken,
      ...grant,
      client_id: 'drydock',
    };
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return { url: realm.href, options: { method: 'POST', headers, body: new URLSearchParams(form).toString() } };
  }
  const url = new URL(realm);
  for (const [name, value] of Object.entries(grant)) if (value !== '') url.searchParams.set(name, value);
  const authorization = credential === undefined ? undefined : basicAuthorization(credential);
  return { url: url.href, options: { authorization } };
}

// Public registries whose token service has another host.
const wellKnownTokenHosts: ReadonlyMap<string, readonly string[]> = new Map([
  ['docker.io', ['auth.docker.io']],
  ['index.docker.io', ['auth.docker.io']],
  ['registry-1.docker.io', ['auth.docker.io']],
  ['registry.gitlab.com', ['gitlab.com']],
]);

function isLoopback(url: URL): boolean {
  const address = literalAddress(url);
  return url.hostname === 'localhost' || (address !== undefined && reachOf(address) === 'loopback');
}

function credentialsWithheld({ host, protocol }: URL, place: Place): VendorError {
  const message = `${place.url}: the registry asks for tokens of ${host}, which is not its own host, so no credentials were sent there`;
  return new VendorError('ACCESS_DENIED', message, {
    hint:
      protocol === 'https:'
        ? `If ${host} is the registry's token service, allow it: --token-host ${host}`
        : 'A token service on another host must use HTTPS.',
  });
}

function refuse(answer: Answer, place: Place, options: RequestSettings): Answer {
  const { status } = answer;
  // A registry without HEAD responds with the download itself.
  if (status !== 403 || options.method === 'HEAD') return answer;
  answer.discard();
  throw statusFailure(status, place.url, place.path);
}

function scopeOf({ host, path }: Place): string {
  return `${host}/${path}`;
}

function placeOf(url: string): Place {
  const [, host = '', name = ''] = /^oci:\/\/(?:[^/?#]*@)?([^/?#@]+)\/([^?#]+)$/i.exec(url) ?? [];
  const path = name.replace(/(?<!\/)\/+$/, '');
  if (host !== '' && /^[a-z0-9]+(?:[._-]+[a-z0-9]+)*(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*$/.test(path))
    return { host, path, url };
  throw new VendorError('REPOSITORY_UNKNOWN', `${url} is not the address of a chart in a registry`, {
    hint: 'Give an address such as oci://registry.example.com/charts, in lower case.',
  });
}

function readManifest(value: unknown, manifest: string, place: Place): Omit<OciFound, 'version'> {
  const { config, layers } = value as { readonly config?: unknown; readonly layers?: unknown };
  const list = (Array.isArray(layers) ? layers : []).map(descriptorOf);
  const [layer] = chartLayers.flatMap((type) => list.filter(({ mediaType }) => mediaType === type));
  if (descriptorOf(config).mediaType !== configType || layer === undefined || !isDigest(layer.digest)) {
    throw new VendorError('ANSWER_INVALID', `${place.url} is not a Helm chart`, {
      hint: 'Name the repository of a chart; this one contains a container image.',
    });
  }
  const provenance = list.find(({ mediaType, digest }) => mediaType === provenanceLayer && isDigest(digest))?.digest;
  return { manifest, digest: layer.digest, provenance };
}

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
}

function descriptorOf(value: unknown): Descriptor {
  const text = (name: keyof Descriptor): string => {
    const member = isMembers(value) ? value[name] : undefined;
    return typeof member === 'string' ? member : '';
  };
  return { mediaType: text('mediaType'), digest: text('digest') };
}

function isDigest(text: string): boolean {
  return /^sha256:[0-9a-f]{64}$/.test(text);
}

function parseJson(text: string, url: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Reported below.
  }
  throw new VendorError('ANSWER_INVALID', `${hostOf(url)} does not respond like a registry`, {
    hint: 'Check the address: it must be that of an OCI registry.',
  });
}

function chartUnknown({ url, host }: Place): VendorError {
  return new VendorError('CHART_UNKNOWN', `${url}: ${host} has no such chart`, {
    hint: 'Correct its name, or the path of the registry.',
  });
}

function isStrictVersion(text: string): boolean {
  return /^\d+\.\d+\.\d+(?:[-+]|$)/.test(text) && isVersion(text);
}
