// Credentials for registries from Helm's and Docker's files and credential helpers. They are never shown.
// Mirrors: docker/cli, cli/config/configfile and credentials; oras.land/oras-go, registry/remote/credentials.

import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { VendorError } from './errors.ts';
import type { HelmHome } from './helm-home.node.ts';

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
export async function credentialFor(
  host: string,
  home: HelmHome,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Credential | undefined> {
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
  if (typeof entry !== 'object' || entry === null) return undefined;
  const text = (name: string): string => {
    const value = (entry as Readonly<Record<string, unknown>>)[name];
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
  env: Readonly<Record<string, string | undefined>>,
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
function askHelper(
  command: string,
  key: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<HelperAnswer | undefined> {
  return new Promise((resolve) => {
    const child = spawn(command, ['get'], {
      env: env as NodeJS.ProcessEnv,
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: helperTimeout,
    });
    let text = '';
    child.stdout.on('data', (data: Buffer) => {
      text += data.toString('utf8');
    });
    child.on('error', () => resolve(undefined));
    child.stdin.on('error', () => {});
    child.on('close', (code) => resolve(code === 0 ? parseAnswer(text) : undefined));
    child.stdin.end(`${key}\n`);
  });
}

function parseAnswer(text: string): HelperAnswer | undefined {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === 'object' && answer !== null ? (answer as HelperAnswer) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the header for a user and a password. */
export function basicAuthorization({
  username,
  password,
}: {
  readonly username: string;
  readonly password: string;
}): string {
  return `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;
}
