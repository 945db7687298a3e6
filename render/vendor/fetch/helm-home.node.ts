// Helm's and Docker's local files: repositories, their indexes, downloaded archives, and credentials, which are never shown. Nothing is modified.
// Mirrors: helm.sh/helm/v3, pkg/helmpath and pkg/cli/environment.go, v3.17.3; the content cache of v4.

import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { digestBytes } from '../../chart/digest.ts';
import { parseYamlMap } from '../../codec/yaml/parse.ts';
import { checkArguments, isMembers } from '../../core/arguments.ts';
import { decodeUtf8 } from '../../go/utf8.ts';
import { GoError, type GoValue } from '../../go/value.ts';
import { sourceKey } from '../lock/lock.ts';
import { VendorError } from './errors.ts';
import { objectArgument } from './options.ts';
import type { TlsFiles } from './transport.node.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The locations of Helm's and Docker's files. */
export interface HelmHome {
  /** Helm 4: archives by digest. */
  readonly contentCache: string;
  readonly repositoryCache: string;
  readonly repositoryConfig: string;
  readonly registryConfig: string;
  readonly dockerConfig: string;
  readonly keyring: string;
}

/**
 * Returns the locations of Helm's and Docker's files, according to the environment, by default that of the process. Throws
 * ARGUMENT_INVALID.
 */
export function helmHome(env: Environment = process.env): HelmHome {
  checkArguments('helmHome', ['env', env, objectArgument]);
  const home = env.HOME || homedir();
  const [caches, configs] = baseFolders(env, home);
  const cache = env.HELM_CACHE_HOME || join(env.XDG_CACHE_HOME || caches, 'helm');
  const config = env.HELM_CONFIG_HOME || join(env.XDG_CONFIG_HOME || configs, 'helm');
  return {
    contentCache: env.HELM_CONTENT_CACHE || join(cache, 'content'),
    repositoryCache: env.HELM_REPOSITORY_CACHE || join(cache, 'repository'),
    repositoryConfig: env.HELM_REPOSITORY_CONFIG || join(config, 'repositories.yaml'),
    registryConfig: env.HELM_REGISTRY_CONFIG || join(config, 'registry', 'config.json'),
    dockerConfig: join(env.DOCKER_CONFIG || join(home, '.docker'), 'config.json'),
    keyring: join(env.GNUPGHOME || join(home, '.gnupg'), 'pubring.gpg'),
  };
}

function baseFolders(env: Environment, home: string): readonly [caches: string, configs: string] {
  if (process.platform === 'win32') return [env.TEMP || tmpdir(), env.APPDATA || join(home, 'AppData', 'Roaming')];
  if (process.platform === 'darwin') return [join(home, 'Library', 'Caches'), join(home, 'Library', 'Preferences')];
  return [join(home, '.cache'), join(home, '.config')];
}

/** A repository known to Helm, with its credentials and certificates. */
export interface Repository {
  /** Its name in Helm's list; empty for one identified by URL only. */
  readonly name: string;
  readonly url: string;
  readonly username: string;
  readonly password: string;
  /** Whether the credentials are sent to all hosts in its index. */
  readonly passCredentialsAll: boolean;
  readonly tls: TlsFiles | undefined;
}

/** Returns the repositories of a repositories.yaml; empty if the file does not exist. Throws FILE_FAILED. */
export function readRepositories(file: string): readonly Repository[] {
  if (!existsSync(file)) return [];
  try {
    const list = parseYamlMap(decodeUtf8(readFileSync(file))).get('repositories');
    return (Array.isArray(list) ? list : []).map(readRepository).filter(({ url }) => url !== '');
  } catch (error) {
    const message = error instanceof GoError ? error.message : 'cannot be read';
    throw new VendorError('FILE_FAILED', `${file}: ${message}`, {
      cause: error,
      hint: 'Repair it with `helm repo add`.',
    });
  }
}

function readRepository(item: GoValue): Repository {
  const text = (name: string): string => {
    const value = item instanceof Map ? item.get(name) : undefined;
    return typeof value === 'string' ? value : '';
  };
  const isOn = (name: string): boolean => item instanceof Map && item.get(name) === true;
  const file = (name: string): string | undefined => text(name) || undefined;
  const tls = {
    caFile: file('caFile'),
    certFile: file('certFile'),
    keyFile: file('keyFile'),
    insecureSkipTlsVerify: isOn('insecure_skip_tls_verify'),
  };
  const isOwn = tls.caFile !== undefined || tls.certFile !== undefined || tls.insecureSkipTlsVerify;
  return {
    name: text('name'),
    url: text('url'),
    username: text('username'),
    password: text('password'),
    passCredentialsAll: isOn('pass_credentials_all'),
    tls: isOwn ? tls : undefined,
  };
}

export function repositoryAt(repositories: readonly Repository[], url: string): Repository | undefined {
  const key = sourceKey(url);
  return repositories.find((repository) => sourceKey(repository.url) === key);
}

/** Returns the text of Helm's cached index of a repository, or undefined. */
export function cachedIndex(home: HelmHome, name: string): string | undefined {
  const file = join(home.repositoryCache, `${name}-index.yaml`);
  return name !== '' && existsSync(file) ? decodeUtf8(readFileSync(file)) : undefined;
}

/** Returns the archive with a digest from Helm's cache, or undefined. */
export function cachedArchive(
  home: HelmHome,
  chart: { readonly name: string; readonly version: string; readonly digest: string },
): Uint8Array | undefined {
  const hex = chart.digest.slice('sha256:'.length);
  const files = [
    join(home.repositoryCache, `${chart.name}-${chart.version}.tgz`),
    join(home.contentCache, hex.slice(0, 2), `${hex}.chart`),
  ];
  for (const file of files) {
    if (!existsSync(file)) continue;
    const data = readFileSync(file);
    if (digestBytes(data) === chart.digest) return data;
  }
  return undefined;
}

// Mirrors: docker/cli, cli/config/configfile and credentials; oras.land/oras-go, registry/remote/credentials.

/** A credential: a user and a password, or a token instead. */
export interface Credential {
  readonly username: string;
  readonly password: string;
  /** A token to exchange for others; empty for none. */
  readonly identityToken: string;
}

interface DockerConfig {
  readonly auths?: Readonly<Record<string, unknown>>;
  readonly credHelpers?: Readonly<Record<string, unknown>>;
  readonly credsStore?: unknown;
}

/** Returns the credential for a registry's host from Helm's registry configuration, or from Docker's; undefined if there is none. */
export async function credentialFor(host: string, home: HelmHome, env: Environment): Promise<Credential | undefined> {
  for (const file of [home.registryConfig, home.dockerConfig]) {
    const config = readConfig(file);
    if (config === undefined) continue;
    for (const key of keysOf(host)) {
      const found = (await fromHelper(config, key, env)) ?? fromFile(config, key);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function readConfig(file: string): DockerConfig | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const config: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof config === 'object' && config !== null ? (config as DockerConfig) : undefined;
  } catch (error) {
    // Its text may contain a password, so none of it is shown.
    throw new VendorError('FILE_FAILED', `${file} cannot be read as JSON`, {
      cause: error,
      hint: 'Log in again: helm registry login.',
    });
  }
}

// Docker Hub has a legacy address here.
function keysOf(host: string): readonly string[] {
  const isDocker = ['docker.io', 'index.docker.io', 'registry-1.docker.io'].includes(host);
  const names = isDocker
    ? ['https://index.docker.io/v1/', 'docker.io', 'index.docker.io', 'registry-1.docker.io']
    : [host];
  return names.flatMap((name) =>
    name.includes('://') ? [name] : [name, `https://${name}`, `http://${name}`, `https://${name}/`],
  );
}

function fromFile({ auths }: DockerConfig, key: string): Credential | undefined {
  const entry = Object.hasOwn(auths ?? {}, key) ? auths?.[key] : undefined;
  if (!isMembers(entry)) return undefined;
  const text = (name: string): string => {
    const value = entry[name];
    return typeof value === 'string' ? value : '';
  };
  const [, user = '', secret = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(text('auth'), 'base64').toString('utf8')) ?? [];
  const credential = {
    username: user || text('username'),
    password: secret.replace(/(?<!\0)\0+$/, '') || text('password'),
    identityToken: text('identitytoken'),
  };
  return credential.username === '' && credential.identityToken === '' ? undefined : credential;
}

async function fromHelper(
  { credHelpers, credsStore }: DockerConfig,
  key: string,
  env: Environment,
): Promise<Credential | undefined> {
  const own = Object.hasOwn(credHelpers ?? {}, key) ? credHelpers?.[key] : undefined;
  const helper = own ?? credsStore;
  if (typeof helper !== 'string' || !/^[\w.-]+$/.test(helper)) return undefined;
  const answer = await askHelper(`docker-credential-${helper}`, key, env);
  if (answer === undefined) return undefined;
  const { Username: username = '', Secret: password = '' } = answer;
  if (username === '<token>') return { username: '', password: '', identityToken: password };
  return username === '' ? undefined : { username, password, identityToken: '' };
}

interface HelperAnswer {
  readonly Username?: string;
  readonly Secret?: string;
}

const helperTimeout = 30_000;

// A helper without a credential for a host exits with 1; a missing helper is not an error unless credentials are required.
function askHelper(command: string, key: string, env: Environment): Promise<HelperAnswer | undefined> {
  return new Promise((resolve) => {
    const options = { env: env as NodeJS.ProcessEnv, timeout: helperTimeout };
    const child = execFile(command, ['get'], options, (error, text) => resolve(error ? undefined : parseObject(text)));
    child.stdin?.on('error', () => {}).end(`${key}\n`);
  });
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

export function basicAuthorization({ username, password }: Pick<Credential, 'username' | 'password'>): string {
  return `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;
}
